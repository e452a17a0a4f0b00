//! Temporary files: sorts, hashes and materialised results that exceed work_mem.

use super::basis::Basis;
use super::cause::{Cause, SpillRemedy, TemporaryFiles};
use super::finding::{Finding, Saving};
use super::rates::Rates;
use super::statements;
use ebs_base::units::MIB;
use ebs_workload::statements::StatementDemand;

/// Largest work_mem to recommend: more memory is no remedy for a statement. A choice.
const MAX_WORK_MEM_MIB: u64 = 1024;

/// Temporary files as a whole; `None` where none was written.
pub(super) fn finding(basis: &Basis, rates: &Rates) -> Option<Finding> {
    let written = Written::from_basis(basis)?;
    let saving = written.saving(rates);
    let cause = TemporaryFiles {
        heaviest: written.heaviest.map(|heaviest| statements::name(basis, heaviest)),
        statements: written.statements,
        written_s: written.written_s,
        read_s: written.read_s,
        remedy: remedy(basis, &written),
    };
    Some(Finding::new(Cause::TemporaryFiles(cause), rates.share(saving.middle()), Some(saving)))
}

struct Written<'a> {
    /// Bytes written a second; bytes written twice into the same file count twice.
    written_s: f64,
    /// Bytes of removed files a second, each byte of a file once; `None` where that is not known.
    files_s: Option<f64>,
    /// Bytes read a second; `None` where that is not known.
    read_s: Option<f64>,
    /// The statement that wrote most; `None` where statements are not known.
    heaviest: Option<&'a StatementDemand>,
    /// Statements that wrote any.
    statements: usize,
    /// Bytes that one execution of the heaviest wrote.
    spill: Option<f64>,
}

impl<'a> Written<'a> {
    fn from_basis(basis: &Basis<'a>) -> Option<Written<'a>> {
        let temp = basis.window.totals.temp;
        let files_s = temp.known().map(|counts| counts.bytes as f64 / (temp.known_us as f64 / 1e6));
        let Some(observed) = basis.observed else {
            let written_s = files_s.filter(|bytes_s| *bytes_s > 0.0)?;
            return Some(Written { written_s, files_s, read_s: None, heaviest: None, statements: 0, spill: None });
        };
        let bytes = |statement: &StatementDemand, blocks: u64| {
            statement.per_second(blocks as f64 * observed.block_size as f64).unwrap_or(0.0)
        };
        let spilled: Vec<&StatementDemand> =
            observed.statements.iter().filter(|statement| statement.temp_blocks_written > 0).collect();
        let heaviest = spilled.iter().copied().max_by_key(|statement| statement.temp_blocks_written)?;
        Some(Written {
            written_s: spilled.iter().map(|statement| bytes(statement, statement.temp_blocks_written)).sum(),
            files_s,
            read_s: Some(spilled.iter().map(|statement| bytes(statement, statement.temp_blocks_read)).sum()),
            heaviest: Some(heaviest),
            statements: spilled.len(),
            spill: heaviest.per_call(heaviest.temp_blocks_written as f64 * observed.block_size as f64),
        })
    }

    /// Saving of writes: from the files' size less the bytes that were removed before they were written, both of which count a
    /// page once, to all bytes written, but no more than the server's processes passed to the kernel. Saving of reads: from the
    /// bytes that the processes fetched in excess of PostgreSQL's count, to all bytes read.
    fn saving(&self, rates: &Rates) -> Saving {
        let processes_s = rates.processes_written_s.unwrap_or(rates.write_bytes_s).max(0.0);
        let remaining_s = self.files_s.zip(rates.cancelled_s).map_or(0.0, |(files, cancelled)| files - cancelled);
        let written_low = remaining_s.clamp(0.0, processes_s.min(self.written_s));
        let read = self.read_s.unwrap_or(0.0);
        let excess = rates.processes_read_s.zip(rates.postgres_read_s);
        let excess = excess.map_or(0.0, |(processes, postgres)| processes - postgres);
        let fetched = rates.processes_read_s.unwrap_or(rates.read_bytes_s);
        Saving {
            low: rates.writes(written_low) + rates.reads(read.min(excess)),
            high: rates.writes(self.written_s.min(processes_s)) + rates.reads(read.min(fetched)),
        }
    }
}

fn remedy(basis: &Basis, written: &Written) -> SpillRemedy {
    let Some((heaviest, spill)) = written.heaviest.zip(written.spill) else { return SpillRemedy::FindStatement };
    let work_mem = basis.settings.work_mem.unwrap_or(0) as f64;
    // Rows take more space in memory than in a file.
    let mib = (((work_mem + spill) / MIB as f64).ceil() as u64).max(1).next_power_of_two();
    if mib > MAX_WORK_MEM_MIB {
        return SpillRemedy::FewerRows { bytes_per_call: spill };
    }
    SpillRemedy::WorkMem { role: heaviest.role.clone(), mib }
}
