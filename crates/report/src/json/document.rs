//! The answer of `ebs_advise_json`: the report as one document, for programs (`docs/schema/report.json`). Names and units are
//! those of `ebs_options`; unknown values are null.

use super::candidate::{Candidate, RatioRange};
use super::role::Role;
use serde::Serialize;
use serde_json::Value;

use crate::Report;
use crate::reasons::{evidence, findings, limitations, variation};
use ebs_advice::{self as advice, Advice, Bottleneck, BottleneckCause, insufficient};
use ebs_aws::catalogue::{self, Ceiling};
use ebs_base::units::Usd;
use ebs_workload::{io_sources, waits};

/// Version of the document: grows when a key changes its meaning or is removed, not when a key is added.
const SCHEMA_VERSION: u32 = 1;

/// Renders the report as a JSON document.
pub fn render(report: &Report) -> Value {
    // Serialization fails only on maps whose keys are not text; the document has none.
    serde_json::to_value(Document::new(report)).unwrap_or_default()
}

/// Advice on EBS volumes for the demand of a run or a look-back, as ebs_advise_json gives it. Null: unknown, or not given.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Document<'a> {
    /// Version of this shape: grows when a key changes its meaning or is removed, not when a key is added.
    schema_version: u32,
    /// The run or look-back, in words: `run tpcc-100`.
    subject: &'a str,
    /// The server that was sampled: `PostgreSQL 18.6`.
    server: &'a str,
    /// The arguments, with defaults for those that were not given.
    request: Request<'a>,
    /// The EC2 instance type or RDS instance class whose limits apply; null where none is given, declared or detected.
    instance: Option<Instance<'a>>,
    /// The samples that the answer rests on.
    evidence: Evidence<'a>,
    /// Rows of pg_stat_io with any counts, most bytes first.
    sources: Vec<Source<'a>>,
    /// Wait events of sessions.
    waits: Vec<Wait<'a>>,
    /// The bottleneck of the database; null where the evidence does not show it.
    held_back: Option<HeldBack>,
    /// Advice for each volume; empty where the evidence is insufficient.
    roles: Vec<Role<'a>>,
    /// Advice for all roles on one volume; null where they are on one, or the evidence is insufficient.
    together: Option<Role<'a>>,
    /// RDS's dedicated log volume, priced in addition to the storage; null on other platforms, and where WAL has no volume of its own.
    dedicated_log_volume: Option<Candidate>,
    /// US dollars a month of the recommended volumes of all roles; null where one has none.
    usd_month_apart: Option<f64>,
    /// Causes of I/O to remove before volumes are bought, as ebs_findings has them.
    findings: Vec<Finding>,
    /// Arguments that would change the recommendation, a sentence each.
    what_would_change: Vec<String>,
    /// Limitations of the evidence, a sentence each.
    not_known: Vec<String>,
}

impl<'a> Document<'a> {
    fn new(report: &'a Report) -> Document<'a> {
        let advice = report.advice.as_ref();
        Document {
            schema_version: SCHEMA_VERSION,
            subject: &report.subject,
            server: &report.server,
            request: Request::from(report.request),
            instance: report.request.instance.map(Instance::from),
            evidence: Evidence::new(report),
            sources: report.sources.rows.iter().map(Source::from).collect(),
            waits: report.waits.iter().map(Wait::from).collect(),
            held_back: report.bottleneck().map(HeldBack::from),
            roles: report.roles().map(Role::from).collect(),
            together: advice.and_then(|advice| advice.consolidated.as_ref()).map(Role::from),
            dedicated_log_volume: advice.and_then(|advice| advice.log_volume.as_ref()).map(Candidate::from),
            usd_month_apart: advice.and_then(Advice::separate_usd).map(Usd::dollars),
            findings: report.findings.iter().map(|finding| Finding::new(finding, &report.argument)).collect(),
            what_would_change: variation::describe_all(report),
            not_known: limitations::describe(report),
        }
    }
}

/// Arguments, as those of ebs_options.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Request<'a> {
    /// `ec2`, `outposts`, `rds`, `rds-multi-az` or `rds-cluster`.
    platform: &'static str,
    /// AWS region whose prices apply.
    region: &'a str,
    /// Date of the oldest price list used, `2026-10-15`.
    prices_as_of: &'a str,
    /// Percentile of one-second demand that volumes are sized for, per cent.
    percentile: f64,
    /// Headroom above that demand, as a share: 0.2 is 20 %.
    headroom: f64,
    /// Maximum share of time that may be throttled in the replay, per cent.
    max_throttled_pct: f64,
    /// Minimum throughput of the database, as a ratio to the current one.
    min_throughput_ratio: Option<f64>,
    /// Maximum mean latency of a request, ms.
    latency_target_ms: Option<f64>,
    /// Minimum durability a year, per cent.
    durability_pct: Option<f64>,
    /// Maximum price of all roles, US dollars a month.
    budget_usd: Option<f64>,
    /// Maximum number of volumes in a stripe; null: as many as there are now, else one.
    max_volumes: Option<u64>,
    /// Minimum size of each role's volumes together, GiB.
    min_size_gib: Option<u64>,
}

impl<'a> From<&'a advice::Request> for Request<'a> {
    fn from(request: &'a advice::Request) -> Request<'a> {
        Request {
            platform: request.platform.name(),
            region: &request.prices.region,
            prices_as_of: request.prices.as_of(request.platform),
            percentile: request.rule.percentile,
            headroom: request.rule.headroom,
            max_throttled_pct: request.rule.max_throttled_pct,
            min_throughput_ratio: request.min_throughput_ratio,
            latency_target_ms: request.latency_target_ms,
            durability_pct: request.durability_pct,
            budget_usd: request.budget_usd.map(Usd::dollars),
            max_volumes: request.max_volumes,
            min_size_gib: request.min_size_gib,
        }
    }
}

/// Limits of an instance, over all volumes attached to it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Instance<'a> {
    /// EC2 instance type or RDS instance class: `r6i.4xlarge`.
    instance_type: &'a str,
    /// Sustained limits.
    baseline: Limits,
    /// Limits for 30 minutes a day.
    maximum_30_min: Limits,
    /// Date of AWS's table of limits, `2026-10-15`.
    as_of: &'a str,
}

impl<'a> From<&'a catalogue::Instance> for Instance<'a> {
    fn from(instance: &'a catalogue::Instance) -> Instance<'a> {
        Instance {
            instance_type: &instance.instance_type,
            baseline: Limits::from(instance.baseline()),
            maximum_30_min: Limits::from(instance.maximum()),
            as_of: &instance.source_snapshot,
        }
    }
}

/// Limits of IOPS and throughput.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Limits {
    /// I/O operations a second.
    iops: f64,
    /// MiB/s.
    throughput_mibps: f64,
}

impl From<Ceiling> for Limits {
    fn from(ceiling: Ceiling) -> Limits {
        Limits { iops: ceiling.iops, throughput_mibps: ceiling.mibps }
    }
}

/// Samples of the run or look-back.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Evidence<'a> {
    /// The window in words, in the session's time zone.
    when: &'a str,
    /// Start of the window, seconds since 1970.
    from_epoch_s: f64,
    /// End of the window, seconds since 1970.
    to_epoch_s: f64,
    /// Time with samples, seconds.
    sampled_s: f64,
    /// Length of the window, seconds.
    window_s: f64,
    /// Longest sampling interval that was set, seconds.
    interval_s: f64,
    /// Sampled time that was downsampled to minutes or hours, seconds.
    aged_s: f64,
    /// Samples that were not taken in time.
    missed_ticks: u64,
    /// Samples over which counters of PostgreSQL or of a device were reset.
    resets: u64,
    /// Sampling tier, in words.
    sampled: &'static str,
    /// Reason why no advice can be given, in words; null where it can.
    insufficient: Option<String>,
    /// Ramp-up, seconds; null where its end was marked or is not known.
    ramp_up_s: Option<f64>,
    /// Whole checkpoint cycles in the window.
    checkpoint_cycles: Option<usize>,
    /// True where the run is steady: no drift, and a ramp-up of less than half of it; null where too little was counted.
    steady: Option<bool>,
    /// Drift of the throughput after ramp-up, from start to end, as a share of its mean: -0.1 is a fall by 10 %.
    drift_share: Option<f64>,
}

impl<'a> Evidence<'a> {
    fn new(report: &'a Report) -> Evidence<'a> {
        let (window, coverage) = (report.window, &report.coverage);
        Evidence {
            when: &report.when,
            from_epoch_s: window.from_us as f64 / 1e6,
            to_epoch_s: window.to_us as f64 / 1e6,
            sampled_s: coverage.sampled_s,
            window_s: coverage.window_s,
            interval_s: coverage.interval_s,
            aged_s: coverage.downsampled_s,
            missed_ticks: coverage.missed_samples,
            resets: coverage.resets,
            sampled: window.sampling.tier.name(),
            insufficient: insufficient(window, coverage).as_ref().map(evidence::describe_reason),
            ramp_up_s: report.steadiness.and_then(|steadiness| steadiness.ramp_up.seconds()),
            checkpoint_cycles: report.steadiness.and_then(|steadiness| steadiness.checkpoint_cycles),
            steady: report.steadiness.and_then(|steadiness| steadiness.is_steady()),
            drift_share: report.steadiness.and_then(|steadiness| steadiness.trend).map(|trend| trend.drift),
        }
    }
}

/// A row of pg_stat_io over the window.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Source<'a> {
    /// backend_type of pg_stat_io.
    backend_type: &'a str,
    /// object of pg_stat_io.
    object: &'a str,
    /// context of pg_stat_io.
    context: &'a str,
    /// Bytes read, written and extended.
    bytes: u64,
    /// Share of these bytes in all bytes of PostgreSQL, 0 to 1.
    share: Option<f64>,
}

impl<'a> From<&'a io_sources::Source> for Source<'a> {
    fn from(source: &'a io_sources::Source) -> Source<'a> {
        let key = &source.key;
        Source {
            backend_type: &key.backend_type,
            object: &key.object,
            context: &key.context,
            bytes: source.bytes(),
            share: source.share,
        }
    }
}

/// Time of sessions in one wait event.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Wait<'a> {
    /// backend_type of pg_stat_activity.
    backend_type: &'a str,
    /// wait_event_type of pg_stat_activity; `CPU*` where it has none.
    wait_class: &'a str,
    /// wait_event of pg_stat_activity; `CPU*` where it has none.
    wait_event: &'a str,
    /// Average number of sessions in the wait event.
    average_active_sessions: f64,
    /// Share of database time, per cent; null for clients and idle processes.
    db_time_pct: Option<f64>,
}

impl<'a> From<&'a waits::Wait> for Wait<'a> {
    fn from(wait: &'a waits::Wait) -> Wait<'a> {
        Wait {
            backend_type: &wait.key.backend_type,
            wait_class: &wait.key.class,
            wait_event: &wait.key.event,
            average_active_sessions: wait.average_active_sessions,
            db_time_pct: wait.share_of_db_time.map(|share| 100.0 * share),
        }
    }
}

/// The bottleneck of the database, all volumes together.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct HeldBack {
    /// `latency`, `volume IOPS`, `volume throughput`, `instance IOPS`, `instance throughput`, `CPU`, `locks`, `clients` or
    /// `other waits`.
    by: &'static str,
    /// Upper bound of the database's throughput with ideal storage, as a ratio to the current one.
    throughput_ratio_at_most: RatioRange,
    /// Utilization of the CPUs, 0 to 1.
    cpu_utilization: Option<f64>,
    /// Average active sessions.
    sessions_at_work: f64,
}

impl From<&Bottleneck> for HeldBack {
    fn from(bottleneck: &Bottleneck) -> HeldBack {
        HeldBack {
            by: match bottleneck.cause {
                BottleneckCause::Known(factor) => factor.name(),
                BottleneckCause::OtherWaits => "other waits",
            },
            throughput_ratio_at_most: RatioRange::from(bottleneck.ideal_ratio),
            cpu_utilization: bottleneck.utilization,
            sessions_at_work: bottleneck.active_sessions,
        }
    }
}

/// A cause of I/O, as in ebs_findings.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Finding {
    /// `index`, `statement`, `temporary files`, `checkpoints`, `fillfactor` or `autovacuum`.
    finding: &'static str,
    /// The statement, table or setting that it is about.
    subject: String,
    /// The measurement, in words.
    measured: String,
    /// Share of the device's requests, 0 to 1.
    demand_share: Option<f64>,
    /// Lower estimate of the requests a second that the device would be spared.
    requests_s_saved_low: Option<f64>,
    /// Upper estimate of the requests a second that the device would be spared.
    requests_s_saved_high: Option<f64>,
    /// Reduction of the recommended volume's price, US dollars a month.
    usd_month_saved: Option<f64>,
    /// Reason and the assumptions of its estimate, in words.
    reason: String,
    /// The remedy, in words or SQL.
    remedy: String,
}

impl Finding {
    fn new(finding: &ebs_tuning::findings::Finding, run: &str) -> Finding {
        Finding {
            finding: finding.kind().name(),
            subject: findings::describe_subject(finding),
            measured: findings::describe_measurement(finding),
            demand_share: finding.share,
            requests_s_saved_low: finding.saving.map(|saving| saving.low),
            requests_s_saved_high: finding.saving.map(|saving| saving.high),
            usd_month_saved: finding.usd_month_saved.map(Usd::dollars),
            reason: findings::describe_reason(finding),
            remedy: findings::describe_remedy(finding, run),
        }
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
