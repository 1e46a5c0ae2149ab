//! `tumble serve`: starts the server and waits for its end.

use crate::args::ServeArgs;
use crate::{input, report};
use std::io::{self, Write};

/// Runs until it is stopped.
pub(crate) fn run(args: &ServeArgs, out: &mut dyn Write) -> io::Result<u8> {
    let config = args.config();
    let address = config.listen;
    match tumble_server::run(config, out) {
        Ok(()) => Ok(0),
        Err(error) => {
            let why = match error.kind() {
                io::ErrorKind::AddrInUse => format!("{address} is in use; another server may run there"),
                _ => format!("the server can't run on {address}: {error}"),
            };
            report::errors(out, false, "", &[input::refused(why).hint("choose another address with --listen")])
        }
    }
}
