//! What the page and its tests need from the machine, and how to get it.

use crate::tools;
use std::path::PathBuf;
use std::process::Command;

/// The oldest Node that will do.
const NODE: (u32, u32) = (20, 19);

/// The names of the browser.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Node with npm.
pub(super) fn node() -> Result<(), String> {
    let told = Command::new("node").arg("--version").output();
    let version = told.ok().and_then(|output| version(&String::from_utf8_lossy(&output.stdout)));
    let npm = Command::new("npm").arg("--version").output().is_ok_and(|output| output.status.success());
    match version {
        Some(version) if version >= NODE && npm => Ok(()),
        Some((major, minor)) if npm => Err(format!(
            "the page needs Node {}.{} or later, and this is {major}.{minor}; see nodejs.org",
            NODE.0, NODE.1
        )),
        _ => Err(format!("the page needs Node {}.{} or later with npm; see nodejs.org", NODE.0, NODE.1)),
    }
}

/// `v20.20.2`
fn version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().strip_prefix('v')?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// A target of rustc; it is quick to add.
pub(super) fn target(name: &str) -> Result<(), String> {
    let library = Command::new("rustc").args(["--print", "target-libdir", "--target", name]).output();
    let there = library.is_ok_and(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()).is_dir());
    if there || Command::new("rustup").args(["target", "add", name]).status().is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(format!("the target {name} is missing; add it with `rustup target add {name}`"))
}

/// The browser for the tests: the one named by `CHROMIUM`, or one on the path. Where that surprises nobody it is installed.
pub(super) fn browser() -> Result<PathBuf, String> {
    let how =
        "Chromium is not installed; install it with `apt-get install chromium`, or name it in CHROMIUM".to_owned();
    if let Some(named) = std::env::var_os("CHROMIUM").map(PathBuf::from) {
        return if named.is_file() {
            Ok(named)
        } else {
            Err(format!("CHROMIUM names {}, which is no file", named.display()))
        };
    }
    if let Some(found) = on_path() {
        return Ok(found);
    }
    if !tools::may_install() {
        return Err(how);
    }
    println!("Chromium is not installed: installing it with apt-get, as always in CI and for root");
    for words in [&["update", "-qq"][..], &["install", "-y", "-qq", "--no-install-recommends", "chromium"]] {
        let _ = Command::new("apt-get").args(words).env("DEBIAN_FRONTEND", "noninteractive").status();
    }
    on_path().ok_or(how)
}

fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    BROWSERS.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_read() {
        assert_eq!(version("v20.20.2\n"), Some((20, 20)));
        assert_eq!(version("20"), None);
        assert!(version("v20.9.0") < Some(NODE) && version("v22.1.0") > Some(NODE));
    }
}
