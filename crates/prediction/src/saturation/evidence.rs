//! A limit that a run was at, and what is known of the run beforehand.

use super::matches::{LimitMatch, LimitMatches, LimitSource, NAMED_WEIGHT, SURE_WEIGHT};
use crate::LimitOwner;
use crate::predict::{DeliveredShare, Limits};
use ebs_aws::catalogue::{LimitKind, VolumeType};
use ebs_base::ramp::{log_ramp, ramp, weighted_mean};
use ebs_samples::evidence::Balance;
use ebs_workload::demand::DemandInterval;
use ebs_workload::exceeded::ExceededShares;

/// Facts about the run that the demand does not show.
#[derive(Clone, Debug, Default)]
pub struct RunContext {
    /// Limits in force, with and without burst credits.
    pub limits: Vec<(LimitOwner, Limits)>,
    /// Limits that volumes of these types have, where those of the volume are not known.
    pub published: Vec<(VolumeType, Limits)>,
    /// Type of the volume.
    pub volume_type: Option<VolumeType>,
    /// True where all volumes are EBS's and none is known to be of a type on hard disks.
    pub is_ebs_ssd: bool,
    /// Weight of the closed loop, 0 to 1 ([`closed_weight`](crate::predict::closed_weight)): the less it is, the more the clients set the
    /// rate. `None` if waits were not sampled.
    pub closed_weight: Option<f64>,
    /// CPU utilization, 0 to 1; `None` where it is not known.
    pub utilization: Option<f64>,
    /// Time above each limit as EBS counted it; `None` without EBS's own statistics.
    pub exceeded: Option<ExceededShares>,
    /// The instance's credits for IOPS and for throughput; `None` where their balance is not known.
    pub balances: [Option<Balance>; 2],
}

/// Balance of burst credits that were not spent in the meantime: it is a mean of a minute or more, and falls within it. A choice.
const SPARE_PCT: f64 = 10.0;

impl RunContext {
    /// True where the instance's credits for this rate were spent at some time, false where they never were; `None` where that is not
    /// known.
    pub(super) fn has_spent_credits(&self, limited: LimitKind) -> Option<bool> {
        let [iops, bytes] = self.balances;
        let balance = if limited == LimitKind::Iops { iops } else { bytes }?;
        if balance.is_spent() { Some(true) } else { (balance.least_pct >= SPARE_PCT).then_some(false) }
    }

    /// The smallest known throughput of the volumes, bytes a second.
    pub(super) fn volume_bytes_per_s(&self) -> Option<f64> {
        let of_volume = |(owner, limits): &(LimitOwner, Limits)| limits.bytes.filter(|_| *owner == LimitOwner::Volume);
        self.limits.iter().filter_map(of_volume).reduce(f64::min)
    }
}

/// A limit that the run reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachedLimit {
    /// The limited rate.
    pub limited: LimitKind,
    /// The limit: requests, or bytes, a second.
    pub level: f64,
    /// The rate of most of these seconds, which is what the volume delivered of its limit; `None` where they have no common one.
    pub plateau: Option<f64>,
    /// Mean rate in the seconds at it: a plateau may lie up to some 10 % below its limit.
    pub rate: f64,
    /// Requests a second there, as the kernel made them.
    pub iops: f64,
    /// Bytes a second there.
    pub bytes_per_s: f64,
    /// Limits that may be the one that binds, the likeliest first; never empty.
    pub matches: LimitMatches,
    /// Degree to which the run was at this limit or another, 0 to 1: so much of its latency and its throughput is the limit's. The weight
    /// of the likeliest.
    pub weight: f64,
    /// Degree to which the demand behind the limit is believed, 0 to 1: it grows with the time at the limit and with the nearness
    /// of the plateau, so that neither begins with a step.
    pub unmet_weight: f64,
    /// Range of rates that count as being at the limit.
    pub(super) band: (f64, f64),
    /// Share of all seconds that were at it.
    pub seconds_share: f64,
    /// Share of all requests that were made in them.
    pub requests_share: f64,
    /// Way in which the limit is known.
    pub source: LimitSource,
    /// Owner of the likeliest limit; the volume where nothing else is known.
    pub owner: LimitOwner,
    /// Mean latency of a request there, ms.
    pub latency_ms: f64,
    /// Latency without a queue.
    pub unqueued: UnqueuedLatency,
    /// Requests in flight there, on average.
    pub in_flight: f64,
}

/// Latency of a request without a queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnqueuedLatency {
    /// Reads and writes as they were mixed, ms: median over the requests of the seconds with fewer in flight than at the limit; where these
    /// are too few, the greatest means published of the type, or of any SSD type where it is not known, weighted by the mix at the limit,
    /// and the transfer of what requests have above the size that it is published for. In between, a mean of both.
    pub ms: f64,
    /// Medians of the run; `None` if the latency is a published one.
    pub measured: Option<MeasuredLatency>,
}

/// Measured latency without a queue, ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredLatency {
    /// Median of all requests.
    pub ms: f64,
    /// Median of reads; `None` where there were none.
    pub read_ms: Option<f64>,
    /// Median of writes; `None` where there were none.
    pub write_ms: Option<f64>,
    /// Degree to which it counts in place of a published one, above 0 to 1: by the time, and the requests, that show it.
    pub weight: f64,
}

impl UnqueuedLatency {
    /// A measured latency by its weight, and a published one, ms, for the rest.
    pub(super) fn new(measured: Option<MeasuredLatency>, published_ms: f64) -> UnqueuedLatency {
        let ms = measured.map_or(published_ms, |measured| weighted_mean(published_ms, measured.ms, measured.weight));
        UnqueuedLatency { ms, measured }
    }

    /// Degree to which it is measured, 0 to 1.
    pub fn measured_weight(&self) -> f64 {
        self.measured.map_or(0.0, |measured| measured.weight)
    }

    /// True where it is rather measured than published.
    pub fn is_measured(&self) -> bool {
        self.measured_weight() >= NAMED_WEIGHT
    }
}

/// Latency, as a multiple of that without a queue, that no SSD has by itself.
const CERTAIN_RATIO: f64 = 10.0;

/// Least latency as a multiple of that without a queue, where the limit is known. Published latencies vary by that much
/// among themselves (0.60 to 0.91 ms for gp3); what takes longer at the limit waits for it.
pub(super) const MIN_RATIO_KNOWN: f64 = 1.5;

/// The same, where the limit is inferred.
pub(super) const MIN_RATIO_INFERRED: f64 = 2.0;

impl ReachedLimit {
    /// True if an interval was at the limit.
    pub fn holds(&self, interval: &DemandInterval) -> bool {
        self.holds_rate(match self.limited {
            LimitKind::Iops => interval.iops(),
            LimitKind::Throughput => interval.bytes() as f64 / interval.seconds,
        })
    }

    pub(super) fn holds_rate(&self, rate: f64) -> bool {
        (self.band.0..=self.band.1).contains(&rate)
    }

    /// Rate that the volume delivered at its declared limit, over that limit: 1.04 at 3,120 IOPS on a volume of 3,000. EBS delivers 0 to 7 %
    /// more than nominal, and promises at least 90 % of it 99 % of the time (docs/advice.md). `None` where the volume's limit was not declared,
    /// where no plateau shows what was delivered, or where a limit of the instance may be the one that binds.
    pub fn delivered_share(&self) -> Option<f64> {
        let is_volume = self.source == LimitSource::Declared
            && self.matches.first().is_some_and(|first| first.weight >= NAMED_WEIGHT)
            && self.named().all(|one| one.owner == LimitOwner::Volume);
        self.plateau.filter(|_| is_volume).map(|plateau| plateau / self.level)
    }

    /// Share of their limits that other volumes of its type may deliver: what this one did, where that is less than the limit. A doubt, not
    /// more: nothing tells that another volume delivers the same. It begins where the limit is named, and counts whole where that is sure.
    pub fn least_delivered(&self) -> Option<DeliveredShare> {
        let likelihood = ramp(self.matches.first()?.weight, [NAMED_WEIGHT, SURE_WEIGHT]);
        let share = self.delivered_share()?.min(1.0).powf(likelihood);
        (share < 1.0).then_some(DeliveredShare { limited: self.limited, share })
    }

    /// Latency at the limit as a multiple of that without a queue; at least one. It bounds the unmet demand: without the limit
    /// as many sessions would have made at most so many times the requests, because no more can wait for the volume than all
    /// of them.
    pub fn latency_ratio(&self) -> f64 {
        (self.latency_ms / self.unqueued.ms).max(1.0)
    }

    /// Degree to which requests queued at the limit, 0 to 1: from 1.5 times the latency without a queue up to twice that. So much less is
    /// the latency of the run the volume's own.
    pub fn queue_weight(&self) -> f64 {
        self.queue_weight_from(MIN_RATIO_KNOWN)
    }

    /// Degree to which the latency of the run is a queue's at the limit, 0 to 1: the mean of all requests grows by no more than the demand behind
    /// the limit is believed, so that both say the same of the own volume.
    pub fn latency_weight(&self) -> f64 {
        let growth = |exponent: f64| (self.requests_share * (self.latency_ratio().powf(exponent) - 1.0)).ln_1p();
        let whole = growth(1.0);
        if whole > 0.0 { self.weight.min(growth(self.unmet_weight) / whole) } else { self.weight }
    }

    /// The same as [`Self::queue_weight`], where requests are taken to wait from another multiple of that latency on: up to one third more.
    pub(super) fn queue_weight_from(&self, min_ratio: f64) -> f64 {
        ramp(self.latency_ratio(), [min_ratio, min_ratio * MIN_RATIO_INFERRED / MIN_RATIO_KNOWN])
    }

    /// True where requests took longer than published latencies differ. A short closed loop at a declared limit hardly waits.
    pub fn is_queued(&self) -> bool {
        self.latency_ratio() >= MIN_RATIO_KNOWN
    }

    /// Largest unmet demand that is believed, as a multiple of the observed one: the square of the latency over the least one from
    /// which requests are taken to wait. It begins at one there, so that 1 % more latency changes the demand by 2 % at most. Unlimited
    /// where seconds below the limit show the latency without a queue: the demand behind it is then found within some per cent, and
    /// [`Self::queue_belief`] lets it begin.
    pub fn max_factor(&self) -> f64 {
        let measured_weight = self.unqueued.measured_weight();
        if measured_weight >= 1.0 {
            return f64::INFINITY;
        }
        let min_ratio = match self.source {
            LimitSource::Declared => MIN_RATIO_KNOWN,
            LimitSource::Inferred => weighted_mean(MIN_RATIO_INFERRED, MIN_RATIO_KNOWN, measured_weight),
        };
        (self.latency_ratio() / min_ratio).max(1.0).powf(2.0 / (1.0 - measured_weight))
    }

    /// Degree to which a measured queue is believed, 0 to 1: from one half more latency than without a queue, where random variation may
    /// explain it, to 2.25 times as much, the square of it. One where the latency without a queue is a published one.
    fn queue_belief(&self) -> f64 {
        let measured_weight = self.unqueued.measured_weight();
        let belief = log_ramp(self.latency_ratio(), [MIN_RATIO_KNOWN, MIN_RATIO_KNOWN.powi(2)]);
        1.0 - measured_weight + measured_weight * belief
    }

    /// Exponent of the factor of unmet demand: the product of the degrees to which it is believed.
    pub fn unmet_exponent(&self) -> f64 {
        self.unmet_weight * self.queue_belief()
    }

    /// True if other explanations than a limit are practically excluded: a known limit is near and the queue long, or seconds below
    /// it show the latency without a queue, or the latency is longer than any SSD's own; and clients do not set the rate.
    pub fn is_saturation_sure(&self) -> bool {
        match self.source {
            LimitSource::Declared => self.matches.first().is_some_and(|first| first.weight >= SURE_WEIGHT),
            LimitSource::Inferred => {
                let min_ratio = weighted_mean(CERTAIN_RATIO, MIN_RATIO_INFERRED, self.unqueued.measured_weight());
                self.latency_ratio() >= min_ratio && self.weight >= SURE_WEIGHT
            }
        }
    }

    /// True if the limit that binds is known: no other is near, or EBS counted the time above each.
    pub fn is_match_sure(&self) -> bool {
        self.matches.is_counted() || self.matches.iter().skip(1).all(|other| other.weight < 1.0 - SURE_WEIGHT)
    }

    /// True where the likeliest limit binds only if burst credits were spent before, and EBS counted no time above it.
    pub fn requires_spent_credits(&self) -> bool {
        !self.matches.is_counted() && self.matches.first().is_some_and(|first| first.requires_spent_credits)
    }

    /// True if that there was a limit is sure, and which.
    pub fn is_sure(&self) -> bool {
        self.is_saturation_sure() && self.is_match_sure() && !self.requires_spent_credits()
    }

    /// The limits that are named: those at least as likely as not.
    pub fn named(&self) -> impl Iterator<Item = &LimitMatch> {
        self.matches.iter().filter(|one| one.weight >= NAMED_WEIGHT)
    }

    /// The likeliest limit of this owner.
    pub fn match_of(&self, owner: LimitOwner) -> Option<&LimitMatch> {
        self.matches.iter().find(|one| one.owner == owner)
    }
}
