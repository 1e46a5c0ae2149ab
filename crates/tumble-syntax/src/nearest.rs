//! Names that nearly fit.

/// The candidate that `word` was most likely meant to be: few letters differ.
pub fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let most = match word.len() {
        0..=2 => return None,
        3..=5 => 1,
        6..=40 => 2,
        _ => return None,
    };
    candidates
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(far, _)| *far <= most)
        .min()
        .map(|(_, c)| c)
}

/// How many letters to insert, remove, change or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let best = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if swapped { best.min(rows[i - 2][j - 2] + 1) } else { best }
            };
        }
    }
    rows[a.len()][b.len()]
}

/// The text with every whole word `from` written as `to`.
pub(crate) fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    for (at, _) in text.match_indices(from) {
        let end = at + from.len();
        let joined = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        if at < rest || joined(text[..at].chars().next_back()) || joined(text[end..].chars().next()) {
            continue;
        }
        out.push_str(&text[rest..at]);
        out.push_str(to);
        rest = end;
    }
    out + &text[rest..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_right_names_are_found() {
        let known = ["strength", "luck", "level"];
        for (word, meant) in [
            ("strenght", Some("strength")),
            ("lucc", Some("luck")),
            ("levels", Some("level")),
            ("x", None),
            ("wisdom", None),
        ] {
            assert_eq!(nearest(word, known.into_iter()), meant, "{word}");
        }
    }

    #[test]
    fn whole_words_are_renamed() {
        assert_eq!(renamed("x1:=3; x1+x12+ax1", "x1", "xA"), "xA:=3; xA+x12+ax1");
    }
}
