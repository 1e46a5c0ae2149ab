//! Collections of dice as multisets, each visited once with its multinomial weight.
//!
//! Meaning: list every collection. Accepts dice that are all alike. Cost: `C(n + s, s)` collections
//! of n members, known before it starts.

use crate::algo::dice::{Dice, Face, Group, dice};
use crate::algo::plain;
use crate::dist::{Dist, Pile};
use crate::law::Bunch;
use crate::outcome::{Outcome, Stop};
use crate::plan::{Desk, Joint, View};
use crate::weight::{binomials, powers};
use dashu_int::UBig;
use tumble_core::{Fault, Value};

/// The joint distribution of the views, one multiset at a time.
pub(crate) fn run(desk: &mut Desk<'_>, bunch: &Bunch, views: &[View]) -> Result<Option<Joint>, Stop> {
    let Some(dice) = dice(bunch) else { return Ok(None) };
    let [group] = dice.groups.as_slice() else { return Ok(None) };
    if !group.faces.keys().all(|face| matches!(face, Face::Shows(_))) {
        return Ok(None);
    }
    let pools = listed(desk, &dice, group)?;
    plain::look(desk, pools, views).map(Some)
}

/// One way to go on: faces from `face` on, `left` dice, what lies so far.
struct Branch {
    face: usize,
    left: u64,
    members: Vec<Value>,
    weight: UBig,
}

fn listed(desk: &mut Desk<'_>, dice: &Dice, group: &Group) -> Result<Dist, Stop> {
    let mut faces: Vec<(Option<&Value>, &UBig)> = Vec::new();
    if !group.nothing.is_zero() {
        faces.push((None, &group.nothing));
    }
    faces.extend(group.faces.iter().filter_map(|(face, weight)| match face {
        Face::Shows(value) => Some((Some(value), weight)),
        _ => None,
    }));
    affordable(desk, group.count, faces.len() as u64)?;
    desk.budget.step(group.count.saturating_mul(group.count) / 16)?;
    let rows: Vec<Vec<UBig>> = (0..=group.count).map(binomials).collect();
    let tables: Vec<Vec<UBig>> = faces.iter().map(|(_, weight)| powers(weight, group.count)).collect();
    let (mut pile, mut sum) = (Pile::default(), UBig::ZERO);
    let mut open = vec![Branch { face: 0, left: group.count, members: vec![], weight: UBig::ONE }];
    while let Some(branch) = open.pop() {
        desk.budget.step(8 + branch.members.len() as u64)?;
        if branch.face == faces.len() {
            sum += &branch.weight;
            pile.add(Outcome::Known(Value::pool(branch.members)), &branch.weight);
            continue;
        }
        let last = branch.face + 1 == faces.len();
        for here in (if last { branch.left } else { 0 })..=branch.left {
            let ways = &rows[branch.left as usize][here as usize] * &tables[branch.face][here as usize];
            let mut members = branch.members.clone();
            if let Some(value) = faces[branch.face].0 {
                members.extend((0..here).map(|_| value.clone()));
            }
            open.push(Branch {
                face: branch.face + 1,
                left: branch.left - here,
                members,
                weight: &branch.weight * ways,
            });
        }
    }
    let den = dice.den();
    if let Some((beyond, weight)) = dice.rest(&sum, &den) {
        pile.add(beyond, &weight);
    }
    Ok(pile.over(den))
}

/// Refuses before it starts what cannot be listed.
fn affordable(desk: &mut Desk<'_>, count: u64, faces: u64) -> Result<(), Stop> {
    let mut collections = 1u128;
    for i in 1..faces {
        collections = collections.saturating_mul(u128::from(count + i)) / u128::from(i);
        if collections > u128::from(u64::MAX) {
            break;
        }
    }
    let bytes = collections.saturating_mul(u128::from(count) * 24 + 96);
    if bytes > u128::from(desk.budget.limits().bytes / 4) {
        return Err(Stop::Fault(
            Fault::limit(format!(
                "listing all collections of {count} dice with {faces} faces takes {collections} rows, which is too many"
            ))
            .hint("ask for less, such as their sum, count, min, max, or the largest few"),
        ));
    }
    Ok(())
}
