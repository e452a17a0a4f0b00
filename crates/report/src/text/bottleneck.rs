//! The bottleneck of the database, and the throughput that ideal storage could add.

use crate::Report;
use ebs_advice::{Bottleneck, BottleneckCause};
use ebs_base::format::{range, share};
use ebs_prediction::predict::LimitingFactor;

/// Bottleneck of the cluster as a whole; `None` where the evidence does not show it.
pub(crate) fn find(report: &Report) -> Option<Bottleneck> {
    let advice = report.advice.as_ref()?;
    advice.together.as_ref().or(advice.roles.first())?.bottleneck.ok()
}

/// `Held back by: CPU (92 % busy): more IOPS buys nothing; …`; `None` where the evidence does not show it.
pub(crate) fn sentence(report: &Report) -> Option<String> {
    let held = find(report)?;
    let busy = match held.utilization {
        Some(busy) => format!("CPUs {} busy", share(busy)),
        None => "how busy the CPUs were is not in the evidence".to_owned(),
    };
    let nothing = if held.is_not_the_volume() { ": more IOPS buys nothing" } else { "" };
    Some(format!(
        "Held back by: {}{nothing} · a volume without any latency or limit would give at most {} of now · {busy}",
        name(held.cause),
        range(&held.ideal_ratio)
    ))
}

fn name(by: BottleneckCause) -> &'static str {
    match by {
        BottleneckCause::Known(LimitingFactor::Latency) => "the volume's latency",
        BottleneckCause::Known(LimitingFactor::VolumeIops) => "the volume's IOPS",
        BottleneckCause::Known(LimitingFactor::VolumeThroughput) => "the volume's throughput",
        BottleneckCause::Known(LimitingFactor::InstanceIops) => "the instance's IOPS",
        BottleneckCause::Known(LimitingFactor::InstanceThroughput) => "the instance's throughput",
        BottleneckCause::Known(LimitingFactor::Cpu) => "the CPUs",
        BottleneckCause::Known(LimitingFactor::Locks) => "locks that sessions hold against each other",
        BottleneckCause::Known(LimitingFactor::Client) => "the clients, who ask for no more",
        BottleneckCause::OtherWaits => "waits that are not for the volume",
    }
}
