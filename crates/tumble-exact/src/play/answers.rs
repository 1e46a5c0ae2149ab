//! Who answers the questions of a program: answers by path, answers by owner and prompt, defaults, or free decisions.
//!
//! Questions are grouped by owner and by the fixed parts of their prompt, so that "Spend a benny? (best so far 7)" and
//! "… 8)" are one option.

use super::request::Kind;
use crate::map::HashMap;
use tumble_core::{Answers, Program, Question, Term, Value};

/// An answer to all questions with this prompt.
#[derive(Clone, Debug)]
pub struct Say {
    /// Whose; none means anybody's, and no name means those that belong to nobody.
    pub owner: Option<Option<String>>,
    /// The prompt, or its form with `…` for what differs.
    pub prompt: String,
    /// The answer.
    pub value: Value,
}

/// Questions that are one option.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// Whose decision it is.
    pub owner: Option<String>,
    /// What it is about, with `…` for what differs from time to time.
    pub form: String,
}

/// An option that was met.
#[derive(Clone, Debug)]
pub(super) struct Met {
    pub(super) group: Group,
    pub(super) question: Question,
    /// All that can be answered to one of its questions or another.
    pub(super) answers: Kind,
}

/// What somebody answers to a question.
pub(super) enum Given {
    /// This, or the default.
    Answer(Option<Value>),
    /// Whatever is best.
    Free,
    /// Nothing: it is only asked whether the question is met.
    Met,
}

/// Whose decisions are free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free<'a> {
    /// Owners that keep their answers.
    pub(super) fixed: &'a [Option<String>],
}

pub(super) struct Answering<'a> {
    pub(super) say: &'a [Say],
    pub(super) free: Option<Free<'a>>,
    /// All options that were met, and their numbers.
    pub(super) met: Vec<Met>,
    numbers: HashMap<Group, usize>,
    /// One option is always answered so.
    pub(super) forced: Option<(usize, Value)>,
    /// A run ends where this option is met.
    pub(super) ends_at: Option<usize>,
    /// The options met since somebody wanted to know.
    pub(super) since: Vec<usize>,
    reads_prompts: bool,
}

impl<'a> Answering<'a> {
    pub(super) fn new(program: &Program, say: &'a [Say], free: Option<Free<'a>>) -> Answering<'a> {
        let forms = program.nodes().iter().filter_map(|node| match &node.term {
            Term::Ask { args, .. } => program.term(*args.last()?).lit()?.as_text().map(ToString::to_string),
            Term::Lit(_) | Term::Var(_) | Term::Let { .. } | Term::If { .. } | Term::Prim { .. } => None,
            Term::Draw { .. } | Term::Repeat { .. } | Term::ForEach { .. } | Term::Until { .. } => None,
            Term::Loop { .. } | Term::Call { .. } | Term::Leave { .. } => None,
            Term::Emit { .. } | Term::Throw { .. } => None,
        });
        let forms: Vec<String> = forms.collect();
        let whole = |say: &Say| forms.iter().any(|form| *form != say.prompt && fits(form, &say.prompt));
        Answering {
            say,
            free,
            met: vec![],
            numbers: HashMap::default(),
            forced: None,
            ends_at: None,
            since: vec![],
            reads_prompts: say.iter().any(whole),
        }
    }

    /// Whether some answer is for one full prompt of several with the same form.
    pub(super) fn reads_prompts(&self) -> bool {
        self.reads_prompts
    }

    /// Reads prompts in any case, to show them.
    pub(super) fn reading(self) -> Answering<'a> {
        Answering { reads_prompts: true, ..self }
    }

    /// Notes that a question is met; the number of its option.
    pub(super) fn meet(&mut self, group: &Group, question: Question, answers: &Answers) -> usize {
        let kind = Kind::of(answers);
        let number = match self.numbers.get(group) {
            Some(number) => *number,
            None => {
                let number = self.met.len();
                self.numbers.insert(group.clone(), number);
                self.met.push(Met { group: group.clone(), question, answers: kind.clone() });
                number
            }
        };
        self.met[number].answers.widen(&kind);
        self.met_inside(&[number]);
        number
    }

    /// Notes that these options were met.
    pub(super) fn met_inside(&mut self, numbers: &[usize]) {
        for number in numbers {
            if !self.since.contains(number) {
                self.since.push(*number);
            }
        }
    }

    pub(super) fn given(&self, number: usize, group: &Group, prompt: Option<&str>, by_path: Option<Value>) -> Given {
        if self.ends_at == Some(number) {
            return Given::Met;
        }
        match (&self.forced, self.free) {
            (Some((forced, value)), _) if *forced == number => Given::Answer(Some(value.clone())),
            _ if by_path.is_some() => Given::Answer(by_path),
            (_, Some(free)) if !free.fixed.contains(&group.owner) => Given::Free,
            _ => Given::Answer(self.said(group, prompt)),
        }
    }

    /// What is answered each time to questions of this option, if that is always the same.
    pub(super) fn always(
        &self,
        owner: Option<String>,
        form: Option<&str>,
        prompt: Option<&str>,
        answers: &Answers,
    ) -> Option<Value> {
        let group = Group { owner, form: form.or(prompt)?.to_owned() };
        let number = self.numbers.get(&group).copied().unwrap_or(usize::MAX);
        match self.given(number, &group, prompt, None) {
            Given::Answer(answer) => {
                Some(answer.and_then(|answer| answers.fit(&answer)).unwrap_or_else(|| answers.default()))
            }
            Given::Free | Given::Met => None,
        }
    }

    fn said(&self, group: &Group, prompt: Option<&str>) -> Option<Value> {
        let about = |say: &&Say| {
            let owner = say.owner.as_ref().is_none_or(|owner| *owner == group.owner);
            owner && (say.prompt == group.form || prompt == Some(say.prompt.as_str()))
        };
        self.say.iter().find(about).map(|say| say.value.clone())
    }

    /// Whether an answer was for an option that was met.
    pub(super) fn unheard(&self) -> impl Iterator<Item = &Say> {
        let for_one = |say: &Say, met: &Met| {
            let owner = say.owner.as_ref().is_none_or(|owner| *owner == met.group.owner);
            owner && (say.prompt == met.group.form || fits(&met.group.form, &say.prompt))
        };
        self.say.iter().filter(move |say| !self.met.iter().any(|met| for_one(say, met)))
    }
}

/// Whether a prompt has this form.
fn fits(form: &str, prompt: &str) -> bool {
    let mut parts = form.split('…');
    let Some(mut rest) = parts.next().and_then(|first| prompt.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn prompts_and_their_forms() {
        for (form, prompt, expected) in [
            ("Reroll?", "Reroll?", true),
            ("Reroll?", "Reroll", false),
            ("Reroll …?", "Reroll the axe?", true),
            ("Reroll …?", "Reroll the axe", false),
            ("… or …", "sword or axe", true),
            ("… or …", "sword and axe", false),
            ("a…a", "a", false),
        ] {
            assert_eq!(fits(form, prompt), expected, "{form} {prompt}");
        }
    }
}
