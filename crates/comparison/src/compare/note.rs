//! Notes of rows, as values. `ebs_report` words them.

use std::collections::BTreeSet;

use ebs_workload::steady_state::Steadiness;

/// One of the two sets of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first set.
    A,
    /// The second set.
    B,
}

/// Note of a row. Lists of labels are those of the runs that it applies to.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// It is not known in these runs.
    UnknownOf(Vec<String>),
    /// One value on both sides.
    Value(String),
    /// Values of each side.
    Values {
        /// Those of the first set.
        a: BTreeSet<String>,
        /// Those of the second set.
        b: BTreeSet<String>,
    },
    /// Numbers are further apart than this share of the largest.
    Apart {
        /// Tolerated share, 0 to 1.
        share: f64,
    },
    /// One run stands for a side, so that variance between runs is assumed.
    VarianceAssumed {
        /// Assumed standard deviation, per cent.
        noise_pct: f64,
    },
    /// Runs are too few for a permutation test to be significant.
    FewPermutations {
        /// Runs of the first set.
        a: usize,
        /// Runs of the second set.
        b: usize,
        /// Least p-value that these can have.
        least: f64,
    },
    /// These runs are on both sides.
    OnBothSides(Vec<String>),
    /// All runs of this set precede those of the other.
    FirstWasAll(Side),
    /// Runs of both sets alternate.
    Alternating,
    /// This number of settings is equal on both sides.
    SettingsAlike(usize),
    /// Settings, or entries of the users' notes, that differ.
    Differences(Vec<Difference>),
    /// The runs have no notes.
    NothingNoted,
    /// The notes are equal under these names.
    Noted(Vec<String>),
    /// The driver failed or was interrupted.
    Unfinished(Vec<String>),
    /// The driver finished in every run.
    Finished,
    /// Less than this share was sampled.
    PoorlyCovered {
        /// Smallest sufficient share, per cent.
        least_pct: f64,
        /// The runs.
        runs: Vec<String>,
    },
    /// Counters were reset.
    ResetIn(Vec<String>),
    /// No counters were reset.
    NoResets,
    /// More than half of the run is ramp-up.
    RampUpTooLong(Vec<String>),
    /// Users marked the end of every ramp-up.
    RampUpMarked,
    /// Too short to detect a ramp-up.
    RampUpUnknown(Vec<String>),
    /// Ramp-up was detected and left out.
    RampUpCut,
    /// No ramp-up was detected.
    NoRampUp,
    /// Users marked the end of the ramp-up in these runs, it was detected in the others.
    RampUpMarkedIn(Vec<String>),
    /// Runs with a trend.
    Drifting(Vec<(String, Steadiness)>),
    /// No run has a trend.
    NoTrend,
    /// Too short to detect a trend.
    TrendUnknown(Vec<String>),
    /// Fewer than two whole checkpoint cycles.
    FewCycles(Vec<String>),
    /// The primary figure, whose verdict is not corrected for the number of figures.
    Primary,
    /// Transactions are commits and rollbacks of all databases.
    CommitsAndRollbacks,
    /// Transactions are the driver's, because the server's were not counted in every run.
    DriverTransactions,
    /// It is not known in any run of this set.
    UnknownOfSide(Side),
    /// A figure is 0, which has no ratio.
    NoRatioOfZero,
    /// The spread between runs is not known of requests as rare as these.
    RareRequests,
    /// The spread within the run is not known.
    FewFlushes,
    /// The interval would be too wide to be one.
    TooWide {
        /// Widest interval that is shown, as a factor each way.
        factor: f64,
        /// Runs of the side that has fewer.
        fewest: usize,
    },
    /// Requests of both sides are of different sizes, so that their latencies are not compared.
    RequestSizes {
        /// Mean size in the first set, KiB.
        a_kib: f64,
        /// Mean size in the second set, KiB.
        b_kib: f64,
    },
    /// The difference is not significant after correction for the number of figures.
    NotSignificant,
    /// Permuted runs differ as much in this share of cases, 0 to 1.
    PermutationsDiffer {
        /// The share.
        p: f64,
    },
}

/// A setting, or an entry of a note, that differs between sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Its name.
    pub name: String,
    /// Values in the first set; `None` where it is not set.
    pub a: BTreeSet<Option<String>>,
    /// Values in the second set.
    pub b: BTreeSet<Option<String>>,
}
