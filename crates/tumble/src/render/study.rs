//! One or several rolls, for one or several values of variables, with or without questions: everything that one answer
//! of `tumble odds` shows.
//!
//! ```text
//! rolls  ×  values of no, one or two variables        a distribution each
//! questions                                           one number for each distribution instead
//! ```
//!
//! Without variables that is a table, or a line for each question; with one of them a table across its values, or a
//! curve; with two a grid.

use super::axis::Axis;
use super::chance::{self, Question};
use super::effects::{View, undrawable};
use super::explain::grouped;
use super::format::{Format, render};
use super::look::Look;
use super::numbers::Numbers;
use super::series::Series;
use super::sweep::{Column, table};
use tumble_core::{Code, Diagnostic, Span};

/// The most cells of a grid, and values of a sweep.
pub const MOST_CELLS: usize = 2500;

/// Rolls for values of variables, and what is asked of them.
///
/// ```
/// use tumble::render::{self, Axis, Look, Series, Study};
/// use tumble::{Options, Vars, compile};
///
/// let axis = |name: &str, values: [i64; 2]| Axis { name: name.to_owned(), values: values.to_vec() };
/// let mut study = Study::new(1, vec![axis("bonus", [0, 5]), axis("dc", [10, 15])], vec![])?;
/// for (place, case) in study.cases().into_iter().enumerate() {
///     let prepared = compile("tabletop", "d20 + @bonus >= @dc", &case.into_iter().collect())?;
///     let odds = prepared.odds(&Options::default())?;
///     study.put(0, place, Series::new(prepared, odds));
/// }
/// let grid = study.write(render::format("md").ok_or("no such format")?, &Look::default())?;
/// assert!(String::from_utf8(grid)?.contains("| **0** | 55.00 % | 30.00 % |"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Study {
    axes: Vec<Axis>,
    questions: Vec<Question>,
    /// The titles of the rolls, as far as they have an answer.
    titles: Vec<Option<String>>,
    named: Vec<bool>,
    /// The answers in the order they came, each with its roll and its case.
    places: Vec<(usize, usize)>,
    series: Vec<Series>,
}

impl Study {
    /// So many rolls for all values of these variables; an error if that is more than can be shown.
    pub fn new(rolls: usize, axes: Vec<Axis>, questions: Vec<Question>) -> Result<Study, Diagnostic> {
        if axes.len() > 2 {
            return Err(refused("at most two variables can be swept at once: one down, one across")
                .hint("fix the others, and make one grid for each of their values"));
        }
        if let [first, second] = axes.as_slice()
            && first.name == second.name
        {
            return Err(refused(format!("`{}` is swept twice", first.name)));
        }
        let cells = axes.iter().map(|axis| axis.values.len()).product::<usize>();
        if cells > MOST_CELLS {
            return Err(refused(format!(
                "a grid has at most {} cells, and this one has {}",
                grouped(MOST_CELLS as u64),
                grouped(cells as u64)
            ))
            .hint("sweep fewer values, or in larger steps, such as N=0..100..10"));
        }
        let (titles, named) = (vec![None; rolls], vec![false; rolls]);
        Ok(Study { axes, questions, titles, named, places: vec![], series: vec![] })
    }

    /// What it shows.
    pub fn view(&self) -> View {
        View::of(self.titles.len(), self.axes.len(), !self.questions.is_empty())
    }

    /// The variables.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The values of the variables in each case; those of the last variable change first.
    pub fn cases(&self) -> Vec<Vec<(String, i64)>> {
        let mut cases: Vec<Vec<(String, i64)>> = vec![vec![]];
        for axis in &self.axes {
            let more = |case: &Vec<(String, i64)>| -> Vec<Vec<(String, i64)>> {
                axis.values.iter().map(|value| [case.as_slice(), &[(axis.name.clone(), *value)]].concat()).collect()
            };
            cases = cases.iter().flat_map(more).collect();
        }
        cases
    }

    /// Adds the answer for a roll in a case; rolls and cases come in order.
    pub fn put(&mut self, roll: usize, case: usize, series: Series) {
        let title = series.title().to_owned();
        if let Some(named) = self.named.get_mut(roll) {
            *named = series.is_named();
        }
        let series = match (self.axes.as_slice(), self.cases_at(case)) {
            ([], _) => series,
            (axes, values) => {
                let sweep: Vec<String> =
                    axes.iter().zip(&values).map(|(axis, value)| format!("{} = {value}", axis.name)).collect();
                let sweep = sweep.join(", ");
                let alone = self.titles.len() < 2 && !series.is_named();
                let series = series.titled(if alone { sweep } else { format!("{title}, {sweep}") });
                match (axes, values.as_slice()) {
                    ([axis], [value]) => series.swept(&axis.name, *value),
                    _ => series,
                }
            }
        };
        if let Some(known) = self.titles.get_mut(roll) {
            known.get_or_insert(title);
        }
        self.places.push((roll, case));
        self.series.push(series);
    }

    /// The values of the variables in one case.
    fn cases_at(&self, case: usize) -> Vec<i64> {
        match self.axes.as_slice() {
            [] => vec![],
            [one] => one.values.get(case).copied().into_iter().collect(),
            [first, second, ..] => {
                let wide = second.values.len().max(1);
                first
                    .values
                    .get(case / wide)
                    .copied()
                    .into_iter()
                    .chain(second.values.get(case % wide).copied())
                    .collect()
            }
        }
    }

    /// All answers.
    pub fn series(&self) -> &[Series] {
        &self.series
    }

    /// Writes what it shows in a format.
    pub fn write(&self, format: &Format, look: &Look) -> Result<Vec<u8>, Diagnostic> {
        let view = self.view();
        if let Some(why) = undrawable(view, format.name) {
            return Err(refused(why));
        }
        match (view, format.name) {
            (View::Roll | View::Rolls, _) => render(format, &self.series, look),
            (View::Sweep, "text") => Ok(self.sweep(look).into_bytes()),
            (View::Sweep, _) => render(format, &self.series, look),
            (View::Chances | View::Curve, "text") => {
                chance::text(&self.series, &self.questions).map(String::into_bytes)
            }
            (View::Chances | View::Curve | View::Grid, _) => (format.numbers)(&self.numbers()?, look),
        }
    }

    /// The table of one roll after the other across the values of a variable.
    fn sweep(&self, look: &Look) -> String {
        let [axis] = self.axes.as_slice() else { return String::new() };
        let mut tables = Vec::new();
        for (roll, title) in self.titles.iter().enumerate() {
            let mine = self.places.iter().zip(&self.series).filter(|((place, _), _)| *place == roll);
            let columns: Vec<Column> = mine
                .filter_map(|((_, case), series)| Some(Column::new(*axis.values.get(*case)?, series.clone())))
                .collect();
            let titled = self.titles.len() > 1 || self.named[roll];
            let head = title.as_ref().filter(|_| titled).map(|title| format!("{title}\n")).unwrap_or_default();
            if !columns.is_empty() {
                tables.push(format!("{head}{}", table(&axis.name, &columns, look)));
            }
        }
        tables.join("\n")
    }

    /// One number for each roll, question and case.
    fn numbers(&self) -> Result<Numbers, Diagnostic> {
        let titles: Vec<String> = self.titles.iter().map(|title| title.clone().unwrap_or_default()).collect();
        Numbers::new(&self.axes, titles, &self.questions, &self.places, &self.series)
    }
}

fn refused(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Request, Span::default(), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_all_pairs_in_order() {
        let axis = |name: &str, values: &[i64]| Axis { name: name.to_owned(), values: values.to_vec() };
        let study = Study::new(1, vec![axis("a", &[1, 2]), axis("b", &[3, 4])], vec![]).unwrap();
        let cases: Vec<Vec<i64>> =
            study.cases().iter().map(|case| case.iter().map(|(_, value)| *value).collect()).collect();
        assert_eq!(cases, [[1, 3], [1, 4], [2, 3], [2, 4]]);
        assert!((0..4).all(|case| study.cases_at(case) == cases[case]));
        let many: Vec<i64> = (0..100).collect();
        for axes in [
            vec![axis("a", &[1]), axis("b", &[1]), axis("c", &[1])],
            vec![axis("a", &[1]), axis("a", &[1])],
            vec![axis("a", &many), axis("b", &many)],
        ] {
            assert_eq!(Study::new(1, axes, vec![]).map(drop).unwrap_err().code, Code::Request);
        }
    }
}
