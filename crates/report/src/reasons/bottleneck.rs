//! The bottleneck of the database, and the throughput that ideal storage could add.

use ebs_advice::{Bottleneck, BottleneckCause};
use ebs_base::format::{range, share, whole_pct};
use ebs_prediction::predict::LimitingFactor;

/// Describes it: `Held back by: the CPUs: more IOPS buys nothing · a volume without … would give at most 1.13 of now · …`.
pub fn describe(bottleneck: &Bottleneck) -> String {
    let busy = match bottleneck.utilization {
        Some(busy) => format!("CPUs {} busy", share(busy)),
        None => "how busy the CPUs were is not in the evidence".to_owned(),
    };
    let nothing = if bottleneck.is_outside_storage() { ": more IOPS buys nothing" } else { "" };
    format!(
        "Held back by: {}{nothing} · a volume without any latency or limit would give at most {} of now · {busy}",
        describe_cause(bottleneck.cause),
        range(&bottleneck.ideal_ratio)
    )
}

fn describe_cause(cause: BottleneckCause) -> &'static str {
    match cause {
        BottleneckCause::Known(LimitingFactor::Latency) => "the volume's latency",
        BottleneckCause::Known(LimitingFactor::VolumeIops) => "the volume's IOPS",
        BottleneckCause::Known(LimitingFactor::VolumeThroughput) => "the volume's throughput",
        BottleneckCause::Known(LimitingFactor::InstanceIops) => "the instance's IOPS",
        BottleneckCause::Known(LimitingFactor::InstanceThroughput) => "the instance's throughput",
        BottleneckCause::Known(LimitingFactor::Cpu) => "the CPUs",
        BottleneckCause::Known(LimitingFactor::Locks) => "locks that sessions hold against each other",
        BottleneckCause::Known(LimitingFactor::Client) => "the clients, who ask for no more",
        BottleneckCause::Known(LimitingFactor::OtherWaits) | BottleneckCause::OtherWaits => {
            "waits that are not for the volume"
        }
    }
}

/// Describes cause and utilization in a few words: `CPU, 89 % busy`.
pub fn describe_briefly(bottleneck: &Bottleneck) -> String {
    let cause = describe_cause_briefly(bottleneck.cause);
    let nothing = if bottleneck.is_outside_storage() { ": more IOPS will not help" } else { "" };
    match bottleneck.utilization {
        Some(busy) if cause == "CPU" => format!("CPU ({} busy){nothing}", whole_pct(busy)),
        Some(busy) => format!("{cause}{nothing} (CPU {} busy)", whole_pct(busy)),
        None => format!("{cause}{nothing}"),
    }
}

fn describe_cause_briefly(cause: BottleneckCause) -> &'static str {
    match cause {
        BottleneckCause::Known(LimitingFactor::Latency) => "volume latency",
        BottleneckCause::Known(LimitingFactor::VolumeIops) => "volume IOPS",
        BottleneckCause::Known(LimitingFactor::VolumeThroughput) => "volume throughput",
        BottleneckCause::Known(LimitingFactor::InstanceIops) => "instance IOPS",
        BottleneckCause::Known(LimitingFactor::InstanceThroughput) => "instance throughput",
        BottleneckCause::Known(LimitingFactor::Cpu) => "CPU",
        BottleneckCause::Known(LimitingFactor::Locks) => "locks",
        BottleneckCause::Known(LimitingFactor::Client) => "client think time",
        BottleneckCause::Known(LimitingFactor::OtherWaits) | BottleneckCause::OtherWaits => "other waits",
    }
}
