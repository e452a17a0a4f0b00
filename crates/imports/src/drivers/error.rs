//! Errors of load drivers' output.

/// Reason for which a load driver's output is refused. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// A line of the driver's that cannot be parsed.
    #[error("line {line}: expected {expected}, not \"{found}\"")]
    Malformed {
        /// Its number.
        line: usize,
        /// The accepted form.
        expected: &'static str,
        /// The line, shortened.
        found: String,
    },
    /// Output of two runs, of which neither may be taken for the other.
    #[error("a second run begins at line {line}")]
    SecondRun {
        /// The first line of the second run.
        line: usize,
    },
    /// The driver ended its run and counted nothing.
    #[error("the driver processed no transaction")]
    NoTransactions,
    /// The text ends too early.
    #[error("it ends with line {line}, before {expected}")]
    Truncated {
        /// The last line there is.
        line: usize,
        /// The missing line.
        expected: &'static str,
    },
    /// The input is of another kind, or empty.
    #[error("no {0} found")]
    Foreign(&'static str),
    /// The input is of another kind than the one that was chosen.
    #[error("it looks like {found}, not {chosen}")]
    OtherKind {
        /// Name of the chosen kind.
        chosen: &'static str,
        /// Name of the kind that it looks like.
        found: &'static str,
    },
    /// A document that is no JSON.
    #[error("broken at line {line}: {problem}")]
    Json {
        /// Line of the error.
        line: usize,
        /// The problem, as the parser words it.
        problem: String,
    },
    /// Results of several jobs, of which one belongs to a run.
    #[error("it has results of several jobs")]
    SeveralJobs(Vec<String>),
    /// Timings of several jobs, which do not say of which job they are.
    #[error("it has timings of several jobs")]
    SeveralTimings,
    /// A job that is not there.
    #[error("it has no job \"{0}\"")]
    NoSuchJob(String),
}

/// Characters of a line that an error quotes.
const MAX_QUOTED: usize = 60;

/// Jobs named in a hint, at most.
const MAX_NAMED: usize = 5;

impl DriverError {
    /// Error of a line that cannot be parsed.
    pub(super) fn malformed(line: usize, expected: &'static str, found: &str) -> DriverError {
        let quoted: String = found.chars().take(MAX_QUOTED).collect();
        let found = if quoted.len() < found.len() { quoted + "…" } else { quoted };
        DriverError::Malformed { line, expected, found }
    }

    /// Hint: the way to a usable file.
    pub fn hint(&self) -> String {
        match self {
            DriverError::Malformed { .. } | DriverError::Json { .. } => {
                "Give the file as the driver wrote it, of one run; what two programs wrote at once cannot be read.".to_owned()
            }
            DriverError::SecondRun { .. } => {
                "Split the file there: a file has one run, and each is the result of a run of its own.".to_owned()
            }
            DriverError::NoTransactions => "A rate and a latency need transactions: run it for longer.".to_owned(),
            DriverError::Truncated { .. } => {
                "The driver did not finish, or not all of its output was kept: standard output and standard error belong \
                 together. With --partial what there is counts."
                    .to_owned()
            }
            DriverError::Foreign(_) => {
                "docs/driving.md lists what is read; --kind says what a file is that does not show it.".to_owned()
            }
            DriverError::OtherKind { .. } => "Leave out --kind: the kind of each file is seen by its beginning.".to_owned(),
            DriverError::SeveralJobs(jobs) => {
                format!("Name one with --job: {}.", jobs.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", "))
            }
            DriverError::SeveralTimings => {
                "A timing does not name its job: give the result and the timing of one job.".to_owned()
            }
            DriverError::NoSuchJob(_) => "The command jobs of hammerdbcli lists them.".to_owned(),
        }
    }
}
