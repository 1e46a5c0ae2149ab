//! The tests of the server with PostgreSQL, in a folder of its own under `target/` and on a socket in it, so that nothing
//! of the machine is touched. PostgreSQL does not run as root: then it is started by the user `postgres` of its package.

use super::succeeded;
use crate::{shell, tools};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) fn run(root: &Path) -> io::Result<bool> {
    let programs = programs()?;
    let folder = std::env::temp_dir().join("tumble-soak-postgres");
    let server = Postgres { programs, folder };
    server.start()?;
    let mut tests = shell::cargo();
    // Threads share one database server; the default number of its connections is for fewer of ours.
    tests.args(["test", "--package", "tumble-server", "--test", "main", "--", "--test-threads", "4"]);
    let well = tests.env("TUMBLE_TEST_POSTGRES", &server.folder).current_dir(root).status();
    server.stop()?;
    Ok(well?.success())
}

/// The folder of `initdb` and `pg_ctl`, which Debian keeps out of the PATH.
fn programs() -> io::Result<PathBuf> {
    let newest = || {
        let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
        versions.filter_map(Result::ok).map(|version| version.path().join("bin")).max()
    };
    if newest().is_none() && tools::may_install() {
        succeeded(Command::new("apt-get").args(["install", "--yes", "postgresql"]))?;
    }
    newest().ok_or_else(|| io::Error::other("PostgreSQL is not installed (Debian: apt install postgresql)"))
}

struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
}

impl Postgres {
    fn start(&self) -> io::Result<()> {
        let _ = std::fs::remove_dir_all(&self.folder);
        std::fs::create_dir_all(&self.folder)?;
        if tools::is_root() {
            succeeded(Command::new("chown").arg("postgres").arg(&self.folder))?;
        }
        let data = self.folder.join("data");
        let quiet = ["--auth", "trust", "--username", "tumble", "--encoding", "UTF8", "--no-sync"];
        succeeded(self.program("initdb").arg("--pgdata").arg(&data).args(quiet))?;
        let options = format!("-k {} -c listen_addresses= -c max_connections=300", self.folder.display());
        let log = self.folder.join("log");
        let mut start = self.program("pg_ctl");
        succeeded(start.arg("--pgdata").arg(&data).arg("--log").arg(log).args([
            "--options",
            &options,
            "--wait",
            "start",
        ]))
    }

    fn stop(&self) -> io::Result<()> {
        let data = self.folder.join("data");
        succeeded(self.program("pg_ctl").arg("--pgdata").arg(data).args(["--mode", "immediate", "stop"]))?;
        std::fs::remove_dir_all(&self.folder)
    }

    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        if !tools::is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("runuser");
        command.args(["--user", "postgres", "--"]).arg(program).current_dir("/");
        command
    }
}
