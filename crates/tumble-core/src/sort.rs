//! Sorting.
//!
//! The sort of the standard library is compiled anew for every type. In a browser each of these copies has to be loaded
//! first, and there were forty; there, one copy sorts places instead, and the items are then moved to theirs.

use std::cmp::Ordering;

/// Sorts by a comparison; what is equal stays in its order.
pub fn by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if cfg!(not(target_arch = "wasm32")) {
        return items.sort_by(compare);
    }
    let order = places(items.len(), &mut |a, b| compare(&items[a as usize], &items[b as usize]));
    settle(order, &mut |a, b| items.swap(a, b));
}

/// Sorts by a comparison; what is equal comes in any order.
pub fn unstable_by<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    if cfg!(target_arch = "wasm32") { by(items, compare) } else { items.sort_unstable_by(compare) }
}

/// Sorts by a key; what is equal stays in its order.
pub fn by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts from lowest to highest.
pub fn sort<T: Ord>(items: &mut [T]) {
    by(items, T::cmp);
}

/// Where the items come from: the places of the sorted ones, in order.
#[inline(never)]
fn places(len: usize, compare: &mut dyn FnMut(u32, u32) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..len as u32).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Moves every item to its place, one circle of the permutation after the other.
#[inline(never)]
fn settle(mut order: Vec<u32>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut here = start;
        loop {
            let from = std::mem::replace(&mut order[here], here as u32) as usize;
            if from == start || from == here {
                break;
            }
            swap(here, from);
            here = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a browser does, which is not what this machine does.
    fn in_a_browser<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
        let order = places(items.len(), &mut |a, b| compare(&items[a as usize], &items[b as usize]));
        settle(order, &mut |a, b| items.swap(a, b));
    }

    #[test]
    fn both_ways_give_the_same_order() {
        let mut state = 7u64;
        for len in 0..200 {
            let mut items: Vec<(u64, usize)> = (0..len)
                .map(|place| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    ((state >> 33) % (1 + len as u64 / 2), place)
                })
                .collect();
            let mut again = items.clone();
            in_a_browser(&mut items, |a, b| a.0.cmp(&b.0));
            by_key(&mut again, |item| item.0);
            assert_eq!(items, again);
            sort(&mut again);
            assert_eq!(items, again, "equal items stay in their order");
        }
    }
}
