//! What an expression can be, found without rolling it.
//!
//! ```text
//!            Any
//!          /  |  \
//!       Coll Text Pair
//!        |    |    |
//!       Num   |    |
//!          \  |  /
//!          Bottom
//! ```
//!
//! A `Num` is a collection of exactly one number and is kept as a bare number in the core. Every
//! other kind is kept in its canonical form, in which a number is a collection of one.

/// The kinds, as in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Gives no value: it fails or never ends.
    Bottom,
    /// Exactly one number.
    Num,
    /// A collection of numbers.
    Coll,
    /// A text.
    Text,
    /// A pair.
    Pair,
    /// Known only when rolled.
    Any,
}

impl Kind {
    /// The least kind above both.
    pub(super) fn join(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Bottom, kind) | (kind, Kind::Bottom) => kind,
            (Kind::Num, Kind::Coll) | (Kind::Coll, Kind::Num) => Kind::Coll,
            (one, two) if one == two => one,
            _ => Kind::Any,
        }
    }

    /// Whether it is known to be a collection, or never to be anything.
    pub(super) fn is_collection(self) -> bool {
        matches!(self, Kind::Bottom | Kind::Num | Kind::Coll)
    }
}

#[cfg(test)]
mod tests {
    use super::Kind::{self, Any, Bottom, Coll, Num, Pair, Text};

    const ALL: [Kind; 6] = [Bottom, Num, Coll, Text, Pair, Any];

    #[test]
    fn join_is_the_least_upper_bound() {
        for a in ALL {
            assert_eq!(a.join(a), a);
            assert_eq!(a.join(Bottom), a);
            assert_eq!(a.join(Any), Any);
            for b in ALL {
                assert_eq!(a.join(b), b.join(a), "{a:?} {b:?}");
                for c in ALL {
                    assert_eq!(a.join(b).join(c), a.join(b.join(c)), "{a:?} {b:?} {c:?}");
                }
            }
        }
        assert_eq!(Num.join(Coll), Coll);
        assert_eq!(Num.join(Text), Any);
    }
}
