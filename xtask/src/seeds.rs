//! First inputs for the fuzzer: the texts of the conformance vectors.
//!
//! A target is named after its notation, `troll_parse`, and starts from the `expr` fields of that
//! notation's files, `conformance/troll.jsonl` and `conformance/troll-….jsonl`; those for scripts start from the games, and
//! those for dialects from the files of all notations that have no target of their own, each after the name of its file.

use crate::json;
use std::fs;
use std::io;
use std::path::Path;

/// Writes the seeds of a target into its corpus and says how many there are.
pub(crate) fn write(root: &Path, target: &str) -> io::Result<usize> {
    let corpus = root.join("fuzz/corpus").join(target);
    fs::create_dir_all(&corpus)?;
    let mut texts = Vec::new();
    for file in fs::read_dir(root.join("conformance"))? {
        let path = file?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(stem) = name.strip_suffix(".jsonl") else { continue };
        if stem.split('-').next() == Some(notation(target)) {
            texts.extend(fs::read_to_string(&path)?.lines().filter_map(expr));
        } else if notation(target) == "dialect" && !own_target(root, stem) {
            texts.extend(fs::read_to_string(&path)?.lines().filter_map(expr).map(|text| format!("{stem}\n{text}")));
        }
    }
    if notation(target) == "script" {
        for file in fs::read_dir(root.join("examples/scripts"))? {
            let path = file?.path();
            if path.extension().is_some_and(|ending| ending == "tumble") {
                texts.push(fs::read_to_string(path)?);
            }
        }
    }
    for (number, text) in texts.iter().enumerate() {
        fs::write(corpus.join(format!("seed-{number:04}")), text)?;
    }
    Ok(texts.len())
}

/// Whether the notation of a file has a target.
fn own_target(root: &Path, stem: &str) -> bool {
    let notation = stem.split('-').next().unwrap_or(stem);
    root.join(format!("fuzz/fuzz_targets/{notation}_parse.rs")).exists()
}

/// The notation that a target is named after.
pub(crate) fn notation(target: &str) -> &str {
    target.split('_').next().unwrap_or(target)
}

/// The `expr` field of a line of JSON.
fn expr(line: &str) -> Option<String> {
    let (_, after) = line.split_once("\"expr\"")?;
    json::string(after.trim_start().strip_prefix(':')?.trim_start()).map(|(text, _)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_vector_is_found() {
        let cases = [
            (r#"{"id": "a", "expr": "sum 3d6", "vars": {}}"#, Some("sum 3d6")),
            (r#"{"expr":"x := 1;\n\"a\" || 'b\\c' \u00e9 \ud83c\udfb2"}"#, Some("x := 1;\n\"a\" || 'b\\c' é 🎲")),
            (r#"{"text": "none"}"#, None),
            (r#"{"expr": "no end"#, None),
        ];
        for (line, expected) in cases {
            assert_eq!(expr(line).as_deref(), expected, "{line}");
        }
    }
}
