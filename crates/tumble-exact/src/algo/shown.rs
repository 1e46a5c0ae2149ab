//! Views that only ask which faces show.
//!
//! Meaning: list every roll and look at it. Accepts equal dice, and views that begin with a row that keeps one member of
//! each face that shows. By inclusion and exclusion the rolls that show just the faces S weigh
//! `Σ (−1)^|S∖T| · w(T)^n` over all `T ⊆ S`, where `w(T)` is the weight of the faces in T. So a sweep over the faces keeps
//! how much T weighs, and not how many dice are left. Cost: faces × states × different weights, whatever n is.

use crate::algo::automaton::Automaton;
use crate::algo::product::Product;
use crate::algo::sweep::products;
use crate::dice::{Face, Group};
use crate::map::HashMap;
use crate::method::{Answers, Desk, Found, Method, Row};
use crate::outcome::{Outcome, Stop};
use crate::price::Price;
use crate::question::{Joint, Question};
use crate::weight::bits;
use dashu_int::{IBig, UBig};
use tumble_core::prim::Rank;
use tumble_core::{Budget, Value};

/// Which faces show, by inclusion and exclusion.
pub static METHOD: Method = Method {
    name: "inclusion and exclusion",
    does: "asks of each face in turn whether it shows",
    answers: Answers::Cheapest(Row { price, run }),
};

/// The dice and the automata, if the method fits.
fn asks<'q>(question: &'q Question<'_>) -> Option<(&'q Group, Vec<Automaton<'q>>)> {
    let dice = question.dice().filter(|dice| dice.beyond.is_none())?;
    let [group] = dice.groups.as_slice() else { return None };
    let plain = group.nothing.is_zero() && group.faces.keys().all(|face| matches!(face, Face::Shows(_)));
    let automata: Vec<Automaton<'_>> = question.views.iter().map(|view| Automaton::new(view, 0)).collect();
    (plain && automata.iter().all(|automaton| automaton.keeps_one(group.count))).then_some((group, automata))
}

/// The joint distribution of the views.
fn run(desk: &mut Desk<'_>, question: &Question<'_>) -> Result<Option<Found>, Stop> {
    let Some((group, automata)) = asks(question) else { return Ok(None) };
    automata.iter().try_for_each(|automaton| automaton.check(group.count, &mut desk.budget))?;
    let faces = group.faces.keys().filter_map(|face| match face {
        Face::Shows(value) => Some(value),
        Face::Below(_) | Face::Above(_) => None,
    });
    let mut product = Product::new(&automata, &faces.collect::<Vec<&Value>>(), &mut desk.budget)?;
    let mut open: Cells = HashMap::from_iter([((0, UBig::ZERO), IBig::ONE)]);
    for (face, weight) in &group.faces {
        open = turn(&mut product, face, weight, open, &mut desk.budget)?;
    }
    let mut sums: HashMap<u32, IBig> = HashMap::default();
    let mut powers: HashMap<UBig, IBig> = HashMap::default();
    desk.budget.step(products(open.len() as f64, dice_bits(group)) as u64)?;
    for ((state, weight), ways) in open {
        let power = powers.entry(weight).or_insert_with_key(|weight| IBig::from(weight.pow(group.copies())));
        *sums.entry(state).or_default() += ways * &*power;
    }
    let mut weights: HashMap<Vec<Outcome>, UBig> = HashMap::default();
    for (state, sum) in sums.into_iter().filter(|(_, sum)| !sum.is_zero()) {
        let sum = UBig::try_from(sum).map_err(|_| Stop::mistake("a negative weight"))?;
        *weights.entry(product.shown(state, &mut desk.budget)?).or_default() += sum;
    }
    Ok(Some(Found::All(Joint::new(weights, group.den.pow(group.copies())))))
}

/// In how many more ways of even than of odd size the faces that show are outside T, by state and the weight of T.
type Cells = HashMap<(u32, UBig), IBig>;

/// A face shows or not, and if it does, it is in T or not.
fn turn(
    product: &mut Product<'_>,
    face: &Face,
    weight: &UBig,
    open: Cells,
    budget: &mut Budget,
) -> Result<Cells, Stop> {
    product.look_at(face);
    let mut by = |here: u64| {
        let stays = product.stays(&[Rank { below: 0, here, above: 0 }], budget)?;
        product.by(stays, budget)
    };
    let moves = [by(0)?, by(1)?];
    let mut next = Cells::default();
    for ((state, before), ways) in open {
        budget.step(3)?;
        let mut to = |by: Option<usize>| by.map_or(Ok(state), |by| product.lead(state, by, budget));
        let [hides, shows] = [to(moves[0])?, to(moves[1])?];
        *next.entry((shows, &before + weight)).or_default() += &ways;
        if hides != shows {
            *next.entry((shows, before.clone())).or_default() -= &ways;
            *next.entry((hides, before)).or_default() += ways;
        }
    }
    next.retain(|_, ways| !ways.is_zero());
    Ok(next)
}

fn dice_bits(group: &Group) -> u64 {
    group.count.saturating_mul(bits(&group.den))
}

/// Face by face: states × weights, as far as there are so many pairs of sets.
fn price(question: &Question<'_>) -> Option<Price> {
    let (group, automata) = asks(question)?;
    let (mut price, mut sets, mut pairs, mut weights, mut cells) = (Price::default(), 1.0, 1.0, 1.0, 1.0f64);
    let mut sums = vec![(0.0, 0.0); automata.len()];
    for (face, weight) in &group.faces {
        price.steps += cells * 3.0 + 20.0;
        (sets, pairs, weights) =
            (f64::min(sets * 2.0, 1e300), f64::min(pairs * 3.0, 1e300), weights + weight.to_f64().value());
        let mut states = 1.0;
        for ((low, high), automaton) in sums.iter_mut().zip(&automata) {
            let worth = automaton.worth(face) as f64;
            (*low, *high) = (*low + worth.min(0.0), *high + worth.max(0.0));
            states *= if automaton.fold().is_some() { *high - *low + 2.0 } else { sets };
        }
        cells = f64::min(states.min(sets) * weights.min(sets), pairs);
    }
    let long = dice_bits(group);
    price.steps += products(cells, long) + cells * 2.0;
    price.bytes = cells * (120.0 + group.faces.len() as f64 / 4.0);
    Some(price)
}
