//! Errors of fio's JSON output.

/// Reason for which a text is refused; lines and jobs are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FioError {
    /// Something else, or nothing.
    #[error("no JSON document of fio found")]
    Foreign,
    /// Cut off.
    #[error("line {line}: fio's document ends early")]
    Truncated {
        /// The last line.
        line: usize,
    },
    /// Documents of two runs, of which neither may be taken for the other.
    #[error("a second run of fio begins at line {line}")]
    SecondRun {
        /// The first line of its document.
        line: usize,
    },
    /// No JSON, or a key of another type.
    #[error("line {line}: {problem}")]
    Malformed {
        /// The line.
        line: usize,
        /// The problem, as the parser words it.
        problem: String,
    },
    /// Times were microseconds before version 3.
    #[error("version \"{0}\" of fio cannot be read")]
    Version(String),
    /// No time at all, or none that a clock shows.
    #[error("fio's document has no \"timestamp\" between the years 1970 and 9999")]
    Untimed,
    /// No job ran.
    #[error("fio's document has no jobs")]
    Empty,
    /// A limit is exceeded.
    #[error("fio's document has more than {most} {what}")]
    TooMuch {
        /// The bound.
        most: usize,
        /// The counted items.
        what: &'static str,
    },
    /// A figure that nothing can have.
    #[error("job {job}: {problem}")]
    Figure {
        /// Number of the job.
        job: usize,
        /// The problem.
        problem: String,
    },
}
