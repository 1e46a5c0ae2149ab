//! Which modifiers meet which dice, found out before anything is rolled.
//!
//! Every die triggers at most once, and what it adds is one die. So a die and all that comes from it is a chain, and
//! of the explosions (*stages*) of a pool a die meets those after the one that added it, or that one too if it
//! goes on (`!!`). A die that met a stage without triggering shows less than its threshold, so only ever lower
//! thresholds matter:
//!
//! ```text
//! threshold of a stage for a die    the number said, or the die's own largest face
//! never triggers                    the threshold is above the largest face, or the stage goes on and every face
//!                                   reaches it
//! ```

use super::super::syntax::{Change, Modifier, Pool, Which};
use super::die::{Kind, Law};
use super::{Lowering, Parsed};
use crate::mistake::Mistake;
use std::collections::BTreeSet;
use std::ops::Range;
use tumble_core::Span;

/// How many explosions one pool may have.
const MOST_STAGES: usize = 32;

/// How often dice of one pool may be kept and dropped.
const MOST_SELECTIONS: usize = 100;

/// A pool in order of what happens.
pub(super) struct Plan {
    /// The dice that may appear; the first is the one that is rolled at the start.
    pub(super) kinds: Vec<Kind>,
    /// How the starting dice are rolled.
    pub(super) start: Law,
    /// The explosions that can happen.
    pub(super) stages: Vec<Stage>,
    /// What happens, in turns; the first turn begins with the starting dice.
    pub(super) turns: Vec<Turn>,
    /// Which kinds really appear.
    pub(super) present: BTreeSet<usize>,
}

/// Explosions, and then keeping and dropping.
#[derive(Default)]
pub(super) struct Turn {
    pub(super) stages: Range<usize>,
    pub(super) selections: Vec<Selection>,
}

/// An explosion.
pub(super) struct Stage {
    pub(super) chain: bool,
    from: Option<i64>,
    with: Option<usize>,
    /// How the dice it adds are rolled.
    pub(super) law: Law,
    span: Span,
}

/// Keeping or dropping.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    pub(super) keep: bool,
    pub(super) dice: i64,
    pub(super) which: Which,
    pub(super) span: Span,
}

enum Step {
    Explode(Stage),
    Select(Selection),
}

impl Stage {
    /// The kind of die that is added to one of this kind.
    pub(super) fn adds(&self, kind: usize) -> usize {
        self.with.unwrap_or(kind)
    }

    /// The kind of die that is added, and the stage it meets first, if this is stage `at`.
    pub(super) fn added(&self, kind: usize, at: usize) -> (usize, usize) {
        (self.adds(kind), if self.chain { at } else { at + 1 })
    }

    fn threshold(&self, kind: &Kind) -> Option<i64> {
        let from = self.from.unwrap_or(kind.largest);
        let endless = self.chain && kind.smallest >= from;
        (from <= kind.largest && !endless).then_some(from)
    }
}

impl Plan {
    /// The stages up to `end` at which a die may trigger that meets stage `from` first, with their thresholds.
    pub(super) fn meets(&self, kind: usize, from: usize, end: usize) -> Vec<(usize, i64)> {
        let mut met: Vec<(usize, i64)> = Vec::new();
        for (at, stage) in self.stages.iter().enumerate().take(end).skip(from) {
            let Some(threshold) = stage.threshold(&self.kinds[kind]) else { continue };
            if met.last().is_none_or(|(_, lowest)| threshold < *lowest) {
                met.push((at, threshold));
            }
            if threshold <= self.kinds[kind].smallest {
                break;
            }
        }
        met
    }

    /// Which stages can happen, and which kinds appear.
    fn reached(&self) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut stages, mut kinds) = (BTreeSet::new(), BTreeSet::from([0]));
        let mut seen = BTreeSet::from([(0, 0)]);
        let mut open = vec![(0, 0)];
        while let Some((kind, from)) = open.pop() {
            for (at, _) in self.meets(kind, from, self.stages.len()) {
                let stage = &self.stages[at];
                stages.insert(at);
                let next = stage.added(kind, at);
                kinds.insert(next.0);
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        (stages, kinds)
    }
}

impl Lowering {
    /// The plan of a pool, with remarks on all that has no effect.
    pub(super) fn plan(&mut self, pool: &Pool) -> Parsed<Plan> {
        let mut kinds = vec![self.kind(&pool.die)?];
        let (mut start, mut steps, mut said) = (Law::default(), Vec::new(), Said::default());
        for modifier in &pool.modifiers {
            let step = match &modifier.change {
                Change::Explode { chain, from, with } => {
                    let with = with.as_ref().map(|die| self.kind(die)).transpose()?.map(|kind| index(&mut kinds, kind));
                    Step::Explode(Stage { chain: *chain, from: *from, with, law: Law::default(), span: modifier.span })
                }
                Change::Keep(dice, which) => select(true, *dice, *which, modifier.span),
                Change::Drop(dice, which) => select(false, *dice, *which, modifier.span),
                _ => {
                    let target = match steps.last_mut() {
                        None => Some((&mut start, false)),
                        Some(Step::Explode(stage)) => Some((&mut stage.law, stage.chain)),
                        Some(Step::Select(_)) => None,
                    };
                    self.attach(modifier, target, &mut said);
                    continue;
                }
            };
            said = Said::default();
            steps.push(step);
        }
        self.turns(Plan { kinds, start, stages: vec![], turns: vec![], present: BTreeSet::new() }, steps)
    }

    /// Attaches `+ - M m` to the dice that are not rolled yet; for a chain, `M` is refused.
    fn attach(&mut self, modifier: &Modifier, target: Option<(&mut Law, bool)>, said: &mut Said) {
        let span = modifier.span;
        let Some((law, chain)) = target else {
            self.warn(span, "all dice have already been rolled, so this has no effect");
            return;
        };
        match modifier.change {
            Change::Maximize if chain => {
                self.warn(span, "dice that keep exploding are never maximized, so this has no effect");
            }
            Change::Maximize | Change::Minimize => {
                said.fixed.iter().chain(&said.sign).for_each(|&span| self.warn(span, OVERRULED));
                *said = Said { fixed: Some(span), sign: None };
                law.fixed = Some(matches!(modifier.change, Change::Maximize));
            }
            _ => {
                if said.fixed.is_some() {
                    self.warn(span, OVERRULED);
                }
                law.sign(matches!(modifier.change, Change::Advantage), span);
                said.sign = said.sign.or(Some(span)).filter(|_| said.fixed.is_none());
            }
        }
    }

    /// Leaves out the stages that can never happen and puts the others in turns.
    fn turns(&mut self, mut plan: Plan, steps: Vec<Step>) -> Parsed<Plan> {
        let mut selections = Vec::new();
        for step in steps {
            match step {
                Step::Explode(stage) if plan.stages.len() == MOST_STAGES => {
                    let message = format!("a pool can have at most {MOST_STAGES} explosions");
                    return Mistake::limit(stage.span, message).fail();
                }
                Step::Explode(stage) => plan.stages.push(stage),
                Step::Select(selection) if selections.len() == MOST_SELECTIONS => {
                    let message = format!("a pool can have at most {MOST_SELECTIONS} keep and drop modifiers");
                    return Mistake::limit(selection.span, message).fail();
                }
                Step::Select(selection) => selections.push((plan.stages.len(), selection)),
            }
        }
        plan.start.check()?;
        plan.stages.iter().try_for_each(|stage| stage.law.check())?;
        let (happen, present) = plan.reached();
        plan.present = present;
        let all = std::mem::take(&mut plan.stages);
        let mut selections = selections.into_iter().peekable();
        let mut turn = Turn::default();
        for (at, stage) in all.into_iter().enumerate() {
            while let Some((_, selection)) = selections.next_if(|(before, _)| *before <= at) {
                turn.selections.push(selection);
            }
            if !happen.contains(&at) {
                self.warn(stage.span, "no die can explode here, so this has no effect");
                continue;
            }
            if !turn.selections.is_empty() {
                plan.turns.push(std::mem::take(&mut turn));
                turn.stages = plan.stages.len()..plan.stages.len();
            }
            plan.stages.push(stage);
            turn.stages.end = plan.stages.len();
        }
        turn.selections.extend(selections.map(|(_, selection)| selection));
        plan.turns.push(turn);
        Ok(plan)
    }
}

const OVERRULED: &str = "`M` or `m` decides what these dice show, so this has no effect";

/// What was said of the dice that are not rolled yet, and where.
#[derive(Default)]
struct Said {
    fixed: Option<Span>,
    sign: Option<Span>,
}

fn select(keep: bool, dice: i64, which: Which, span: Span) -> Step {
    Step::Select(Selection { keep, dice, which, span })
}

fn index(kinds: &mut Vec<Kind>, kind: Kind) -> usize {
    kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
        kinds.push(kind);
        kinds.len() - 1
    })
}
