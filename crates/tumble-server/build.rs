//! An optimised build has the page inside, so it is made anew when the page was built. Other builds read the folder.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    // A folder that is missing can be neither read later nor watched.
    let _ = std::fs::create_dir_all(&page);
    if env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_none() {
        println!("cargo::rerun-if-changed={}", page.display());
    }
}
