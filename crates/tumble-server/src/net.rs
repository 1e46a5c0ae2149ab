//! Addresses: who asks, under which name we were asked, and where we can be reached.
//!
//! ```text
//! peer ─▶ a trusted proxy? ─▶ the last address in X-Forwarded-For that is none ─▶ Client (IPv6 by /64)
//! ```

use axum::http::HeaderMap;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// Who asks: an address, or for IPv6 the network that a household has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(IpAddr);

impl Client {
    /// The client at an address.
    pub(crate) fn of(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !(u128::MAX >> 64))),
            v4 => v4,
        })
    }

    /// Who asked this peer to ask us, where the peer is trusted to say so.
    pub(crate) fn behind(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> Client {
        let is_proxy = |address: IpAddr| trusted.iter().any(|network| network.holds(address));
        if !is_proxy(peer) {
            return Client::of(peer);
        }
        // Every proxy adds the address that it saw at the end, so all before the first stranger is hearsay.
        let lines = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        let named: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
        let mut found = peer;
        for name in named.iter().rev() {
            let Some(address) = forwarded(name) else { break };
            found = address;
            if !is_proxy(address) {
                break;
            }
        }
        Client::of(found)
    }
}

/// An address as proxies write it, some with a port.
fn forwarded(name: &str) -> Option<IpAddr> {
    let bare = name.trim_start_matches('[').split(']').next().unwrap_or(name);
    name.parse()
        .ok()
        .or_else(|| bare.parse().ok())
        .or_else(|| name.parse().ok().map(|address: SocketAddr| address.ip()))
}

/// Addresses with the same beginning: `10.0.0.0/8`, `127.0.0.1`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    length: u8,
}

impl Network {
    fn holds(self, address: IpAddr) -> bool {
        let same = |a: u128, b: u128, width: u32| {
            let rest = width - u32::from(self.length);
            a.checked_shr(rest).unwrap_or(0) == b.checked_shr(rest).unwrap_or(0)
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(a), IpAddr::V4(b)) => same(a.to_bits().into(), b.to_bits().into(), 32),
            (IpAddr::V6(a), IpAddr::V6(b)) => same(a.to_bits(), b.to_bits(), 128),
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Network, String> {
        let wrong = || format!("`{text}` is not an address or network; write it like 10.0.0.1 or 10.0.0.0/8");
        let (address, length) = text.split_once('/').map_or((text, None), |(address, length)| (address, Some(length)));
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let length = length.map_or(Ok(most), |length| length.parse().map_err(|_| wrong()))?;
        if length > most { Err(wrong()) } else { Ok(Network { address, length }) }
    }
}

/// The address that people use: `https://dice.example.org`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    scheme: &'static str,
    host: String,
    port: Option<u16>,
}

impl PublicUrl {
    /// An address of this machine.
    pub(crate) fn plain(host: IpAddr, port: u16) -> PublicUrl {
        let host = if host.is_ipv6() { format!("[{host}]") } else { host.to_string() };
        PublicUrl { scheme: "http", host, port: Some(port).filter(|port| *port != 80) }
    }

    /// Whether browsers talk to it through TLS.
    pub fn is_secure(&self) -> bool {
        self.scheme == "https"
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<PublicUrl, String> {
        let wrong = || format!("`{text}` is not the address of a server; write it like https://dice.example.org");
        let (scheme, rest) = match text.split_once("://") {
            Some(("https", rest)) => ("https", rest),
            Some(("http", rest)) => ("http", rest),
            _ => return Err(wrong()),
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match split_port(rest) {
            (host, Some(port)) => (host, Some(port.parse().map_err(|_| wrong())?)),
            (host, None) => (host, None),
        };
        let usual = if scheme == "https" { 443 } else { 80 };
        let plain = host.chars().all(|c| c.is_ascii_alphanumeric() || "-.:[]".contains(c));
        if host.is_empty() || !plain {
            return Err(wrong());
        }
        Ok(PublicUrl { scheme, host: host.to_ascii_lowercase(), port: port.filter(|port| *port != usual) })
    }
}

/// A name and the port behind it.
fn split_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        // The colons of `[::1]` are part of the name.
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

/// The names under which we may be asked. A page of the internet can point a name of its own at this machine and then
/// talk to us as if it were ours; such a name is not in the list.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    names: Vec<String>,
}

impl Names {
    pub(crate) fn new(own: &[IpAddr], public: Option<&PublicUrl>) -> Names {
        let loopback = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let own = own.iter().map(|address| PublicUrl::plain(*address, 80).host);
        Names { names: loopback.into_iter().chain(own).chain(public.map(|url| url.host.clone())).collect() }
    }

    /// Whether the `Host` of a request is one of ours, whatever its port.
    pub(crate) fn has(&self, host: &str) -> bool {
        let (name, port) = split_port(host);
        let digits = port.is_none_or(|port| port.bytes().all(|b| b.is_ascii_digit()));
        digits && self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// The addresses of this machine that others can use, those of home networks first.
pub(crate) fn own_addresses() -> Vec<IpAddr> {
    let found = if_addrs::get_if_addrs().unwrap_or_default();
    let usable = |address: &IpAddr| match address {
        IpAddr::V4(v4) => !v4.is_loopback() && !v4.is_link_local(),
        IpAddr::V6(v6) => !v6.is_loopback() && !v6.is_unicast_link_local(),
    };
    let mut all: Vec<IpAddr> = found.iter().map(|one| one.ip()).filter(usable).collect();
    all.sort_by_key(|address| (address.is_ipv6(), matches!(address, IpAddr::V4(v4) if !v4.is_private())));
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_who_asked_the_last_trusted_proxy() {
        for (peer, header, trusted, client) in [
            ("203.0.113.9", "198.51.100.1", "", "203.0.113.9"),
            ("127.0.0.1", "198.51.100.1", "127.0.0.0/8", "198.51.100.1"),
            ("127.0.0.1", "1.1.1.1, 198.51.100.1", "127.0.0.1", "198.51.100.1"),
            ("127.0.0.1", "198.51.100.1, 10.0.0.2", "127.0.0.1 10.0.0.0/8", "198.51.100.1"),
            ("127.0.0.1", "rubbish", "127.0.0.1", "127.0.0.1"),
            ("127.0.0.1", "198.51.100.1, rubbish", "127.0.0.1", "127.0.0.1"),
            ("127.0.0.1", "[2001:db8:1:2:3::4]:80", "127.0.0.1", "2001:db8:1:2::"),
            ("2001:db8:1:2:3:4:5:6", "", "", "2001:db8:1:2::"),
            ("::ffff:203.0.113.9", "", "", "203.0.113.9"),
            ("::ffff:127.0.0.1", "198.51.100.1", "127.0.0.1", "198.51.100.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", header.parse().unwrap());
            let trusted: Vec<Network> = trusted.split_whitespace().map(|one| one.parse().unwrap()).collect();
            let found = Client::behind(peer.parse().unwrap(), &headers, &trusted);
            assert_eq!(found, Client(client.parse().unwrap()), "{peer} {header}");
        }
    }

    #[test]
    fn networks_and_addresses_of_servers_are_read() {
        for text in ["10.0.0.0/33", "10.0.0", "x", "::/129", "1.2.3.4/-1"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
        for (text, shown) in [
            ("https://Dice.example.org/", "https://dice.example.org"),
            ("https://dice.example.org:443", "https://dice.example.org"),
            ("http://[::1]:2020", "http://[::1]:2020"),
        ] {
            assert_eq!(text.parse::<PublicUrl>().unwrap().to_string(), shown);
        }
        for text in ["dice.example.org", "ftp://x", "https://", "https://a/b", "http://a:x", "http://a b"] {
            assert!(text.parse::<PublicUrl>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_our_names_are_ours() {
        let public = "https://dice.example.org".parse().unwrap();
        let names = Names::new(&["192.168.1.5".parse().unwrap(), "fd00::1".parse().unwrap()], Some(&public));
        for (host, ours) in [
            ("localhost:2020", true),
            ("LOCALHOST", true),
            ("127.0.0.1:1", true),
            ("[::1]:2020", true),
            ("192.168.1.5:2020", true),
            ("[fd00::1]", true),
            ("dice.example.org", true),
            ("192.168.1.6", false),
            ("evil.example", false),
            ("localhost.evil.example", false),
            ("localhost:x", false),
            ("", false),
        ] {
            assert_eq!(names.has(host), ours, "{host}");
        }
    }
}
