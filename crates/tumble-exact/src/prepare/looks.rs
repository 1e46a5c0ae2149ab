//! What a term asks of a pool: the looks at a variable.
//!
//! A look is a filter with the variable in its place (`count i = x`, `i in x`): it asks only for the faces that the
//! filter keeps. Handing the pool on to the same parameter of the function it is in asks for what that function asks
//! for. Rows that keep members by their place in the order (`min largest i x`) ask for the members at some places. Any
//! other use asks for everything.
//!
//! From this follows what may be forgotten (`machine/forget.rs`): the numbers that later looks name are known as
//! intervals, since a parameter that every call raises stays above where it is now.

use super::{Form, Plan, others};
use crate::map::HashMap;
use std::rc::Rc;
use tumble_core::prim::{Extent, Interval, Merge, Prim, Rank, Shape, Told};
use tumble_core::sort;
use tumble_core::{FnId, Slot, Term, TermId, Value};

/// More members, or more ways to keep them by their places, are not gone through.
const MOST_MEMBERS: usize = 100;
const MOST_WAYS: usize = 200;

/// What is known of the looks at variables, by the term they are in.
pub(super) type Known = HashMap<(TermId, Slot), Option<Rc<Looks>>>;

/// What is known of the ways of parameters, by function.
pub(super) type KnownWays = HashMap<usize, Rc<[Option<Way>]>>;

/// A filter on a pool, with its other arguments.
pub(crate) type Look = (&'static Prim, Vec<TermId>);

/// How a term looks at a variable.
#[derive(Default)]
pub(crate) struct Looks {
    pub(crate) filters: Vec<Look>,
    /// Order statistics: the rows on the variable, the innermost first.
    pub(crate) ranks: Vec<Vec<Look>>,
    /// The calls that the variable is handed to, as the argument at a place.
    pub(crate) calls: Vec<(FnId, usize, Vec<TermId>)>,
    /// Whether more is asked than if anything stays.
    pub(crate) counts: bool,
    /// The variables that all this depends on.
    pub(crate) depends: Vec<Slot>,
}

/// Which way a parameter goes from call to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Up,
    Down,
    Same,
}

impl Looks {
    /// One more filter; its other arguments may look as well.
    fn add(&mut self, (row, args): Look) -> Vec<TermId> {
        let others = others(row, &args).collect();
        self.filters.push((row, args));
        others
    }
}

impl Way {
    /// What a parameter can be in this call and later ones, if this is what it is now.
    pub(crate) fn widened(way: Option<Way>, now: Extent) -> Extent {
        let Interval { lo, hi } = match (way, &now) {
            (Some(Way::Same), _) => return now,
            (_, Extent::Known(value)) => Interval { lo: value.as_int(), hi: value.as_int() },
            (_, Extent::Number(interval)) => *interval,
            _ => return Extent::Any,
        };
        match way {
            Some(Way::Up) => Extent::Number(Interval { lo, hi: None }),
            Some(Way::Down) => Extent::Number(Interval { lo: None, hi }),
            _ => Extent::Any,
        }
    }
}

impl Plan {
    /// The looks of a term at a variable; none if it may ask for anything. In the body of a function, those of the calls
    /// of itself are the same.
    pub(crate) fn looks(&self, root: TermId, slot: Slot) -> Option<Rc<Looks>> {
        let key = (root, slot);
        if let Some(known) = self.known_looks.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find_looks(root, slot).map(Rc::new);
        self.known_looks.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_looks(&self, root: TermId, slot: Slot) -> Option<Looks> {
        let own = self.functions.iter().position(|routine| routine.body == root);
        let mut looks = Looks::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !self.free[id.index()].contains(&slot) {
                continue;
            }
            if let Some(rows) = self.ranks_on(id, slot) {
                rows.iter().for_each(|(row, args)| open.extend(others(row, args)));
                looks.ranks.push(rows);
                continue;
            }
            match self.form(id) {
                Form::Core(Term::Var(_)) | Form::Several(_) => return None,
                Form::Core(Term::Prim { prim, args }) => {
                    let asks = matches!(prim.shape, Shape::Fold(Merge::Or));
                    match (self.filter_on(id, slot), args.first().and_then(|arg| self.filter_on(*arg, slot))) {
                        (Some(look), _) => {
                            looks.counts = true;
                            open.extend(looks.add(look));
                        }
                        (None, Some(look)) if asks => open.extend(looks.add(look)),
                        _ => open.extend(args),
                    }
                }
                Form::Core(Term::Call { function, args }) => {
                    let params = &self.functions[function.index()].params;
                    for (place, arg) in args.iter().enumerate() {
                        match self.is_variable(*arg, slot) {
                            false => open.push(*arg),
                            true if own == Some(function.index()) && params[place] == slot => {}
                            true => looks.calls.push((*function, place, args.clone())),
                        }
                    }
                }
                // The chains of a watched binding may show anything.
                Form::Watch(_) => return None,
                form => form.children(|child| open.push(child)),
            }
        }
        let rows = looks.filters.iter().chain(looks.ranks.iter().flatten());
        let arguments = rows.flat_map(|(row, args)| others(row, args));
        let arguments = arguments.chain(looks.calls.iter().flat_map(|(.., args)| args.iter().copied()));
        let mut depends: Vec<Slot> = arguments.flat_map(|arg| self.free[arg.index()].iter().copied()).collect();
        depends.retain(|other| *other != slot);
        sort::sort(&mut depends);
        depends.dedup();
        Some(Looks { depends, ..looks })
    }

    /// The filter that a term is, if it is one on a variable.
    fn filter_on(&self, id: TermId, slot: Slot) -> Option<Look> {
        let Form::Core(Term::Prim { prim, args }) = self.form(id) else { return None };
        let fits = matches!(prim.shape, Shape::Filter) && self.is_variable(args[prim.over], slot);
        fits.then(|| (*prim, args.clone()))
    }

    /// The rows of a term that keep members of a variable by their place in the order only, whatever they show.
    pub(super) fn ranks_on(&self, id: TermId, slot: Slot) -> Option<Vec<Look>> {
        let (mut rows, mut here) = (vec![], id);
        while !self.is_variable(here, slot) {
            let Form::Core(Term::Prim { prim, args }) = self.form(here) else { return None };
            match prim.shape {
                Shape::Scan(scan) if scan.size.is_some() => rows.push((*prim, args.clone())),
                Shape::Forget => {}
                _ => return None,
            }
            here = args[prim.over];
        }
        rows.reverse();
        (!rows.is_empty()).then_some(rows)
    }

    /// Which of n members in ascending order such rows can keep, for any values of the variables; none if that is not
    /// known.
    pub(crate) fn may_keep_ranks(
        &self,
        rows: &[Look],
        n: usize,
        variables: &HashMap<Slot, Extent>,
    ) -> Option<Vec<bool>> {
        if n > MOST_MEMBERS {
            return None;
        }
        let mut all: Vec<Vec<usize>> = vec![(0..n).collect()];
        for (row, args) in rows {
            let Shape::Scan(scan) = row.shape else { return None };
            let mut ways: Vec<Vec<Value>> = vec![vec![]];
            for (i, arg) in args.iter().enumerate() {
                let values = if i == row.over { vec![Value::NOTHING] } else { self.values_up_to(*arg, n, variables)? };
                let longer = |way: &Vec<Value>| {
                    values.iter().map(|value| [&way[..], std::slice::from_ref(value)].concat()).collect()
                };
                ways = ways.iter().flat_map::<Vec<Vec<Value>>, _>(longer).collect();
            }
            if ways.len() * all.len() > MOST_WAYS {
                return None;
            }
            let left = |args: &Vec<Value>, members: &Vec<usize>| {
                let stays = |(below, _): &(usize, &usize)| {
                    let rank = Rank { below: *below as u64, here: 1, above: (members.len() - 1 - below) as u64 };
                    (scan.stay)(args, &Value::NOTHING, rank) > 0
                };
                members.iter().enumerate().filter(stays).map(|(_, member)| *member).collect()
            };
            all = ways.iter().flat_map(|args| all.iter().map(move |members| left(args, members))).collect();
        }
        let mut kept = vec![false; n];
        all.into_iter().flatten().for_each(|member| kept[member] = true);
        Some(kept)
    }

    /// The numbers up to n that a term can be; what is larger counts as n.
    fn values_up_to(&self, term: TermId, n: usize, variables: &HashMap<Slot, Extent>) -> Option<Vec<Value>> {
        let Interval { lo, hi } = match self.extent(term, variables) {
            Extent::Known(value) => return Some(vec![value]),
            Extent::Number(interval) => interval,
            _ => return None,
        };
        let most = i64::try_from(n).ok()?;
        let within = |end: i64| end.clamp(0, most);
        Some((within(lo.unwrap_or(0))..=within(hi.unwrap_or(most))).map(Value::int).collect())
    }

    pub(crate) fn is_variable(&self, id: TermId, slot: Slot) -> bool {
        matches!(self.form(id), Form::Core(Term::Var(other)) if *other == slot)
    }

    /// Which way the parameters of a function go, as far as its calls of itself tell; none for any way.
    pub(crate) fn ways(&self, function: usize) -> Rc<[Option<Way>]> {
        if let Some(ways) = self.known_ways.borrow().get(&function) {
            return ways.clone();
        }
        let ways: Rc<[Option<Way>]> = self.find_ways(function).into();
        self.known_ways.borrow_mut().insert(function, ways.clone());
        ways
    }

    fn find_ways(&self, function: usize) -> Vec<Option<Way>> {
        let routine = &self.functions[function];
        let mut ways: Vec<Option<Way>> = vec![Some(Way::Same); routine.params.len()];
        for (caller, other) in self.functions.iter().enumerate() {
            for id in self.reachable(other.body) {
                let Form::Core(Term::Call { function: called, args }) = self.form(id) else { continue };
                if called.index() != function || (caller != function && !self.leads_to(function, caller)) {
                    continue;
                }
                for (way, (param, arg)) in ways.iter_mut().zip(routine.params.iter().zip(args)) {
                    let own = if caller == function { self.step(*arg, *param) } else { None };
                    *way = way.zip(own).and_then(|(a, b)| match (a, b) {
                        (Way::Same, other) | (other, Way::Same) => Some(other),
                        (a, b) => (a == b).then_some(a),
                    });
                }
            }
        }
        ways
    }

    fn leads_to(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.functions.len()];
        let mut open = vec![from];
        while let Some(function) = open.pop() {
            for id in self.reachable(self.functions[function].body) {
                if let Form::Core(Term::Call { function: called, .. }) = self.form(id)
                    && !std::mem::replace(&mut seen[called.index()], true)
                {
                    open.push(called.index());
                }
            }
        }
        seen[to]
    }

    /// Which way an argument is from a parameter.
    fn step(&self, arg: TermId, param: Slot) -> Option<Way> {
        if self.is_variable(arg, param) {
            return Some(Way::Same);
        }
        let Form::Core(Term::Prim { prim, args }) = self.form(arg) else { return None };
        let place = args.iter().position(|arg| self.is_variable(*arg, param))?;
        let none = HashMap::default();
        let extent = |(i, arg): (usize, &TermId)| {
            if i == place { Extent::Number(Interval::ALL) } else { self.extent(*arg, &none) }
        };
        match (prim.tell)(&args.iter().enumerate().map(extent).collect::<Vec<_>>()) {
            Told::Linear { parts, constant, pooled: false } if parts == [(place, 1)] => {
                Some(if constant >= 0 { Way::Up } else { Way::Down })
            }
            Told::Linear { .. } | Told::Part { .. } | Told::Steps { .. } | Told::Within(_) => None,
        }
    }

    /// What a term can be, if this is what the variables can be.
    pub(crate) fn extent(&self, root: TermId, variables: &HashMap<Slot, Extent>) -> Extent {
        enum Left {
            Term(TermId),
            Row(&'static Prim, usize),
        }
        let (mut left, mut found) = (vec![Left::Term(root)], Vec::new());
        while let Some(next) = left.pop() {
            match next {
                Left::Term(id) => match self.form(id) {
                    Form::Core(Term::Lit(value)) => found.push(Extent::Known(value.clone())),
                    Form::Core(Term::Var(slot)) => found.push(variables.get(slot).cloned().unwrap_or(Extent::Any)),
                    Form::Core(Term::Prim { prim, args }) => {
                        left.push(Left::Row(prim, args.len()));
                        left.extend(args.iter().rev().map(|arg| Left::Term(*arg)));
                    }
                    _ => found.push(Extent::Any),
                },
                Left::Row(row, count) => {
                    let args = found.split_off(found.len().saturating_sub(count));
                    let told = (row.tell)(&args);
                    found.push(told.extent(&args));
                }
            }
        }
        found.pop().unwrap_or(Extent::Any)
    }

    /// Whether a look can keep a face, for any values of the variables.
    pub(crate) fn may_keep(&self, (row, args): &Look, face: &Value, variables: &HashMap<Slot, Extent>) -> bool {
        let extent = |(i, arg): (usize, &TermId)| match i == row.over {
            true => Extent::Known(Value::pool(vec![face.clone()])),
            false => self.extent(*arg, variables),
        };
        let args: Vec<Extent> = args.iter().enumerate().map(extent).collect();
        let told = (row.tell)(&args);
        !matches!(told.extent(&args).members(), Some((_, _, Some(0))))
    }
}
