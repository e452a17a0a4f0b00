//! Notes of the report card, as values. `ebs_report` words them.

use super::first_touch::FirstTouch;
use super::histogram::Source;
use super::modes::Modes;

/// Note of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Nothing was measured, for these reasons: of fio's imports, and of the evidence.
    NotMeasured(Vec<NotMeasured>),
    /// The job of fio that was graded.
    Fio(FioJob),
    /// The seconds of evidence that were graded.
    Live(LiveEvidence),
    /// 95th percentiles with few and with many users, milliseconds.
    Scaling {
        /// 95th percentile with the users of the test.
        p95_ms: f64,
        /// 95th percentile with the users of its scaling.
        scaled_p95_ms: f64,
    },
    /// There is no histogram of latencies.
    NoHistogram,
    /// None of the histograms has two modes.
    NoModes {
        /// Number of histograms.
        histograms: usize,
    },
    /// A histogram has two modes.
    Modes {
        /// Source of the histogram.
        source: Source,
        /// `read` or `write`.
        kind: &'static str,
        /// The modes.
        modes: Modes,
    },
    /// Seconds of reads are too few for a comparison of the start with the rest.
    NotCompared,
    /// Latency at the start, compared with later.
    FirstTouch(FirstTouch),
}

/// Reason for which a test was not measured.
#[derive(Clone, Debug, PartialEq)]
pub enum NotMeasured {
    /// No report of fio was imported.
    NoImport,
    /// No job of fio is this test.
    NoJob {
        /// Users of the test.
        users: u64,
    },
    /// The job failed.
    JobFailed {
        /// Its name.
        job: String,
        /// Its error number.
        error: i64,
    },
    /// The job made no requests of the test's kind.
    NoRequestsOfJob {
        /// Its name.
        job: String,
    },
    /// The job has no 95th percentile.
    NoPercentile {
        /// Its name.
        job: String,
    },
    /// The 95th percentile was 0 ms, so that no growth can be computed.
    ZeroLatency,
    /// The evidence has no times of requests.
    NoTimes,
    /// The evidence has no requests of the test's kind.
    NoRequests,
    /// Requests are of another size.
    OtherSize {
        /// Their mean size, bytes.
        mean_bytes: f64,
    },
}

/// A job of fio that was graded.
#[derive(Clone, Debug, PartialEq)]
pub struct FioJob {
    /// Its name.
    pub job: String,
    /// Requests a second.
    pub iops: f64,
    /// True if it bypassed the page cache; `None` where that is not known.
    pub direct: Option<bool>,
    /// True if its latencies include the time of submission.
    pub with_submission: bool,
    /// Number of jobs that are the same test, of which it is the latest.
    pub jobs: usize,
}

/// Seconds of evidence that were graded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiveEvidence {
    /// Shortest interval that means were taken over, seconds.
    pub averaged_s: f64,
    /// True if some of the evidence was downsampled, to means of up to an hour.
    pub downsampled: bool,
    /// Seconds in which requests were of the test's size.
    pub seconds: f64,
    /// Average queue depth in them.
    pub in_flight: f64,
}
