//! What can be known of a program before it is rolled, found once in one pass over its terms.

use crate::sight::{self, Compared, Sight};
use crate::watch::Question;
use std::borrow::Cow;
use tumble_core::prim::Merge;
use tumble_core::{Faces, Program, Shape, Span, Term, TermId};

/// A program with notes for the machine.
#[derive(Debug)]
pub(crate) struct Plan<'p> {
    pub(crate) program: &'p Program,
    pub(crate) notes: Cow<'p, [Note]>,
}

/// What the machine should know of a term.
#[derive(Clone, Debug)]
pub(crate) enum Note {
    Nothing,
    /// A `Repeat` of one plain die: all its dice are rolled at once and share a path.
    Plain,
    /// A row that only answers a question, such as a filter that is asked whether anything is left: what it removes is
    /// not dropped.
    Looking(Question),
    /// Such a filter that makes a comparison in the text.
    Check(Box<Compared>),
    /// A name in the text.
    Name,
    /// A branch or `ForEach` whose condition or pool is evaluated behind the letter `q`.
    Apart,
    /// The running sums of the weights of a die.
    Ends(Box<[u64]>),
}

impl<'p> Plan<'p> {
    pub(crate) fn new(program: &'p Program) -> Plan<'p> {
        let mut plan = Plan { program, notes: Cow::Owned(vec![Note::Nothing; program.nodes().len()]) };
        for id in program.ids() {
            if let Some(note) = plan.note(id) {
                plan.notes.to_mut()[id.index()] = note;
            }
        }
        sight::each(program, |id, sight| {
            plan.notes.to_mut()[id.index()] = match sight {
                Sight::Check(compared) => Note::Check(Box::new(compared)),
                Sight::Question => Note::Looking(Question::Written),
                Sight::Name => Note::Name,
            };
        });
        plan
    }

    /// What is known of a term by itself; rows may also say something of the filters inside them.
    fn note(&mut self, id: TermId) -> Option<Note> {
        match self.program.term(id) {
            Term::Repeat { body, .. } => self.program.rolls_at_once(*body).then_some(Note::Plain),
            Term::Draw { faces } => running_sums(faces).map(Note::Ends),
            Term::If { .. } | Term::ForEach { .. } | Term::Loop { .. } => {
                self.program.stands_apart(id).then_some(Note::Apart)
            }
            Term::Prim { prim, args } if matches!(prim.shape, Shape::Fold(Merge::Or)) => {
                self.look(args);
                Some(Note::Looking(Question::Inner))
            }
            Term::Prim { .. } => {
                if let Some((row, _)) = sight::check(self.program, id) {
                    self.notes.to_mut()[row.index()] = Note::Looking(Question::Inner);
                }
                None
            }
            Term::Lit(_) | Term::Var(_) | Term::Let { .. } => None,
            Term::Until { .. } | Term::Call { .. } | Term::Leave { .. } => None,
            Term::Ask { .. } | Term::Emit { .. } | Term::Throw { .. } => None,
        }
    }

    /// The same for notes that were found before.
    pub(crate) fn with(program: &'p Program, notes: &'p [Note]) -> Plan<'p> {
        Plan { program, notes: Cow::Borrowed(notes) }
    }

    /// The faces of a `Repeat`'s body if its dice are rolled at once.
    pub(crate) fn plain(&self, repeat: TermId, body: TermId) -> Option<&'p Faces> {
        let Note::Plain = self.notes[repeat.index()] else { return None };
        let Term::Draw { faces } = self.program.term(body) else { return None };
        Some(faces)
    }

    /// Who asks the question that a row only answers.
    pub(super) fn looking(&self, prim: TermId) -> Option<Question> {
        match self.notes[prim.index()] {
            Note::Looking(question) => Some(question),
            Note::Check(_) => Some(Question::Written),
            _ => None,
        }
    }

    /// The comparison that a row makes, and its place.
    pub(super) fn check(&self, id: TermId) -> Option<(&Compared, Span)> {
        match &self.notes[id.index()] {
            Note::Check(compared) => Some((compared, self.program.span(id))),
            _ => None,
        }
    }

    pub(super) fn is_name(&self, id: TermId) -> bool {
        matches!(self.notes[id.index()], Note::Name)
    }

    pub(crate) fn is_apart(&self, id: TermId) -> bool {
        matches!(self.notes[id.index()], Note::Apart)
    }

    /// The running sums of the weights of a draw, or of the draw that a `Repeat` repeats.
    pub(crate) fn ends(&self, id: TermId) -> &[u64] {
        let draw = if let Term::Repeat { body, .. } = self.program.term(id) { *body } else { id };
        if let Note::Ends(ends) = &self.notes[draw.index()] { ends } else { &[] }
    }

    /// Notes the filters that directly feed a question.
    fn look(&mut self, args: &[TermId]) {
        let mut todo = args.to_vec();
        while let Some(id) = todo.pop() {
            if let Term::Prim { prim, args } = self.program.term(id) {
                match prim.shape {
                    Shape::Filter => {
                        self.notes.to_mut()[id.index()] = Note::Looking(Question::Inner);
                        todo.push(args[prim.over]);
                    }
                    Shape::Union | Shape::Forget => todo.extend(args),
                    _ => {}
                }
            }
        }
    }
}

/// The running sums of the weights of a die.
fn running_sums(faces: &Faces) -> Option<Box<[u64]>> {
    let Faces::Weighted(faces) = faces else { return None };
    let ends = faces.iter().scan(0u64, |sum, (_, weight)| {
        *sum += weight;
        Some(*sum)
    });
    Some(ends.collect())
}
