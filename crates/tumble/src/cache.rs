//! A cache of compiled expressions, for callers that get the same ones again and again.
//!
//! ```text
//! compile   young? take it    old? move it to the young    neither? read it, put it with the young
//! ```
//!
//! When the young are half of what the cache holds they become old, and the old ones are forgotten. So a text
//! that is asked for now and then stays, and nothing grows without a limit.

use crate::prepared::{Errors, Prepared, compile};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;
use tumble_syntax::{Vars, notation};

/// Longer texts are not kept: nobody types them twice, and a program can be large.
const LONGEST: usize = 1000;

/// Compiled expressions by notation, expression and values; a bot keeps one and uses it instead of [`compile`].
///
/// ```
/// use tumble::{Cache, Vars};
///
/// let mut cache = Cache::new(500);
/// for _ in 0..3 {
///     let prepared = cache.compile("troll", "sum largest 3 4d6", &Vars::new())?;
///     assert_eq!(prepared.roll(7, &Default::default())?.draws.len(), 4);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Cache {
    half: usize,
    young: HashMap<String, Arc<Prepared>>,
    old: HashMap<String, Arc<Prepared>>,
    /// Room for the key that is looked for.
    key: String,
}

impl Cache {
    /// A cache for at most this many expressions, but at least two.
    pub fn new(texts: usize) -> Cache {
        Cache { half: (texts / 2).max(1), young: HashMap::new(), old: HashMap::new(), key: String::new() }
    }

    /// The same as [`compile`]. Errors are not cached.
    pub fn compile(&mut self, name: &str, text: &str, vars: &Vars) -> Result<Arc<Prepared>, Errors> {
        let Some(notation) = notation(name).filter(|_| text.len() <= LONGEST) else {
            return compile(name, text, vars).map(Arc::new);
        };
        spell_key(&mut self.key, notation.name, text, vars);
        if let Some(prepared) = self.young.get(self.key.as_str()) {
            return Ok(Arc::clone(prepared));
        }
        let prepared = match self.old.remove(self.key.as_str()) {
            Some(prepared) => prepared,
            None => Arc::new(compile(name, text, vars)?),
        };
        if self.young.len() == self.half {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(self.key.clone(), Arc::clone(&prepared));
        Ok(prepared)
    }
}

/// Every piece that anybody could type stands after its length, so no two questions have the same key.
fn spell_key(key: &mut String, notation: &str, text: &str, vars: &Vars) {
    key.clear();
    // Writing to a string cannot fail.
    let _ = write!(key, "{notation} {} {text}", text.len());
    for (name, value) in vars {
        let _ = write!(key, " {} {name} {value}", name.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_core::Limits;

    #[test]
    fn a_text_is_read_once() {
        let mut cache = Cache::new(4);
        let first = cache.compile("troll", "2d6", &Vars::new()).unwrap();
        assert!(Arc::ptr_eq(&first, &cache.compile("troll", "2d6", &Vars::new()).unwrap()));
        // Others come and go; who is asked for stays.
        for sides in 1..50 {
            let text = format!("d{sides}");
            assert_eq!(cache.compile("troll", &text, &Vars::new()).unwrap().text(), text);
            assert!(Arc::ptr_eq(&first, &cache.compile("troll", "2d6", &Vars::new()).unwrap()));
            assert!(cache.young.len() + cache.old.len() <= 4);
        }
        let again = cache.compile("troll", "d1", &Vars::new()).unwrap();
        assert_eq!(again.text(), "d1");
    }

    #[test]
    fn everything_that_matters_is_in_the_key() {
        let mut cache = Cache::new(100);
        let vars = |n: i64| Vars::from([("n".to_owned(), n)]);
        let table = [("n", vars(1)), ("n", vars(2)), ("n ", vars(2)), ("1", Vars::new()), ("n 1 n 2", Vars::new())];
        for _ in 0..2 {
            for (text, vars) in &table {
                let kept = cache.compile("troll", text, vars).map(|kept| kept.roll(1, &Limits::small()));
                let fresh = compile("troll", text, vars).map(|fresh| fresh.roll(1, &Limits::small()));
                assert_eq!(kept, fresh, "{text}");
            }
        }
    }

    #[test]
    fn mistakes_and_long_texts_are_not_kept() {
        let mut cache = Cache::new(10);
        assert!(cache.compile("troll", "2d", &Vars::new()).is_err());
        assert!(cache.compile("trolls", "2d6", &Vars::new()).is_err());
        let long = format!("{}1", "1+".repeat(LONGEST));
        assert!(cache.compile("troll", &long, &Vars::new()).is_ok());
        assert!(cache.young.is_empty() && cache.old.is_empty());
    }
}
