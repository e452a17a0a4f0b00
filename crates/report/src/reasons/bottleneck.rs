//! The bottleneck of the database, and the throughput that ideal storage could add.

use ebs_advice::{Bottleneck, BottleneckCause};
use ebs_base::format::{range, share, whole_pct};
use ebs_prediction::predict::LimitingFactor;

/// Describes it: `Bottleneck: CPU; more IOPS will not increase throughput · upper bound with ideal storage 1.13 (1.00 to 1.34) times
/// current throughput · CPUs 90 % busy`.
pub fn describe(bottleneck: &Bottleneck) -> String {
    let busy = match bottleneck.utilization {
        Some(busy) => format!("CPUs {} busy", share(busy)),
        None => "CPU utilization unknown".to_owned(),
    };
    let nothing = if bottleneck.is_outside_storage() { "; more IOPS will not increase throughput" } else { "" };
    format!(
        "Bottleneck: {}{nothing} · upper bound with ideal storage {} times current throughput · {busy}",
        describe_cause(bottleneck.cause),
        range(&bottleneck.ideal_ratio)
    )
}

/// Describes cause and utilization in a few words: `CPU, 89 % busy`.
pub fn describe_briefly(bottleneck: &Bottleneck) -> String {
    let cause = describe_cause(bottleneck.cause);
    match bottleneck.utilization {
        Some(busy) if cause == "CPU" => format!("CPU ({} busy)", whole_pct(busy)),
        Some(busy) => format!("{cause} (CPU {} busy)", whole_pct(busy)),
        None => cause.to_owned(),
    }
}

fn describe_cause(cause: BottleneckCause) -> &'static str {
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
