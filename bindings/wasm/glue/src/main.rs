//! `tumble-glue MODULE.wasm FOLDER NAME`: the module as browsers load it, with its JavaScript and types.
//!
//! The library behind `wasm-bindgen`, called directly: installing that program takes longer than all the rest.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = args.as_slice() else {
        eprintln!("usage: tumble-glue MODULE.wasm FOLDER NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    // Without a default path the page says where the module is, because its name has a hash.
    bindgen.input_path(module).typescript(true).out_name(name).omit_default_module_path(true);
    // Names of functions are a quarter of the bytes, and nobody reads them in a browser.
    bindgen.remove_name_section(true).remove_producers_section(true);
    let made = bindgen.web(true).and_then(|bindgen| bindgen.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
