//! The library against its data: conformance vectors, the law, the pages of the manual.

#![expect(clippy::unwrap_used, reason = "a test may stop where it fails")]

mod across;
mod agreement;
mod alea;
mod batch;
mod by_hand;
mod cases;
mod coming_from;
mod conformance;
mod dialects;
mod endless;
mod examples;
mod formats;
mod grammars;
mod hidden;
mod hints;
mod html;
mod known;
mod links;
mod pages;
mod phrasings;
mod promises;
mod recipes;
mod reference;
mod regressions;
mod render;
mod requests;
mod script_answers;
mod script_engine;
mod script_law;
mod script_programs;
mod scripts;
mod side_by_side;
mod stories;
mod studies;
mod tables;
mod texts;
mod tiny;
mod together;
mod vectors;
mod verdicts;
