//! Aurora I/O-Optimized against Standard: the monthly cost of both, and the requests at which they are equal.
//!
//! Standard bills instances C, storage S and requests; I/O-Optimized bills C and S at higher prices, and no requests. They cost the
//! same where the requests of a month cost as much as the difference of the rest. AWS's rule, that I/O-Optimized is cheaper from 25 %
//! of the cost on (<https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/Aurora.Overview.StorageReliability.html>), is that
//! share for a usual proportion of C and S; here it is computed for the cluster's own.

use std::collections::BTreeMap;

use ebs_aws::catalogue::AuroraStorage;
use ebs_base::input::WorkMeter;
use ebs_base::units::{GIB, Usd};
use ebs_stats::{Term, log_error, student_quantile};

/// Hours of a month, as AWS's calculator has them.
const MONTH_HOURS: u64 = 730;
const HOUR_S: f64 = 3_600.0;
const DAY_S: i64 = 86_400;

/// Days that show a whole week: fewer give no interval.
const MIN_DAYS: f64 = 7.0;
/// Days of a month.
const MONTH_DAYS: f64 = 30.0;
/// Share of periods without values from which on they are named.
const GAPS: f64 = 0.01;

/// Use of a cluster's volume, as CloudWatch has it.
#[derive(Clone, Copy, Debug)]
pub struct AuroraDemand<'a> {
    /// Length of a period of requests, seconds.
    pub period_s: Option<i64>,
    /// Billed reads by the beginning of their period, seconds since 1970; empty if unknown.
    pub reads: &'a BTreeMap<i64, f64>,
    /// Billed writes likewise.
    pub writes: &'a BTreeMap<i64, f64>,
    /// Bytes used at some times; empty if unknown.
    pub used_bytes: &'a BTreeMap<i64, f64>,
}

/// Prices of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuroraRates {
    /// A GiB-month of Standard.
    pub standard_storage: Usd,
    /// A million requests on Standard.
    pub requests_million: Usd,
    /// A GiB-month of I/O-Optimized.
    pub optimized_storage: Usd,
    /// An hour of all instances on Standard.
    pub instances_hour: Option<Usd>,
    /// The same on I/O-Optimized, where it is given.
    pub optimized_instances_hour: Option<Usd>,
    /// Per cent that instances cost more on I/O-Optimized, where it is known.
    pub optimized_instances_pct: Option<u64>,
}

impl AuroraRates {
    /// An hour of all instances on I/O-Optimized: as given, otherwise by the known percentage.
    fn optimized_hour(&self) -> Option<Usd> {
        let computed = || Some(self.instances_hour?.fraction(100 + self.optimized_instances_pct?, 100));
        self.optimized_instances_hour.or_else(computed)
    }
}

/// Cost of a storage configuration, US dollars a month; what is unknown is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuroraOption {
    /// Configuration.
    pub storage_type: AuroraStorage,
    /// Instances.
    pub instances: Option<Usd>,
    /// Storage.
    pub storage: Option<Usd>,
    /// Requests; zero on I/O-Optimized.
    pub requests: Option<Usd>,
}

impl AuroraOption {
    /// Sum of the parts; `None` if one is unknown.
    pub fn total(&self) -> Option<Usd> {
        Some(self.instances? + self.storage? + self.requests?)
    }
}

/// Requests of a month.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MonthlyRequests {
    /// The mean rate, over a month.
    pub mean: f64,
    /// 95 % interval from the differences between days; `None` for less than a week.
    pub interval: Option<(f64, f64)>,
}

/// Limitation of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum AuroraLimitation {
    /// A metric has no values.
    MissingMetric(&'static str),
    /// The period is shorter than a week: no interval.
    ShortPeriod {
        /// Its days.
        days: f64,
    },
    /// The month is computed from a shorter period.
    Extrapolated {
        /// Its days.
        days: f64,
    },
    /// Periods of the time have no values.
    Gaps {
        /// Their share.
        share: f64,
    },
    /// Counts are not whole, as sums of counts are.
    NotWhole,
    /// The interval of requests contains the break-even.
    Undecided,
    /// The price of instances is unknown; I/O-Optimized is cheaper as long as they cost less than this a month on Standard, and never
    /// if it is zero.
    InstancesUnknown {
        /// The bound; `None` where the rest is unknown too.
        cheaper_below: Option<Usd>,
    },
    /// The price of instances on I/O-Optimized is unknown.
    OptimizedInstancesUnknown,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct AuroraAdvice {
    /// Standard.
    pub standard: AuroraOption,
    /// I/O-Optimized.
    pub optimized: AuroraOption,
    /// Storage used, GiB.
    pub size_gib: Option<f64>,
    /// Requests of a month.
    pub requests: Option<MonthlyRequests>,
    /// Requests of a month at which both cost the same; zero if I/O-Optimized is cheaper without any.
    pub break_even_requests: Option<u64>,
    /// Share of requests in the cost of Standard at the break-even.
    pub break_even_share: Option<f64>,
    /// Limitations, in the order in which they are shown.
    pub limitations: Vec<AuroraLimitation>,
}

impl AuroraAdvice {
    /// The cheaper configuration; `None` if a part of either is unknown, or both cost the same.
    pub fn cheaper(&self) -> Option<AuroraStorage> {
        let (standard, optimized) = (self.standard.total()?.cents(), self.optimized.total()?.cents());
        match standard.cmp(&optimized) {
            std::cmp::Ordering::Less => Some(AuroraStorage::Standard),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(AuroraStorage::IoOptimized),
        }
    }

    /// Share of requests in the cost of Standard.
    pub fn request_share(&self) -> Option<f64> {
        self.standard.requests?.ratio(self.standard.total()?)
    }
}

/// Compares both configurations of a cluster. `pause` is called between pieces of the work.
pub fn aurora_advice(demand: &AuroraDemand, rates: &AuroraRates, pause: &dyn Fn()) -> AuroraAdvice {
    let used = mean(demand.used_bytes);
    let requests = monthly_requests(demand, &WorkMeter::new(pause));
    let storage = |rate: Usd| used.map(|bytes| rate.fraction(bytes.round() as u64, GIB));
    let instances = |rate: Option<Usd>| rate.map(|hour| hour * MONTH_HOURS);
    let standard = AuroraOption {
        storage_type: AuroraStorage::Standard,
        instances: instances(rates.instances_hour),
        storage: storage(rates.standard_storage),
        requests: requests.map(|requests| request_cost(rates, requests.mean.round() as u64)),
    };
    let optimized = AuroraOption {
        storage_type: AuroraStorage::IoOptimized,
        instances: instances(rates.optimized_hour()),
        storage: storage(rates.optimized_storage),
        requests: Some(Usd::default()),
    };
    let premium = premium(&standard, &optimized);
    let break_even_requests = premium.and_then(|premium| break_even(premium, rates.requests_million));
    let break_even_share = premium.zip(optimized.total()).and_then(|(premium, total)| premium.ratio(total));
    let mut advice = AuroraAdvice {
        standard,
        optimized,
        size_gib: used.map(|bytes| bytes / GIB as f64),
        requests,
        break_even_requests,
        break_even_share,
        limitations: Vec::new(),
    };
    advice.limitations = limitations(demand, rates, &advice);
    advice
}

/// Cost of a month's requests on Standard.
pub fn request_cost(rates: &AuroraRates, requests: u64) -> Usd {
    rates.requests_million.fraction(requests, 1_000_000)
}

/// Premium of instances and storage on I/O-Optimized; zero where they cost less.
fn premium(standard: &AuroraOption, optimized: &AuroraOption) -> Option<Usd> {
    let fixed = |option: &AuroraOption| Some(option.instances? + option.storage?);
    Some((fixed(optimized)? - fixed(standard)?).max(Usd::default()))
}

/// Requests that cost as much as the premium, to the nearest; `None` if requests cost nothing.
fn break_even(premium: Usd, requests_million: Usd) -> Option<u64> {
    Some((1e6 * premium.ratio(requests_million)?).round() as u64)
}

fn mean(points: &BTreeMap<i64, f64>) -> Option<f64> {
    (!points.is_empty()).then(|| points.values().sum::<f64>() / points.len() as f64)
}

/// Requests of a month at the mean rate of reads and of writes.
fn monthly_requests(demand: &AuroraDemand, meter: &WorkMeter) -> Option<MonthlyRequests> {
    let period_s = demand.period_s? as f64;
    let mean = (mean(demand.reads)? + mean(demand.writes)?) / period_s * MONTH_HOURS as f64 * HOUR_S;
    let interval = days(demand).filter(|days| *days >= MIN_DAYS).and_then(|_| {
        let error = log_error(&day_terms(demand, meter))?;
        let factor = (student_quantile(0.975, error.freedom) * error.error).exp();
        Some((mean / factor, mean * factor))
    });
    Some(MonthlyRequests { mean, interval })
}

/// Requests and periods of each day, of periods in which both counts are known.
fn day_terms(demand: &AuroraDemand, meter: &WorkMeter) -> Vec<Term> {
    let mut days: BTreeMap<i64, Term> = BTreeMap::new();
    for (second, reads) in demand.reads {
        meter.step();
        let Some(writes) = demand.writes.get(second) else { continue };
        let day = days.entry(second.div_euclid(DAY_S)).or_insert(Term { part: 0.0, whole: 0.0 });
        day.part += reads + writes;
        day.whole += 1.0;
    }
    days.into_values().collect()
}

/// Days from the first period of requests to the end of the last.
fn days(demand: &AuroraDemand) -> Option<f64> {
    let times = || demand.reads.keys().chain(demand.writes.keys());
    Some((times().max()? - times().min()? + demand.period_s?) as f64 / DAY_S as f64)
}

fn limitations(demand: &AuroraDemand, rates: &AuroraRates, advice: &AuroraAdvice) -> Vec<AuroraLimitation> {
    let metrics =
        [("VolumeReadIOPs", demand.reads), ("VolumeWriteIOPs", demand.writes), ("VolumeBytesUsed", demand.used_bytes)];
    let missing = metrics.into_iter().filter(|(_, points)| points.is_empty());
    let mut found: Vec<AuroraLimitation> = missing.map(|(name, _)| AuroraLimitation::MissingMetric(name)).collect();
    if let Some(days) = days(demand) {
        if days < MIN_DAYS {
            found.push(AuroraLimitation::ShortPeriod { days });
        } else if days < MONTH_DAYS {
            found.push(AuroraLimitation::Extrapolated { days });
        }
        found.extend(gaps(demand, days));
    }
    if [demand.reads, demand.writes].into_iter().flat_map(BTreeMap::values).any(|count| count.fract() != 0.0) {
        found.push(AuroraLimitation::NotWhole);
    }
    if rates.instances_hour.is_none() {
        found.push(AuroraLimitation::InstancesUnknown { cheaper_below: instances_bound(rates, advice) });
    } else if rates.optimized_hour().is_none() {
        found.push(AuroraLimitation::OptimizedInstancesUnknown);
    }
    let interval = advice.requests.and_then(|requests| requests.interval);
    if let (Some((low, high)), Some(even)) = (interval, advice.break_even_requests)
        && (low..=high).contains(&(even as f64))
    {
        found.push(AuroraLimitation::Undecided);
    }
    found
}

/// Share of periods that miss a value of reads or writes, where that is not negligible.
fn gaps(demand: &AuroraDemand, days: f64) -> Option<AuroraLimitation> {
    let expected = days * DAY_S as f64 / demand.period_s? as f64;
    let known = [demand.reads, demand.writes].into_iter().filter(|points| !points.is_empty());
    let share = 1.0 - known.map(|points| points.len() as f64).fold(expected, f64::min) / expected;
    (share > GAPS).then_some(AuroraLimitation::Gaps { share })
}

/// Price of the instances a month, on Standard, up to which I/O-Optimized is cheaper.
fn instances_bound(rates: &AuroraRates, advice: &AuroraAdvice) -> Option<Usd> {
    let premium_pct = rates.optimized_instances_pct.filter(|pct| *pct > 0)?;
    let left = advice.standard.requests? - (advice.optimized.storage? - advice.standard.storage?);
    Some(left.max(Usd::default()).fraction(100, premium_pct))
}

#[cfg(test)]
#[path = "aurora_tests.rs"]
mod tests;
