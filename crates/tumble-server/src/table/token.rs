//! Secrets: 256 random bits in hexadecimal, kept only as their SHA-256, and short names that are no secrets.

use crate::page::hex;
use crate::problem::Problem;
use axum::http::StatusCode;
use sha2::{Digest, Sha256};

/// What names are made of: no letters that are taken for others.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A secret that nobody can guess.
pub(crate) fn secret() -> Result<String, Problem> {
    random::<32>().map(|bytes| hex(&bytes))
}

/// What is kept of a secret.
pub(crate) fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// A name that is new: 80 bits.
pub(crate) fn name() -> Result<String, Problem> {
    Ok(random::<16>()?.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// A secret that a person can write down: 100 bits in groups of five letters.
pub(crate) fn recovery_code() -> Result<String, Problem> {
    let letters: Vec<char> = random::<20>()?.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect();
    Ok(letters.chunks(5).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-"))
}

/// The code as it was made, however it was typed.
pub(crate) fn recovered(typed: &str) -> String {
    let letters: Vec<char> =
        typed.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    letters.chunks(5).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// Bytes that nobody can foresee.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "server", "this computer provides no random numbers")
    })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_however_it_is_typed() {
        let code = recovery_code().unwrap();
        assert_eq!(code.len(), 23);
        for typed in [code.clone(), code.to_uppercase(), code.replace('-', ""), format!(" {} ", code.replace('-', " "))]
        {
            assert_eq!(recovered(&typed), code);
        }
        assert_ne!(secret().unwrap(), secret().unwrap());
        assert_eq!((secret().unwrap().len(), name().unwrap().len()), (64, 16));
    }
}
