//! The program `tumble`.
//!
//! ```text
//! arguments ─▶ args ─▶ roll | odds | repl | batch | … ─▶ standard output
//!                          └─ report ─▶ standard error, exit status
//! ```
//!
//! Exit status: 0; 1 for a bad text or a run-time error; 2 for a bad call or an unreadable file; 3 for
//! a limit or an endless roll; 4 if `--verify` finds that Tumble is wrong; 130 if Ctrl-C stopped it.

mod args;
mod arrange;

mod advice;
mod input;
mod report;
mod screen;

mod batch;
mod best;
mod check;
mod dice;
mod fmt;
mod help;
mod manual;
mod meant;
mod notations;
mod odds;
mod repl;
mod roll;
mod run;
mod script_odds;
#[cfg(feature = "server")]
mod serve;
mod sweep;
mod translate;
mod unused;
mod wait;
mod words;

use args::{Cli, Command};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

/// Reads the arguments; what they may be is described once, because that takes time at every start.
fn parse(mut arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut cli = Cli::command();
    if arguments.len() == 1 && io::stdin().is_terminal() && io::stdout().is_terminal() {
        arguments.push("repl".into());
    }
    let meant = arrange::is_bare(&cli, &arguments).then(|| meant::misspelled(&arguments)).flatten();
    let arranged = arrange::arrange(&cli, arguments);
    let found = cli.try_get_matches_from_mut(arranged);
    match (found.and_then(|mut found| Cli::from_arg_matches_mut(&mut found)), meant) {
        (Ok(mut read), meant) => {
            if let Command::Roll(args) = &mut read.command {
                args.misspelled = meant;
            }
            Ok(read)
        }
        // The options are those of the command that was meant.
        (Err(error), Some(meant)) if error.kind() == ErrorKind::UnknownArgument => {
            let hint = meant.hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
            Err(clap::Error::raw(error.kind(), format!("{}{hint}\n", meant.message)))
        }
        (Err(error), _) => Err(error.format(&mut cli)),
    }
}

fn main() -> ExitCode {
    let cli = match parse(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(error) => {
            report::bad_call(&error);
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let done = match &cli.command {
        Command::Roll(args) => roll::run(args, &mut out),
        Command::Odds(args) => match meant::apart(args).or_else(|| args.left_out()) {
            Some(error) => report::errors(&mut out, args.given.json, "", &[error]),
            None => odds::run(args, &mut out),
        },
        Command::Run(args) => run::run(args, &mut out),
        Command::Best(args) => best::run(args, &mut out),
        Command::Batch(args) => batch::run(args, &mut out),
        Command::Translate(args) => translate::run(args, &mut out),
        Command::Repl(args) => repl::run(args, &mut out),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(args, &mut out),
        #[cfg(feature = "server")]
        Command::Admin(args) => serve::admin(args, &mut out),
        Command::Check(args) => check::run(args, &mut out),
        Command::Fmt(args) => fmt::run(args, &mut out),
        Command::Notations => notations::run(&mut out),
        Command::Help(args) => help::run(args, &mut out),
        Command::Completions(args) => manual::completions(args, &mut out),
        Command::Man(args) => manual::pages(args, &mut out),
    };
    match done.and_then(|status| out.flush().map(|()| status)) {
        Ok(status) => ExitCode::from(status),
        // `tumble … | head` closes the pipe early, on purpose.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: can't write the answer: {error}");
            ExitCode::from(report::BAD_CALL)
        }
    }
}
