//! Sentences of the report card: tests, thresholds and notes of its lines.

use ebs_base::format::{self, count, ms, rate};
use ebs_base::units::KIB;
use ebs_comparison::card::{
    Basis, FioJob, FirstTouch, Grade, Kind, LETTERS, Line, LiveEvidence, MAX_GROWTH, Modes, NotMeasured, Note, Source,
    Subject, Test,
};
use ebs_samples::evidence::Bin;

/// Origin of the tests and thresholds.
const SOURCE: &str = "published with the open-source fio scripts that this card goes by";

/// Describes the test or the finding of a line.
pub fn describe_test(line: &Line) -> String {
    match line.subject {
        Subject::Latency(test) => test.name.to_owned(),
        Subject::Scaling(test) => {
            let name = test.name.rsplit_once(',').map_or(test.name, |(name, _)| name);
            format!("{name}, scaling {} to {} users", test.users, test.scaled_users)
        }
        Subject::Modes => "two latency modes".to_owned(),
        Subject::SlowStart => "slow start".to_owned(),
    }
}

/// Describes the unit of the measured figure.
pub fn describe_unit(line: &Line) -> Option<&'static str> {
    match line.subject {
        Subject::Latency(_) => Some("ms"),
        Subject::Scaling(_) => Some("growth of p95 / growth of users"),
        Subject::Modes => None,
        Subject::SlowStart => line.measured.map(|_| "times"),
    }
}

/// Describes a grade: `A+`, or `~A+` where it is an approximation.
pub fn describe_grade(grade: &Grade) -> String {
    format!("{}{}", if grade.approximate { "~" } else { "" }, grade.letter)
}

/// Describes the thresholds of the grades: `A+ < 2, A < 4, … ms, else D`.
pub fn describe_thresholds(line: &Line) -> Option<String> {
    match line.subject {
        Subject::Latency(test) => Some(format!("{} ms, else D", listed("<", &test.below_ms))),
        Subject::Scaling(_) => Some(format!("{}, else D", listed("<=", &MAX_GROWTH))),
        Subject::Modes | Subject::SlowStart => None,
    }
}

fn listed(sign: &str, limits: &[f64; 7]) -> String {
    let each = LETTERS.iter().zip(limits).map(|(letter, limit)| format!("{letter} {sign} {limit}"));
    each.collect::<Vec<_>>().join(", ")
}

/// Describes the origin of the thresholds.
pub fn describe_source(line: &Line) -> Option<&'static str> {
    matches!(line.subject, Subject::Latency(_) | Subject::Scaling(_)).then_some(SOURCE)
}

/// Describes the evidence that a line rests on.
pub fn describe_basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Fio => "fio",
        Basis::Live => "live evidence",
        Basis::Ebs => "EBS statistics",
    }
}

/// Describes the source of a histogram: `EBS statistics`, `fio randread`.
pub fn describe_histogram_source(source: &Source) -> String {
    match source {
        Source::Ebs => "EBS statistics".to_owned(),
        Source::Fio(job) => format!("fio {job}"),
    }
}

/// Describes the note of a line.
pub fn describe_note(line: &Line) -> String {
    match (&line.note, line.subject) {
        (Note::NotMeasured(reasons), Subject::Latency(test) | Subject::Scaling(test)) => {
            let reasons: Vec<String> = reasons.iter().map(|reason| not_measured(reason, test)).collect();
            format!("not measured: {}", reasons.join("; "))
        }
        (Note::Live(evidence), Subject::Latency(test)) => live(evidence, test),
        (Note::Scaling { p95_ms, scaled_p95_ms }, Subject::Scaling(test)) => {
            let (few, many) = (ms(*p95_ms), ms(*scaled_p95_ms));
            format!("p95 {few} ms, and {many} ms with {} times as many users", test.factor())
        }
        (Note::Fio(job), _) => fio(job),
        (Note::NoHistogram, _) => "unknown: there is no histogram of latencies".to_owned(),
        (Note::NoModes { histograms: 1 }, _) => "none in 1 histogram".to_owned(),
        (Note::NoModes { histograms }, _) => format!("none in {histograms} histograms"),
        (Note::Modes { source, kind, modes }, _) => two_modes(source, kind, modes),
        (Note::NotCompared, _) => "unknown: too few seconds of reads, or none later at the same rate".to_owned(),
        (Note::FirstTouch(start), _) => first_touch(start),
        // These notes do not occur with other subjects.
        (Note::NotMeasured(_) | Note::Live(_) | Note::Scaling { .. }, _) => String::new(),
    }
}

fn not_measured(reason: &NotMeasured, test: &Test) -> String {
    let kind = plural(test.kind);
    match reason {
        NotMeasured::NoImport => "nothing of fio was imported".to_owned(),
        NotMeasured::NoJob { users } => {
            format!("fio did no {} of {} by {users} jobs", test.rw, size(test.block_bytes))
        }
        NotMeasured::JobFailed { job, error } => format!("fio's job {job} failed with error {error}"),
        NotMeasured::NoRequestsOfJob { job } => format!("fio's job {job} did no {kind}"),
        NotMeasured::NoPercentile { job } => format!(
            "fio's job {job} has no 95th percentile (of several jobs they are known with group_reporting or json+)"
        ),
        NotMeasured::ZeroLatency => "the p95 was 0 ms".to_owned(),
        NotMeasured::NoTimes => "the evidence has no times of requests".to_owned(),
        NotMeasured::NoRequests => format!("there were no {kind} in the evidence"),
        NotMeasured::OtherSize { mean_bytes } => format!(
            "{kind} in the evidence are {} KiB on average, too few seconds of about {}",
            format::size(mean_bytes / KIB as f64),
            size(test.block_bytes)
        ),
    }
}

fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "reads",
        Kind::Write => "writes",
    }
}

/// Formats a size: `8 KiB`, `1 MiB`.
fn size(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{} KiB", bytes >> 10) }
}

fn fio(job: &FioJob) -> String {
    let mut parts = vec![format!("job {}, {} a second", job.job, rate(job.iops))];
    match job.direct {
        Some(true) => {}
        Some(false) => {
            parts.push("through the page cache (direct=1 was not set), which answers in the volume's place".to_owned());
        }
        None => parts.push("unknown whether through the page cache".to_owned()),
    }
    if job.with_submission {
        parts.push("with the time of submission (lat_percentiles)".to_owned());
    }
    if job.jobs > 1 {
        parts.push(format!("the latest of {}", job.jobs));
    }
    parts.join("; ")
}

fn live(evidence: &LiveEvidence, test: &Test) -> String {
    let means = match evidence.averaged_s {
        seconds if evidence.downsampled => format!("means of up to an hour, {} s at best", rate(seconds)),
        seconds if seconds > 1.5 => format!("means over {} s", count(seconds)),
        _ => "one-second means".to_owned(),
    };
    format!(
        "approximation: the p95 of {means}, not of requests, over {} s with {} of about that size; {} requests in flight \
         where the test has {}; random and sequential cannot be told apart",
        count(evidence.seconds),
        plural(test.kind),
        format::size(evidence.in_flight),
        test.users,
    )
}

fn two_modes(source: &Source, kind: &str, modes: &Modes) -> String {
    let ((fast, fast_share), (slow, slow_share)) = (modes.fast, modes.slow);
    format!(
        "{kind}s ({}): {} around {}, {} around {}, and between them {} of the lower peak: part of the requests is served \
         another way (burst credits that run out, tiers, a cache)",
        describe_histogram_source(source),
        format::share(fast_share),
        around(&fast),
        format::share(slow_share),
        around(&slow),
        format::share(modes.valley),
    )
}

/// Formats the bounds of a bucket: `0.51 to 1.02 ms`, `more than 33 ms`.
fn around(bucket: &Bin) -> String {
    let ms = |us: u64| ms(us as f64 / 1000.0);
    match bucket.upper_us {
        Some(upper_us) => format!("{} to {} ms", ms(bucket.lower_us), ms(upper_us)),
        None => format!("more than {} ms", ms(bucket.lower_us)),
    }
}

fn first_touch(start: &FirstTouch) -> String {
    let (ratio, low, high) = (format::times(start.ratio), format::times(start.low), format::times(start.high));
    let seconds = count(start.seconds);
    let figures = format!(
        "reads of {seconds} s at the start took {ratio} ({low} to {high}) times as long as later ones at the same rate"
    );
    if start.is_slower() {
        format!("{figures}: blocks touched for the first time (a volume made from a snapshot), or an empty cache")
    } else {
        format!("none: {figures}")
    }
}

#[cfg(test)]
#[path = "card_tests.rs"]
mod tests;
