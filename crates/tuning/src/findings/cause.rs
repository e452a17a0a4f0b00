//! Causes of I/O with their figures. `ebs_report` words them.

use crate::indexes::finding::Finding as IndexFinding;

/// Cause of I/O.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// A missing index, by index advice.
    MissingIndex(Box<IndexFinding>),
    /// A statement that causes much of the reads.
    Statement(StatementReads),
    /// Sorts and hashes that exceed work_mem.
    TemporaryFiles(TemporaryFiles),
    /// Checkpoints forced by WAL.
    Checkpoints(ForcedCheckpoints),
    /// Updates whose new row version did not fit on its page.
    Pages(PageMisses),
    /// Reads and writes of autovacuum.
    Autovacuum(AutovacuumIo),
}

/// Name of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatementName {
    /// Number in pg_stat_statements.
    pub query_id: i64,
    /// Role that executed it; `None` where its name is not known.
    pub role: Option<String>,
    /// Text; `None` where the reader may not read it.
    pub text: Option<String>,
}

/// Reads of one statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatementReads {
    /// The statement.
    pub statement: StatementName,
    /// Its reads a second at the device.
    pub reads_s: f64,
    /// Its executions a second.
    pub calls_s: f64,
    /// Blocks that one execution read.
    pub blocks_per_call: f64,
    /// Time that one execution spent on reads, milliseconds; `None` where it was not measured.
    pub read_ms_per_call: Option<f64>,
    /// Blocks that all executions read.
    pub blocks_read: u64,
    /// Rows that all executions returned or changed.
    pub rows: u64,
}

/// Temporary files as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct TemporaryFiles {
    /// Statement that wrote most; `None` where statements are not known.
    pub heaviest: Option<StatementName>,
    /// Statements that wrote any.
    pub statements: usize,
    /// Bytes written a second.
    pub written_s: f64,
    /// Bytes read a second; `None` where that is not known.
    pub read_s: Option<f64>,
    /// Remedy.
    pub remedy: SpillRemedy,
}

/// Remedy for temporary files.
#[derive(Clone, Debug, PartialEq)]
pub enum SpillRemedy {
    /// Identify the statements that write them.
    FindStatement,
    /// Fewer rows, or an index in their order: they exceed any reasonable work_mem.
    FewerRows {
        /// Bytes that one execution wrote.
        bytes_per_call: f64,
    },
    /// A larger work_mem.
    WorkMem {
        /// Role that executed the heaviest statement; `None` where its name is not known.
        role: Option<String>,
        /// The setting, MiB.
        mib: u64,
    },
}

/// Checkpoints that came before checkpoint_timeout because WAL had reached its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct ForcedCheckpoints {
    /// Number of them.
    pub count: f64,
    /// Seconds in which they were counted.
    pub seconds: f64,
    /// Their frequency over that of checkpoint_timeout.
    pub times_as_often: f64,
    /// Share of full-page images in WAL, 0 to 1.
    pub image_share: f64,
    /// True if images are compressed, so that the share is an upper bound.
    pub compressed: bool,
    /// Bytes a second that checkpoints wrote.
    pub write_bytes_s: f64,
    /// max_wal_size at which none would be forced, GiB.
    pub max_wal_size_gib: f64,
}

/// Updates of a table whose new row version went to another page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageMisses {
    /// The table.
    pub table: String,
    /// Updates a second.
    pub updated_s: f64,
    /// Updates a second that went to another page.
    pub missed_s: f64,
    /// Their share in all updates, 0 to 1.
    pub missed_share: f64,
    /// Share of heap-only updates, 0 to 1.
    pub hot_share: f64,
    /// Number of the table's indexes.
    pub indexes: u32,
    /// Advised fillfactor.
    pub fillfactor: u8,
}

/// Reads and writes of autovacuum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutovacuumIo {
    /// Bytes read a second.
    pub read_s: f64,
    /// Bytes written a second.
    pub written_s: f64,
}

impl Cause {
    /// Kind of the cause.
    pub fn kind(&self) -> Kind {
        match self {
            Cause::MissingIndex(_) => Kind::Index,
            Cause::Statement(_) => Kind::Statement,
            Cause::TemporaryFiles(_) => Kind::TemporaryFiles,
            Cause::Checkpoints(_) => Kind::Checkpoints,
            Cause::Pages(_) => Kind::Pages,
            Cause::Autovacuum(_) => Kind::Autovacuum,
        }
    }

    /// Sort key of causes of the same weight: alphabetical by subject.
    pub(super) fn sort_key(&self) -> (u8, String) {
        let statement = |name: &StatementName| (5, name.query_id.to_string());
        match self {
            Cause::MissingIndex(index) => (0, index.table.clone().unwrap_or_default()),
            Cause::TemporaryFiles(files) => files.heaviest.as_ref().map_or((1, String::new()), statement),
            Cause::Autovacuum(_) => (2, String::new()),
            Cause::Checkpoints(_) => (3, String::new()),
            Cause::Pages(pages) => (4, pages.table.clone()),
            Cause::Statement(reads) => statement(&reads.statement),
        }
    }
}

ebs_base::named! {
    /// Kind of a cause.
    pub enum Kind {
        /// A missing index.
        Index = "index",
        /// A statement that causes much of the reads.
        Statement = "statement",
        /// Sorts and hashes that exceed work_mem.
        TemporaryFiles = "temporary files",
        /// Checkpoints forced by WAL.
        Checkpoints = "checkpoints",
        /// Updates whose new row version did not fit on its page.
        Pages = "fillfactor",
        /// Autovacuum.
        Autovacuum = "autovacuum",
    }
}
