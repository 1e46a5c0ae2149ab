//! Running another program to its end, or to a limit of time.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a program did.
pub(super) struct Ran {
    /// Whether it ended with status 0; none if it was stopped at the limit.
    pub(super) well: Option<bool>,
    pub(super) out: String,
    pub(super) err: String,
    /// The time from its start to its end, as the clock on the wall has it.
    pub(super) wall: Duration,
}

/// Runs a program with this input; it is ended when the limit is reached.
pub(super) fn run(command: &mut Command, input: &str, limit: Duration) -> io::Result<Ran> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (out, err) = (reading(child.stdout.take()), reading(child.stderr.take()));
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input is free to end without it.
        let _ = stdin.write_all(input.as_bytes());
    }
    let well = wait(&mut child, start, limit)?;
    let wall = start.elapsed();
    Ok(Ran { well, out: out.join().unwrap_or_default(), err: err.join().unwrap_or_default(), wall })
}

fn reading(from: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            let _ = from.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Whether it ended well, or nothing at the limit. The pauses grow with the time that has passed, so
/// that a short run is timed well and a long one is not disturbed.
fn wait(child: &mut Child, start: Instant, limit: Duration) -> io::Result<Option<bool>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        let passed = start.elapsed();
        if passed > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep((passed / 50).clamp(Duration::from_micros(50), Duration::from_millis(50)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str, limit: Duration) -> Ran {
        run(Command::new("sh").args(["-c", text]), "hello", limit).unwrap()
    }

    #[test]
    fn input_output_and_status_are_passed() {
        let ran = shell("cat; echo oh >&2; exit 3", Duration::from_secs(60));
        assert_eq!((ran.well, ran.out.as_str(), ran.err.as_str()), (Some(false), "hello", "oh\n"));
    }

    #[test]
    fn a_program_that_takes_too_long_is_ended() {
        let ran = shell("exec sleep 100", Duration::from_millis(50));
        assert_eq!(ran.well, None);
        assert!(ran.wall < Duration::from_secs(50));
    }
}
