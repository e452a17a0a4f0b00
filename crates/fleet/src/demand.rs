//! Figures of a volume's demand, of its space, and the limit that binds it.

use ebs_advice::RoleAdvice;
use ebs_aws::bucket::Burst;
use ebs_prediction::{BindingLimit, LimitOwner};
use ebs_samples::evidence::Window;
use ebs_stats::ConfidenceInterval;
use ebs_workload::demand::Demand;
use ebs_workload::growth::Growth;
use ebs_workload::io_profile::{Figure, Metric, brief_figures, find};

use super::answer::{DemandFigures, RateFigures, SpaceFigures};

/// Parts of the time in a small plot.
const PARTS: usize = 48;

/// Figures of the demand on the volume of a window: those of the advice, or without one those of its counts.
pub fn figures(window: &Window, role: Option<&RoleAdvice>, pause: &dyn Fn()) -> DemandFigures {
    let own = role.is_none().then(|| Demand::from_window(window, 0));
    let demand = role.map(|role| &role.state.group.demand).or(own.as_ref());
    let Some(demand) = demand else { return DemandFigures::default() };
    let all = role.map_or_else(|| brief_figures(demand, pause), |role| role.figures.clone());
    let checked = role.map(|role| role.state.checked);
    let mean = |metric| find(&all, metric).and_then(|figure| figure.mean);
    let [iops, mibps] = [
        (Metric::Requests, checked.and_then(|checked| checked.iops)),
        (Metric::Throughput, checked.and_then(|checked| checked.mibps)),
    ]
    .map(|(metric, limit)| rate_figures(find(&all, metric), limit));
    DemandFigures {
        iops,
        mibps,
        read_pct: mean(Metric::ReadShare),
        request_kib: mean(Metric::RequestSize),
        read_ms: mean(Metric::ReadLatency),
        write_ms: mean(Metric::WriteLatency),
        queue_depth: mean(Metric::Concurrency),
        iops_over_time: over_time(demand, (window.from_us, window.to_us)),
    }
}

fn rate_figures(figure: Option<&Figure>, limit: Option<f64>) -> RateFigures {
    let Some(figure) = figure else { return RateFigures::default() };
    let p99 = figure.p99.unwrap_or_default();
    let bounded = |interval: ConfidenceInterval| ConfidenceInterval {
        low: interval.low,
        high: limit.map_or(interval.high, |limit| interval.high.min(limit)).max(p99),
    };
    RateFigures {
        p50: figure.p50.unwrap_or_default(),
        p99,
        p99_interval: figure.p99_interval.map(bounded),
        max: figure.max.unwrap_or_default(),
    }
}

/// Mean IOPS of equal parts of a time.
fn over_time(demand: &Demand, (from_us, to_us): (i64, i64)) -> Vec<Option<f64>> {
    let part_us = ((to_us - from_us).max(1) as f64 / PARTS as f64).max(1.0);
    let mut sums = [(0.0, 0.0); PARTS];
    for interval in demand.each() {
        let middle_us = interval.ended_us as f64 - interval.seconds * 5e5 - from_us as f64;
        let part = (middle_us / part_us).floor().clamp(0.0, (PARTS - 1) as f64) as usize;
        sums[part].0 += interval.ssd_requests() as f64;
        sums[part].1 += interval.seconds;
    }
    sums.map(|(requests, seconds): (f64, f64)| (seconds > 0.0).then(|| requests / seconds)).to_vec()
}

/// Space of the volume of a window.
pub fn space_figures(window: &Window) -> Option<SpaceFigures> {
    let volume = window.layout.volumes.first()?;
    let (used, size) = (volume.used_bytes? as f64, volume.filesystem_bytes? as f64);
    let points: Vec<(i64, u64)> = window.space.first()?.points().collect();
    let growth = Growth::from_points(&points);
    let grows = growth.filter(|growth| growth.per_day > 0.0 && growth.per_day_interval.low > 0.0);
    Some(SpaceFigures {
        used,
        size,
        per_day: growth.map(|growth| growth.per_day),
        full_in_days: grows.map(|growth| (size - used).max(0.0) / growth.per_day),
    })
}

/// Limit that binds the present volumes: that of the instance, the one at which the demand was, the one that EBS counted as exceeded, or
/// the one that the replay finds; `None` where none is known.
pub fn binding(role: &RoleAdvice) -> Option<BindingLimit> {
    if let Some(instance) = &role.instance_saturation {
        return Some(instance.bound);
    }
    if let Some(saturation) = &role.state.saturation {
        if has_spent_credits(role) {
            return Some(BindingLimit::Credits);
        }
        return Some(BindingLimit::Rate(saturation.limit.owner, saturation.limit.limited));
    }
    if let Some(limit) = role.state.checked.exceeded_limit() {
        return Some(limit.limited.map_or(BindingLimit::Credits, |limited| BindingLimit::Rate(limit.owner, limited)));
    }
    // Limits that the counts refute bind nothing.
    let current = role.current.as_ref().filter(|current| current.exceeded.is_none())?;
    let outcome = current.outcome?;
    if outcome.throttled_pct() <= 0.0 {
        return Some(BindingLimit::None);
    }
    if outcome.credits.is_some() {
        return Some(BindingLimit::Credits);
    }
    let (config, volumes) = current.volumes.first()?;
    let limits = config.ceiling(*volumes);
    let peak = |metric| find(&role.figures, metric).and_then(|figure| figure.max).unwrap_or_default();
    let by_iops = peak(Metric::Requests) / limits.iops >= peak(Metric::Throughput) / limits.mibps;
    Some(if by_iops { BindingLimit::VOLUME_IOPS } else { BindingLimit::VOLUME_THROUGHPUT })
}

/// Rate over a limit up to which demand is at it: EBS delivers a little more for moments.
const AT_LIMIT: f64 = 1.1;

/// True where the demand was at the baseline of volumes that reach more while they have burst credits.
pub fn has_spent_credits(role: &RoleAdvice) -> bool {
    let Some(saturation) = &role.state.saturation else { return false };
    let volumes = role.current.as_ref().and_then(|current| current.volumes.first());
    let Some((config, count)) = volumes else { return false };
    let Some(class) = config.class() else { return false };
    let (baseline, burst) = (config.ceiling(*count), Burst::ceiling(class, config, *count));
    let (sustained, reached) = (baseline.counted(saturation.limit.limited), burst.counted(saturation.limit.limited));
    saturation.limit.owner == LimitOwner::Volume && saturation.limit.rate <= AT_LIMIT * sustained && reached > sustained
}

/// Share of the time at or above a limit of the present volumes, 0 to 1: of the replay, of EBS's own counts, or of the seconds at the limit,
/// the largest; `None` where none is known.
pub fn limit_share(role: &RoleAdvice) -> Option<f64> {
    // Limits that the counts refute were none.
    let current = role.current.as_ref().filter(|current| current.exceeded.is_none());
    let replayed = current.and_then(|current| current.outcome).map(|outcome| outcome.throttled_pct() / 100.0);
    let exceeded = role.state.checked.exceeded.into_iter().flat_map(|shares| {
        [shares.volume_iops, shares.volume_throughput, shares.instance_iops, shares.instance_throughput]
    });
    let saturated = role.state.saturation.as_ref().map(|saturation| saturation.limit.seconds_share);
    let instance = role.instance_saturation.as_ref().map(|instance| instance.outcome.throttled_pct() / 100.0);
    exceeded.chain([replayed, saturated, instance]).flatten().reduce(f64::max)
}
