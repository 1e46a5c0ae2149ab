//! How many columns a character takes on a terminal.
//!
//! A short table of the ranges that matter for placing a mark under a character: marks that join the
//! character before them take none, East Asian characters and pictures take two.

const JOINING: &[(u32, u32)] = &[
    (0x0300, 0x036F),
    (0x0483, 0x0489),
    (0x0591, 0x05BD),
    (0x0610, 0x061A),
    (0x064B, 0x065F),
    (0x0E31, 0x0E31),
    (0x0E34, 0x0E3A),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x200B, 0x200D),
    (0x20D0, 0x20FF),
    (0xFE00, 0xFE0F),
    (0xFE20, 0xFE2F),
    (0x1F3FB, 0x1F3FF),
    (0xE0100, 0xE01EF),
];

const WIDE: &[(u32, u32)] = &[
    (0x1100, 0x115F),
    (0x231A, 0x231B),
    (0x23E9, 0x23EC),
    (0x2614, 0x2615),
    (0x2E80, 0x303E),
    (0x3041, 0x4DBF),
    (0x4E00, 0xA4CF),
    (0xA960, 0xA97C),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE6F),
    (0xFF00, 0xFF60),
    (0xFFE0, 0xFFE6),
    (0x1F004, 0x1F004),
    (0x1F0CF, 0x1F0CF),
    (0x1F18E, 0x1F19A),
    (0x1F200, 0x1F3FA),
    (0x1F400, 0x1F64F),
    (0x1F680, 0x1F6FF),
    (0x1F7E0, 0x1F7EB),
    (0x1F900, 0x1FAFF),
    (0x20000, 0x3FFFD),
];

/// The columns of one character.
pub(crate) fn columns(c: char) -> usize {
    let code = u32::from(c);
    let among = |ranges: &[(u32, u32)]| ranges.iter().any(|(first, last)| (*first..=*last).contains(&code));
    match code {
        0..0x300 => 1,
        _ if among(JOINING) => 0,
        _ if among(WIDE) => 2,
        _ => 1,
    }
}

/// The columns of a line.
pub fn width(line: &str) -> usize {
    line.chars().map(columns).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_a_terminal() {
        for (line, columns) in [("d6", 2), ("é", 1), ("e\u{301}", 1), ("骰子", 4), ("🎲", 2), ("", 0)] {
            assert_eq!(width(line), columns, "{line}");
        }
    }
}
