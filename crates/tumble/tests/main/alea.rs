//! Alea: chains that are solved without end.

use tumble::{Options, Vars, compile};

/// Texts without a longest roll, and their means.
const CHAINS: &[(&str, &str)] = &[
    ("d6!!", "21/5"),
    ("d6!!5", "21/4"),
    ("d20!!18", "210/17"),
    ("3d6!!", "63/5"),
    ("3d6!!+", "343/25"),
    ("d6M!!", "51/5"),
    ("d6!!d8", "61/14"),
    ("3d6!!5!4", "147/8"),
    ("3d6!!C", "18/5"),
    ("3d6!!C!", "3/5"),
    ("d6!!5d8C!", "2/3"),
    ("2d6!!d10CM", "10/27"),
    ("2d6!!KL", "11/5"),
    ("5d10!!K3H", "1756293/80000"),
    ("3d6!!d10K2HCM", "1019441/2160000"),
    ("3d6K2H!!", "1897/180"),
    ("6d6K3!!", "63/5"),
    ("3d6K2H!!C!", "107/180"),
];

#[test]
fn chains_without_end_are_exact() {
    for (text, mean) in CHAINS {
        let odds = compile("alea", text, &Vars::new()).unwrap().odds(&Options::default()).unwrap();
        assert!(odds.exact(), "{text:?}");
        assert_eq!(odds.mean().map(|mean| mean.to_string()).as_deref(), Some(*mean), "{text:?}");
    }
}
