//! `tumble notations`: lists the notations.

use std::io::{self, Write};
use tumble::NOTATIONS;

/// Lists the notations.
pub(crate) fn run(out: &mut dyn Write) -> io::Result<u8> {
    for notation in NOTATIONS {
        writeln!(out, "{}: {}", notation.name, notation.description)?;
        for example in notation.examples {
            writeln!(out, "    {example}")?;
        }
    }
    Ok(0)
}
