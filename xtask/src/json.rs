//! The strings of JSON, for the lines that xtask reads itself: a quoted text with escapes, where a
//! character beyond the first 65,536 may be written as two.

/// The JSON string at the start of `text`, and what follows it.
pub(crate) fn string(text: &str) -> Option<(String, &str)> {
    let mut units = Vec::new();
    let mut chars = text.strip_prefix('"')?.chars();
    loop {
        match chars.next()? {
            '"' => return Some((String::from_utf16_lossy(&units), chars.as_str())),
            '\\' => units.push(escape(&mut chars)?),
            c => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
        }
    }
}

/// The UTF-16 unit that an escape stands for.
fn escape(chars: &mut std::str::Chars<'_>) -> Option<u16> {
    let c = match chars.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'u' => {
            let digits = chars.as_str().get(..4)?;
            chars.nth(3)?;
            return u16::from_str_radix(digits, 16).ok();
        }
        other => other,
    };
    u16::try_from(u32::from(c)).ok()
}
