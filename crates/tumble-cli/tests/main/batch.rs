//! `tumble batch` as a process: every vector in one run, answers at once, and lines of any kind.

use crate::tool::{TUMBLE, shell};
use crate::vectors::{self, Answer};
use serde_json::Value as Json;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

#[test]
fn troll() {
    let vectors = vectors::troll();
    let requests: String = vectors.iter().map(|vector| format!("{}\n", vector.request())).collect();
    let ran = shell("tumble batch", requests.as_bytes());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out.lines().count(), vectors.len());
    let mut answers = ran.out.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    vectors::check_all(&vectors, |_| Answer::read(&answers.next().unwrap()));
}

#[test]
fn an_answer_comes_before_the_next_question() {
    let mut child = Command::new(TUMBLE).arg("batch").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for text in ["d2", "d", "sum 2d2"] {
        writeln!(stdin, r#"{{"do":"odds","notation":"troll","text":"{text}"}}"#).unwrap();
        let answer: Json = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["ok"], text != "d", "{answer}");
    }
    drop(stdin);
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}

/// Several threads give the answers of one, in the same order; only the time they took may differ.
#[test]
fn several_at_a_time_keep_the_order() {
    let texts = ["d2", "sum 9d9", "d", "count different 30d30", "sum largest 3 40d20", "1", "sum 300d6"];
    let request =
        |i: usize| format!("{{\"do\":\"odds\",\"notation\":\"troll\",\"text\":\"{} \\\\ {i}\"}}\n", texts[i % 7]);
    let requests: String = (0..150).map(request).collect();
    let answers = |jobs: u32| -> Vec<Json> {
        let ran = shell(&format!("tumble batch --jobs {jobs}"), requests.as_bytes());
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        let timeless = |line: &str| {
            let mut answer: Json = serde_json::from_str(line).unwrap();
            answer.as_object_mut().unwrap().remove("micros");
            answer
        };
        ran.out.lines().map(timeless).collect()
    };
    let one = answers(1);
    assert_eq!(one.len(), 150);
    assert_eq!(answers(4), one);
}

#[test]
fn several_at_a_time_wait_for_nobody() {
    let mut tumble = Command::new(TUMBLE);
    tumble.args(["batch", "--jobs", "3"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = tumble.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for count in [3, 1, 2] {
        stdin.write_all("{\"do\":\"odds\",\"text\":\"2d6\"}\n".repeat(count).as_bytes()).unwrap();
        for _ in 0..count {
            assert!(answers.next().unwrap().unwrap().starts_with("{\"ok\":true"));
        }
    }
    drop(stdin);
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}

/// Out of order nothing is lost: each `id` comes back once, with its own answer. Which comes first is tested where the
/// time that an answer takes can be chosen, in `src/batch/unordered.rs`.
#[test]
fn answers_out_of_order_have_their_ids() {
    let request = |n: u32| format!("{{\"id\":{n},\"do\":\"odds\",\"text\":\"{n}\",\"exactly\":{n}}}\n");
    let requests: String = (0..100).map(request).collect();
    let ran = shell("tumble batch --unordered --jobs 4", requests.as_bytes());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let mut ids: Vec<u64> = Vec::new();
    for line in ran.out.lines() {
        let answer: Json = serde_json::from_str(line).unwrap();
        assert_eq!(answer["id"].to_string(), answer["answers"][0]["exactly"].as_str().unwrap(), "{answer}");
        ids.push(answer["id"].as_u64().unwrap());
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..100).collect::<Vec<u64>>());
}

#[test]
fn every_line_gets_a_line() {
    let fine = br#"{"do":"odds","notation":"troll","text":"d2"}"#;
    let mut input = Vec::new();
    for line in [&fine[..], b"", b"{", b"\xFF\xFE", b"\0", &vec![b'x'; 17 << 20], fine] {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    // The last line has no line end.
    input.extend_from_slice(fine);
    let ran = shell("tumble batch", &input);
    assert_eq!(ran.status, 0);
    let answers: Vec<Json> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let fine: Vec<bool> = answers.iter().map(|answer| answer["ok"] == true).collect();
    assert_eq!(fine, [true, false, false, false, false, false, true, true]);
    assert!(answers.iter().all(|answer| answer["ok"] == true || answer["error"]["code"] == "request"));
}

#[test]
fn requests_can_be_in_a_file() {
    let file = std::env::temp_dir().join(format!("tumble-batch-{}.jsonl", std::process::id()));
    std::fs::write(&file, "\u{FEFF}{\"do\":\"odds\",\"notation\":\"troll\",\"text\":\"d2\"}\r\n").unwrap();
    let ran = shell(&format!("tumble batch '{}'", file.display()), b"");
    std::fs::remove_file(&file).unwrap();
    assert!(ran.out.starts_with("{\"ok\":true"), "{ran:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    for command in ["tumble odds -n troll --all d20000", "tumble roll -n troll 9d6 --times 100000"] {
        let ran = shell(&format!("{{ {command}; echo $? >&2; }} | head -n 1"), b"");
        assert_eq!(ran.err, "0\n", "{command}");
    }
}

/// Ctrl-C stops the rolls of an approximate answer, and the answer tells what was reached.
#[test]
#[cfg(unix)]
fn an_interrupted_answer_tells_what_was_reached() {
    let odds = "tumble odds -n troll 'sum different 5000d30' --approx --seed 1 --samples 1000000000";
    for (options, marks) in
        [("", ["APPROXIMATE", "stopped early"]), (" --json", ["\"approximate\":true", "\"stopped\":true"])]
    {
        let ran = shell(&format!("{odds}{options} & sleep 2; kill -INT $!; wait $!"), b"");
        assert_eq!(ran.status, 130, "{ran:?}");
        assert!(marks.iter().all(|mark| ran.out.contains(mark)) && ran.err.is_empty(), "{ran:?}");
    }
}

/// Ctrl-C ends a series after a whole roll, and a sweep with the values that were reached.
#[test]
#[cfg(unix)]
fn an_interrupted_series_tells_what_was_reached() {
    let file = std::env::temp_dir().join(format!("tumble-series-{}.txt", std::process::id()));
    let rolls = format!("tumble roll 4d6kh3 --times 1000000000 >'{}'", file.display());
    let ran = shell(&format!("{rolls} & sleep 1; kill -INT $!; wait $!"), b"");
    let told = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(ran.status, 130, "{ran:?}");
    assert!(told.ends_with('\n') && told.lines().all(|line| line.contains(") = ")), "{:?}", told.lines().last());
    assert_eq!(ran.err, format!("warning: stopped after {} of 1000000000 rolls\n", told.lines().count()));
    let sweep = "tumble odds -n troll 'sum different (N*100)d30' --sweep N=99,100 --approx --samples 1000000000";
    let ran = shell(&format!("{sweep} & sleep 2; kill -INT $!; wait $!"), b"");
    assert_eq!(ran.status, 130, "{ran:?}");
    assert!(ran.err.starts_with("warning: stopped after "), "{ran:?}");
}
