//! The sheet as lines.

use super::{Account, Balance, Bytes, Gap};
use ebs_base::format::count;
use ebs_samples::evidence::Window;

/// Party whose count a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Bytes that PostgreSQL requests from the kernel.
    Postgres,
    /// Difference between the two other parties.
    Kernel,
    /// Bytes that the device moves.
    Device,
}

impl Side {
    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Side::Postgres => "PostgreSQL",
            Side::Kernel => "kernel",
            Side::Device => "device",
        }
    }
}

/// One line of the sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Party whose count it is.
    pub side: Side,
    /// Bytes; negative where they are subtracted.
    pub bytes: Bytes,
    /// Bytes read, in percent of the device's.
    pub read_pct: Option<f64>,
    /// Bytes written, in percent of the device's.
    pub write_pct: Option<f64>,
    /// Explanation of the line.
    pub note: String,
}

/// The sheet: each way, the lines of the first two sides add up to those of the device where all is known.
pub fn lines(window: &Window) -> Vec<Line> {
    let balance = Balance::from_window(window);
    let line = |side: Side, (name, bytes, note): (String, Bytes, String)| Line {
        name,
        side,
        bytes,
        read_pct: balance.reads.pct_of_device(bytes.read),
        write_pct: balance.writes.pct_of_device(bytes.write),
        note,
    };
    let postgres = postgres(&balance).into_iter().map(|entry| line(Side::Postgres, entry));
    let kernel = kernel(&balance).into_iter().map(|entry| line(Side::Kernel, entry));
    let device = device(&balance, window).into_iter().map(|entry| line(Side::Device, entry));
    postgres.chain(kernel).chain(device).collect()
}

type Entry = (String, Bytes, String);

fn entry(name: &str, bytes: Bytes, note: &str) -> Entry {
    (name.to_owned(), bytes, note.to_owned())
}

fn postgres(balance: &Balance) -> Vec<Entry> {
    const TEMP_FILES: &str = "temporary files";
    let mut entries = match &balance.sources {
        Ok(sources) => sources.iter().map(|(source, bytes)| entry(source.name(), *bytes, source.note())).collect(),
        Err(gap) => vec![entry("counted by PostgreSQL", Bytes::default(), &unknown("pg_stat_io", gap))],
    };
    entries.push(match &balance.temp_files {
        Ok(written) => {
            let note = "counted once, when a file is removed; its reads are not counted";
            entry(TEMP_FILES, Bytes { read: None, write: Some(*written) }, note)
        }
        Err(gap) => entry(TEMP_FILES, Bytes::default(), &unknown("pg_stat_database", gap)),
    });
    entries
}

fn kernel(balance: &Balance) -> Vec<Entry> {
    let (reads, writes) = (&balance.reads, &balance.writes);
    let both = |of: fn(&Account) -> Option<i64>| Bytes { read: of(reads), write: of(writes) };
    let mut entries = vec![
        entry(
            "page cache",
            both(Account::page_cache),
            "reads found in it; pages written several times, or extended and then written, before they left it; files removed in time",
        ),
        entry(
            "unattributed",
            both(Account::unattributed),
            "moved by the server's processes and not counted above: temporary files read, SLRU, COPY files, base backups, logs",
        ),
        entry(
            "others",
            both(Account::others),
            "other programs, the filesystem itself, pages that were dirty before the window",
        ),
        entry(
            "residual",
            both(Account::residual),
            "handed over and not written yet, written once for several times, or on devices that are not sampled",
        ),
    ];
    if let Err(gap) = &balance.storage {
        let note = format!("the four lines above together; {}", unknown("/proc/PID/io of the server's processes", gap));
        entries.push(entry("not told apart", both(Account::not_split), &note));
    }
    entries
}

fn device(balance: &Balance, window: &Window) -> Vec<Entry> {
    let volume = |(index, bytes): &(usize, Result<Bytes, Gap>)| {
        let volume = &window.layout.volumes[*index];
        match bytes {
            Ok(bytes) => entry(&volume.device, *bytes, &volume.role()),
            Err(gap) => entry(&volume.device, Bytes::default(), &format!("{}; {}", volume.role(), unknown("it", gap))),
        }
    };
    let unresolved =
        window.layout.unresolved.iter().map(|part| entry(&part.role.name(), Bytes::default(), &part.reason));
    balance.volumes.iter().map(volume).chain(unresolved).collect()
}

/// `pg_stat_io was known for 12 of 60 s`.
fn unknown(what: &str, gap: &Gap) -> String {
    match gap.known_s > 0.0 {
        true => format!("{what} was known for {} of {} s", count(gap.known_s), count(gap.sampled_s)),
        false => format!("{what} was not known"),
    }
}
