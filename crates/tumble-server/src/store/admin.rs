//! What whoever runs a server does with its database, also while it runs: `tumble admin backup`, `restore`, `tables`,
//! `delete`.

use super::{Held, file, is_postgres, pool};
use crate::table::tables::erase;
use sqlx::{AnyPool, Row};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Copies the database into a new file, as it is at this moment.
pub fn backup(database: &str, to: &Path) -> io::Result<()> {
    if is_postgres(database) {
        return Err(io::Error::other("a PostgreSQL database is backed up with pg_dump"));
    }
    if to.exists() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} exists already", to.display())));
    }
    within(async {
        let store = open(database).await?;
        sqlx::query("VACUUM INTO $1").bind(to.display().to_string()).execute(&store).await.map_err(io::Error::other)?;
        store.close().await;
        #[cfg(unix)]
        fs::set_permissions(to, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        Ok(())
    })
}

/// Puts a backup in the place of the database. No server may use it meanwhile.
pub fn restore(database: &str, from: &Path) -> io::Result<()> {
    if is_postgres(database) {
        return Err(io::Error::other("a PostgreSQL database is restored with psql or pg_restore"));
    }
    let path = file::path(database);
    let _held = Held::take(path)?;
    // A backup that is none must not replace what is there.
    within(async {
        let backup = open(&from.display().to_string()).await?;
        let sound = sqlx::query("SELECT COUNT(*) FROM tables").fetch_one(&backup).await;
        backup.close().await;
        sound.map(|_| ()).map_err(|_| io::Error::other(format!("{} is no backup of Tumble", from.display())))
    })?;
    for more in ["-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(more);
        match fs::remove_file(&name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let mut next = path.as_os_str().to_owned();
    next.push("-new");
    fs::copy(from, &next)?;
    fs::File::open(&next)?.sync_all()?;
    fs::rename(&next, path)
}

/// Lists the tables: id, name, members, rolls, when it was last touched.
pub fn tables(database: &str, out: &mut dyn Write) -> io::Result<()> {
    within(async {
        let store = open(database).await?;
        let rows = sqlx::query(
            "SELECT t.id, t.name, t.last_execution, t.touched, t.bytes,
             (SELECT COUNT(*) FROM members m WHERE m.table_id = t.id AND m.gone = 0) AS members
             FROM tables t ORDER BY t.touched DESC",
        )
        .fetch_all(&store)
        .await
        .map_err(io::Error::other)?;
        writeln!(
            out,
            "{:<16}  {:>7}  {:>7}  {:>8}  {:<16}  NAME",
            "ID", "MEMBERS", "ROLLS", "KB", "LAST ACTIVE (UTC)"
        )?;
        for row in rows {
            let number = |name: &str| row.try_get::<i64, _>(name).unwrap_or_default();
            let text = |name: &str| row.try_get::<String, _>(name).unwrap_or_default();
            writeln!(
                out,
                "{:<16}  {:>7}  {:>7}  {:>8}  {:<17}  {}",
                text("id"),
                number("members"),
                number("last_execution"),
                number("bytes") >> 10,
                day(number("touched")),
                text("name").escape_debug()
            )?;
        }
        store.close().await;
        Ok(())
    })
}

/// Deletes a table, with everything that ever happened at it.
pub fn delete(database: &str, table: &str) -> io::Result<()> {
    within(async {
        let store = open(database).await?;
        let done = erase(&store, table).await;
        store.close().await;
        done.map_err(|_| io::Error::new(io::ErrorKind::NotFound, format!("there is no table {table}")))
    })
}

/// A database that is there, beside a server that may be using it.
async fn open(database: &str) -> io::Result<AnyPool> {
    sqlx::any::install_default_drivers();
    if is_postgres(database) {
        return pool(database, 1, false).await;
    }
    let path = file::path(database);
    if !path.is_file() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no database {}", path.display())));
    }
    pool(&file::url(database), 1, true).await
}

fn within<T>(work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// `2026-11-18 09:30`, from milliseconds since 1970 (the proleptic Gregorian calendar, by eras of 400 years).
fn day(millis: i64) -> String {
    let (days, seconds) = ((millis / 1000).div_euclid(86_400), (millis / 1000).rem_euclid(86_400));
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (year + era * 400 + i64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
    format!("{year:04}-{month:02}-{date:02} {:02}:{:02}", seconds / 3600, seconds / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (millis, shown) in
            [(0, "1970-01-01 00:00"), (951_782_400_000, "2000-02-29 00:00"), (1_794_994_200_000, "2026-11-18 09:30")]
        {
            assert_eq!(day(millis), shown);
        }
    }
}
