//! Volumes that could be ordered, their price and their replay.

use crate::reasons::{candidate, prices};
use ebs_advice as advice;
use ebs_advice::replay::Outcome;
use ebs_aws::price::Bill;
use ebs_base::object;
use ebs_base::units::Usd;
use ebs_prediction::predict::Source;

object! {
    /// Volumes that could be ordered, as in ebs_options.
    pub(super) struct Candidate(candidate: &advice::Candidate)
    where {
        let config = &candidate.config;
        let sold = config.class().is_some();
    } {
        /// Volume type, by AWS's name for it, or `instance store`.
        volume_type: &'static str = config.volume_type.name(),
        /// Number of volumes, striped evenly.
        volumes: u64 = candidate.volumes,
        /// Size of each volume, GiB.
        size_gib: u64 = config.size_gib,
        /// I/O operations a second of each volume; null where it is not sold as a volume.
        iops: Option<u64> = sold.then_some(config.iops),
        /// MiB/s of each volume; null where it is not sold as a volume.
        throughput_mibps: Option<u64> = sold.then_some(config.throughput_mibps),
        /// Price of all of them; null where it is not sold by itself.
        price: Option<Price> = candidate.bill.as_ref().map(Price::from),
        /// Parts of the price that are not straight from a price list, a sentence each.
        price_doubts: Vec<String> = prices::describe_each(&candidate.price_uncertainties),
        /// Saving against the declared volumes, US dollars a month; negative where it costs more.
        usd_month_saved: Option<f64> = candidate.saving.map(Usd::dollars),
        /// Replay of the demand; null where the limits are unknown.
        replay: Option<Replay> = candidate.outcome.as_ref().map(Replay::from),
        /// Mean latency of a request in the recorded mix of reads and writes, ms: predicted, else published for the type; null where it
        /// is not known, as where requests may queue for an unknown demand (`queued_latency`).
        latency_ms: Option<f64> = candidate.expected_latency_ms(),
        /// Latency if as many requests stay in flight as at the limit of the run; null where they do not queue, or the demand is known.
        queued_latency: Option<QueuedLatency> =
            candidate.queued_latency.zip(candidate.latency_ms).map(QueuedLatency::from),
        /// Source of the latencies without a queue: `given`, `measured` in this run, `scaled` (published, times the measured over the
        /// published latency of the type that was measured) or `published`; null where none is known.
        latency_source: Option<&'static str> = candidate.latency_source().map(Source::name),
        /// Predicted throughput of the database, as a ratio to the current one.
        throughput_ratio: Option<RatioRange> = candidate.ratio().map(RatioRange::from),
        /// Evidence of that ratio: `wait events`, or `device counts` where these were not sampled; null where it is not predicted.
        throughput_basis: Option<&'static str> = candidate.ratio().map(|_| match candidate.ratio_without_waits() {
            Some(_) => "device counts",
            None => "wait events",
        }),
        /// Risk, as AWS Compute Optimizer names it: `very low`, `low`, `medium`, `high` or `very high`.
        risk: Option<&'static str> = candidate.risk.map(|risk| risk.name()),
        /// Bottleneck of the database on it, predicted, and of today's volumes the one of the run, as in ebs_whatif: `CPU`, `locks`, `clients`, `other waits`, `latency`, `volume IOPS`,
        /// `volume throughput`, `WAL volume IOPS`, `WAL volume throughput`, `instance IOPS` or `instance throughput`. Where nothing is
        /// predicted, the limit that decides or is exceeded: one of these, `none`, `burst credits`, `volume size`, `type unfit`, `durability`, `throughput ratio` or `budget`.
        bound_by: &'static str = candidate.bound_by().name(),
        /// True where it meets every requirement.
        feasible: bool = candidate.feasible,
        /// Excess over the limit or requirement that reason names, per cent of it.
        missed_by_pct: Option<f64> = candidate.excess.and_then(|excess| excess.by_pct()),
        /// Reason for or against it, in words.
        reason: String = candidate::describe_reason(candidate),
    }
}

object! {
    /// Latency on volumes whose demand is unknown, because the run was at a limit and nothing is predicted.
    struct QueuedLatency((queued, latency_ms): (advice::QueuedLatency, f64)) {
        /// Requests in flight at the limit of the run, on average.
        in_flight: f64 = queued.in_flight,
        /// Requests a second that the limits of these volumes allow.
        requests_per_s: f64 = queued.requests_per_s,
        /// Mean latency if so many stay in flight, ms.
        latency_ms: f64 = queued.ms(),
        /// Mean latency without a queue, ms.
        latency_without_queue_ms: f64 = latency_ms,
    }
}

object! {
    /// Price of all volumes together, US dollars a month, and its parts.
    pub(super) struct Price(bill: &Bill) {
        /// Total, US dollars a month.
        usd_month: f64 = bill.total().dollars(),
        /// US dollars a month for size.
        usd_storage: f64 = bill.storage.dollars(),
        /// US dollars a month for IOPS above those included.
        usd_iops: f64 = bill.iops.dollars(),
        /// US dollars a month for throughput above that included.
        usd_throughput: f64 = bill.throughput.dollars(),
    }
}

object! {
    /// The recorded demand replayed against limits.
    pub(super) struct Replay(outcome: &Outcome) {
        /// Time replayed, seconds.
        seconds: f64 = outcome.seconds,
        /// Time in which requests waited for a limit, seconds.
        throttled_s: f64 = outcome.throttled_s,
        /// Throttled time, per cent of the time replayed.
        throttled_pct: f64 = outcome.throttled_pct(),
        /// Upper end of the 95 % confidence interval of throttled_pct.
        throttled_pct_high: f64 = outcome.throttled_high_pct,
        /// Latency that waiting for limits adds, mean over requests, ms; null where the queue only grows.
        added_ms_mean: Option<f64> = outcome.added.map(|added| added.mean_ms),
        /// Latency that waiting for limits adds, 99th percentile over requests, ms.
        added_ms_p99: Option<f64> = outcome.added.map(|added| added.p99_ms),
        /// Requests that wait for limits, per cent of all; null where the queue only grows.
        waiting_requests_pct: Option<f64> = outcome.added.map(|added| 100.0 * added.waiting_share),
        /// Longest wait of a request for limits, ms; null where the queue only grows.
        added_ms_max: Option<f64> = outcome.added.map(|added| added.max_ms),
        /// Time until burst credits run out, perhaps after the recording, seconds; null where they do not, or there are none.
        credits_last_s: Option<f64> = outcome.credits.map(|exhausted| exhausted.after_s),
        /// Largest demand of one interval, as a share of the limit in force; above 1 is throttled.
        peak: f64 = outcome.peak,
    }
}

object! {
    /// A ratio to the current value with its 90 % interval.
    pub(super) struct RatioRange(range: ebs_base::range::Range) {
        /// Expected ratio: 1 is unchanged.
        middle: f64 = range.middle,
        /// Lower end of the interval.
        low: f64 = range.low,
        /// Upper end of the interval.
        high: f64 = range.high,
    }
}
