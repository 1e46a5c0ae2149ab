//! Sets of faces, by their places in an ascending list: ranges that do not touch.

/// Places `from..to` in ascending order, none of them empty, none next to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Faces(Vec<(u32, u32)>);

impl Faces {
    /// The places below `n`.
    pub(crate) fn all(n: usize) -> Faces {
        Faces::range(0, n as u32)
    }

    /// One place.
    pub(crate) fn one(place: u32) -> Faces {
        Faces::range(place, place + 1)
    }

    /// The places from one up to another.
    pub(crate) fn range(from: u32, to: u32) -> Faces {
        Faces(if from < to { vec![(from, to)] } else { vec![] })
    }

    /// The places below `n` for which something holds.
    pub(crate) fn collect(places: impl Iterator<Item = u32>) -> Faces {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for place in places {
            match ranges.last_mut() {
                Some((_, to)) if *to == place => *to += 1,
                _ => ranges.push((place, place + 1)),
            }
        }
        Faces(ranges)
    }

    /// All places, ascending.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.0.iter().flat_map(|&(from, to)| from..to)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The only place, if there is only one.
    pub(crate) fn single(&self) -> Option<u32> {
        match self.0.as_slice() {
            [(from, to)] if from + 1 == *to => Some(*from),
            _ => None,
        }
    }

    /// The lowest and the highest place, if there are any.
    pub(crate) fn ends(&self) -> Option<(u32, u32)> {
        Some((self.0.first()?.0, self.0.last()?.1 - 1))
    }

    pub(crate) fn contains(&self, place: u32) -> bool {
        let after = self.0.partition_point(|&(from, _)| from <= place);
        after.checked_sub(1).is_some_and(|range| place < self.0[range].1)
    }

    /// The places in both.
    pub(crate) fn and(&self, other: &Faces) -> Faces {
        let mut ranges = Vec::new();
        for &(from, to) in &self.0 {
            let overlaps = other.0.iter().map(|&(a, b)| (from.max(a), to.min(b)));
            ranges.extend(overlaps.filter(|(from, to)| from < to));
        }
        Faces(ranges)
    }

    /// The places in one of them.
    pub(crate) fn or(&self, other: &Faces) -> Faces {
        let mut all: Vec<(u32, u32)> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_unstable();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for (from, to) in all {
            match ranges.last_mut() {
                Some((_, last)) if *last >= from => *last = to.max(*last),
                _ => ranges.push((from, to)),
            }
        }
        Faces(ranges)
    }

    /// The places in this that are not in the other.
    pub(crate) fn without(&self, other: &Faces) -> Faces {
        let mut ranges = Vec::new();
        for &(from, to) in &self.0 {
            let mut next = from;
            for &(a, b) in other.0.iter().filter(|(a, b)| *b > from && *a < to) {
                if next < a {
                    ranges.push((next, a));
                }
                next = next.max(b);
            }
            if next < to {
                ranges.push((next, to));
            }
        }
        Faces(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(bits: u32) -> Faces {
        Faces::collect((0..8).filter(|place| bits >> place & 1 == 1))
    }

    #[test]
    fn sets_are_sets() {
        for (a, b) in (0..256).step_by(7).flat_map(|a| (0..256).step_by(5).map(move |b| (a, b))) {
            let (x, y) = (set(a), set(b));
            assert_eq!(x.and(&y), set(a & b), "{a} {b}");
            assert_eq!(x.or(&y), set(a | b), "{a} {b}");
            assert_eq!(x.without(&y), set(a & !b), "{a} {b}");
            assert_eq!(x.iter().collect::<Vec<_>>().len() as u32, a.count_ones());
            assert!((0..8).all(|place| x.contains(place) == (a >> place & 1 == 1)));
            assert_eq!(x.single().is_some(), a.count_ones() == 1);
        }
    }
}
