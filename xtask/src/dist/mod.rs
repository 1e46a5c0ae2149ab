//! `cargo xtask dist`: an archive for people without Rust.
//!
//! ```text
//! target/dist/SHA256SUMS
//! target/dist/tumble-0.1.0-x86_64-unknown-linux-musl.tar.gz
//!     tumble-0.1.0-x86_64-unknown-linux-musl/
//!         tumble                      needs no library of the system
//!         README.md  CHANGELOG.md  LICENSE-MIT  LICENSE-APACHE
//!         THIRD-PARTY.md              the licences of everything inside
//!         completions/  man/          made by the program itself
//!         web/                        the page, for any static host, where Node is installed
//! ```

mod notices;

use crate::build::{self, Order};
use crate::shell;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// A program for this target runs on every Linux.
const STATIC: &str = "x86_64-unknown-linux-musl";

/// Files of the repository that go along.
const PAGES: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// The shells, and where each looks for completions.
const COMPLETIONS: &[(&str, &str)] =
    &[("bash", "tumble.bash"), ("zsh", "_tumble"), ("fish", "tumble.fish"), ("powershell", "_tumble.ps1")];

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    profile: String,
    target: Option<String>,
    /// A program that exists already.
    program: Option<PathBuf>,
}

/// Runs the command; nothing if it was called in a way that is not known.
pub(crate) fn dist(args: &[OsString]) -> Option<ExitCode> {
    let wish = wish(args)?;
    Some(match make(&wish) {
        Ok(archive) => {
            println!("{}", archive.display());
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    })
}

fn wish(args: &[OsString]) -> Option<Wish> {
    let mut wish = Wish { profile: "release".to_owned(), target: None, program: None };
    let mut args = args.iter();
    while let Some(option) = args.next() {
        let value = args.next()?;
        match option.to_str()? {
            "--profile" => wish.profile = value.to_str()?.to_owned(),
            "--target" => wish.target = Some(value.to_str()?.to_owned()),
            "--program" => wish.program = Some(PathBuf::from(value)),
            _ => return None,
        }
    }
    Some(wish)
}

fn make(wish: &Wish) -> Result<PathBuf, String> {
    let host = host()?;
    let usual = if host == "x86_64-unknown-linux-gnu" { STATIC.to_owned() } else { host.clone() };
    let target = wish.target.clone().unwrap_or(usual);
    // The page comes first: it is also inside the program, for `tumble serve`.
    let page = match crate::web::can_build() {
        Ok(()) => Some(crate::web::build()?),
        Err(why) => {
            eprintln!("the archive has no page: {why}");
            None
        }
    };
    let program = match &wish.program {
        Some(program) => program.clone(),
        None => built(&wish.profile, &target, &host)?,
    };
    packed(&program, &target, page.as_deref(), &shell::root().join("target").join("dist"))
}

/// The machine that this runs on.
fn host() -> Result<String, String> {
    let told = output(Command::new("rustc").arg("-vV"))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not report its host".to_owned())
}

fn built(profile: &str, target: &str, host: &str) -> Result<PathBuf, String> {
    if target != host {
        // It is quick where the target is there already.
        let added = Command::new("rustup").args(["target", "add", target]).status();
        if !added.is_ok_and(|status| status.success()) {
            return Err(format!("the target {target} is missing, and `rustup target add {target}` does not help"));
        }
    }
    // SQLite and the cryptography of the server are written in C.
    if target.ends_with("-musl") && Command::new("musl-gcc").arg("--version").output().is_err() {
        return Err(format!("{target} needs musl-gcc; on Debian and Ubuntu, `apt install musl-tools`"));
    }
    let program = build::tumble(&Order { profile, features: None, target: Some(target) });
    program.map_err(|error| format!("cargo could not be started: {error}"))?.ok_or_else(String::new)
}

/// Puts a program and what goes with it into an archive in this folder, and gives its path.
fn packed(program: &Path, target: &str, page: Option<&Path>, folder: &Path) -> Result<PathBuf, String> {
    let version = output(Command::new(program).arg("--version"))?;
    let version = version.trim().rsplit(' ').next().unwrap_or_default();
    let name = format!("tumble-{version}-{target}");
    let place = folder.join(&name);
    if place.exists() {
        fs::remove_dir_all(&place).map_err(|error| told(&place, &error))?;
    }
    for inner in ["completions", "man"] {
        let inner = place.join(inner);
        fs::create_dir_all(&inner).map_err(|error| told(&inner, &error))?;
    }
    let copy = |from: &Path, to: &str| fs::copy(from, place.join(to)).map(drop).map_err(|error| told(from, &error));
    copy(program, if target.contains("windows") { "tumble.exe" } else { "tumble" })?;
    for page in PAGES {
        copy(&shell::root().join(page), page)?;
    }
    for (shell, file) in COMPLETIONS {
        let script = output(Command::new(program).args(["completions", shell]))?;
        written(&place.join("completions").join(file), &script)?;
    }
    output(Command::new(program).arg("man").arg(place.join("man")))?;
    written(&place.join("THIRD-PARTY.md"), &notices::all(target)?)?;
    if let Some(page) = page {
        output(Command::new("cp").arg("-r").arg(page).arg(place.join("web")))?;
    }
    archived(folder, &name)
}

/// Makes the archive and the sums beside it.
fn archived(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let archive = format!("{name}.tar.gz");
    output(Command::new("tar").current_dir(folder).args(["-czf", &archive, name]))?;
    let sums = output(Command::new("sha256sum").current_dir(folder).arg(&archive))
        .or_else(|_| output(Command::new("shasum").current_dir(folder).args(["-a", "256", &archive])))?;
    written(&folder.join("SHA256SUMS"), &sums)?;
    Ok(folder.join(archive))
}

/// What a program prints; its failure in words.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().display().to_string();
    let ran = command.stdin(Stdio::null()).output().map_err(|error| format!("{name} could not be started: {error}"))?;
    if !ran.status.success() {
        return Err(format!("{name} failed: {}", String::from_utf8_lossy(&ran.stderr).trim()));
    }
    String::from_utf8(ran.stdout).map_err(|_| format!("{name} printed something other than text"))
}

fn written(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| told(path, &error))
}

fn told(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of the developer's profile; any will do, so one that is there already is taken.
    fn program() -> PathBuf {
        let name = format!("tumble{}", std::env::consts::EXE_SUFFIX);
        let target = shell::target(&shell::root());
        let there = target.join("debug").join(name);
        if there.exists() {
            return there;
        }
        build::tumble(&Order { profile: "dev", features: None, target: None }).unwrap().unwrap()
    }

    #[test]
    fn an_archive_is_unpacked_and_rolls() {
        let folder = std::env::temp_dir().join(format!("tumble-dist-{}", std::process::id()));
        let page = folder.join("page");
        fs::create_dir_all(&page).unwrap();
        fs::write(page.join("index.html"), "hello").unwrap();
        let archive = packed(&program(), &host().unwrap(), Some(&page), &folder).unwrap();
        output(Command::new("sha256sum").current_dir(&folder).args(["-c", "SHA256SUMS"])).unwrap();
        let empty = folder.join("empty");
        fs::create_dir_all(&empty).unwrap();
        output(Command::new("tar").current_dir(&empty).arg("-xzf").arg(&archive)).unwrap();
        let inside = fs::read_dir(&empty).unwrap().next().unwrap().unwrap().path();
        let rolled = output(Command::new(inside.join("tumble")).args(["2d6", "+", "3", "--seed", "3"])).unwrap();
        assert!(rolled.starts_with("2d6 (") && rolled.contains("+ 3"), "{rolled}");
        for file in [
            "README.md",
            "LICENSE-MIT",
            "completions/_tumble",
            "completions/_tumble.ps1",
            "man/tumble-odds.1",
            "web/index.html",
        ] {
            assert!(inside.join(file).exists(), "{file}");
        }
        let notices = fs::read_to_string(inside.join("THIRD-PARTY.md")).unwrap();
        assert!(notices.contains("clap ") && notices.contains("Permission is hereby granted"), "{notices}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn wishes_are_read() {
        let read = |line: &str| wish(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>());
        let usual = Wish { profile: "release".to_owned(), target: None, program: None };
        assert_eq!(read(""), Some(usual));
        assert_eq!(read("--profile dev --target a").unwrap().target.as_deref(), Some("a"));
        assert_eq!((read("--profile"), read("--nonsense x")), (None, None));
    }
}
