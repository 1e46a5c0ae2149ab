//! A program `tumble batch` that stays open. It answers line by line, in order; if it ends or is silent for too long,
//! that question has no answer and the next one goes to a new process.
//!
//! What a program says does not depend on the machine, so the answers of the old one are kept in `target/same/`: a
//! refusal may take seconds, and the old program is asked the same again and again while the new one is written.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, UNIX_EPOCH};

/// How long one answer may take, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// An answer of this length is not kept.
const LONG: usize = 1 << 20;

/// An answer, or why there is none.
pub(super) type Said = Result<String, &'static str>;

pub(super) struct Running {
    program: PathBuf,
    options: Vec<&'static str>,
    process: Process,
    kept: Option<Kept>,
}

/// Answers that were given before.
struct Kept {
    answers: HashMap<String, String>,
    file: File,
}

struct Process {
    child: Child,
    /// Lines to be written, and lines that were read; both ends stay open as long as the process does.
    to: Sender<String>,
    from: Receiver<String>,
}

impl Running {
    pub(super) fn start(program: &Path, options: &[&'static str]) -> Result<Running, String> {
        let process = Process::start(program, options)?;
        Ok(Running { program: program.to_path_buf(), options: options.to_vec(), process, kept: None })
    }

    /// Keeps its answers in a file of this folder that is named after the program as it is now.
    pub(super) fn keep(mut self, folder: &Path) -> Result<Running, String> {
        let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
        let about = std::fs::metadata(&self.program).map_err(wrong)?;
        let made = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let name = format!("{}-{}{}", about.len(), made.unwrap_or_default().as_secs(), self.options.concat());
        std::fs::create_dir_all(folder).map_err(wrong)?;
        let path = folder.join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let pairs = text.lines().filter_map(|line| line.split_once('\t'));
        let answers = pairs.map(|(line, answer)| (line.to_string(), answer.to_string())).collect();
        let file = File::options().create(true).append(true).open(path).map_err(wrong)?;
        self.kept = Some(Kept { answers, file });
        Ok(self)
    }

    /// What it says to each line.
    pub(super) fn ask(&mut self, lines: &[String]) -> Result<Vec<Said>, String> {
        let Some(kept) = &self.kept else { return self.ask_now(lines) };
        let unknown: Vec<String> = lines.iter().filter(|line| !kept.answers.contains_key(*line)).cloned().collect();
        let found = self.ask_now(&unknown)?;
        let Some(kept) = &mut self.kept else { return Ok(found) };
        for (line, answer) in unknown.into_iter().zip(found) {
            let Ok(answer) = answer else { continue };
            if answer.len() < LONG {
                writeln!(kept.file, "{line}\t{answer}").map_err(|error| error.to_string())?;
            }
            kept.answers.insert(line, answer);
        }
        Ok(lines.iter().map(|line| kept.answers.get(line).cloned().ok_or("no answer")).collect())
    }

    fn ask_now(&mut self, lines: &[String]) -> Result<Vec<Said>, String> {
        let mut answers = Vec::with_capacity(lines.len());
        while answers.len() < lines.len() {
            let rest = &lines[answers.len()..];
            for line in rest {
                // A process that has ended does not read; that shows below.
                let _ = self.process.to.send(line.clone());
            }
            for _ in rest {
                let answer = self.process.from.recv_timeout(PATIENCE).map_err(|why| match why {
                    RecvTimeoutError::Timeout => "no answer for ten minutes",
                    RecvTimeoutError::Disconnected => "it ended without an answer",
                });
                let silent = answer.is_err();
                answers.push(answer);
                if silent {
                    self.process.end();
                    self.process = Process::start(&self.program, &self.options)?;
                    break;
                }
            }
        }
        Ok(answers)
    }
}

impl Process {
    fn start(program: &Path, options: &[&'static str]) -> Result<Process, String> {
        let mut command = Command::new(program);
        command.args(["batch", "--jobs", "1"]).args(options);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("can't start {}: {error}", program.display()))?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("can't speak with {}", program.display()));
        };
        let (to, lines) = mpsc::channel::<String>();
        std::thread::spawn(move || {
            for line in lines {
                if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (read, from) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if read.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process { child, to, from })
    }

    fn end(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_program_that_ends_is_started_again() {
        let folder = std::env::temp_dir().join(format!("tumble-same-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join("program");
        let script = "#!/bin/sh\nwhile read line; do [ \"$line\" = bad ] && exit 1; echo \"said $line\"; done\n";
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut running = Running::start(&program, &[]).unwrap();
        let lines = ["a", "bad", "b", "bad", "c"].map(str::to_string);
        let said = running.ask(&lines).unwrap();
        let expected = [Some("said a"), None, Some("said b"), None, Some("said c")];
        assert_eq!(said.iter().map(|said| said.as_deref().ok()).collect::<Vec<_>>(), expected);
        let mut kept = running.keep(&folder.join("kept")).unwrap();
        assert!(
            kept.ask(&lines).unwrap().iter().zip(&said).all(|(kept, said)| kept.as_ref().ok() == said.as_ref().ok())
        );
        kept.process.end();
        assert_eq!(kept.ask(&lines[..1]).unwrap(), said[..1]);
        let mut again = Running::start(&program, &[]).unwrap().keep(&folder.join("kept")).unwrap();
        again.process.end();
        assert_eq!(again.ask(&lines[2..3]).unwrap(), said[2..3]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
