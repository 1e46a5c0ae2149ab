//! The file of SQLite: made so that nobody else can read it, and held by one server at a time.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The file in a place that may be written as an address.
pub(crate) fn path(place: &str) -> &Path {
    Path::new(place.strip_prefix("sqlite://").or_else(|| place.strip_prefix("sqlite:")).unwrap_or(place))
}

/// The address of a file.
pub(crate) fn url(place: &str) -> String {
    let path = path(place).display().to_string();
    // What would end the path of an address.
    format!("sqlite://{}?mode=rwc", path.replace('%', "%25").replace('?', "%3F").replace('#', "%23"))
}

/// The right to use a file, until it is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct Held {
    _lock: File,
}

impl Held {
    /// Takes it; an error if another server has it.
    pub(crate) fn take(path: &Path) -> io::Result<Held> {
        let mut name = path.as_os_str().to_owned();
        name.push("-lock");
        let lock = private(&PathBuf::from(name))?;
        lock.try_lock().map_err(|_| {
            let message = format!("another server uses {}", path.display());
            io::Error::new(io::ErrorKind::ResourceBusy, message)
        })?;
        // SQLite gives its other files the rights of this one.
        private(path)?;
        Ok(Held { _lock: lock })
    }
}

/// Opens a file, or makes it for the owner only.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}
