//! Which variables have a value for certain (definite assignment), and whether a way goes on at all.

/// What is known at a place of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    /// A bit for each variable that has a value on every way to here.
    assigned: Vec<u64>,
    /// Whether no way leads here.
    pub(super) ended: bool,
}

impl Flow {
    pub(super) fn assign(&mut self, var: usize) {
        let word = var / 64;
        if self.assigned.len() <= word {
            self.assigned.resize(word + 1, 0);
        }
        self.assigned[word] |= 1 << (var % 64);
    }

    pub(super) fn has(&self, var: usize) -> bool {
        self.ended || self.assigned.get(var / 64).is_some_and(|word| word >> (var % 64) & 1 == 1)
    }

    /// Where two ways meet.
    pub(super) fn meet(self, other: Flow) -> Flow {
        match (self.ended, other.ended) {
            (true, _) => other,
            (_, true) => self,
            _ => Flow {
                assigned: self.assigned.iter().zip(&other.assigned).map(|(one, other)| one & other).collect(),
                ended: false,
            },
        }
    }
}
