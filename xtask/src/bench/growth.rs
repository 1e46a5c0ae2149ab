//! How the cost grows when a question is doubled, for some families of questions. Every doubling is judged: a mean
//! would hide one that costs much more than the others.

use super::jobs::{self, End};
use super::plot::{self, Labels, Series};
use super::table::{best, row, span, table, three_digits};
use std::path::Path;

/// At most this many runs of one question, and seconds for all of them.
const RUNS: usize = 5;
const SECONDS: f64 = 8.0;

/// A question with a number in it.
struct Family {
    name: &'static str,
    text: fn(u64) -> String,
    first: u64,
    last: u64,
    /// The cost grows at most with this power of n, and why.
    power: f64,
    why: &'static str,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "sum n d6",
        text: |n| format!("sum {n}d6"),
        first: 125,
        last: 4000,
        power: 2.0,
        why: "5n+1 numbers of 2.6n bits, a fixed number of steps for each",
    },
    Family {
        name: "sum largest n/2 n d10",
        text: |n| format!("sum largest {} {n}d10", n / 2),
        first: 10,
        last: 160,
        power: 3.0,
        why: "25n² additions of numbers of 3.3n bits",
    },
    Family {
        name: "count different n d20",
        text: |n| format!("count different {n}d20"),
        first: 10,
        last: 320,
        power: 2.0,
        why: "20n additions of numbers of 4.3n bits",
    },
    Family {
        name: "largest set and its face, n d10",
        text: |n| {
            format!(
                "x := {n}d10; w := max foreach i in 1..10 do count i=x; \
                 [w, max foreach i in 1..10 do if w = (count i=x) then i else {{}}]"
            )
        },
        first: 5,
        last: 80,
        power: 4.0,
        why: "100n³ products of numbers of 3.3n bits: dice left, best set and its face, dice of the next face",
    },
    Family {
        name: "faces shown twice, n d12",
        text: |n| format!("x := {n}d12; count foreach i in 1..12 do 2 <= (count i=x)"),
        first: 10,
        last: 160,
        power: 3.0,
        why: "144n² products of numbers of 3.6n bits: dice left, faces found, dice of the next face",
    },
    Family {
        name: "pairs won, n d6 against n d6",
        text: |n| {
            format!(
                "function wins(a, b) = if 0 = (count b) then 0 else \
                 (count (max a) > (max b)) + call wins(a -- (max a), b -- (max b))\ncall wins({n}d6, {n}d6)"
            )
        },
        first: 2,
        last: 16,
        power: 5.0,
        why: "6n⁵ products of short numbers: dice left on both sides, pairs won, dice of the next face on both sides",
    },
    Family {
        name: "streak of sixes in n rolls",
        text: |n| {
            format!(
                "function streak(n, now, best) = if n=0 then best else \
                 if 6=d6 then call streak(n-1, now+1, max {{best, now+1}}) else call streak(n-1, 0, best)\n\
                 call streak({n}, 0, 0)"
            )
        },
        first: 15,
        last: 120,
        power: 4.0,
        why: "n³ additions of numbers of 2.6n bits: rolls left, the streak now, the best so far",
    },
    Family {
        name: "successes less ones, n d10",
        text: |n| format!("x := {n}d10; (count 8<=x) - (count 1=x)"),
        first: 250,
        last: 4000,
        power: 2.0,
        why: "2n+1 numbers of 3.3n bits, a fixed number of steps for each",
    },
];

/// Times below this are mostly the start of the machinery: a doubling that ends there is not judged.
const NOISE: f64 = 100e-6;

/// What was measured.
pub(super) struct Growth {
    rows: Vec<Row>,
}

struct Row {
    family: &'static Family,
    /// Each n with its best time, or why there is none.
    times: Vec<(u64, Result<f64, String>)>,
}

/// Measures all families.
pub(super) fn measure(tumble: &Path) -> Growth {
    let rows = FAMILIES.iter().map(|family| {
        let doubled = std::iter::successors(Some(family.first), |n| Some(n * 2)).take_while(|n| *n <= family.last);
        let times = doubled.map(|n| (n, time(tumble, &(family.text)(n)))).collect();
        Row { family, times }
    });
    Growth { rows: rows.collect() }
}

fn time(tumble: &Path, text: &str) -> Result<f64, String> {
    let mut times = Vec::new();
    while times.len() < RUNS && times.iter().sum::<f64>() < SECONDS {
        match jobs::ours(tumble, text) {
            // The clock of `tumble batch` counts whole microseconds.
            End::Answered(answer) => times.push(answer.seconds.max(1e-6)),
            End::Refused(_) => return Err("refused".into()),
            End::Late(seconds) => return Err(format!("> {}", span(seconds))),
            End::Broken(why) => return Err(format!("broken: {why}")),
        }
    }
    best(&times).ok_or_else(|| "none".into())
}

impl Growth {
    /// The table and the plot, with words around them.
    pub(super) fn page(&self) -> String {
        format!(
            "# How the cost grows\n\n\
             Made by `cargo xtask bench`; do not edit. Each time is the best of up to {RUNS} fresh processes.\n\
             A ratio is the time for n by the time for n/2; a cost that grows with n^p has the ratio 2^p in the end.\n\
             Every doubling that ends above {} is judged by itself; a quarter of a power is left for noise.\n\n\
             ![time against n, both logarithmic](growth.svg)\n\n{}\n{}",
            span(NOISE),
            self.table(),
            self.promises()
        )
    }

    pub(super) fn table(&self) -> String {
        let mut rows = vec![row!["family", "n", "time", "ratio"]];
        for Row { family, times } in &self.rows {
            let mut before = None;
            for (n, time) in times {
                let ratio = before.zip(time.as_ref().ok()).map(|(before, time): (f64, &f64)| time / before);
                let shown = time.as_ref().map_or_else(String::clone, |time| span(*time));
                rows.push(row![family.name, n, shown, ratio.map(three_digits).unwrap_or_default()]);
                before = time.as_ref().ok().copied();
            }
        }
        table(&rows)
    }

    fn promises(&self) -> String {
        let mut rows = vec![row!["family", "promised", "worst doubling", "kept", "because"]];
        for row in &self.rows {
            let measured = match row.worst() {
                Some((n, power)) => format!("n^{power:.2} at {n}"),
                None => "not measured".into(),
            };
            let promised = format!("at most n^{}", row.family.power);
            rows.push(row![row.family.name, promised, measured, if row.kept() { "yes" } else { "NO" }, row.family.why]);
        }
        table(&rows)
    }

    /// The names of the families that grow faster than they should.
    pub(super) fn broken(&self) -> Vec<&'static str> {
        self.rows.iter().filter(|row| !row.kept()).map(|row| row.family.name).collect()
    }

    pub(super) fn svg(&self) -> String {
        let labels = Labels {
            title: "Cost of an exact answer as n doubles",
            across: "n (dice)",
            up: "time",
            value: |seconds| match (seconds.log10() + 0.5).floor() as i32 {
                power @ ..-3 => format!("{} µs", 10_u64.pow((power + 6).max(0) as u32)),
                power @ -3..0 => format!("{} ms", 10_u64.pow((power + 3) as u32)),
                power => format!("{} s", 10_u64.pow(power as u32)),
            },
        };
        let series = |row: &Row| Series {
            name: row.family.name.into(),
            points: row.times.iter().filter_map(|(n, time)| Some((*n as f64, *time.as_ref().ok()?))).collect(),
        };
        plot::svg(&labels, &self.rows.iter().map(series).collect::<Vec<_>>())
    }
}

impl Row {
    /// The doubling with the highest power of n, and to which n it leads; none if a time is missing.
    fn worst(&self) -> Option<(u64, f64)> {
        let times: Vec<(u64, f64)> =
            self.times.iter().map_while(|(n, time)| Some((*n, *time.as_ref().ok()?))).collect();
        let all_there = times.len() == self.times.len() && times.len() >= 3;
        let judged = times.windows(2).filter(|pair| pair[1].1 >= NOISE);
        let powers = judged.map(|pair| (pair[1].0, (pair[1].1 / pair[0].1).log2()));
        // Where all times are noise, the last doubling stands for all.
        let last = times.last().map(|(n, _)| (*n, 0.0));
        powers.max_by(|one, other| one.1.total_cmp(&other.1)).or(last).filter(|_| all_there)
    }

    /// A quarter of a power is allowed for the noise of the machine and of its caches.
    fn kept(&self) -> bool {
        self.worst().is_some_and(|(_, power)| power <= self.family.power + 0.25)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(times: &[f64]) -> Growth {
        let times = times.iter().enumerate().map(|(at, time)| (125 << at, Ok(*time))).collect();
        Growth { rows: vec![Row { family: &FAMILIES[0], times }] }
    }

    #[test]
    fn growth_is_held_against_the_promise() {
        assert!(growth(&[1.0, 4.0, 16.0, 64.0]).broken().is_empty());
        assert!(growth(&[1e-6, 9e-6, 36e-6, 144e-6]).broken().is_empty());
        // One doubling that costs too much, between or after others that cost little.
        assert_eq!(growth(&[1.0, 9.0, 18.0, 36.0]).broken(), ["sum n d6"]);
        assert_eq!(growth(&[1.0, 2.0, 4.0, 40.0]).broken(), ["sum n d6"]);
        assert_eq!(growth(&[1.0, 2.0, 4.0, 40.0]).rows[0].worst().unwrap().0, 1000);
        assert_eq!(growth(&[1.0, 2.0, 16.0, 128.0]).broken(), ["sum n d6"]);
        assert_eq!(growth(&[1.0, 4.0]).broken(), ["sum n d6"]);
        let mut refused = growth(&[1.0, 4.0, 16.0]);
        refused.rows[0].times.push((1000, Err("refused".into())));
        assert_eq!(refused.broken(), ["sum n d6"]);
        assert!(refused.table().contains("refused"));
    }

    #[test]
    fn the_page_shows_times_and_ratios() {
        let page = growth(&[0.0001, 0.0004, 0.0016]).page();
        assert!(page.contains("| sum n d6 | 250 |  400 µs |  4.00 |"), "{page}");
        assert!(page.contains("n^2.00 at 500") && page.contains("yes"), "{page}");
        assert!(growth(&[0.0001, 0.5, 20.0]).svg().contains("100 ms"));
    }
}
