//! The sheet as lines.

use super::{Account, Balance, Bytes, Gap, Source};
use ebs_base::named;
use ebs_samples::evidence::{UnresolvedRole, Volume, Window};

named! {
    /// Party whose count a line is.
    pub enum Side {
        /// Bytes that PostgreSQL requests from the kernel.
        Postgres = "PostgreSQL",
        /// Difference between the two other parties.
        Kernel = "kernel",
        /// Bytes that the device moves.
        Device = "device",
    }
}

/// The count or the difference that a line gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subject<'a> {
    /// PostgreSQL's bytes of one source.
    Source(Source),
    /// Sum of PostgreSQL's bytes, where pg_stat_io was not known for the whole time.
    AllSources(Gap),
    /// Temporary files; with a gap where they were not known for the whole time.
    TemporaryFiles(Option<Gap>),
    /// Bytes that the page cache saved.
    PageCache,
    /// Bytes of the server's processes that PostgreSQL does not count.
    Unattributed,
    /// Bytes of the device that the server's processes did not move.
    Others,
    /// Bytes of the server's processes that the device has not moved.
    Residual,
    /// Sum of the four differences, where the processes' bytes were not known for the whole time.
    NotSplit(Gap),
    /// A volume; with a gap where its bytes were not known for the whole time.
    Volume(&'a Volume, Option<Gap>),
    /// A role whose volume was not found.
    Unresolved(&'a UnresolvedRole),
}

impl Subject<'_> {
    /// The name shown to users.
    pub fn name(&self) -> String {
        let name = match self {
            Subject::Source(source) => source.name(),
            Subject::AllSources(_) => "counted by PostgreSQL",
            Subject::TemporaryFiles(_) => "temporary files",
            Subject::PageCache => "page cache",
            Subject::Unattributed => "unattributed",
            Subject::Others => "others",
            Subject::Residual => "residual",
            Subject::NotSplit(_) => "not told apart",
            Subject::Volume(volume, _) => &volume.device,
            Subject::Unresolved(part) => return part.role.name(),
        };
        name.to_owned()
    }

    /// Party whose count it is.
    pub fn side(&self) -> Side {
        match self {
            Subject::Source(_) | Subject::AllSources(_) | Subject::TemporaryFiles(_) => Side::Postgres,
            Subject::Volume(..) | Subject::Unresolved(_) => Side::Device,
            _ => Side::Kernel,
        }
    }
}

/// One line of the sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<'a> {
    /// The count or the difference.
    pub subject: Subject<'a>,
    /// Bytes; negative where they are subtracted.
    pub bytes: Bytes,
    /// Bytes read, in percent of the device's.
    pub read_pct: Option<f64>,
    /// Bytes written, in percent of the device's.
    pub write_pct: Option<f64>,
}

/// The sheet: in each direction the lines of the first two sides add up to those of the device, where all is known.
pub fn lines<'a>(window: &'a Window) -> Vec<Line<'a>> {
    let balance = Balance::from_window(window);
    let line = |(subject, bytes): Entry<'a>| Line {
        subject,
        bytes,
        read_pct: balance.reads.pct_of_device(bytes.read),
        write_pct: balance.writes.pct_of_device(bytes.write),
    };
    let entries = [postgres(&balance), kernel(&balance), device(&balance, window)];
    entries.concat().into_iter().map(line).collect()
}

type Entry<'a> = (Subject<'a>, Bytes);

fn postgres<'a>(balance: &Balance) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry> = match &balance.sources {
        Ok(sources) => sources.iter().map(|(source, bytes)| (Subject::Source(*source), *bytes)).collect(),
        Err(gap) => vec![(Subject::AllSources(*gap), Bytes::default())],
    };
    let (gap, written) = split(balance.temp_files);
    entries.push((Subject::TemporaryFiles(gap), Bytes { read: None, write: written }));
    entries
}

fn kernel<'a>(balance: &Balance) -> Vec<Entry<'a>> {
    let both = |difference: fn(&Account) -> Option<i64>| Bytes {
        read: difference(&balance.reads),
        write: difference(&balance.writes),
    };
    let mut entries = vec![
        (Subject::PageCache, both(Account::page_cache)),
        (Subject::Unattributed, both(Account::unattributed)),
        (Subject::Others, both(Account::others)),
        (Subject::Residual, both(Account::residual)),
    ];
    if let Err(gap) = balance.storage {
        entries.push((Subject::NotSplit(gap), both(Account::not_split)));
    }
    entries
}

fn device<'a>(balance: &Balance, window: &'a Window) -> Vec<Entry<'a>> {
    let layout = &window.layout;
    let volume = |&(index, bytes): &(usize, Result<Bytes, Gap>)| {
        let (gap, bytes) = split(bytes);
        (Subject::Volume(&layout.volumes[index], gap), bytes.unwrap_or_default())
    };
    let unresolved = layout.unresolved.iter().map(|part| (Subject::Unresolved(part), Bytes::default()));
    balance.volumes.iter().map(volume).chain(unresolved).collect()
}

/// Splits a part of the evidence into its gap and its bytes.
fn split<T>(part: Result<T, Gap>) -> (Option<Gap>, Option<T>) {
    match part {
        Ok(bytes) => (None, Some(bytes)),
        Err(gap) => (Some(gap), None),
    }
}
