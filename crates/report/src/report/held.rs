//! What holds the database back now, and how much any volume could give.

use super::Report;
use ebs_advice::advice::{Held, Holder};
use ebs_base::format::{range, share};
use ebs_prediction::predict::Regime;

/// Of everything together; `None` where the evidence does not say.
pub(crate) fn of(report: &Report) -> Option<Held> {
    let advice = report.advice.as_ref()?;
    advice.together.as_ref().or(advice.roles.first())?.held.ok()
}

/// `Held back by: CPU (92 % busy): more IOPS buys nothing; …`.
pub(crate) fn text(held: &Held) -> String {
    let busy = match held.utilization {
        Some(busy) => format!("CPUs {} busy", share(busy)),
        None => "how busy the CPUs were is not in the evidence".to_owned(),
    };
    let nothing = if held.is_not_the_volume() { ": more IOPS buys nothing" } else { "" };
    format!(
        "Held back by: {}{nothing} · a volume without any latency or limit would give at most {} of now · {busy}",
        words(held.by),
        range(&held.at_most)
    )
}

fn words(by: Holder) -> &'static str {
    match by {
        Holder::Known(Regime::Latency) => "the volume's latency",
        Holder::Known(Regime::VolumeIops) => "the volume's IOPS",
        Holder::Known(Regime::VolumeThroughput) => "the volume's throughput",
        Holder::Known(Regime::InstanceIops) => "the instance's IOPS",
        Holder::Known(Regime::InstanceThroughput) => "the instance's throughput",
        Holder::Known(Regime::Cpu) => "the CPUs",
        Holder::Known(Regime::Locks) => "locks that sessions hold against each other",
        Holder::Known(Regime::Client) => "the clients, who ask for no more",
        Holder::OtherWaits => "waits that are not for the volume",
    }
}
