//! Where calls and loops began, so that they can be left from anywhere inside.
//!
//! A call or loop records how high every stack was when it began. Leaving it is to cut them all back to that height and
//! to push its value. Whether it came to its end or something inside gave up makes no difference: what lies above is its
//! own.

use super::Machine;
use crate::source::Source;
use crate::watch::{Level, Watch};
use tumble_core::Value;

/// How high the stacks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heights {
    pub(super) jobs: usize,
    pub(super) values: usize,
    pub(super) env: usize,
    pub(super) rounds: usize,
    pub(super) calls: usize,
    pub(super) path: usize,
    pub(super) told: Level,
}

impl<S: Source + ?Sized, W: Watch> Machine<'_, '_, S, W> {
    #[inline]
    pub(super) fn heights(&self) -> Heights {
        let space = &*self.space;
        Heights {
            jobs: space.jobs.len(),
            values: space.values.len(),
            env: space.env.len(),
            rounds: space.rounds.len(),
            calls: space.calls.len(),
            path: space.path.height(),
            told: self.watch.level(),
        }
    }

    /// Ends what began here with this value; it leaves this letter in the path.
    #[inline]
    pub(super) fn cut_back(&mut self, start: Heights, letter: char, value: Value) {
        let space = &mut *self.space;
        if let Some(outermost) = space.calls.get(start.calls) {
            self.base = outermost.base;
        }
        space.jobs.truncate(start.jobs);
        space.values.truncate(start.values);
        space.env.truncate(start.env);
        space.rounds.truncate(start.rounds);
        space.calls.truncate(start.calls);
        space.path.cut_back(start.path, letter);
        self.watch.cut_back(start.told, &value);
        self.push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Plan, Space};
    use super::*;
    use crate::scribe::Scribe;
    use crate::source::Scripted;
    use crate::trace::{Rolled, Step, Trace};
    use tumble_core::{Limits, Span, read};

    /// A call that is left early lies between two dice, so that what follows can be seen to go on as usual.
    const IN_A_CALL: &str = "\
        g(x) = repeat(2, add(x, draw(1..2)));\
        f(n) = sum(gather(each(x in gather(repeat(2, add(draw(1..2), 0))), field(1, loop((i, s) = tuple(0, n), \
            while some(more(2, gather(i))), tuple(add(i, 1), sum(gather(s, g(x)))))))));\
        let a = draw(1..2) in gather(a, let b = f(1) in b, draw(1..2), a)";

    /// What came of it, and how high the stacks were afterwards.
    struct Left {
        rolled: Rolled,
        after: Heights,
    }

    /// Does so many jobs, leaves the outermost call or loop, and goes on to the end; none if nothing was open then.
    fn left(text: &str, jobs: usize, letter: char) -> Option<Left> {
        let program = read::program(text);
        let plan = Plan::new(&program);
        let (mut space, mut scribe, mut source) = (Space::default(), Scribe::default(), Scripted::new([1; 200]));
        scribe.begin(Span::default(), None);
        let mut machine = Machine::new(&plan, &mut space, &mut source, &mut scribe, Limits::default());
        machine.begin_roll();
        for _ in 0..jobs {
            machine.next().unwrap();
        }
        let start = match letter {
            'e' => machine.space.calls.first().map(|frame| frame.start),
            _ => machine.space.rounds.first().map(|round| round.start()),
        }?;
        machine.cut_back(start, letter, Value::int(7));
        let here = machine.heights();
        assert_eq!(here, Heights { values: start.values + 1, ..start }, "after {jobs} jobs");
        while machine.next().unwrap() {}
        let after = machine.heights();
        let (value, mut budget) = (machine.pop(), machine.budget.clone());
        drop(machine);
        let rolled = scribe.finish(value, &mut budget).unwrap();
        Some(Left { rolled, after })
    }

    fn find<'t>(trace: &'t Trace, what: &Step) -> Option<&'t Trace> {
        if trace.what == *what { Some(trace) } else { trace.inside.iter().find_map(|part| find(part, what)) }
    }

    #[test]
    fn a_call_can_be_left_from_anywhere_inside() {
        let (mut cuts, mut with_dice) = (0, 0);
        for jobs in 0..400 {
            let Some(Left { rolled, after }) = left(IN_A_CALL, jobs, 'e') else { continue };
            assert_eq!(rolled.value.to_string(), "[1, 7, 1, 1]", "after {jobs} jobs");
            let told = Level { parts: 1, topics: 0 };
            assert_eq!(after, Heights { jobs: 0, values: 1, env: 2, rounds: 0, calls: 0, path: 0, told });
            // The draws before and after it have the paths they always have.
            let paths: Vec<&str> = rolled.draws.iter().map(|drawn| drawn.path.as_str()).collect();
            assert_eq!((paths[0], paths[paths.len() - 1]), ("r", "rer"), "after {jobs} jobs");
            // The dice that fell in it stay in its part, which has the value it was left with.
            let inside = paths.iter().filter(|path| path.starts_with("rc")).count();
            assert_eq!(inside + 2, paths.len());
            if inside > 0 {
                let call = find(&rolled.trace, &Step::Call("f".into())).unwrap();
                assert_eq!(call.value, Some(Value::int(7)));
                with_dice += 1;
            }
            cuts += 1;
        }
        assert!(cuts > 100 && with_dice > 80, "{cuts}, {with_dice}");
    }

    #[test]
    fn a_loop_can_be_left_from_anywhere_inside() {
        let over = "g(x) = repeat(2, add(x, draw(1..2)));\
            let a = draw(1..2) in gather(a, let b = each(x in gather(repeat(2, draw(1..2))), sum(gather(g(x)))) in b, draw(1..2), a)";
        let mut cuts = 0;
        for jobs in 0..200 {
            let Some(Left { rolled, after }) = left(over, jobs, 'L') else { continue };
            assert_eq!(rolled.value.to_string(), "[1, 7, 1, 1]", "after {jobs} jobs");
            assert_eq!((after.jobs, after.values, after.rounds, after.calls, after.path), (0, 1, 0, 0, 0));
            assert_eq!(rolled.draws.last().unwrap().path, "rLr");
            cuts += 1;
        }
        assert!(cuts > 20, "{cuts}");
    }
}
