//! Volumes that could be ordered, their price and their replay.

use serde::Serialize;

use crate::reasons::{candidate, prices};
use ebs_advice as advice;
use ebs_advice::replay::Outcome;
use ebs_aws::price::Bill;
use ebs_base::units::Usd;
use ebs_prediction::predict::Source;

/// Volumes that could be ordered, as in ebs_options.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Candidate {
    /// `gp2`, `gp3`, `io1`, `io2`, `st1`, `sc1`, `standard` or `instance store`.
    volume_type: &'static str,
    /// Number of volumes, striped evenly.
    volumes: u64,
    /// Size of each volume, GiB.
    size_gib: u64,
    /// I/O operations a second of each volume; null where it is not sold as a volume.
    iops: Option<u64>,
    /// MiB/s of each volume; null where it is not sold as a volume.
    throughput_mibps: Option<u64>,
    /// Price of all of them; null where it is not sold by itself.
    price: Option<Price>,
    /// Parts of the price that are not straight from a price list, a sentence each.
    price_doubts: Vec<String>,
    /// Saving against the declared volumes, US dollars a month; negative where it costs more.
    usd_month_saved: Option<f64>,
    /// Replay of the demand; null where the limits are unknown.
    replay: Option<Replay>,
    /// Mean latency of a request in the recorded mix of reads and writes, ms: predicted, else published for the type; null where it
    /// is not known, as where requests may queue for an unknown demand (`queued_latency`).
    latency_ms: Option<f64>,
    /// Latency if as many requests stay in flight as at the limit of the run; null where they do not queue, or the demand is known.
    queued_latency: Option<QueuedLatency>,
    /// Source of the latencies without a queue: `given`, `measured` in this run, `scaled` (published, times the measured over the
    /// published latency of the type that was measured) or `published`; null where none is known.
    latency_source: Option<&'static str>,
    /// Predicted throughput of the database, as a ratio to the current one.
    throughput_ratio: Option<RatioRange>,
    /// Evidence of that ratio: `wait events`, or `device counts` where these were not sampled; null where it is not predicted.
    throughput_basis: Option<&'static str>,
    /// Risk, as AWS Compute Optimizer names it: `very low`, `low`, `medium`, `high` or `very high`.
    risk: Option<&'static str>,
    /// Bottleneck of the database on it, as in ebs_whatif: `CPU`, `locks`, `clients`, `other waits`, `latency`, `volume IOPS`,
    /// `volume throughput`, `WAL volume IOPS`, `WAL volume throughput`, `instance IOPS` or `instance throughput`. Where nothing is
    /// predicted, the limit that decides or is exceeded: one of these, `none`, `burst credits`, `volume size`, `type unfit`, `durability`, `throughput ratio` or `budget`.
    bound_by: &'static str,
    /// True where it meets every requirement.
    feasible: bool,
    /// Excess over the limit or requirement that reason names, per cent of it.
    missed_by_pct: Option<f64>,
    /// Reason for or against it, in words.
    reason: String,
}

impl From<&advice::Candidate> for Candidate {
    fn from(candidate: &advice::Candidate) -> Candidate {
        let config = &candidate.config;
        let sold = config.class().is_some();
        Candidate {
            volume_type: config.volume_type.name(),
            volumes: candidate.volumes,
            size_gib: config.size_gib,
            iops: sold.then_some(config.iops),
            throughput_mibps: sold.then_some(config.throughput_mibps),
            price: candidate.bill.as_ref().map(Price::from),
            price_doubts: prices::describe_each(&candidate.price_uncertainties),
            usd_month_saved: candidate.saving.map(Usd::dollars),
            replay: candidate.outcome.as_ref().map(Replay::from),
            latency_ms: candidate.expected_latency_ms(),
            queued_latency: candidate.queued_latency.and_then(|queued| QueuedLatency::new(candidate, queued)),
            latency_source: candidate.latency_source().map(Source::name),
            throughput_ratio: candidate.ratio().map(RatioRange::from),
            throughput_basis: candidate.ratio().map(|_| match candidate.ratio_without_waits() {
                Some(_) => "device counts",
                None => "wait events",
            }),
            risk: candidate.risk.map(|risk| risk.name()),
            bound_by: candidate.bound_by().name(),
            feasible: candidate.feasible,
            missed_by_pct: candidate.excess.and_then(|excess| excess.by_pct()),
            reason: candidate::describe_reason(candidate),
        }
    }
}

/// Latency on volumes whose demand is unknown, because the run was at a limit and nothing is predicted.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct QueuedLatency {
    /// Requests in flight at the limit of the run, on average.
    in_flight: f64,
    /// Requests a second that the limits of these volumes allow.
    requests_per_s: f64,
    /// Mean latency if so many stay in flight, ms.
    latency_ms: f64,
    /// Mean latency without a queue, ms.
    latency_without_queue_ms: f64,
}

impl QueuedLatency {
    fn new(candidate: &advice::Candidate, queued: advice::QueuedLatency) -> Option<QueuedLatency> {
        Some(QueuedLatency {
            in_flight: queued.in_flight,
            requests_per_s: queued.requests_per_s,
            latency_ms: queued.ms(),
            latency_without_queue_ms: candidate.latency_ms?,
        })
    }
}

/// Price of all volumes together, US dollars a month, and its parts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Price {
    /// Total, US dollars a month.
    usd_month: f64,
    /// US dollars a month for size.
    usd_storage: f64,
    /// US dollars a month for IOPS above those included.
    usd_iops: f64,
    /// US dollars a month for throughput above that included.
    usd_throughput: f64,
}

impl From<&Bill> for Price {
    fn from(bill: &Bill) -> Price {
        Price {
            usd_month: bill.total().dollars(),
            usd_storage: bill.storage.dollars(),
            usd_iops: bill.iops.dollars(),
            usd_throughput: bill.throughput.dollars(),
        }
    }
}

/// The recorded demand replayed against limits.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Replay {
    /// Time replayed, seconds.
    seconds: f64,
    /// Time in which requests waited for a limit, seconds.
    throttled_s: f64,
    /// Throttled time, per cent of the time replayed.
    throttled_pct: f64,
    /// Upper end of the 95 % confidence interval of throttled_pct.
    throttled_pct_high: f64,
    /// Latency that waiting for limits adds, mean over requests, ms; null where the queue only grows.
    added_ms_mean: Option<f64>,
    /// Latency that waiting for limits adds, 99th percentile over requests, ms.
    added_ms_p99: Option<f64>,
    /// Requests that wait for limits, per cent of all; null where the queue only grows.
    waiting_requests_pct: Option<f64>,
    /// Longest wait of a request for limits, ms; null where the queue only grows.
    added_ms_max: Option<f64>,
    /// Time until burst credits run out, perhaps after the recording, seconds; null where they do not, or there are none.
    credits_last_s: Option<f64>,
    /// Largest demand of one interval, as a share of the limit in force; above 1 is throttled.
    peak: f64,
}

impl From<&Outcome> for Replay {
    fn from(outcome: &Outcome) -> Replay {
        Replay {
            seconds: outcome.seconds,
            throttled_s: outcome.throttled_s,
            throttled_pct: outcome.throttled_pct(),
            throttled_pct_high: outcome.throttled_high_pct,
            added_ms_mean: outcome.added.map(|added| added.mean_ms),
            added_ms_p99: outcome.added.map(|added| added.p99_ms),
            waiting_requests_pct: outcome.added.map(|added| 100.0 * added.waiting_share),
            added_ms_max: outcome.added.map(|added| added.max_ms),
            credits_last_s: outcome.credits.map(|exhausted| exhausted.after_s),
            peak: outcome.peak,
        }
    }
}

/// A ratio to the current value with its 90 % interval.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RatioRange {
    /// Expected ratio: 1 is unchanged.
    middle: f64,
    /// Lower end of the interval.
    low: f64,
    /// Upper end of the interval.
    high: f64,
}

impl From<ebs_base::range::Range> for RatioRange {
    fn from(range: ebs_base::range::Range) -> RatioRange {
        RatioRange { middle: range.middle, low: range.low, high: range.high }
    }
}
