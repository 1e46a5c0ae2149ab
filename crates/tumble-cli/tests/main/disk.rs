//! A disk that is full.

use crate::kill::{Mortal, fresh_key, history, table};
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// A small file system in memory, for as long as this lives.
struct Small<'a>(&'a Path);

impl Small<'_> {
    fn at(folder: &Path, kilobytes: u32) -> Small<'_> {
        let size = format!("size={kilobytes}k");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder).status();
        assert!(mount.unwrap().success(), "mounting needs root");
        Small(folder)
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0).status();
    }
}

/// Who rolls into a full disk is told so, and nothing of it is stored; where there is room again, all goes on.
#[test]
#[ignore = "for `cargo xtask soak server`: mounting needs root"]
fn a_full_disk_is_told_and_nothing_is_half_stored() {
    let folder = std::env::temp_dir().join(format!("tumble-disk-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let small = Small::at(&folder, 3_000);
    let server = Mortal::born_in(&folder, &[]);
    let (table, master, players) = table(&server);
    let (mut stored, mut key) = (0, fresh_key());
    let body = json!({ "text": "200d1000", "label": "full" });
    let problem = loop {
        let (status, head, answer) = players[0].attempt("POST", &format!("{table}/rolls"), &key, &body).unwrap();
        if status != 201 {
            assert!(head.to_lowercase().contains("application/problem+json"), "{head}");
            break (status, answer);
        }
        stored += 1;
        key = fresh_key();
    };
    assert_eq!((problem.0, &problem.1["code"]), (507, &json!("limit")), "{problem:?}");
    assert!(stored > 10);
    // It can still be read, by a server that was killed meanwhile too.
    let count = || history(&master, &table).values().map(Vec::len).sum::<usize>();
    assert_eq!(count(), stored);
    server.killed_and_born_again();
    assert_eq!(count(), stored);
    let more = Command::new("mount").args(["-o", "remount,size=20000k"]).arg(&folder).status();
    assert!(more.unwrap().success());
    let (status, ..) = players[0].attempt("POST", &format!("{table}/rolls"), &key, &body).unwrap();
    assert_eq!(status, 201);
    assert_eq!(count(), stored + 1);
    drop(server);
    drop(small);
}
