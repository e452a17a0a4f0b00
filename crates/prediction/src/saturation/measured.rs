//! Seconds by one of the rates that are limited, compared with known limits and with each other.

use super::ceiling::Ceiling;
use super::concentration::{self, concentration};
use super::evidence::{MeasuredLatency, ReachedLimit, RunContext, UnqueuedLatency};
use super::matches::{
    FAR_WEIGHT, LimitMatch, LimitMatches, LimitSource, MIN_SHARE_OF_LIMIT, NAMED_WEIGHT, explained, long_ramp, nearness,
};
use super::queue;
use super::second::{Second, Seconds};
use super::unqueued::{AtLimit, published_ms};
use crate::LimitOwner;
use crate::predict::Limits;
use ebs_aws::bucket::INSTANCE_BURST_S;
use ebs_aws::catalogue::LimitKind;
use ebs_workload::demand::Demand;
use ebs_workload::demand_summary::DemandSummary;

/// Least time at a limit, seconds: a checkpoint's burst may fill less by chance.
const MIN_SECONDS: f64 = 10.0;

/// Least share of seconds at a known limit: a smaller one does not reach a 99th percentile. A ceiling has more.
const MIN_SHARE: f64 = 0.01;

/// Relative distance from a known limit that still counts as being at it, however even the rate is.
const NEAR: f64 = 0.05;

/// Seconds by one of the rates that are limited, with the ceiling that they show.
pub(super) struct Measured<'a> {
    limited: LimitKind,
    seconds: Seconds<'a>,
    /// Requests of all of them.
    requests: f64,
    ceiling: Option<Ceiling>,
    /// The seconds at it, where requests may wait there.
    in_ceiling: Option<InBand>,
}

/// The seconds of a band of rates, and what they show whatever is known of the run.
struct InBand {
    band: (f64, f64),
    at: AtLimit,
    sums: Sums,
    /// Latency without a queue, where seconds below the band show it.
    unqueued: Option<MeasuredLatency>,
}

/// A limit that the seconds show by themselves.
#[derive(Clone, Copy)]
pub(super) struct InferredLimit {
    /// The limit.
    pub limit: ReachedLimit,
    /// Relative spread of the rate at it.
    pub spread: f64,
}

impl<'a> Measured<'a> {
    /// The seconds of a demand, by each rate.
    pub fn both(demand: &'a Demand, summary: &'a DemandSummary) -> [Measured<'a>; 2] {
        let requests = summary.total.requests() as f64;
        LimitKind::BOTH.map(|limited| {
            let seconds = Seconds { demand, by_rate: summary.rates(limited) };
            let ceiling = Ceiling::find(seconds);
            let in_ceiling = ceiling.and_then(|ceiling| {
                let sums = Sums::new(seconds, ceiling.band());
                let may_wait = queue::may_wait(sums.in_flight());
                may_wait.then(|| InBand::new(seconds, ceiling.level, ceiling.band(), sums))?
            });
            Measured { limited, seconds, requests, ceiling, in_ceiling }
        })
    }

    /// The known limits that the seconds were at, and how well each explains them.
    pub fn at_known(&self, run: &RunContext) -> Vec<(ReachedLimit, LimitMatch)> {
        let level = |(owner, limits): &(LimitOwner, Limits)| Some((*owner, limits.level(self.limited)?));
        let levels: Vec<(LimitOwner, f64)> = run.limits.iter().filter_map(level).collect();
        let most = levels.iter().map(|(_, level)| *level).fold(0.0, f64::max);
        let at_level = |(owner, level): (LimitOwner, f64)| {
            let concentration = self.concentration((owner, level), run);
            let to = if level < most { level * (1.0 + NEAR) } else { f64::INFINITY };
            let near = level * (1.0 - NEAR);
            let in_band = |from| InBand::new(self.seconds, level, (from, to), Sums::new(self.seconds, (from, to)));
            let nearest = in_band(near);
            // Whatever else is taken for its queue, the latency without one is the volume's.
            let unqueued = nearest.as_ref().and_then(|nearest| nearest.unqueued);
            let at_level = |in_band: InBand| {
                let of_both = in_band.unqueued.into_iter().chain(unqueued);
                let in_band = InBand { unqueued: of_both.max_by(|a, b| a.weight.total_cmp(&b.weight)), ..in_band };
                self.at_known_level((owner, level), concentration, &in_band, run)
            };
            let is_below = |plateau: &Ceiling| plateau.level >= MIN_SHARE_OF_LIMIT * level && plateau.band().0 < near;
            let below = self.ceiling.filter(is_below).and_then(|plateau| in_band(plateau.band().0));
            let bands = nearest.into_iter().chain(below).filter_map(at_level);
            let near =
                bands.max_by(|a, b| (a.0.seconds_share * a.1.weight).total_cmp(&(b.0.seconds_share * b.1.weight)));
            // Too little time near the limit, and more of it below, without a plateau of a tenth of the time.
            let unmet_weight = near.map_or(0.0, |(limit, _)| limit.unmet_weight);
            let all = in_band(MIN_SHARE_OF_LIMIT * level)
                .and_then(at_level)
                .filter(|(limit, _)| limit.unmet_weight > unmet_weight);
            let (limit, found) = all.or(near)?;
            let plateau = self.ceiling.map(|plateau| plateau.level).filter(|rate| limit.holds_rate(*rate));
            let plateau = plateau.or((concentration >= NAMED_WEIGHT).then_some(level));
            Some((ReachedLimit { plateau, ..limit }, found))
        };
        levels.into_iter().filter_map(at_level).collect()
    }

    fn at_known_level(
        &self,
        (owner, level): (LimitOwner, f64),
        concentration: f64,
        in_band: &InBand,
        run: &RunContext,
    ) -> Option<(ReachedLimit, LimitMatch)> {
        let limit = self.limit(LimitSource::Declared, in_band, run);
        let share = limit.rate / level;
        // What an instance delivers no volume changes.
        let (reach, far) = match owner {
            LimitOwner::Instance => (nearness(share), 0.0),
            _ => (explained(share, limit.latency_ratio()), FAR_WEIGHT),
        };
        let weight = reach * limit.queue_weight().max(concentration);
        let is_baseline = owner == LimitOwner::Instance && self.is_below_maximum(level, run);
        let spent = run.has_spent_credits(self.limited);
        // With credits left, an instance has its maximum.
        let weight = if is_baseline && spent == Some(false) { 0.0 } else { weight };
        let requires_spent_credits = is_baseline && spent.is_none() && self.is_within_burst();
        let found = LimitMatch {
            owner,
            limited: self.limited,
            level,
            source: limit.source,
            share,
            weight: weight.min(nearness(share).max(far)),
            requires_spent_credits,
        };
        let unmet_weight = limit.unmet_weight * reach;
        (weight > 0.0).then_some((ReachedLimit { owner, weight, unmet_weight, ..limit }, found))
    }

    /// Degree to which the seconds are held at a limit whatever their latency; 0 at a lower limit of its owner, beyond which burst credits
    /// carry the demand: without a queue nothing tells that they were spent. It counts by the weight of the closed loop: a rate that clients
    /// keep is as even, and nothing but a queue tells it from a limit.
    fn concentration(&self, (owner, level): (LimitOwner, f64), run: &RunContext) -> f64 {
        let is_higher = |(other, limits): &(LimitOwner, Limits)| {
            *other == owner && limits.level(self.limited).is_some_and(|other| other > level)
        };
        let closed_weight = run.closed_weight.unwrap_or(1.0);
        if closed_weight <= 0.0 || run.limits.iter().any(is_higher) {
            return 0.0;
        }
        closed_weight
            * concentration(self.seconds.within(concentration::band(level)), level, self.seconds.by_rate.seconds())
    }

    /// True where the instance has more than this level while its credits last.
    fn is_below_maximum(&self, level: f64, run: &RunContext) -> bool {
        let is_more = |(owner, limits): &(LimitOwner, Limits)| {
            *owner == LimitOwner::Instance && limits.level(self.limited).is_some_and(|other| other > level)
        };
        run.limits.iter().any(is_more)
    }

    /// True where the seconds are fewer than those for which an instance has its maximum.
    fn is_within_burst(&self) -> bool {
        self.seconds.by_rate.seconds() < INSTANCE_BURST_S
    }

    /// The inferred limit.
    pub fn at_ceiling(&self, run: &RunContext) -> Option<InferredLimit> {
        let ceiling = self.ceiling?;
        let limit = self.limit(LimitSource::Inferred, self.in_ceiling.as_ref()?, run);
        let latency_spread = || queue::spread(self.seconds.within(limit.band), self.seconds.pause());
        let closed_weight = queue::closed_weight(&limit, run);
        let weight = closed_weight * limit.queue_weight_from(queue::min_ratio(&limit, run));
        let limit = ReachedLimit { weight, unmet_weight: limit.unmet_weight * closed_weight, ..limit };
        if weight <= 0.0 {
            return None;
        }
        let evidence = queue::evidence_at_ceiling(&limit, run, ceiling.spread, latency_spread);
        let limit = ReachedLimit { weight: weight * evidence, unmet_weight: limit.unmet_weight * evidence, ..limit };
        (evidence > 0.0).then_some(InferredLimit { limit, spread: ceiling.spread })
    }

    fn limit(&self, source: LimitSource, in_band: &InBand, run: &RunContext) -> ReachedLimit {
        let InBand { band, at, sums, .. } = *in_band;
        let Sums { length, requests, .. } = sums;
        let seconds_share = length / self.seconds.by_rate.seconds();
        let (min_seconds, min_share) = match source {
            LimitSource::Declared => (MIN_SECONDS, MIN_SHARE),
            LimitSource::Inferred => (super::ceiling::MIN_SECONDS, super::ceiling::MIN_SHARE),
        };
        ReachedLimit {
            limited: self.limited,
            level: at.level,
            band,
            plateau: (source == LimitSource::Inferred).then_some(at.level),
            rate: sums.amount / length,
            iops: requests / length,
            bytes_per_s: at.bytes_per_s,
            matches: LimitMatches::default(),
            weight: 0.0,
            unmet_weight: long_ramp(length / min_seconds).min(long_ramp(seconds_share / min_share)),
            seconds_share,
            requests_share: requests / self.requests,
            source,
            owner: LimitOwner::Volume,
            latency_ms: sums.waited_ms / requests,
            unqueued: UnqueuedLatency::new(in_band.unqueued, published_ms(&at, run)),
            in_flight: sums.in_flight(),
        }
    }
}

impl InBand {
    /// Those of a band about this level, with their sums; `None` where they are too few to show a limit.
    fn new(seconds: Seconds, level: f64, band: (f64, f64), sums: Sums) -> Option<InBand> {
        let Sums { length, requests, bytes, .. } = sums;
        if length < MIN_SECONDS || requests <= 0.0 || length / seconds.by_rate.seconds() < MIN_SHARE {
            return None;
        }
        let at = AtLimit {
            level,
            in_flight: sums.waited_ms / 1e3 / length,
            read_share: sums.reads / requests,
            request_bytes: bytes / requests,
            bytes_per_s: bytes / length,
        };
        Some(InBand { band, at, sums, unqueued: MeasuredLatency::below(seconds, &at) })
    }
}

/// Sums over seconds.
#[derive(Clone, Copy, Default)]
struct Sums {
    length: f64,
    requests: f64,
    reads: f64,
    bytes: f64,
    waited_ms: f64,
    /// The limited amount: rates times seconds.
    amount: f64,
    /// Requests in flight times seconds.
    queue: f64,
}

impl Sums {
    /// Those over the seconds of a band of rates.
    fn new(seconds: Seconds, band: (f64, f64)) -> Sums {
        let mut sums = Sums::default();
        seconds.within(band).for_each(|second| sums.add(&second));
        sums
    }

    /// Requests in flight on average.
    fn in_flight(&self) -> f64 {
        self.queue / self.length
    }

    fn add(&mut self, second: &Second) {
        let Second { interval, rate } = second;
        self.length += interval.seconds;
        self.requests += second.requests();
        self.reads += interval.counts.reads as f64;
        self.bytes += interval.bytes() as f64;
        self.waited_ms += second.waited_ms();
        self.amount += rate * interval.seconds;
        self.queue += second.in_flight() * interval.seconds;
    }
}
