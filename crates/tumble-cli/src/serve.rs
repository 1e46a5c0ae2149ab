//! `tumble serve`: starts the server and waits for its end.

use crate::args::ServeArgs;
use crate::{input, report};
use std::io::{self, Write};

/// Runs until it is stopped.
pub(crate) fn run(args: &ServeArgs, out: &mut dyn Write) -> io::Result<u8> {
    let config = args.config();
    let address = config.listen;
    if config.lan && address.ip().is_loopback() {
        let error = input::refused(format!(
            "`--lan` has no effect with `--listen {address}`, which only this machine can reach"
        ));
        return report::errors(out, false, "", &[error.hint("leave `--listen` out, or give it a port")]);
    }
    match tumble_server::run(config, out) {
        Ok(()) => Ok(0),
        Err(error) => {
            let refused = match error.kind() {
                io::ErrorKind::AddrInUse => {
                    input::refused(format!("{address} is in use; another server may run there"))
                        .hint("choose another address or port with --listen")
                }
                _ => input::refused(format!("can't start the server on {address}: {error}")),
            };
            report::errors(out, false, "", &[refused])
        }
    }
}
