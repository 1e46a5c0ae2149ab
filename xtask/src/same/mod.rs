//! `cargo xtask same OLD [NEW]`: two programs answer by answer, to see that a new engine says what the old one said.
//!
//! ```text
//! same OLD                  OLD, a program `tumble`, against the one of this tree
//! same OLD NEW              against another program
//!      --programs N         random programs (3000 if not given), of every notation; --seed S chooses others (1)
//! ```
//!
//! Both are asked everything in `questions.rs` through `tumble batch`: every row with its fraction, what is not listed,
//! mean and variance, and the code of an error must be equal. A difference is good where the new one lists more or
//! answers what the old one refused at a limit; everything else is a failure.

mod questions;
mod running;
mod verdict;

mod fraction;

use crate::{bench, shell};
use questions::Question;
use running::Running;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use verdict::Verdict;

/// Questions that are under way at a time.
const CHUNK: usize = 100;

/// Steps for a random program, so that a refusal is quick; where it matters, it is asked again without.
const STEPS: &str = "5000000";

/// Differences of a kind that are shown.
const SHOWN: usize = 15;

struct Options {
    old: PathBuf,
    new: Option<PathBuf>,
    programs: usize,
    seed: u64,
}

/// The command; none if the arguments are not known.
pub(crate) fn same(args: &[OsString]) -> Option<ExitCode> {
    let options = read(args)?;
    Some(match compare(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    })
}

fn read(args: &[OsString]) -> Option<Options> {
    let (mut programs, mut seed, mut files) = (3000, 1, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--programs") => programs = args.next()?.to_str()?.parse().ok()?,
            Some("--seed") => seed = args.next()?.to_str()?.parse().ok()?,
            Some(option) if option.starts_with('-') => return None,
            _ => files.push(PathBuf::from(arg)),
        }
    }
    let mut files = files.into_iter();
    let (old, new, more) = (files.next()?, files.next(), files.next());
    more.is_none().then_some(Options { old, new, programs, seed })
}

/// Whether no difference is bad.
fn compare(options: &Options) -> Result<bool, String> {
    let (root, start) = (shell::root(), Instant::now());
    let new = match &options.new {
        Some(new) => new.clone(),
        None => bench::build(&root)?,
    };
    let mut report = Report::default();
    let mut full = Pair::start(&options.old, &new, &[])?;
    for (source, questions) in questions::written(&root)? {
        report.ask(&source, &questions, &mut full, None)?;
    }
    let mut quick = Pair::start(&options.old, &new, &["--max-steps", STEPS])?;
    for (source, questions) in questions::random(options.programs, options.seed) {
        report.ask(&source, &questions, &mut quick, Some(&mut full))?;
    }
    report.tell(start);
    Ok(report.bad() == 0)
}

/// The two programs.
struct Pair {
    old: Running,
    new: Running,
}

impl Pair {
    fn start(old: &std::path::Path, new: &std::path::Path, options: &[&'static str]) -> Result<Pair, String> {
        let kept = shell::target(&shell::root()).join("same");
        Ok(Pair { old: Running::start(old, options)?.keep(&kept)?, new: Running::start(new, options)? })
    }

    /// What both say to each line.
    fn ask(&mut self, lines: &[String]) -> Result<Vec<Verdict>, String> {
        let Pair { old, new } = self;
        let (old, new) = std::thread::scope(|scope| {
            let old = scope.spawn(|| old.ask(lines));
            let new = new.ask(lines);
            (old.join().unwrap_or_else(|_| Err("a thread ended early".into())), new)
        });
        let (old, new) = (old?, new?);
        Ok(old.iter().zip(&new).map(|(old, new)| verdict::of(old, new)).collect())
    }
}

/// What was found, per source and all in all.
#[derive(Default)]
struct Report {
    different: Vec<String>,
    refused: Vec<String>,
    more: Vec<String>,
}

impl Report {
    fn bad(&self) -> usize {
        self.different.len() + self.refused.len()
    }

    /// Asks all questions of a source and prints its line. What the new one refuses under lower limits is asked again.
    fn ask(
        &mut self,
        source: &str,
        questions: &[Question],
        pair: &mut Pair,
        mut again: Option<&mut Pair>,
    ) -> Result<(), String> {
        let (mut answered, mut rest, mut words, before) = (0, 0, 0, self.counts());
        for chunk in questions.chunks(CHUNK) {
            let lines: Vec<String> = chunk.iter().map(Question::request).collect();
            for (question, mut verdict) in chunk.iter().zip(pair.ask(&lines)?) {
                if let (Verdict::Refused(_), Some(again)) = (&verdict, &mut again) {
                    verdict = again.ask(&[question.request()])?.remove(0);
                }
                let line = |why: &str| format!("{source}: {question}\n      {why}");
                match verdict {
                    Verdict::Same(known) => {
                        answered += usize::from(known.answered);
                        rest += usize::from(known.rest);
                        words += usize::from(known.words);
                    }
                    Verdict::More(why) => self.more.push(line(&why)),
                    Verdict::Different(why) => self.different.push(line(&why)),
                    Verdict::Refused(why) => self.refused.push(line(&why)),
                }
            }
        }
        let [different, refused, more] = std::array::from_fn(|at| self.counts()[at] - before[at]);
        println!(
            "{source:<32}{:>7} asked: {answered} answered the same ({rest} with an unlisted rest), {} refused the same, \
             {more} more, {refused} REFUSED, {different} DIFFERENT{}",
            questions.len(),
            questions.len() - answered - different - refused - more,
            if words > 0 { format!("; {words} in other words") } else { String::new() },
        );
        Ok(())
    }

    fn counts(&self) -> [usize; 3] {
        [self.different.len(), self.refused.len(), self.more.len()]
    }

    fn tell(&self, start: Instant) {
        let list = |title: &str, all: &[String]| {
            if !all.is_empty() {
                println!("\n{title}: {}", all.len());
                all.iter().take(SHOWN).for_each(|line| println!("  {line}"));
                if all.len() > SHOWN {
                    println!("  … and {} more", all.len() - SHOWN);
                }
            }
        };
        list("the new one lists or solves more", &self.more);
        list("REFUSED by the new one, answered by the old one", &self.refused);
        list("DIFFERENT", &self.different);
        println!(
            "\n{} differ, {} are newly refused, {} list or solve more; {:.0} s",
            self.different.len(),
            self.refused.len(),
            self.more.len(),
            start.elapsed().as_secs_f64()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let args = |text: &str| text.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        let read = |text: &str| read(&args(text));
        let options = read("a --programs 7 b --seed 3").unwrap();
        assert_eq!((options.old, options.new), ("a".into(), Some("b".into())));
        assert_eq!((options.programs, options.seed), (7, 3));
        assert!(read("a").unwrap().new.is_none());
        for wrong in ["", "a b c", "a --seed", "a --programs x", "a --fast"] {
            assert!(read(wrong).is_none(), "{wrong}");
        }
    }
}
