//! `tumble serve`: starts the server and waits for its end.

use crate::args::{Admin, AdminArgs, ServeArgs};
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

/// Looks after a database.
pub(crate) fn admin(args: &AdminArgs, out: &mut dyn Write) -> io::Result<u8> {
    let database = &args.database;
    let done = match &args.what {
        Admin::Backup { file } => tumble_server::database::backup(database, file),
        Admin::Restore { file } => tumble_server::database::restore(database, file),
        Admin::Tables => tumble_server::database::tables(database, out),
        Admin::Delete { table } => tumble_server::database::delete(database, table),
    };
    match done {
        Ok(()) => Ok(0),
        Err(error) => report::errors(out, false, "", &[input::refused(error.to_string())]),
    }
}
