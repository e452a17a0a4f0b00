//! The limit that decided the provisioning of feasible volumes, and the basis of their IOPS and throughput.

use crate::current::bottleneck::Bottleneck;
use crate::current::refuted_limit::RefutedLimit;
use crate::evaluate::case::Case;
use crate::evaluate::measured::Measured;
use crate::evaluate::reason::{
    Addition, KeptShare, MeanLatency, PredictedThroughput, Provisioning, Reason, Sufficient,
};
use crate::evaluate::relaxation::Relaxation;
use crate::prediction::kept_throughput::Throughput;
use crate::replay::TOLERANCE;
use ebs_aws::bucket::Burst;
use ebs_aws::catalogue::{Ceiling, IOPS_STEP, IopsRule, LimitKind, MibpsRule, Purpose, VolumeConfig, classes_of};
use ebs_base::units::Usd;
use ebs_prediction::predict::Source;
use ebs_prediction::{BindingLimit, LimitOwner};
use ebs_stats::averaging::{COARSE_S, MAX_PEAK_FACTOR};
use ebs_workload::io_profile::mean_iops;

/// The way in which volumes were chosen to be evaluated.
#[derive(Clone, Copy)]
pub enum Basis {
    /// The requirement of their scenario.
    Requirement,
    /// This target, which volumes for the requirement alone miss.
    Target(BindingLimit),
    /// The limits of these declared volumes, which carried the demand.
    Current(VolumeConfig),
    /// Their own limits, of which nothing can be chosen.
    Fixed,
    /// The present volumes, which stay in place of others.
    Kept(Kept),
    /// The limits that their price includes, whether the requirement is met or not.
    Included,
    /// A part of the requirement.
    Relaxed(Relaxation),
}

/// Cause for which present volumes stay in place of others.
#[derive(Clone, Copy)]
pub enum Kept {
    /// The limits of these volumes carried the demand; others are sized for more than averages show.
    Carried(VolumeConfig),
    /// Their limits are those of the others, and no larger size is needed.
    SizeAlone,
    /// The others would save this a month, which is too little.
    SavesTooLittle(Usd),
    /// The samples show a limit below the described one, which is to be checked first.
    Refuted(RefutedLimit),
    /// They are hard disks that carried large requests, of this mean size, KiB, and nothing shows a database.
    Sequential(f64),
}

/// The limit that decided the provisioning of volumes that meet the request, and the reason for them.
pub fn sufficient(case: &Case, measured: &Measured, basis: Basis) -> (BindingLimit, Reason) {
    let stays = |bound, provisioning| (bound, Reason::Sufficient(Sufficient { provisioning, saturation: None }));
    let bound = match basis {
        Basis::Fixed => return (BindingLimit::None, Reason::LogVolumeSuffices),
        Basis::Current(current) | Basis::Kept(Kept::Carried(current)) => return as_current(case, measured, &current),
        Basis::Kept(Kept::SavesTooLittle(saved)) => {
            return stays(deciding_limit(case, measured), Provisioning::SavesTooLittle { saved });
        }
        Basis::Kept(Kept::Refuted(refuted)) => {
            let limit = BindingLimit::Rate(LimitOwner::Volume, refuted.limited);
            return stays(limit, Provisioning::DescriptionRefuted(refuted));
        }
        Basis::Relaxed(relaxation) => {
            let bound = tightest_limit(case, &measured.priced.config, measured.priced.volumes);
            return stays(bound, Provisioning::Relaxed { relaxation, kept: kept_share(case, measured) });
        }
        Basis::Kept(Kept::Sequential(request_kib)) => {
            return stays(BindingLimit::None, Provisioning::Sequential { request_kib });
        }
        Basis::Target(bound) => bound,
        _ => deciding_limit(case, measured),
    };
    let saturation = case.scenario.part.state.saturation;
    (bound, Reason::Sufficient(Sufficient { provisioning: provisioning(case, measured, bound), saturation }))
}

fn as_current(case: &Case, measured: &Measured, current: &VolumeConfig) -> (BindingLimit, Reason) {
    let (required, volumes) = (case.sizing.task.required_without_instance(), measured.priced.volumes);
    let limits = burst_limits(current, volumes);
    let provisioning = Provisioning::AsCurrent { current: current.volume_type, limits, required };
    let by_iops = required.iops > measured.priced.config.ceiling(volumes).iops;
    let bound = if by_iops { BindingLimit::VOLUME_IOPS } else { BindingLimit::VOLUME_THROUGHPUT };
    (bound, Reason::Sufficient(Sufficient { provisioning, saturation: None }))
}

/// Limits of so many volumes, with their burst.
pub fn burst_limits(config: &VolumeConfig, volumes: u64) -> Ceiling {
    config.class().map_or_else(|| config.ceiling(volumes), |class| Burst::ceiling(class, config, volumes))
}

/// The limit, of IOPS or of throughput, that the requirement uses most.
pub fn tightest_limit(case: &Case, config: &VolumeConfig, volumes: u64) -> BindingLimit {
    let ceiling = config.ceiling(volumes);
    if case.sizing.requirement().iops / ceiling.iops >= case.sizing.requirement().mibps / ceiling.mibps {
        BindingLimit::VOLUME_IOPS
    } else {
        BindingLimit::VOLUME_THROUGHPUT
    }
}

/// The limit that decided a feasible volume's provisioning.
fn deciding_limit(case: &Case, measured: &Measured) -> BindingLimit {
    let (config, volumes) = (&measured.priced.config, measured.priced.volumes);
    let ceiling = config.ceiling(volumes);
    if let Some(baseline) = case.scenario.request.instance_baseline() {
        // With headroom the requirement exceeds the instance's baseline, and this volume reaches the baseline.
        if case.sizing.task.required_without_instance().iops > baseline.iops && ceiling.iops >= baseline.iops.floor() {
            return BindingLimit::INSTANCE_IOPS;
        }
        if case.sizing.task.required_without_instance().mibps > baseline.mibps
            && ceiling.mibps >= baseline.mibps.floor()
        {
            return BindingLimit::INSTANCE_THROUGHPUT;
        }
    }
    let size_is_required = is_least_of_size(case, measured);
    let iops_by_size = config.class().is_some_and(|class| class.iops_rule == IopsRule::Size);
    if case.sizing.requirement().iops > ceiling.iops || case.sizing.requirement().mibps > ceiling.mibps {
        BindingLimit::Credits
    } else if has_included_limits(measured) && (!iops_by_size || size_is_required) {
        other_bottleneck(case)
    } else {
        purchased_limit(case, measured)
    }
}

/// True where the size is the required one, or the smallest that is sold: demand did not ask for more of it.
fn is_least_of_size(case: &Case, measured: &Measured) -> bool {
    let config = &measured.priced.config;
    let size_gib = case.sizing.requirement().size_gib.unwrap_or(1).div_ceil(measured.priced.volumes);
    let mut classes = classes_of(config.platform, config.volume_type, Purpose::Any);
    classes.find_map(|class| class.least(size_gib, 0, 0)).is_some_and(|least| least.size_gib == config.size_gib)
}

/// The bottleneck outside of storage, if there is one. With less than one active session there is nothing to gain.
fn other_bottleneck(case: &Case) -> BindingLimit {
    let other = |bottleneck: &Bottleneck| bottleneck.is_outside_storage() && bottleneck.active_sessions >= 1.0;
    match case.scenario.bottleneck.filter(other).map(|bottleneck| bottleneck.cause) {
        Some(BindingLimit::Cpu) => BindingLimit::Cpu,
        Some(BindingLimit::Locks) => BindingLimit::Locks,
        _ => BindingLimit::None,
    }
}

/// True where IOPS and throughput are no more than the type includes.
fn has_included_limits(measured: &Measured) -> bool {
    let config = &measured.priced.config;
    config.class().is_some_and(|class| {
        config.iops == class.iops_at_least(config.size_gib)
            && config.throughput_mibps == class.mibps_at_least(config.size_gib, config.iops)
    })
}

/// The limit, of IOPS or of throughput, for which more than the included was purchased.
fn purchased_limit(case: &Case, measured: &Measured) -> BindingLimit {
    let (config, volumes) = (&measured.priced.config, measured.priced.volumes);
    let bill = measured.priced.bill;
    // Rounding to what is ordered adds less than a step.
    let exceeds_required_iops =
        (config.iops * volumes) as f64 >= case.sizing.requirement().iops + (IOPS_STEP * volumes) as f64;
    match config.class().map(|class| (class.iops_rule, class.mibps_rule)) {
        Some((IopsRule::Provisioned, MibpsRule::Provisioned)) if bill.throughput > bill.iops => {
            BindingLimit::VOLUME_THROUGHPUT
        }
        // Throughput comes with IOPS: more of them than required were purchased for it.
        Some((IopsRule::Provisioned, MibpsRule::Iops)) if exceeds_required_iops => BindingLimit::VOLUME_THROUGHPUT,
        Some((IopsRule::Provisioned, _)) => BindingLimit::VOLUME_IOPS,
        _ => tightest_limit(case, config, volumes),
    }
}

/// The rate of a limit; IOPS of one that is of no rate.
pub fn limited(bound: BindingLimit) -> LimitKind {
    bound.kind().unwrap_or(LimitKind::Iops)
}

/// The mean latency of a request, beside its target.
pub fn mean_latency(case: &Case, measured: &Measured) -> MeanLatency {
    let latency_ms = measured.latency_ms.unwrap_or(0.0);
    let (service_ms, source) = measured.service.unwrap_or((latency_ms, Source::Published));
    MeanLatency {
        service_ms,
        source,
        queueing_ms: (latency_ms > service_ms * TOLERANCE).then_some(latency_ms - service_ms),
        target_ms: case.scenario.request.latency_target_ms.unwrap_or(0.0),
    }
}

/// The predicted throughput, beside the requested one.
pub fn throughput(case: &Case, measured: &Measured) -> PredictedThroughput {
    PredictedThroughput {
        ratio: measured.expected.map(|expected| expected.ratio),
        min_ratio: case.scenario.request.min_throughput_ratio.unwrap_or(0.0),
    }
}

/// The throughput that a closed loop keeps on volumes; `None` of another loop, and where nothing is predicted.
pub fn kept_share(case: &Case, measured: &Measured) -> Option<KeptShare> {
    let kept = case.sizing.kept?;
    // Of a part of the files nothing is predicted on its own.
    let at = measured.expected.map_or(kept.at, Throughput::from);
    Some(KeptShare { ratio: at.ratio, unlimited_ratio: kept.unlimited_ratio, used: at.used, low_share: None })
}

fn provisioning(case: &Case, measured: &Measured, bound: BindingLimit) -> Provisioning {
    let is_by_loop =
        matches!(bound, BindingLimit::None | BindingLimit::Credits | BindingLimit::Rate(LimitOwner::Volume, _));
    if let Some(kept) = kept_share(case, measured).filter(|_| is_by_loop) {
        let headroom_pct = 100.0 * case.scenario.request.rule.closed_headroom;
        let low_share = case.sizing.kept.and_then(|kept| kept.low_share).filter(|_| bound.is_rate());
        let kept = KeptShare { low_share, ..kept };
        return Provisioning::KeepsThroughput { kept, headroom_pct };
    }
    match (bound, case.scenario.request.instance) {
        (BindingLimit::None, _) => Provisioning::Included { required: case.sizing.requirement().ceiling() },
        (BindingLimit::Cpu | BindingLimit::Locks, _) => {
            let ideal_ratio = case.scenario.bottleneck.map(|bottleneck| bottleneck.ideal_ratio);
            Provisioning::OtherBottleneck { bound, ideal_ratio }
        }
        (BindingLimit::INSTANCE_IOPS | BindingLimit::INSTANCE_THROUGHPUT, Some(instance)) => {
            let limited = limited(bound);
            let rule = &case.scenario.request.rule;
            Provisioning::InstanceBaseline {
                instance_type: &instance.instance_type,
                limited,
                baseline: instance.baseline().rate(limited),
                percentile: rule.percentile,
                percentile_high: case.sizing.requirement().percentile.rate(limited),
                headroom_pct: rule.headroom * 100.0,
            }
        }
        (BindingLimit::Credits, _) => Provisioning::Credits { mean_iops: mean_iops(&case.scenario.demand.source) },
        (BindingLimit::Latency, _) => Provisioning::ForLatency(mean_latency(case, measured)),
        (BindingLimit::ThroughputRatio, _) => Provisioning::ForThroughput(throughput(case, measured)),
        _ => demand(case, limited(bound)),
    }
}

fn demand(case: &Case, limited: LimitKind) -> Provisioning {
    let (requirement, rule) = (&case.sizing.requirement(), &case.scenario.request.rule);
    let required = requirement.ceiling().rate(limited);
    let by_percentile = case.sizing.task.requirement().ceiling().rate(limited);
    let raised_by_replay = required > by_percentile + 1.0;
    let with_headroom = requirement.percentile.rate(limited) * (1.0 + rule.headroom);
    let is_cut_off = case.sizing.task.steady_floor().rate(limited) > with_headroom + 1.0;
    Provisioning::Demand {
        limited,
        required,
        percentile: rule.percentile,
        percentile_high: requirement.percentile.rate(limited),
        addition: match raised_by_replay {
            true => Addition::MaxThrottledPct(rule.max_throttled_pct),
            false if is_cut_off => Addition::CutOff,
            false => assumed_peak(case, limited).unwrap_or(Addition::HeadroomPct(rule.headroom * 100.0)),
        },
    }
}

/// The peak that is assumed within averages; `None` where the percentile's interval ends elsewhere.
fn assumed_peak(case: &Case, limited: LimitKind) -> Option<Addition> {
    let (demand, requirement) = (&case.scenario.demand.source, case.sizing.requirement());
    let greatest = demand.each().map(|interval| interval.rate(limited)).fold(0.0, f64::max);
    let over_assumed = requirement.percentile.rate(limited) / (MAX_PEAK_FACTOR * greatest);
    let is_assumed = (1.0 / TOLERANCE..=TOLERANCE).contains(&over_assumed);
    (demand.averaged_s > COARSE_S && is_assumed).then(|| Addition::AssumedPeak {
        averages: demand.intervals.len(),
        averaged_s: demand.averaged_s,
        factor: requirement.ceiling().rate(limited) / greatest,
    })
}
