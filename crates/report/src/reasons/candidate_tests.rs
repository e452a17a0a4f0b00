use super::*;
use ebs_advice::replay::{AddedLatency, CreditOwner, Exhaustion};
use ebs_advice::{Addition, InstancePlateau, MeanLatency, PredictedThroughput, Provisioning, QueueLimit};
use ebs_aws::catalogue::LimitKind;
use ebs_aws::catalogue::{Ceiling, Platform, VolumeConfig, VolumeType};
use ebs_base::range::Range;
use ebs_prediction::saturation::{LimitMatch, LimitSource};
use ebs_prediction::{BindingLimit, LimitOwner};

pub(in crate::reasons) fn candidate(volume_type: VolumeType, reason: Reason) -> Candidate {
    Candidate {
        config: VolumeConfig::new(Platform::Ec2, volume_type, 500, None, None).unwrap(),
        volumes: 1,
        bill: None,
        order_bill: Default::default(),
        price_uncertainties: Vec::new(),
        saving: None,
        scale: 1.0,
        required: Ceiling { iops: 0.0, mibps: 0.0 },
        outcome: None,
        expected: None,
        prediction: None,
        device_prediction: None,
        is_wal_alone: false,
        service_times: Some(ebs_advice::ServiceTimes::published(VolumeType::Gp3)),
        latency_ms: None,
        queued_latency: None,
        queue_limit: None,
        bound: BindingLimit::None,
        feasible: false,
        excess: None,
        missed_targets: Vec::new(),
        risk: None,
        reason,
    }
}

fn words(reason: Reason) -> String {
    describe_reason(&candidate(VolumeType::Gp3, reason))
}

fn provisioned(provisioning: Provisioning) -> String {
    words(Reason::Sufficient(Sufficient { provisioning, saturation: None }))
}

#[test]
fn over_the_budget() {
    let over = |excess: &str, others: &str| {
        words(Reason::OverBudget { excess: excess.parse().unwrap(), others: others.parse().unwrap() })
    };
    assert_eq!(over("2", "30.50"), "$2.00 a month over the budget, with $30.50 for the other volumes");
    assert_eq!(over("0.61", "0"), "$0.61 a month over the budget");
}

#[test]
fn latency() {
    let latency =
        |queueing_ms, target_ms| MeanLatency { service_ms: 0.78, source: Source::Published, queueing_ms, target_ms };
    assert_eq!(
        words(Reason::Latency(latency(None, 0.5))),
        "gp3 takes about 0.78 ms a request (published), 0.50 requested"
    );
    let queueing = words(Reason::Latency(latency(Some(47.0), 5.0)));
    assert!(queueing.starts_with("gp3 takes about 0.78 ms a request (published) and "), "{queueing}");
    assert!(queueing.ends_with(" ms of waiting, 5.00 requested"), "{queueing}");
    let bought = provisioned(Provisioning::ForLatency(latency(None, 5.0)));
    assert!(bought.starts_with("more than the demand needs, to wait less: about 0.78 ms"), "{bought}");
}

#[test]
fn throughput() {
    let throughput = |ratio| PredictedThroughput { ratio, min_ratio: 0.999 };
    let bought = provisioned(Provisioning::ForThroughput(throughput(Some(0.999))));
    assert!(
        bought.starts_with("more than the demand needs, to wait less: predicted throughput is 1.00x current"),
        "{bought}"
    );
    assert!(words(Reason::Throughput(throughput(None))).starts_with("predicted throughput is unknown"));
}

fn all_it_carries(baseline: f64, percentile_high: f64, headroom_pct: f64) -> String {
    let (limited, percentile, instance_type) = (LimitKind::Iops, 99.0, "m5.large");
    provisioned(Provisioning::InstanceBaseline {
        instance_type,
        limited,
        baseline,
        percentile,
        percentile_high,
        headroom_pct,
    })
}

/// 20,000 / 16,692 leave 19.8 %, less than half a per cent below 20; 19.6 and 20.4 are 20 both.
#[test]
fn headroom_is_not_denied_by_the_figure_that_it_is() {
    let ending = |baseline, percentile_high, headroom_pct| {
        let reason = all_it_carries(baseline, percentile_high, headroom_pct);
        reason.split_once("which leaves ").unwrap().1.to_owned()
    };
    assert_eq!(ending(20_000.0, 16_692.0, 20.0), "20 % headroom");
    assert_eq!(ending(11_960.0, 10_000.0, 20.4), "19.6 % headroom, not 20.4 %");
    assert_eq!(ending(11_940.0, 10_000.0, 20.0), "19 % headroom, not 20 %");
    assert_eq!(ending(3_200.0, 3_200.0, 20.0), "0 % headroom, not 20 %");
}

#[test]
fn instance() {
    assert_eq!(
        all_it_carries(3_600.0, 3_200.0, 20.0),
        "3,600 IOPS, the baseline of m5.large: p99 is at most 3,200, which leaves 12 % headroom, not 20 %"
    );
    assert_eq!(
        all_it_carries(3_000.0, 3_200.0, 20.0),
        "3,000 IOPS, the baseline of m5.large: p99 is at most 3,200, which exceeds it"
    );
    let instance = InstanceSaturated {
        instance_type: "m5.large",
        limited: LimitKind::Iops,
        baseline: Ceiling { iops: 3_600.0, mibps: 81.25 },
        burst: Some((Ceiling { iops: 18_750.0, mibps: 593.75 }, Some(300.0))),
        reached: None,
        throttled_pct: 12.0,
    };
    let saturated = words(Reason::InstanceSaturated(instance.clone()));
    assert_eq!(
        saturated,
        "m5.large sustains 3,600 IOPS (18,750 IOPS for 30 minutes a day, gone after 300 s) and throttles 12 % of \
         seconds; a larger volume will not help"
    );
    let limit = |owner| LimitMatch {
        owner,
        limited: LimitKind::Iops,
        level: 3_600.0,
        source: LimitSource::Declared,
        share: 0.925,
        weight: 0.8,
        requires_spent_credits: owner == LimitOwner::Instance,
    };
    let plateau = |volume| InstancePlateau {
        limit: limit(LimitOwner::Instance),
        rate: 3_330.0,
        seconds_share: 1.0,
        in_flight: 40.0,
        volume,
        sure: false,
    };
    let reached = |volume| {
        let reached = Some(plateau(volume));
        words(Reason::InstanceSaturated(InstanceSaturated {
            burst: None,
            reached,
            throttled_pct: 0.0,
            ..instance.clone()
        }))
    };
    assert_eq!(
        reached(None),
        "m5.large sustains 3,600 IOPS, and the run was at 3,330 IOPS, 92 % of the instance's limit of 3,600 IOPS, in 100 \
         % of seconds with a queue depth of 40.0; a larger volume will not help, if the instance's burst credits were spent"
    );
    assert!(reached(Some(limit(LimitOwner::Volume))).contains("as may be the volume's limit of 3,600 IOPS, in 100 %"));
}

#[test]
fn what_a_type_cannot_do() {
    let reason = OutOfReach {
        resource: BindingLimit::VOLUME_IOPS,
        required: 90_000.0,
        max_per_volume: 80_000.0,
        on_instance: None,
        reached_by_volumes: Some(2),
    };
    assert_eq!(
        words(Reason::OutOfReach(reason)),
        "90,000 IOPS needed, gp3 has at most 80,000 (max_volumes => 2 reaches it)"
    );
    assert_eq!(
        words(Reason::Durability { promised_pct: 99.8, requested_pct: 99.9 }),
        "gp3 promises 99.8 % durability a year, 99.9 % requested"
    );
    let throttling = |throttled_pct, credits| {
        words(Reason::Throttling(Throttling {
            throttled_pct,
            throttled_high_pct: 3.1,
            waiting_pct: 40.0,
            waiting_high_pct: 50.0,
            max_throttled_pct: 1.0,
            credits,
        }))
    };
    let waiting = |waiting_pct| {
        let (throttled_pct, throttled_high_pct, max_throttled_pct, waiting_high_pct) = (0.4, 0.6, 1.0, 12.0);
        let reason = Throttling {
            throttled_pct,
            throttled_high_pct,
            waiting_pct,
            waiting_high_pct,
            max_throttled_pct,
            credits: None,
        };
        words(Reason::Throttling(reason))
    };
    assert_eq!(waiting(6.0), "queues 6.0 % of requests (limit 1.0 %)");
    assert_eq!(waiting(0.9), "queues 0.9 % of requests, at most 12 % (limit 1.0 %)");
    let exhausted = |after_s, for_good| Exhaustion { owner: CreditOwner::Volume, after_s, for_good };
    assert_eq!(throttling(2.0, None), "throttles 2.0 % of seconds (limit 1.0 %)");
    assert_eq!(
        throttling(0.5, Some(exhausted(60.0, false))),
        "throttles 0.5 % of seconds, at most 3.1 % (limit 1.0 %); burst credits last 60 s"
    );
    assert_eq!(
        throttling(100.0, Some(exhausted(4_337.2, true))),
        "burst credits last 4,337 s and do not come back; then it throttles 100 % of seconds (limit 1.0 %)"
    );
    let shortage = |of_mean, of_plateau| {
        let limited = LimitKind::Iops;
        words(Reason::Shortage(Shortage { limited, required: 309.0, limit: 300.0, of_mean, of_plateau }))
    };
    assert_eq!(shortage(true, false), "309 IOPS needed on average, 300 without burst credits");
    assert_eq!(shortage(false, false), "309 IOPS needed, it has 300");
    let plateau = "309 IOPS needed at the limit that was reached, 300 without burst credits";
    assert_eq!(shortage(false, true), plateau);
    let unsuitable = describe_reason(&candidate(VolumeType::St1, Reason::Unsuitable));
    assert_eq!(Some(unsuitable), VolumeType::St1.characteristics().unfit);
}

#[test]
fn waits_are_told_where_they_are_many_and_long() {
    let waits = |waiting_share, max_ms| {
        let added = Some(AddedLatency { waiting_share, max_ms, ..AddedLatency::default() });
        describe_waits(&Outcome { added, ..Outcome::default() })
    };
    assert_eq!(waits(0.599, 2_000.0).as_deref(), Some("60 % of requests wait, up to 2.00 s"));
    assert_eq!(waits(0.01, 10.0).as_deref(), Some("1 % of requests wait, up to 10.0 ms"));
    assert_eq!((waits(0.009, 10.0), waits(0.01, 9.9), waits(0.0, 0.0)), (None, None, None));
}

#[test]
fn provisioning() {
    let required = Ceiling { iops: 1_200.0, mibps: 9.375 };
    assert_eq!(
        provisioned(Provisioning::Included { required }),
        "the included 3,000 IOPS and 125 MiB/s cover the demand with headroom (1,200 IOPS, 9.38 MiB/s)"
    );
    let cpus = Provisioning::OtherBottleneck {
        bound: BindingLimit::Cpu,
        ideal_ratio: Some(Range { low: 1.0, middle: 1.05, high: 1.1 }),
    };
    assert!(provisioned(cpus).starts_with("the bottleneck is the CPU: no volume would give more than 1.05"));
    let demand = |addition| Provisioning::Demand {
        limited: LimitKind::Iops,
        required: 17_400.0,
        percentile: 99.0,
        percentile_high: 14_500.0,
        addition,
    };
    assert_eq!(
        provisioned(demand(Addition::HeadroomPct(20.0))),
        "17,400 IOPS = p99 demand 14,500 (upper end of its CI) + 20 % headroom"
    );
    assert_eq!(
        provisioned(demand(Addition::MaxThrottledPct(1.0))),
        "17,400 IOPS = p99 demand 14,500 (upper end of its CI), but only so many keep throttling within 1.0 %"
    );
    let provisioning = demand(Addition::HeadroomPct(20.0));
    let sufficient = Reason::Sufficient(Sufficient { provisioning, saturation: None });
    let queued = describe_reason(&Candidate {
        queue_limit: Some(QueueLimit {
            queue_depth: 0.6,
            requests_per_s: 718.0,
            demanded_per_s: 1_000.0,
            is_closed: true,
        }),
        ..candidate(VolumeType::Gp3, sufficient)
    });
    assert!(
        queued.ends_with(
            "; at the observed queue depth of 0.60 it delivers about 718 of 1,000 IOPS: sessions would wait"
        )
    );
}
