//! Notes on the lines of the balance sheet.

use ebs_base::format::count;
use ebs_workload::balance::{Gap, Source, Subject};

/// Explains a line, and says where it was unknown for the whole time.
pub fn describe_line(subject: &Subject) -> String {
    let note = match subject {
        Subject::Source(source) => source_note(*source),
        Subject::AllSources(gap) => return unknown("pg_stat_io", gap),
        Subject::TemporaryFiles(None) => "counted once, when a file is removed; its reads are not counted",
        Subject::TemporaryFiles(Some(gap)) => return unknown("pg_stat_database", gap),
        Subject::PageCache => {
            "reads found in it; pages written several times, or extended and then written, before they left it; files removed in time"
        }
        Subject::Unattributed => {
            "moved by the server's processes and not counted above: temporary files read, SLRU, COPY files, base backups, logs"
        }
        Subject::Others => "other programs, the filesystem itself, pages that were dirty before the window",
        Subject::Residual => {
            "handed over and not written yet, written once for several times, or on devices that are not sampled"
        }
        Subject::NotSplit(gap) => {
            let unknown = unknown("/proc/PID/io of the server's processes", gap);
            return format!("the four lines above together; {unknown}");
        }
        Subject::Volume(volume, None) => return volume.role(),
        Subject::Volume(volume, Some(gap)) => return format!("{}; {}", volume.role(), unknown("it", gap)),
        Subject::Unresolved(part) => &part.reason,
    };
    note.to_owned()
}

fn source_note(source: Source) -> &'static str {
    match source {
        Source::Clients => "writes: dirty buffers that sessions had to evict or write themselves",
        Source::Vacuum => "VACUUM and ANALYZE, autovacuum's among them",
        Source::Checkpointer => "writes of checkpoints",
        Source::BackgroundWriter => "writes ahead of evictions",
        Source::Extends => "space reserved or filled with zeros; the content follows as a write of its own",
        Source::Wal => "whole pages: one that is filled in steps is written at each of them",
        Source::WalGenerated => {
            "WAL generated, a lower bound of what is written; reads are not counted before PostgreSQL 18"
        }
        Source::NewSegments => "filled with zeros before their first use; counted since PostgreSQL 18",
        Source::TemporaryTables => "extends included",
        Source::Others => "background and parallel workers, startup, WAL senders",
    }
}

/// `pg_stat_io was known for 12 of 60 s`.
fn unknown(evidence: &str, gap: &Gap) -> String {
    if gap.known_s > 0.0 {
        format!("{evidence} was known for {} of {} s", count(gap.known_s), count(gap.sampled_s))
    } else {
        format!("{evidence} was unknown")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_told() {
        let gap = |known_s| Gap { known_s, sampled_s: 60.0 };
        assert_eq!(describe_line(&Subject::AllSources(gap(50.0))), "pg_stat_io was known for 50 of 60 s");
        assert_eq!(describe_line(&Subject::TemporaryFiles(Some(gap(0.0)))), "pg_stat_database was unknown");
        assert_eq!(
            describe_line(&Subject::NotSplit(gap(0.0))),
            "the four lines above together; /proc/PID/io of the server's processes was unknown"
        );
    }
}
