//! Whether a text may be dressed: only on a terminal, and only if nobody asked for plain texts.

use std::env::var_os;
use std::io::IsTerminal;

/// Whether bold, dim and colours are shown there. `NO_COLOR` with any value but none turns them off.
pub(crate) fn styled(stream: &impl IsTerminal) -> bool {
    let refused = var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || var_os("TERM").is_some_and(|value| value == "dumb");
    !refused && stream.is_terminal()
}
