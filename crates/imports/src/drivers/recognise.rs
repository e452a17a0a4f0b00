//! Detection of the kind of a load driver's file, by its beginning.

use super::Driver;
use super::figure::visible_text;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Standard output and standard error of a driver.
    Output(Driver),
    /// pgbench's `--log`, with or without `--aggregate-interval`.
    PgbenchLog,
    /// Output of HammerDB's `jobs`.
    HammerdbJobs,
    /// HammerDB's hammer.DB, a database of SQLite.
    HammerdbDatabase,
}

/// Magic of a SQLite database (<https://www.sqlite.org/fileformat.html>).
const SQLITE: &[u8] = b"SQLite format 3\0";

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] = [
        Kind::Output(Driver::Pgbench),
        Kind::PgbenchLog,
        Kind::Output(Driver::Hammerdb),
        Kind::HammerdbJobs,
        Kind::HammerdbDatabase,
        Kind::Output(Driver::Sysbench),
        Kind::Output(Driver::Gotpc),
    ];

    /// Name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Output(driver) => driver.name(),
            Kind::PgbenchLog => "pgbench-log",
            Kind::HammerdbJobs => "hammerdb-jobs",
            Kind::HammerdbDatabase => "hammerdb-database",
        }
    }

    /// The driver that wrote it.
    pub fn driver(self) -> Driver {
        match self {
            Kind::Output(driver) => driver,
            Kind::PgbenchLog => Driver::Pgbench,
            Kind::HammerdbJobs | Kind::HammerdbDatabase => Driver::Hammerdb,
        }
    }
}

/// The kind of a file, by its beginning; `None` where nothing tells.
pub fn recognise(beginning: &[u8]) -> Option<Kind> {
    if beginning.starts_with(SQLITE) {
        return Some(Kind::HammerdbDatabase);
    }
    let text = String::from_utf8_lossy(beginning);
    // A document, maybe behind hammerdbcli's greeting.
    let document = |line: &str| line == "{" || line.starts_with("{\"") || line == "[" || line.starts_with("[\"");
    text.lines().map(visible_text).find_map(|line| {
        let word = |nth: usize| line.split_whitespace().nth(nth);
        let number = |nth: usize| word(nth).is_some_and(|word| word.parse::<u64>().is_ok());
        let begins = |with: &[&str]| with.iter().any(|with| line.starts_with(with));
        if document(line.trim_start_matches("hammerdb>").trim()) {
            Some(Kind::HammerdbJobs)
        } else if begins(&["pgbench (", "progress: ", "starting vacuum", "transaction type: "]) {
            Some(Kind::Output(Driver::Pgbench))
        } else if begins(&["Vuser ", "Hammerdb Log @", "Timestamp "]) {
            Some(Kind::Output(Driver::Hammerdb))
        } else if begins(&["sysbench ", "SQL statistics:", "File operations:", "Threads started!"])
            || (line.starts_with("[ ") && line.contains("s ] "))
        {
            Some(Kind::Output(Driver::Sysbench))
        } else if begins(&["[Current] ", "[Summary] ", "tpmC: ", "[{\"50th(ms)\":"])
            || (line.starts_with('|') && line.contains(" PREFIX ") && line.contains(" OPERATION "))
        {
            Some(Kind::Output(Driver::Gotpc))
        } else if number(0) && number(1) && number(3) && number(5) {
            Some(Kind::PgbenchLog)
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn each_by_its_beginning() {
        for (text, kind) in samples::KINDS {
            assert_eq!(recognise(text.as_bytes()), Some(kind), "{text}");
        }
        assert_eq!(recognise(b"SQLite format 3\0\x10\0"), Some(Kind::HammerdbDatabase));
        for foreign in ["", "Linux 6.1.0 (host)\n", "hello\nworld\n", "12:00:01 AM  DEV  tps\n", "\u{0}\u{1}"] {
            assert_eq!(recognise(foreign.as_bytes()), None, "{foreign}");
        }
        let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), 7);
        assert!(Kind::ALL.iter().all(|kind| kind.name().starts_with(kind.driver().name())));
    }
}
