//! The text files of the repository that look tracked, read once.

use std::fs;
use std::io;
use std::path::Path;

/// The folders that are read, besides the files at the root.
const FOLDERS: &[&str] = &["crates", "xtask", "fuzz", "bench", "conformance", "docs", "examples"];

/// A text file.
pub(super) struct File {
    /// Its path from the root, with `/` between the names.
    pub(super) path: String,
    pub(super) text: String,
}

/// The files, sorted by path.
pub(super) struct Tree {
    files: Vec<File>,
}

impl Tree {
    /// Reads the tree; what `.gitignore` names is left out, and so are files that are not text.
    pub(super) fn read(root: &Path) -> io::Result<Tree> {
        let ignored = ignored(root);
        let mut files = Vec::new();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(root.join(&folder))? {
                let entry = entry?;
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                let kind = entry.file_type()?;
                if name == ".git" || ignored.iter().any(|rule| rule.fits(&path, &name)) {
                    continue;
                } else if kind.is_dir() && (!folder.is_empty() || FOLDERS.contains(&name.as_str())) {
                    folders.push(path);
                } else if kind.is_file()
                    && let Ok(text) = String::from_utf8(fs::read(entry.path())?)
                {
                    files.push(File { path, text });
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Tree { files })
    }

    /// The text of a file.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|file| file.path == path).map(|file| file.text.as_str())
    }

    /// The files in one of these folders.
    pub(super) fn under(&self, folders: &[&str]) -> impl Iterator<Item = &File> {
        let inside = move |path: &str| {
            folders.iter().any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
        };
        self.files.iter().filter(move |file| inside(&file.path))
    }

    /// The files with these paths, and those in folders with these paths.
    pub(super) fn matching<'a>(&'a self, paths: &'a [&str]) -> impl Iterator<Item = &'a File> {
        let named = |file: &&'a File| paths.contains(&file.path.as_str());
        self.files.iter().filter(named).chain(self.under(paths))
    }

    /// The Rust files.
    pub(super) fn rust(&self) -> impl Iterator<Item = &File> {
        self.under(&["crates", "xtask", "fuzz", "bench", "examples"]).filter(|file| file.path.ends_with(".rs"))
    }

    /// The names of our packages, each with its manifest: `crates/*` and `xtask`.
    pub(super) fn packages<'a>(&'a self) -> Vec<(&'a str, &'a File)> {
        let named = |file: &'a File| -> Option<(&'a str, &'a File)> {
            let folder = file.path.strip_suffix("/Cargo.toml")?;
            let name = folder.strip_prefix("crates/").unwrap_or(folder);
            (!name.contains('/')).then_some((name, file))
        };
        self.under(&["crates", "xtask"]).filter_map(named).collect()
    }

    /// A tree made of these files, written to a folder of its own and read back.
    #[cfg(test)]
    pub(super) fn made(files: &[(&str, &str)]) -> Tree {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("tumble-tidy-{}-{number}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = Tree::read(&root).unwrap();
        fs::remove_dir_all(root).unwrap();
        tree
    }
}

/// A line of `.gitignore`; patterns with stars are not needed here.
enum Ignored {
    /// `/fuzz/corpus`: one path.
    Path(String),
    /// `node_modules`: a name anywhere.
    Name(String),
}

impl Ignored {
    fn fits(&self, path: &str, name: &str) -> bool {
        match self {
            Ignored::Path(ignored) => ignored == path,
            Ignored::Name(ignored) => ignored == name,
        }
    }
}

fn ignored(root: &Path) -> Vec<Ignored> {
    let text = fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
    let lines = text.lines().map(|line| line.trim().trim_end_matches('/'));
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| match line.strip_prefix('/') {
            Some(path) => Ignored::Path(path.to_string()),
            None if line.contains('/') => Ignored::Path(line.to_string()),
            None => Ignored::Name(line.to_string()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_and_foreign_folders_are_left_out() {
        let tree = Tree::made(&[
            (".gitignore", "# made\n/target\n/fuzz/corpus\nnode_modules/\n"),
            ("fuzz/corpus/a/seed", ""),
            ("fuzz/fuzz_targets/a.rs", ""),
            ("crates/a/node_modules/b.rs", ""),
            ("crates/a/src/lib.rs", ""),
            ("target/debug/c.rs", ""),
            ("web/d.rs", ""),
        ]);
        let paths: Vec<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, [".gitignore", "crates/a/src/lib.rs", "fuzz/fuzz_targets/a.rs"]);
    }

    #[test]
    fn packages_are_the_crates_and_xtask() {
        let tree = Tree::made(&[
            ("Cargo.toml", ""),
            ("crates/a/Cargo.toml", ""),
            ("crates/a/tests/b/Cargo.toml", ""),
            ("xtask/Cargo.toml", ""),
            ("fuzz/Cargo.toml", ""),
        ]);
        let names: Vec<&str> = tree.packages().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["a", "xtask"]);
    }
}
