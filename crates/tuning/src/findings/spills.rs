//! Sorts, hashes and materialised results that did not fit work_mem and went to temporary files.

use super::basis::Basis;
use super::finding::{Finding, Kind, Saving};
use super::rates::Rates;
use super::statements;
use ebs_base::format::{count, size};
use ebs_base::units::MIB;
use ebs_workload::statements::StatementDemand;

/// A statement that would need more is not helped by memory. A choice.
const MOST_MIB: u64 = 1024;

/// Temporary files as a whole; `None` where none was written.
pub(super) fn finding(basis: &Basis, rates: &Rates) -> Option<Finding> {
    let written = Written::of(basis)?;
    let saving = written.saving(rates);
    let read = written.read_s.map(|bytes| format!(", {} read", size(bytes / MIB as f64))).unwrap_or_default();
    Some(Finding {
        kind: Kind::TemporaryFiles,
        subject: match written.heaviest {
            Some(heaviest) => statements::name(basis, heaviest),
            None => "all statements".to_owned(),
        },
        measured: format!("{} MiB/s of temporary files written{read}{}", size(written.written_s / MIB as f64), written.by()),
        share: rates.share(saving.middle()),
        saving: Some(saving),
        usd_month_saved: None,
        reason: "sorts and hashes larger than work_mem; at most all of it was on the device, at least the files' size less what \
                 was dropped before it was written"
            .to_owned(),
        remedy: remedy(basis, &written),
    })
}

struct Written<'a> {
    /// Bytes a second; what is written twice into the same file counts twice.
    written_s: f64,
    /// Bytes of files that were removed, a second: each byte of a file once; `None` where it is not known.
    files_s: Option<f64>,
    /// `None` where it is not known.
    read_s: Option<f64>,
    /// The statement that wrote most, where statements are known.
    heaviest: Option<&'a StatementDemand>,
    /// Statements that wrote any.
    statements: usize,
    /// What one execution of the heaviest wrote, bytes.
    spill: Option<f64>,
}

impl<'a> Written<'a> {
    fn of(basis: &Basis<'a>) -> Option<Written<'a>> {
        let temp = basis.window.totals.temp;
        let of_files = temp.known().map(|counts| counts.bytes as f64 / (temp.known_us as f64 / 1e6));
        let Some(observed) = basis.observed else {
            let written_s = of_files.filter(|bytes_s| *bytes_s > 0.0)?;
            return Some(Written {
                written_s,
                files_s: of_files,
                read_s: None,
                heaviest: None,
                statements: 0,
                spill: None,
            });
        };
        let bytes = |statement: &StatementDemand, blocks: u64| {
            statement.per_second(blocks as f64 * observed.block_size as f64).unwrap_or(0.0)
        };
        let spilled: Vec<&StatementDemand> =
            observed.statements.iter().filter(|statement| statement.temp_blocks_written > 0).collect();
        let heaviest = spilled.iter().copied().max_by_key(|statement| statement.temp_blocks_written)?;
        Some(Written {
            written_s: spilled.iter().map(|statement| bytes(statement, statement.temp_blocks_written)).sum(),
            files_s: of_files,
            read_s: Some(spilled.iter().map(|statement| bytes(statement, statement.temp_blocks_read)).sum()),
            heaviest: Some(heaviest),
            statements: spilled.len(),
            spill: heaviest.per_call(heaviest.temp_blocks_written as f64 * observed.block_size as f64),
        })
    }

    fn by(&self) -> String {
        match self.statements {
            0 | 1 => String::new(),
            many => format!(", by {} statements, most by this", count(many as f64)),
        }
    }

    /// Written: the files' size less what the kernel says was dropped in time, both counting a page once, up to all, and no more
    /// than the server's processes handed over. Read: what the processes fetched beyond what PostgreSQL counts, up to all.
    fn saving(&self, rates: &Rates) -> Saving {
        let handed = rates.processes_written_s.unwrap_or(rates.write_bytes_s).max(0.0);
        let kept = self.files_s.zip(rates.cancelled_s).map_or(0.0, |(files, cancelled)| files - cancelled);
        let written_low = kept.clamp(0.0, handed.min(self.written_s));
        let read = self.read_s.unwrap_or(0.0);
        let beyond = rates.processes_read_s.zip(rates.postgres_read_s).map_or(0.0, |(fetched, asked)| fetched - asked);
        let fetched = rates.processes_read_s.unwrap_or(rates.read_bytes_s);
        Saving {
            low: rates.writes(written_low) + rates.reads(read.min(beyond)),
            high: rates.writes(self.written_s.min(handed)) + rates.reads(read.min(fetched)),
        }
    }
}

fn remedy(basis: &Basis, written: &Written) -> String {
    let Some((heaviest, spill)) = written.heaviest.zip(written.spill) else {
        return "log_temp_files = 0 logs who writes them; pg_stat_statements would tell with the run".to_owned();
    };
    let now = basis.settings.work_mem.unwrap_or(0) as f64;
    // In memory the same rows take more than in a file.
    let mib = (((now + spill) / MIB as f64).ceil() as u64).max(1).next_power_of_two();
    if mib > MOST_MIB {
        return format!(
            "{} MiB an execution: more than work_mem should be; an index in its order, or fewer rows",
            count(spill / MIB as f64)
        );
    }
    let role = heaviest.role.as_deref().map_or("its_role".to_owned(), quoted);
    format!("ALTER ROLE {role} SET work_mem = '{mib}MB'; at least: it is taken by each sort and hash of each session")
}

/// As an identifier.
fn quoted(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
