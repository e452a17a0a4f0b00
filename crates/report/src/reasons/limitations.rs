//! Limitations of the answer: arguments and evidence that would change it, and gaps in the evidence.

use super::declared_limits::describe_doubts;
use super::{availability, bursts, changes, gaps, pending, percentile, prices, remedies, variation};
use crate::Report;
use ebs_advice::{IoSource, LoadKind, RoleAdvice, cycle_seconds};
use ebs_aws::catalogue::known_instance;
use ebs_aws::price::unpriced;
use ebs_base::format::{count, share, size};
use ebs_base::units::MIB;
use ebs_prediction::predict;
use ebs_stats::averaging::{self, ASSUMED_S, COARSE_S, HURST, MAX_PEAK_FACTOR};
use ebs_workload::balance::Balance;
use ebs_workload::io_profile::{Metric, find};
use ebs_workload::io_sources::Source;

/// Describes arguments and evidence that would change the answer, a sentence each.
pub fn describe_changes(report: &Report) -> Vec<String> {
    let mut changes = variation::describe_all(report);
    changes.push("a peak that this window did not contain".to_owned());
    if report.request.instance.is_none() {
        changes
            .push(format!("the limits of the instance (name it: {})", remedies::describe_instance(report.instance())));
    }
    changes
}

/// Describes limitations of the evidence and of the prices, a sentence each.
pub fn describe(report: &Report) -> Vec<String> {
    let mut all = describe_gaps(report);
    if report.roles().any(|role| role.requirement.size_gib.is_none()) {
        all.push("the size: the evidence does not say (min_size_gib => …)".to_owned());
    }
    if report.sources.rows.iter().any(|row| row.stall_ms.is_none()) {
        all.push("I/O wait time of PostgreSQL (track_io_timing or track_wal_io_timing was off)".to_owned());
    }
    all.extend(changes::describe_all(report));
    all.extend(pending::describe_all(report).iter().map(|text| text.trim_end_matches('.').to_owned()));
    all.extend(describe_other_instance(report));
    all.extend(describe_scaled_latencies(report));
    all.extend(describe_doubts(report));
    all.extend(describe_unexplained_bytes(report));
    if report.request.min_throughput_ratio.is_some() && report.roles().any(|role| role.state.predictor.is_err()) {
        all.push("whether min_throughput_ratio is kept: the evidence has no waits of sessions".to_owned());
    }
    all.extend(describe_without_waits(report));
    all.extend(report.roles().filter_map(|role| percentile::describe_unbounded(&role.state.figures)));
    all.extend(describe_hidden_peaks(report.coverage.interval_s));
    all.extend(report.roles().filter_map(describe_checked));
    all.extend(bursts::describe_delay(report));
    all.extend(report.window.caveats.iter().cloned());
    all.extend(describe_price_uncertainties(report));
    all.extend(availability::describe_unknown(report));
    let unpriced = unpriced(report.request.platform, &report.request.prices);
    if !unpriced.is_empty() {
        all.push(format!("the price of {} in this region (ebs_prices): left out", unpriced.join(", ")));
    }
    all
}

/// Describes that predictions for a named instance rest on the CPU time of the machine that was sampled.
fn describe_other_instance(report: &Report) -> Option<String> {
    let named = report.request.instance?;
    let sampled = report.instance();
    let is_other = is_other_instance(&named.instance_type, sampled);
    let is_predicted = report.roles().any(|role| role.state.predictor.is_ok());
    (is_other && is_predicted).then(|| {
        let machine = sampled.map_or("the sampled machine".to_owned(), |sampled| format!("the sampled {sampled}"));
        let named = &named.instance_type;
        format!(
            "how fast the CPUs of {named} are: predictions count the CPU time of {machine}, and the limits of {named}"
        )
    })
}

/// Describes that throughput is predicted by the device's counts, where no driver keeps a rate.
fn describe_without_waits(report: &Report) -> Option<String> {
    let roles = report.roles().filter(|role| role.state.load.kind != LoadKind::Open || !role.state.load.is_sure());
    let mut candidates = roles.flat_map(|role| &role.candidates);
    candidates.any(|candidate| candidate.ratio_without_waits().is_some()).then(|| {
        "the share of their time that sessions wait for the volume: throughput is predicted from requests in flight, from sessions that \
         only wait for the volume to a demand that stays"
            .to_owned()
    })
}

/// Describes that latencies of types that were not measured follow the measured one.
fn describe_scaled_latencies(report: &Report) -> Option<String> {
    let mut candidates = report.roles().flat_map(|role| &role.candidates);
    candidates.any(|candidate| candidate.latency_source() == Some(predict::Source::Scaled)).then(|| {
        "how fast the other volume types are here: their published latencies are scaled by the measured over the published one \
         of the current type"
            .to_owned()
    })
}

/// True where an instance type is not the sampled one, or that is not known. An RDS class is its EC2 type.
fn is_other_instance(named: &str, sampled: Option<&str>) -> bool {
    sampled.and_then(known_instance).is_none_or(|sampled| sampled.instance_type != named)
}

/// Describes time and parts of the cluster without samples.
fn describe_gaps(report: &Report) -> Vec<String> {
    let coverage = &report.coverage;
    let mut all = Vec::new();
    let cycles = report.steadiness.as_ref().and_then(|steadiness| steadiness.checkpoint_cycles);
    all.extend(describe_shortness(coverage.sampled_s, cycles.unwrap_or(0), report.checkpoint_timeout_s));
    all.extend(gaps::describe(report));
    if coverage.without_device_s > 0.0 {
        all.push(format!("{} s in which no device could be read", count(coverage.without_device_s)));
    }
    let unresolved = &report.window.layout.unresolved;
    all.extend(unresolved.iter().map(|part| format!("I/O of {} ({})", part.role.name(), part.reason)));
    all
}

/// Describes evidence without a whole checkpoint cycle, by the checkpoint_timeout that held then.
fn describe_shortness(sampled_s: f64, cycles: usize, timeout_s: Option<f64>) -> Option<String> {
    let short_s = cycle_seconds(timeout_s);
    let timeout = timeout_s.map_or("5 min by default".to_owned(), |seconds| match seconds % 60.0 == 0.0 {
        true => format!("{} min here", count(seconds / 60.0)),
        false => format!("{} s here", count(seconds)),
    });
    (sampled_s < short_s && cycles == 0)
        .then(|| format!("no whole checkpoint cycle in {} s (checkpoint_timeout is {timeout})", count(sampled_s)))
}

/// Reasons for which the prices of the recommended volumes are not exact.
fn describe_price_uncertainties(report: &Report) -> Option<String> {
    let best = report.roles().filter_map(RoleAdvice::best);
    let all = prices::describe_each(best.flat_map(|best| &best.price_uncertainties));
    (!all.is_empty()).then(|| format!("the exact price: {}", all.join(", ")))
}

/// Describes the limits that bound what averages hide.
fn describe_checked(role: &RoleAdvice) -> Option<String> {
    let checked = &role.state.checked;
    let iops = checked.iops.map(|iops| format!("{} IOPS", count(iops)));
    let mibps = checked.mibps.map(|mibps| format!("{} MiB/s", count(mibps)));
    let limits: Vec<String> = iops.into_iter().chain(mibps).collect();
    (!limits.is_empty()).then(|| {
        format!(
            "peaks of {} within minutes: none was consistently above {}, the present limit, which is the upper end of p99 (exceeded checks)",
            role.state.group.role,
            limits.join(" and ")
        )
    })
}

/// Describes the peaks that averages hide, and the correction for them.
fn describe_hidden_peaks(averaged_s: f64) -> Option<String> {
    let seconds = count(averaged_s);
    let hidden = format!("peaks shorter than {seconds} s: that is how long each sample is an average of");
    if averaged_s >= ASSUMED_S {
        let factor = size(MAX_PEAK_FACTOR);
        return Some(format!(
            "{hidden}. Upper ends of p99 are at most {factor} times the greatest average, an assumption"
        ));
    }
    let factor = size(averaging::deviation_ratio(averaged_s));
    let most = if averaging::law_weight(averaged_s) < 1.0 { "at most " } else { "" };
    (averaged_s > COARSE_S).then(|| {
        format!(
            "{hidden}. Upper ends of p99 are {most}{factor} times as far above the mean as the averages', because disk traffic \
             is self-similar (Hurst exponent {HURST})"
        )
    })
}

/// Minimum unexplained share of the device's bytes that is reported. Some of PostgreSQL's bytes are not attributed to it (journal,
/// log), so that a small share is expected. Chosen, not measured.
const UNEXPLAINED: f64 = 0.2;

/// Describes the share of the device's bytes that PostgreSQL's counters do not explain.
fn describe_unexplained_bytes(report: &Report) -> Option<String> {
    let sizing = match report.request.io_source {
        IoSource::All => "the advice sizes for all of them",
        IoSource::Postgresql => "the advice leaves them out",
    };
    if let Some(others) = Balance::from_window(report.window).others_share() {
        let part = share(others);
        return (others > UNEXPLAINED).then(|| {
            format!("the source of {part} of the device's bytes: not PostgreSQL's processes (ebs_balance); {sizing}")
        });
    }
    let device = report.roles().filter_map(|role| find(&role.state.figures, Metric::Throughput)?.mean).sum::<f64>();
    if report.sources.seconds == 0.0 || device == 0.0 {
        return Some("other users of the device: their demand is counted as PostgreSQL's".to_owned());
    }
    let ours = report.sources.rows.iter().map(Source::bytes).sum::<u64>() as f64 / MIB as f64 / report.sources.seconds;
    (ours < (1.0 - UNEXPLAINED) * device).then(|| {
        let explained = share(ours / device);
        format!("the source of the rest: PostgreSQL's own figures explain {explained} of the device's bytes; {sizing}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 599 s are less than ten minutes; with a timeout of half an hour 1,799 s are less than a cycle, and 1,800 s are not.
    #[test]
    fn a_run_is_short_by_its_own_checkpoint_timeout() {
        let words = |sampled_s, timeout_s| describe_shortness(sampled_s, 0, timeout_s);
        let short = |seconds: &str, timeout: &str| {
            Some(format!("no whole checkpoint cycle in {seconds} s (checkpoint_timeout is {timeout})"))
        };
        assert_eq!(words(599.0, None), short("599", "5 min by default"));
        assert_eq!(words(600.0, None), None);
        assert_eq!(words(599.0, Some(30.0)), short("599", "30 s here"));
        assert_eq!(words(600.0, Some(300.0)), None);
        assert_eq!(words(1_799.0, Some(1_800.0)), short("1,799", "30 min here"));
        assert_eq!(words(1_800.0, Some(1_800.0)), None);
        assert_eq!(describe_shortness(599.0, 1, None), None);
    }

    #[test]
    fn an_rds_class_is_its_ec2_type_and_an_unknown_machine_is_another() {
        let is_other = |sampled| is_other_instance("r6i.4xlarge", sampled);
        assert!(!is_other(Some("r6i.4xlarge")) && !is_other(Some("db.r6i.4xlarge")) && !is_other(Some("R6I.4xlarge")));
        assert!(is_other(Some("r6i.2xlarge")) && is_other(Some("my machine")) && is_other(None));
    }
}
