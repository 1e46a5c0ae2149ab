//! A pool as a whole: turns of exploding, keeping and dropping, and at the end the sum or the count.
//!
//! Members have a tag only if somebody will ask. Of dice that show the same number, one that exploded counts as
//! higher, then the one whose kind is named later in the text; nobody but `C!`, `CM`, `Cm` and explosions after
//! keeping or dropping can see which of them stays.

use super::super::syntax::{Count, Pool, Which};
use super::explode::{Clan, Source, Tag};
use super::plan::{Plan, Selection, Turn};
use super::{Lowering, Parsed};
use crate::build::{all, bind, compare, count, each, either, field, one, repeat, sum, those, two};
use tumble_core::{Compare, Faces, Span, Term, TermId, Value, prim};

/// How many dice there are: the exact number, and the most there can be, as far as they are known.
#[derive(Clone, Copy)]
struct Size {
    exact: Option<i64>,
    most: Option<i64>,
}

impl Lowering {
    pub(super) fn pool(&mut self, pool: &Pool, span: Span) -> Parsed<TermId> {
        self.before_pool = self.kit.draft.len();
        let plan = self.plan(pool)?;
        if pool.dice == 1 && pool.count.is_none() && plan.stages.is_empty() && plan.turns[0].selections.is_empty() {
            return Ok(self.law(&plan.kinds[0], &plan.start, span));
        }
        let mut size = Size { exact: Some(pool.dice), most: Some(pool.dice) };
        let mut before: Option<(TermId, Tag)> = None;
        for turn in &plan.turns {
            let tag = tag_after(&plan, turn, pool.count);
            let clan = Clan { plan: &plan, tag, end: turn.stages.end, span };
            let last = turn.stages.end == plan.stages.len() && turn.selections.is_empty();
            let mut term = match before {
                None => self.started(clan, pool.dice)?,
                Some((term, known)) => match only_stage(clan, turn, known) {
                    Some(stage) if last => return self.joined(clan, stage, term, Some(pool.count)),
                    Some(stage) => self.joined(clan, stage, term, None)?,
                    None => self.continued(clan, turn.stages.start, term, known)?,
                },
            };
            size = size.exploded(&plan, turn);
            for selection in &turn.selections {
                if self.matters(*selection, size) {
                    term = self.select(*selection, term, &mut size, span);
                }
            }
            before = Some((term, tag));
        }
        let (term, tag) = before.unwrap_or_else(|| (self.kit.put(span, 0), Tag::None));
        Ok(self.result(Clan { plan: &plan, tag, end: plan.stages.len(), span }, pool.count, term))
    }

    /// The sum of a pool, or what is counted in it.
    fn result(&mut self, clan: Clan<'_>, count: Option<Count>, pool: TermId) -> TermId {
        match count {
            Some(count) => self.count(clan, count, pool),
            None => {
                let values = self.values(clan, pool);
                self.kit.put(clan.span, sum(values))
            }
        }
    }

    /// The clans of the starting dice.
    fn started(&mut self, clan: Clan<'_>, dice: i64) -> Parsed<TermId> {
        let one = self.clan(clan, Source::Roll(&clan.plan.start), 0, 0)?;
        if dice == 1 {
            return Ok(self.union(clan, vec![one]));
        }
        let all = self.kit.put(clan.span, repeat(dice, one));
        Ok(self.union(clan, vec![all]))
    }

    /// The clans of dice that are here already; `known` is their tag.
    fn continued(&mut self, clan: Clan<'_>, from: usize, pool: TermId, known: Tag) -> Parsed<TermId> {
        let span = clan.span;
        let slot = self.kit.slot("die");
        let body = if known == Tag::None {
            self.clan(clan, Source::Known(slot), 0, from)?
        } else {
            let value = self.kit.slot("value");
            // What triggered before is left as it is; its kind is known to the tag only.
            let mut body = match clan.tag {
                Tag::None => self.kit.put(span, value),
                Tag::Trigger => self.member(clan, value, 0, true),
                Tag::Kind => self.kit.put(span, slot),
            };
            for &kind in &clan.plan.present {
                let then = self.clan(clan, Source::Known(value), kind, from)?;
                body = self.kit.put(span, either(compare(Compare::Equal, field(1, slot), kind as i64), then, body));
            }
            self.kit.put(span, bind(value, field(0, slot), body))
        };
        let each = self.kit.put(span, each(slot, pool, body));
        Ok(self.union(clan, vec![each]))
    }

    /// Dice that are here already and the clans they add at their only stage. Nobody asks which die added which, so
    /// it is enough to know how many do; the exact engine is at its best then. At the end of a pool the two results are added, `end` saying what is
    /// counted; before, both are one pool.
    fn joined(
        &mut self,
        clan: Clan<'_>,
        (at, threshold): (usize, i64),
        pool: TermId,
        end: Option<Option<Count>>,
    ) -> Parsed<TermId> {
        let span = clan.span;
        let slot = self.kit.slot("pool");
        let stage = &clan.plan.stages[at];
        let (next, from) = stage.added(0, at);
        let body = self.clan(clan, Source::Roll(&stage.law), next, from)?;
        let exploding = count(those(Compare::AtLeast, threshold, slot));
        let (own, clans) = (self.kit.put(span, slot), self.kit.put(span, repeat(exploding, body)));
        let added = self.union(clan, vec![clans]);
        let both = match end {
            None => self.union(clan, vec![own, added]),
            Some(count) => {
                let results = [own, added].map(|part| self.result(clan, count, part));
                self.kit.put(span, all(&prim::ADD, results.to_vec()))
            }
        };
        Ok(self.kit.put(span, bind(slot, one(&prim::BAG, pool), both)))
    }

    /// `K2H`, `DL`
    fn select(&mut self, selection: Selection, pool: TermId, size: &mut Size, span: Span) -> TermId {
        let Selection { keep, dice, which, .. } = selection;
        let left = |dice: i64, present: i64| if keep { dice.min(present) } else { (present - dice).max(0) };
        let exact = size.exact;
        size.exact = size.exact.map(|present| left(dice, present));
        size.most = if keep {
            Some(size.most.map_or(dice, |most| most.min(dice)))
        } else {
            size.most.map(|most| left(dice, most))
        };
        let row = match which {
            Which::Random => return self.select_at_random(keep, dice, pool, exact, span),
            Which::Highest if keep => &prim::LARGEST,
            Which::Lowest if keep => &prim::LEAST,
            Which::Highest => &prim::BUT_LARGEST,
            Which::Lowest => &prim::BUT_LEAST,
        };
        self.kit.put(span, two(row, dice, pool))
    }

    fn select_at_random(&mut self, keep: bool, dice: i64, pool: TermId, exact: Option<i64>, span: Span) -> TermId {
        // Nobody can see the order of a pool, and dice without an order need not be looked at to be drawn.
        let pool = self.kit.put(span, one(&prim::BAG, pool));
        let stay = if keep { Some(dice) } else { exact.map(|present| (present - dice).max(0)) };
        if let Some(stay) = stay {
            let count = self.kit.put(span, stay);
            return self.kit.put(span, Term::Draw { faces: Faces::Members { pool, count } });
        }
        // How many stay is known once the dice are.
        let slot = self.kit.slot("pool");
        let count = self.kit.put(span, count(two(&prim::BUT_LEAST, dice, slot)));
        let faces = Faces::Members { pool: self.kit.put(span, slot), count };
        self.kit.put(span, bind(slot, pool, Term::Draw { faces }))
    }

    /// Whether keeping or dropping changes anything.
    fn matters(&mut self, selection: Selection, size: Size) -> bool {
        let Selection { keep, dice, span, .. } = selection;
        match size.most {
            Some(0) => self.warn(span, "no dice are left here, so this has no effect"),
            _ if !keep && dice == 0 => self.warn(span, "no die is dropped, so this has no effect"),
            Some(most) if keep && dice >= most => {
                let message = format!("there are never more than {} here, so this has no effect", named(most));
                self.warn(span, message);
            }
            Some(most) if !keep && dice >= most => {
                self.warn(span, format!("there are never more than {} here, so all are dropped", named(most)));
                return true;
            }
            _ => return true,
        }
        false
    }

    /// The members without their tags.
    fn values(&mut self, clan: Clan<'_>, pool: TermId) -> TermId {
        if clan.tag == Tag::None { pool } else { self.kit.put(clan.span, one(&prim::FIRSTS, pool)) }
    }

    fn count(&mut self, clan: Clan<'_>, wanted: Count, pool: TermId) -> TermId {
        let first = &clan.plan.kinds[0];
        let (by, n) = match wanted {
            Count::All => return self.kit.put(clan.span, count(pool)),
            Count::Exploded => return self.count_exploded(clan, pool),
            Count::Largest | Count::Smallest if clan.tag == Tag::Kind => {
                return self.count_extremes(clan, wanted == Count::Largest, pool);
            }
            Count::Largest => (Compare::Equal, first.largest),
            Count::Smallest => (Compare::Equal, first.smallest),
            Count::Those(by, n) => (by, n),
        };
        let values = self.values(clan, pool);
        self.kit.put(clan.span, count(those(by, n, values)))
    }

    fn count_exploded(&mut self, clan: Clan<'_>, pool: TermId) -> TermId {
        let span = clan.span;
        if clan.tag != Tag::None {
            return self.kit.put(span, count(two(&prim::HAVING, 1, pool)));
        }
        if let Some(&(_, threshold)) = clan.plan.meets(0, 0, clan.end).first() {
            return self.kit.put(span, count(those(Compare::AtLeast, threshold, pool)));
        }
        self.warn(span, "no die can explode here, so the count is always 0");
        self.kit.put(span, count(two(&prim::LARGEST, 0, pool)))
    }

    /// How many dice of different kinds show their own largest or smallest face.
    fn count_extremes(&mut self, clan: Clan<'_>, largest: bool, pool: TermId) -> TermId {
        let mut wanted = Vec::new();
        for &kind in &clan.plan.present {
            let faces = &clan.plan.kinds[kind];
            let face = if largest { faces.largest } else { faces.smallest };
            let tagged = |triggered| Value::tuple(vec![Value::int(face), Value::int(clan.code(kind, triggered))]);
            wanted.extend([false, true].map(tagged));
        }
        self.kit.put(clan.span, count(two(&prim::AMONG, pool, Value::pool(wanted))))
    }
}

impl Size {
    /// After the explosions of a turn.
    fn exploded(self, plan: &Plan, turn: &Turn) -> Size {
        plan.stages[turn.stages.clone()].iter().fold(self, |size, stage| Size {
            exact: None,
            most: if stage.chain { None } else { size.most.and_then(|most| most.checked_mul(2)) },
        })
    }
}

/// The only stage that dice without tags meet in a turn, if nobody will ask for tags.
fn only_stage(clan: Clan<'_>, turn: &Turn, known: Tag) -> Option<(usize, i64)> {
    match clan.plan.meets(0, turn.stages.start, clan.end)[..] {
        [only] if known == Tag::None && clan.tag == Tag::None => Some(only),
        _ => None,
    }
}

/// What will be asked of the members after a turn.
fn tag_after(plan: &Plan, turn: &Turn, count: Option<Count>) -> Tag {
    let end = turn.stages.end;
    if end < plan.stages.len() {
        return if end == 0 { Tag::None } else { Tag::Kind };
    }
    let first = &plan.kinds[0];
    let differ =
        |face: fn(&super::die::Kind) -> i64| plan.present.iter().any(|&kind| face(&plan.kinds[kind]) != face(first));
    match count {
        // In one plain chain a die exploded exactly if it reached the threshold.
        Some(Count::Exploded) => match plan.stages.as_slice() {
            [] => Tag::None,
            [stage] if stage.chain && stage.adds(0) == 0 => Tag::None,
            _ => Tag::Trigger,
        },
        Some(Count::Largest) if differ(|kind| kind.largest) => Tag::Kind,
        Some(Count::Smallest) if differ(|kind| kind.smallest) => Tag::Kind,
        _ => Tag::None,
    }
}

fn named(dice: i64) -> String {
    match dice {
        1 => "one die".to_owned(),
        _ => format!("{dice} dice"),
    }
}
