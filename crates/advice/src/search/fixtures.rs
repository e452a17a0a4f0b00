//! Classes, tariffs, demands and questions made up for tests of the search.

use super::*;
use crate::requirement::SizingRule;
use ebs_aws::catalogue::{Ceiling, IopsRule, MibpsRule};
use ebs_base::units::{MIB, Usd};
use ebs_samples::evidence::DeviceCounts;
use ebs_workload::demand::{Demand, DemandInterval};
use proptest::prelude::*;

/// A class with nothing to choose but what is set here.
fn class(volume_type: VolumeType, sizes: (u64, u64), iops: (u64, u64), mibps: (u64, u64)) -> Class {
    Class {
        platform: Platform::Ec2,
        volume_type,
        purpose: Purpose::Any,
        min_gib: sizes.0,
        max_gib: sizes.1,
        stripes: 1,
        iops_rule: IopsRule::Fixed,
        min_iops: iops.0,
        max_iops: iops.1,
        free_iops: None,
        iops_per_gib: None,
        gib_per_iops: None,
        mibps_rule: MibpsRule::Fixed,
        min_mibps: mibps.0,
        max_mibps: mibps.1,
        iops_per_mibps: None,
        mibps_per_tib: None,
        burst_iops: None,
        burst_mibps: None,
        burst_mibps_per_tib: None,
        source: String::new(),
        as_of: String::new(),
    }
}

/// One unit of made-up IOPS and MiB/s: it does not divide the step in which volumes are ordered, so that most limits are off
/// that grid.
const UNIT: (u64, u64) = (45, 3);

/// One unit of a made-up demand: IOPS and MiB/s.
const DEMAND_UNIT: (f64, f64) = (UNIT.0 as f64, UNIT.1 as f64);

/// Classes that work as AWS's do, on a grid small enough to try everything.
pub fn classes() -> impl Strategy<Value = Class> {
    let ranges = ((1u64..4, 1u64..8), (1u64..6, 0u64..16), (1u64..4, 0u64..7));
    let ratios = (1u64..6, prop::option::of(1u64..3), 0usize..4, 1u64..4);
    (0usize..5, ranges, ratios, (1u64..30, 1u64..8)).prop_map(|(kind, (sizes, iops, mibps), ratios, burst)| {
        let (per_gib, gib_per_iops, per_mibps, stripes) = ratios;
        let volume_type = [VolumeType::Gp3, VolumeType::Io2, VolumeType::Gp2, VolumeType::St1, VolumeType::Io1][kind];
        let range = |(low, more): (u64, u64), unit: u64| (low * unit, (low + more) * unit);
        let mut class = class(volume_type, range(sizes, 1), range(iops, UNIT.0), range(mibps, UNIT.1));
        let (iops_per_gib, mibps_per_tib) = (per_gib * UNIT.0, per_gib * 512 * UNIT.1);
        let burst = (burst.0 * UNIT.0, burst.1 * UNIT.1, burst.0);
        class.stripes = stripes;
        match kind {
            0 | 1 => {
                class.iops_rule = IopsRule::Provisioned;
                class.iops_per_gib = Some(iops_per_gib);
                class.free_iops = Some(class.min_iops);
                class.gib_per_iops = gib_per_iops;
                class.iops_per_mibps = Some([0.5, 1.0, 2.5, 4.0][per_mibps] * DEMAND_UNIT.0 / DEMAND_UNIT.1);
                class.mibps_rule = if kind == 0 { MibpsRule::Provisioned } else { MibpsRule::Iops };
            }
            2 => {
                class.max_gib += 12;
                (class.iops_rule, class.iops_per_gib) = (IopsRule::Size, Some(iops_per_gib));
                (class.burst_iops, class.burst_mibps) =
                    (Some(class.max_iops + burst.0), Some(class.max_mibps.max(burst.1)));
            }
            3 => {
                class.max_gib += 12;
                (class.mibps_rule, class.mibps_per_tib) = (MibpsRule::Size, Some(mibps_per_tib));
                (class.burst_iops, class.burst_mibps) = (Some(class.max_iops), Some(class.max_mibps.max(burst.1)));
                class.burst_mibps_per_tib = Some(mibps_per_tib * burst.2);
            }
            // Throughput that is chosen and IOPS that are not.
            _ => {
                (class.mibps_rule, class.iops_per_mibps) =
                    (MibpsRule::Provisioned, Some(0.5 * DEMAND_UNIT.0 / DEMAND_UNIT.1))
            }
        }
        class.max_iops = if class.iops_rule == IopsRule::Fixed { class.min_iops } else { class.max_iops };
        class
    })
}

/// Cents for a GiB, an IOPS (cheaper above some), and a MiB/s; some of them nothing.
pub fn tariffs() -> impl Strategy<Value = Tariff> {
    (0u64..6, 0u64..6, 1u64..6, (1u64..12, 0u64..6), 1u64..4).prop_map(
        |(gib, iops, included, (above, mibps), copies)| {
            let cents = |cents: u64| "0.01".parse::<Usd>().unwrap() * cents;
            let tiers = vec![(included * UNIT.0, cents(iops)), ((included + above) * UNIT.0, cents(iops / 2))];
            Tariff { storage: cents(gib * 20), iops: tiers, throughput: Some((UNIT.1, cents(mibps * 20))), copies }
        },
    )
}

/// Two in three long, quiet and with rare peaks, so that what may be throttled has to be shared between them.
pub fn questions_of_demands() -> impl Strategy<Value = (Demand, TaskArguments, Class)> {
    let step = (0usize..12, 0.3f64..1.0, 0.2f64..0.6);
    let level = (8.0f64..40.0, 1.0f64..5.0, Just(1.0));
    let apart = (prop::collection::vec(step, 40..150), level).prop_map(demand_of);
    let rule = (Just(50.0), 0.0f64..0.2, 8.0f64..40.0).prop_map(rule_of);
    let chosen = classes().prop_filter("IOPS are chosen", |class| class.iops_rule == IopsRule::Provisioned);
    prop_oneof![
        1 => (demands(), questions(), classes()),
        2 => (apart, (rule, 1u64..6, Just(None), delays()), chosen),
    ]
}

/// Seconds or, so that gp2's credits run out too, days; peaks of IOPS and of MiB/s apart and together.
pub fn demands() -> impl Strategy<Value = Demand> {
    let step = (0usize..6, 0.3f64..1.0, 0.0f64..0.3);
    let level = (2.0f64..24.0, 0.5f64..5.0, prop_oneof![Just(1.0), Just(300.0), Just(200_000.0)]);
    (prop::collection::vec(step, 5..60), level).prop_map(demand_of)
}

/// A kind of step, and shares of the level.
type Made = (usize, f64, f64);

/// Steps of a kind, each at so much of the level, and at so much of what it has not.
fn demand_of((steps, (iops, mibps, seconds)): (Vec<Made>, (f64, f64, f64))) -> Demand {
    let interval = |(kind, high, low): Made| {
        let (iops, mibps) = match kind {
            0 => (iops * high, mibps * low),
            1 => (iops * low, mibps * high),
            2 => (iops * high, mibps * high),
            _ => (iops * low, mibps * low),
        };
        let reads = (iops * DEMAND_UNIT.0 * seconds) as u64;
        let read_bytes = (mibps * DEMAND_UNIT.1 * seconds * MIB as f64) as u64;
        DemandInterval {
            ended_us: 0,
            seconds,
            counts: DeviceCounts { reads, read_bytes, ..Default::default() },
            ..DemandInterval::default()
        }
    };
    Demand { timed: true, intervals: steps.into_iter().map(interval).collect(), ..Demand::default() }
}

fn rule_of((percentile, headroom, max_throttled_pct): (f64, f64, f64)) -> SizingRule {
    SizingRule { percentile, max_throttled_pct, ..SizingRule::default() }.with_headroom(headroom)
}

/// Arguments of a task: a rule, a size, an instance or none, and the most that waiting may add, ms, or any.
pub type TaskArguments = (SizingRule, u64, Option<Ceiling>, Option<f64>);

/// Delays from a microsecond on average to a day, as steps last from a second to days.
fn delays() -> impl Strategy<Value = Option<f64>> {
    prop::option::weighted(0.4, (-3.0f64..8.0).prop_map(|magnitude| 10f64.powf(magnitude)))
}

pub fn questions() -> impl Strategy<Value = TaskArguments> {
    let percentile = prop_oneof![Just(50.0), Just(75.0), Just(99.0), Just(100.0)];
    let rule = (percentile, 0.0f64..0.4, prop_oneof![Just(0.0), 1.0f64..60.0]);
    let rule = rule.prop_map(rule_of);
    let instance = prop::option::weighted(0.3, (5.0f64..60.0, 1.0f64..9.0));
    let instance = instance
        .prop_map(|it| it.map(|(iops, mibps)| Ceiling { iops: iops * DEMAND_UNIT.0, mibps: mibps * DEMAND_UNIT.1 }));
    (rule, 1u64..12, instance, delays())
}
