//! `tumble notations`: lists the notations and dialects.

use std::io::{self, Write};
use tumble::{DIALECTS, NOTATIONS};

/// Lists the notations.
pub(crate) fn run(out: &mut dyn Write) -> io::Result<u8> {
    for notation in NOTATIONS.iter().chain(DIALECTS) {
        writeln!(out, "{}: {}", notation.name, notation.description)?;
        for example in notation.examples {
            writeln!(out, "    {example}")?;
        }
    }
    Ok(0)
}
