fn main() {
    for text in std::env::args().skip(1) {
        let program = tumble_core::read::program(&text);
        match tumble_exact::odds(&program, &tumble_exact::Options::default()) {
            Ok(odds) => {
                println!("{}", odds.outcomes().map(|(v, p)| format!("{v}: {p}")).collect::<Vec<_>>().join("  "))
            }
            Err(e) => println!("{e:?}"),
        }
    }
}
