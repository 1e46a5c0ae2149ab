//! The notations, one folder each: `syntax` (the tree), `parse`, `lower` and `spell`.

pub mod tabletop;
pub mod troll;
