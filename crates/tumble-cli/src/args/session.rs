//! The commands that answer many questions: `tumble batch` and `repl`.

use super::shared::{Most, Reading, from_zero};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  echo '{\"do\":\"odds\",\"text\":\"2d6\"}' | tumble batch
  tumble batch requests.jsonl > answers.jsonl

Each line is answered with one line, in order, as soon as it and those before it
are ready; a bad request gets {\"ok\":false,\"error\":{...}} and the next one is
read. The `id` of a request is the first field of its answer.")]
pub(crate) struct BatchArgs {
    /// File with the requests; `-` for standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Write each answer as soon as it is ready, in any order; `id` says which
    /// request it belongs to
    #[arg(short, long)]
    pub(crate) unordered: bool,

    /// Work on up to N requests at a time [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,

    #[command(flatten)]
    pub(crate) most: Most,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tumble repl
  tumble repl -n troll --var N=4
  printf 'x := 4d6kh3\\n:odds x + 2\\n' | tumble repl

A line that starts with `:` is a command; `:help` lists them. `tumble` alone on
a terminal is the same as `tumble repl`.")]
pub(crate) struct ReplArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Seed for repeatable dice: any number, 0 or more
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = from_zero)]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) most: Most,
}
