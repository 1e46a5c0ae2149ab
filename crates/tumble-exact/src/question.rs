//! The one question there is: what do these views show of a collection in independent parts?
//!
//! A [`View`] is a chain of rows that ends in a fold or in the members themselves; the answer is the joint distribution of
//! all views. Which of the [methods](crate::method) answers is chosen by [`plan`](crate::plan).

use crate::dice::{Dice, dice_or_cards};
use crate::dist::Dist;
use crate::law::{Bunch, Stage};
use crate::map::HashMap;
use crate::outcome::{self, Outcome, Stop};
use dashu_int::UBig;
use std::cell::OnceCell;
use tumble_core::prim::{Extent, Interval, Merge, Prim, Rank, Scan, Shape, Told};
use tumble_core::{Budget, Value};

/// A collection in parts, and views of it.
pub(crate) struct Question<'a> {
    pub(crate) bunch: &'a Bunch,
    /// Their stages begin with those of the bunch.
    pub(crate) views: &'a [View],
    cards: OnceCell<Option<Dice>>,
}

/// A way to look at a collection.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) stages: Vec<Stage>,
    pub(crate) goal: Goal,
}

/// Where a view ends.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// In a fold of this row.
    Fold(&'static Prim),
    /// In the members themselves.
    Members,
}

/// A joint distribution: one outcome per view.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    pub(crate) den: UBig,
    pub(crate) items: Vec<(Vec<Outcome>, UBig)>,
}

impl<'a> Question<'a> {
    pub(crate) fn new(bunch: &'a Bunch, views: &'a [View]) -> Question<'a> {
        Question { bunch, views, cards: OnceCell::new() }
    }

    /// The parts as independent dice, if they are.
    pub(crate) fn dice(&self) -> Option<&Dice> {
        self.cards().filter(|_| !self.bunch.dealt())
    }

    /// The parts as dice and cards, if they are; found out once.
    pub(crate) fn cards(&self) -> Option<&Dice> {
        self.cards.get_or_init(|| dice_or_cards(self.bunch)).as_ref()
    }

    /// The only view.
    pub(crate) fn view(&self) -> Option<&'a View> {
        match self.views {
            [view] => Some(view),
            _ => None,
        }
    }

    /// The row of the only view, if that is nothing but a fold by addition.
    pub(crate) fn plain_sum(&self) -> Option<&'static Prim> {
        match self.view()? {
            View { stages, goal: Goal::Fold(row) } if stages.is_empty() => {
                matches!(row.shape, Shape::Fold(Merge::Add)).then_some(row)
            }
            _ => None,
        }
    }
}

impl View {
    /// How many of m dice that show at least a face are kept, for every m up to all dice; none if it is neither a sum of
    /// members that are kept by their rank alone, nor one such member.
    pub(crate) fn kept(&self, dice: u64) -> Option<Vec<i64>> {
        let [stage] = self.stages.as_slice() else { return None };
        let Shape::Scan(Scan { stay, against: None, .. }) = stage.row.shape else { return None };
        let stay = |below, here, above| stay(&stage.args, &Value::int(0), Rank { below, here, above });
        // Dice that show one face are kept as if they showed different ones.
        let by_rank = |below: u64, here: u64| {
            let above = dice - below - here;
            let apart = |up: u64| stay(below, here - up, above + up) + stay(below + here - up, up, above);
            (0..=here).all(|up| stay(below, here, above) == apart(up))
        };
        let lone = Extent::Pool { members: Some(Interval::ALL), least: 1, most: Some(1) };
        let sums = match &self.goal {
            Goal::Fold(row) => {
                matches!(row.shape, Shape::Fold(Merge::Add)) && (row.tell)(&[lone]) == Told::same(0, false)
            }
            Goal::Members => stay(0, dice, 0) == 1,
        };
        let ranked = sums && (0..=dice).all(|below| (0..=dice - below).all(|here| by_rank(below, here)));
        ranked.then(|| (0..=dice).map(|m| stay(dice - m, m, 0) as i64).collect())
    }

    /// What the view shows of a whole collection: its meaning.
    pub(crate) fn apply(&self, pool: &Outcome, budget: &mut Budget) -> Result<Outcome, Stop> {
        let mut seen = pool.clone();
        for stage in &self.stages {
            seen = outcome::apply(stage.row, &stage.with(&seen), budget)?;
        }
        match self.goal {
            Goal::Fold(row) => outcome::apply(row, &[seen], budget),
            Goal::Members => Ok(seen),
        }
    }
}

impl Joint {
    /// From weights that add up to `den`.
    pub(crate) fn new(weights: HashMap<Vec<Outcome>, UBig>, den: UBig) -> Joint {
        let items: Vec<_> = weights.into_iter().filter(|(_, weight)| !weight.is_zero()).collect();
        debug_assert_eq!(items.iter().map(|(_, weight)| weight).sum::<UBig>(), den, "mass is kept");
        Joint { den, items }
    }

    /// The distribution of the only view.
    pub(crate) fn single(self) -> Result<Dist, Stop> {
        let only = |(outcomes, weight): (Vec<Outcome>, UBig)| match <[Outcome; 1]>::try_from(outcomes) {
            Ok([outcome]) => Ok((outcome, weight)),
            Err(_) => Err(Stop::mistake("one view has one outcome")),
        };
        Ok(Dist::listed(self.items.into_iter().map(only).collect::<Result<_, _>>()?, self.den))
    }
}

impl From<Dist> for Joint {
    fn from(dist: Dist) -> Joint {
        Joint {
            den: dist.den,
            items: dist.items.into_iter().map(|(outcome, weight)| (vec![outcome], weight)).collect(),
        }
    }
}
