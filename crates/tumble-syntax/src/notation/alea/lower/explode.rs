//! Explosions: a die and all that comes from it, its *clan*, as one term.
//!
//! ```text
//! clan of a die at stage s:
//!   v := roll; t := the first stage from s on at which v triggers
//!   no such stage       {v}
//!   otherwise           {v} and the clan of the die that t adds, at stage t + 1, or at t if t goes on
//! ```
//!
//! A stage that goes on is an `Until` whose first pass is the die that met it; its passes are the links.

use super::die::Law;
use super::plan::Plan;
use super::{Lowering, Parsed};
use crate::build::{Build, all, bind, compare, count, either, field, gather, not, one, or, two};
use crate::mistake::Mistake;
use tumble_core::{Compare, Keep, Slot, Span, Term, TermId, prim};

/// How many terms the explosions of one pool may make; every lower threshold doubles them.
const MOST_TERMS: usize = 20_000;

/// What stands beside the number of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// Nothing: members are plain numbers.
    None,
    /// 1 if it triggered, else 0.
    Trigger,
    /// The number of its kind; if it triggered, more by the number of all kinds.
    Kind,
}

/// What is the same for all dice of a turn.
#[derive(Clone, Copy)]
pub(super) struct Clan<'p> {
    pub(super) plan: &'p Plan,
    pub(super) tag: Tag,
    /// The stage after the last of this turn.
    pub(super) end: usize,
    pub(super) span: Span,
}

/// Where the number of a die comes from.
#[derive(Clone, Copy)]
pub(super) enum Source<'p> {
    /// A roll.
    Roll(&'p Law),
    /// A die that was rolled before.
    Known(Slot),
}

impl Clan<'_> {
    /// Whether what a die of this kind adds at a stage may trigger at the same stage.
    fn goes_on(&self, kind: usize, stage: usize) -> bool {
        let next = self.plan.stages[stage].adds(kind);
        self.plan.stages[stage].chain
            && self.plan.meets(next, stage, self.end).first().is_some_and(|(at, _)| *at == stage)
    }

    /// Whether what a die of this kind adds at a stage triggers nothing more.
    fn adds_last(&self, kind: usize, stage: usize) -> bool {
        let (next, from) = self.plan.stages[stage].added(kind, stage);
        self.plan.meets(next, from, self.end).is_empty()
    }

    /// The tag of a member.
    pub(super) fn code(&self, kind: usize, triggered: bool) -> i64 {
        match self.tag {
            Tag::None => 0,
            Tag::Trigger => i64::from(triggered),
            Tag::Kind => (kind + if triggered { self.plan.kinds.len() } else { 0 }) as i64,
        }
    }
}

impl Lowering {
    /// A die of this kind and all that comes from it, if it meets stage `from` first.
    pub(super) fn clan(&mut self, clan: Clan<'_>, source: Source<'_>, kind: usize, from: usize) -> Parsed<TermId> {
        if self.kit.draft.len() - self.before_pool > MOST_TERMS {
            return Mistake::limit(clan.span, "these explosions can combine in too many ways").fail();
        }
        let met = clan.plan.meets(kind, from, clan.end);
        if met.is_empty() {
            let value = self.source(clan, source, kind);
            return Ok(self.member(clan, value, kind, false));
        }
        if clan.goes_on(kind, met[0].0) {
            return self.chain(clan, source, kind, &met);
        }
        if met.len() == 1 && clan.adds_last(kind, met[0].0) {
            return self.once(clan, source, kind, met[0]);
        }
        self.bound(clan, source, kind, |lowering, slot| lowering.branches(clan, slot, kind, &met))
    }

    /// What a die with a known number leads to; it meets these stages.
    fn branches(&mut self, clan: Clan<'_>, slot: Slot, kind: usize, met: &[(usize, i64)]) -> Parsed<TermId> {
        let chain = met.iter().position(|&(at, _)| clan.goes_on(kind, at)).unwrap_or(met.len());
        let mut below = None;
        if chain < met.len() {
            below = Some(self.chain(clan, Source::Known(slot), kind, &met[chain..])?);
        }
        for &(at, threshold) in met[..chain].iter().rev() {
            let stage = &clan.plan.stages[at];
            let own = self.member(clan, slot, kind, true);
            let (next, from) = stage.added(kind, at);
            let added = self.clan(clan, Source::Roll(&stage.law), next, from)?;
            let then = self.union(clan, vec![own, added]);
            if threshold <= clan.plan.kinds[kind].smallest {
                below = Some(then);
                continue;
            }
            let other = below.unwrap_or_else(|| self.member(clan, slot, kind, false));
            below = Some(self.kit.put(clan.span, either(reaches(slot, threshold), then, other)));
        }
        Ok(below.unwrap_or_else(|| self.member(clan, slot, kind, false)))
    }

    /// A die that keeps exploding, as the links of its chain; the first stage it meets is the one that goes on.
    fn chain(&mut self, clan: Clan<'_>, source: Source<'_>, kind: usize, met: &[(usize, i64)]) -> Parsed<TermId> {
        let stage = &clan.plan.stages[met[0].0];
        let next = stage.adds(kind);
        let links = clan.plan.meets(next, met[0].0, clan.end);
        if clan.tag == Tag::None {
            if met.len() == 1 && met == links {
                return Ok(self.plain_chain(clan, source, kind, (next, &stage.law, met[0].1)));
            }
            // Whether a link goes on must be seen from outside.
            let pairs = self.chain(Clan { tag: Tag::Trigger, ..clan }, source, kind, met)?;
            return Ok(self.kit.put(clan.span, one(&prim::FIRSTS, pairs)));
        }
        let single = met.len() == 1 && links.len() == 1;
        let first = self.bound(clan, source, kind, |this, slot| this.link(clan, slot, kind, met, single))?;
        let roll = Source::Roll(&stage.law);
        let body = self.bound(clan, roll, next, |this, slot| this.link(clan, slot, next, &links, single))?;
        let slot = self.kit.slot("link");
        let stop = if single { self.last_link(clan, slot) } else { self.last_links(clan, slot, [kind, next]) };
        let until = Term::Until { slot, first: Some(first), body, stop, most: None, keep: Keep::All };
        Ok(self.kit.put(clan.span, one(&prim::COLLECT, until)))
    }

    /// A die and perhaps one more: a chain of at most two.
    fn once(
        &mut self,
        clan: Clan<'_>,
        source: Source<'_>,
        kind: usize,
        (at, threshold): (usize, i64),
    ) -> Parsed<TermId> {
        let span = clan.span;
        let (stage, plan) = (&clan.plan.stages[at], clan.plan);
        let next = stage.adds(kind);
        let slot = self.kit.slot("link");
        let (first, stop) = if clan.tag == Tag::None {
            (self.source(clan, source, kind), self.kit.put(span, compare(Compare::Less, slot, threshold)))
        } else {
            let link = |this: &mut Self, die| this.link(clan, die, kind, &[(at, threshold)], true);
            (self.bound(clan, source, kind, link)?, self.last_link(clan, slot))
        };
        let rolled = self.law(&plan.kinds[next], &stage.law, span);
        let body = self.member(clan, rolled, next, false);
        let until = Term::Until { slot, first: Some(first), body, stop, most: Some(2), keep: Keep::All };
        let links = self.kit.put(span, until);
        Ok(self.union(clan, vec![links]))
    }

    /// A chain of equal thresholds that nobody asks about.
    fn plain_chain(
        &mut self,
        clan: Clan<'_>,
        source: Source<'_>,
        kind: usize,
        (next, law, threshold): (usize, &Law, i64),
    ) -> TermId {
        let same = matches!(source, Source::Roll(own) if kind == next && own == law);
        let first = if same { None } else { Some(self.source(clan, source, kind)) };
        let body = self.law(&clan.plan.kinds[next], law, clan.span);
        let slot = self.kit.slot("link");
        let stop = self.kit.put(clan.span, compare(Compare::Less, slot, threshold));
        let until = Term::Until { slot, first, body, stop, most: None, keep: Keep::All };
        self.kit.put(clan.span, gather(until))
    }

    /// One pass of a chain: a pair if there is only one stage, else a collection of pairs.
    fn link(&mut self, clan: Clan<'_>, slot: Slot, kind: usize, met: &[(usize, i64)], single: bool) -> Parsed<TermId> {
        let (then, other) = (self.member(clan, slot, kind, true), self.branches(clan, slot, kind, &met[1..])?);
        let test = reaches(slot, met[0].1);
        Ok(match single {
            true => self.kit.put(clan.span, either(test, then, other)),
            false => self.kit.put(clan.span, either(test, one(&prim::COLLECT, then), one(&prim::COLLECT, other))),
        })
    }

    /// Whether a pass, a pair, did not trigger.
    fn last_link(&mut self, clan: Clan<'_>, slot: Slot) -> TermId {
        let all = if clan.tag == Tag::Kind { clan.plan.kinds.len() as i64 } else { 1 };
        self.kit.put(clan.span, compare(Compare::Less, field(1, slot), all))
    }

    /// Whether a pass is anything but a single member that triggered.
    fn last_links(&mut self, clan: Clan<'_>, slot: Slot, kinds: [usize; 2]) -> TermId {
        let codes: std::collections::BTreeSet<i64> = kinds.iter().map(|&kind| clan.code(kind, true)).collect();
        let mut goes_on = None;
        for code in codes {
            let some = one(&prim::SOME, two(&prim::HAVING, code, slot));
            goes_on = Some(match goes_on {
                None => self.kit.put(clan.span, some),
                Some(before) => self.kit.put(clan.span, or(before, some)),
            });
        }
        let goes_on = goes_on.unwrap_or_else(|| self.kit.put(clan.span, false));
        self.kit.put(clan.span, or(compare(Compare::More, count(slot), 1), not(goes_on)))
    }

    /// A variable with the number of a die around what is made of it.
    fn bound(
        &mut self,
        clan: Clan<'_>,
        source: Source<'_>,
        kind: usize,
        make: impl FnOnce(&mut Self, Slot) -> Parsed<TermId>,
    ) -> Parsed<TermId> {
        let law = match source {
            Source::Known(slot) => return make(self, slot),
            Source::Roll(law) => law,
        };
        let slot = self.kit.slot("die");
        let value = self.law(&clan.plan.kinds[kind], law, clan.span);
        let body = make(self, slot)?;
        Ok(self.kit.put(clan.span, bind(slot, value, body)))
    }

    fn source(&mut self, clan: Clan<'_>, source: Source<'_>, kind: usize) -> TermId {
        match source {
            Source::Roll(law) => self.law(&clan.plan.kinds[kind], law, clan.span),
            Source::Known(slot) => self.kit.put(clan.span, slot),
        }
    }

    /// A member with its tag.
    pub(super) fn member(&mut self, clan: Clan<'_>, value: impl Build, kind: usize, triggered: bool) -> TermId {
        match clan.tag {
            Tag::None => self.kit.put(clan.span, value),
            _ => self.kit.put(clan.span, two(&prim::TUPLE, value, clan.code(kind, triggered))),
        }
    }

    pub(super) fn union(&mut self, clan: Clan<'_>, parts: Vec<TermId>) -> TermId {
        let row = if clan.tag == Tag::None { &prim::GATHER } else { &prim::COLLECT };
        self.kit.put(clan.span, all(row, parts))
    }
}

fn reaches(slot: Slot, threshold: i64) -> impl Build {
    compare(Compare::AtLeast, slot, threshold)
}
