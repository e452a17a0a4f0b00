//! Lines of PostgreSQL's side of the balance, from the rows of pg_stat_io.

use super::bytes::Bytes;
use ebs_base::named;
use ebs_samples::evidence::{IoCounts, IoKey};

named! {
    /// A line of PostgreSQL's side.
    #[derive(PartialOrd, Ord)]
    pub enum Source {
        /// Reads of sessions, and the dirty buffers that they had to write themselves.
        Clients = "client backends",
        /// VACUUM and ANALYZE, by hand or automatic.
        Vacuum = "vacuum",
        /// Checkpoints.
        Checkpointer = "checkpointer",
        /// The background writer.
        BackgroundWriter = "background writer",
        /// New pages at the end of tables and indexes.
        Extends = "extends",
        /// WAL.
        Wal = "WAL",
        /// WAL generated, where the WAL written is not known.
        WalGenerated = "WAL",
        /// New WAL segments, filled with zeros.
        NewSegments = "new WAL segments",
        /// Temporary tables.
        TemporaryTables = "temporary tables",
        /// All other processes.
        Others = "other processes",
    }
}

impl Source {
    /// Finds the line of a row's reads and writes; extends are a line of their own, but for temporary tables.
    fn from_key(key: &IoKey) -> Source {
        match (key.backend_type.as_str(), key.object.as_str(), key.context.as_str()) {
            (_, "wal", "init") => Source::NewSegments,
            ("any", "wal", _) => Source::WalGenerated,
            (_, "wal", _) => Source::Wal,
            (_, "temp relation", _) => Source::TemporaryTables,
            ("autovacuum worker", ..) | (_, _, "vacuum") => Source::Vacuum,
            ("client backend", ..) => Source::Clients,
            ("checkpointer", ..) => Source::Checkpointer,
            ("background writer", ..) => Source::BackgroundWriter,
            _ => Source::Others,
        }
    }
}

/// The lines, always all of them and in this order; one that is missing before 18 is not known.
pub(super) fn by_source(rows: &[(IoKey, IoCounts)]) -> Vec<(Source, Bytes)> {
    use Source::*;
    let before_18 = rows.iter().any(|(key, _)| Source::from_key(key) == WalGenerated);
    let wal = if before_18 { WalGenerated } else { Wal };
    let lines = [Clients, Vacuum, Checkpointer, BackgroundWriter, Extends, wal, NewSegments, TemporaryTables, Others];
    let line = |source: Source| {
        let mut sum = (0, 0);
        for (read, write) in rows.iter().map(|(key, counts)| part(source, key, counts)) {
            sum = (sum.0 + read, sum.1 + write);
        }
        let Bytes { read, write } = Bytes::known(sum.0, sum.1);
        let bytes = match source {
            WalGenerated => Bytes { read: None, write },
            NewSegments if before_18 => Bytes::default(),
            _ => Bytes { read, write },
        };
        (source, bytes)
    };
    lines.into_iter().map(line).collect()
}

/// Bytes read and written that a row has in a line.
fn part(line: Source, key: &IoKey, counts: &IoCounts) -> (u64, u64) {
    let own = Source::from_key(key);
    let extends_apart = own != Source::TemporaryTables;
    match line {
        Source::Extends if extends_apart => (0, counts.extend_bytes),
        _ if line != own => (0, 0),
        _ if extends_apart => (counts.read_bytes, counts.write_bytes),
        _ => (counts.read_bytes, counts.write_bytes + counts.extend_bytes),
    }
}
