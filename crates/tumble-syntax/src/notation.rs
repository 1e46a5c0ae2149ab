//! The notations, one folder each: `syntax` (the tree), `parse`, `lower` and `spell`.

pub mod alea;
pub mod nice;
pub mod tabletop;
pub mod troll;
pub mod yadn;
