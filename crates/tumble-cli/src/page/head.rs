//! The head of a request, as far as a server of files needs it.

use std::io::{self, Read};

/// The longest head: a link may hold a script.
const LONGEST: usize = 64 << 10;

/// Method, path and a few headers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) host: String,
    pub(super) accept_encoding: String,
}

impl Head {
    /// Reads up to the empty line; nothing if it is not a request.
    pub(super) fn read(stream: &mut impl Read) -> io::Result<Option<Head>> {
        let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
        while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
            let read = stream.read(&mut piece)?;
            if read == 0 || bytes.len() + read > LONGEST {
                return Ok(None);
            }
            bytes.extend_from_slice(&piece[..read]);
        }
        Ok(String::from_utf8(bytes).ok().and_then(|text| Head::parse(&text)))
    }

    fn parse(text: &str) -> Option<Head> {
        let mut lines = text.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, target, version) = (first.next()?, first.next()?, first.next()?);
        if !version.starts_with("HTTP/1.") || !target.starts_with('/') {
            return None;
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
        let header = |name: &str| {
            let found = headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
        };
        Some(Head {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            host: header("host"),
            accept_encoding: header("accept-encoding"),
        })
    }

    /// Whether it was meant for this machine, under a name that only this machine has.
    pub(super) fn is_for_us(&self) -> bool {
        let name = self.host.rsplit_once(':').filter(|(_, port)| port.chars().all(|c| c.is_ascii_digit()));
        matches!(name.map_or(self.host.as_str(), |(name, _)| name), "localhost" | "127.0.0.1" | "[::1]")
    }

    /// Whether the page is to be shown in a frame of another.
    pub(super) fn is_embedded(&self) -> bool {
        self.query.split('&').any(|part| part == "embed=1")
    }
}
