//! An optimised build has the page inside, so it is made anew when the page was built. Other builds read the folder.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some() {
        return;
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    // What is missing can't be watched: it would mean a new build each time.
    let _ = std::fs::create_dir_all(&page);
    println!("cargo::rerun-if-changed={}", page.display());
}
