//! Arguments that would change the recommendation.

use super::candidate::describe_volumes;
use crate::Report;
use ebs_advice::{RoleAdvice, Variation, VariedArgument};
use ebs_base::format::{ms, usd};

/// Describes each argument with the volumes that it would recommend, and their price.
pub fn describe_all(report: &Report) -> Vec<String> {
    let several = report.roles().count() > 1;
    let of_role = |role: &RoleAdvice| -> Vec<String> {
        let suffix = if several { format!(" for {}", role.state.group.role) } else { String::new() };
        role.variations.iter().map(|variation| describe(variation, &suffix)).collect()
    };
    report.roles().flat_map(of_role).collect()
}

fn describe(variation: &Variation, suffix: &str) -> String {
    let recommended = match &variation.best {
        Some(best) => match best.usd_month() {
            Some(price) => format!("{}, {}", describe_volumes(best), usd(price)),
            None => describe_volumes(best),
        },
        None => "nothing".to_owned(),
    };
    format!(
        "{}{suffix} ({}): {recommended}",
        describe_argument(&variation.argument),
        describe_meaning(&variation.argument)
    )
}

/// Describes an argument as it is typed: `percentile => 100`.
pub fn describe_argument(argument: &VariedArgument) -> String {
    match argument {
        VariedArgument::Percentile(percentile) => format!("percentile => {percentile}"),
        VariedArgument::Headroom(headroom) => format!("headroom => {headroom}"),
        VariedArgument::MaxVolumes(volumes) => format!("max_volumes => {volumes}"),
        VariedArgument::LatencyTargetMs(target) => format!("latency_target_ms => {}", ms(*target)),
        VariedArgument::DurabilityPct(durability) => format!("durability_pct => {durability}"),
    }
}

/// Describes the meaning of an argument: `sized for the busiest sample`.
pub fn describe_meaning(argument: &VariedArgument) -> &'static str {
    match argument {
        VariedArgument::Percentile(_) => "sized for the busiest sample",
        VariedArgument::Headroom(_) => "nothing to spare",
        VariedArgument::MaxVolumes(_) => "RAID 0",
        VariedArgument::LatencyTargetMs(_) => "faster requests",
        VariedArgument::DurabilityPct(_) => "one volume in 100,000 lost a year",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_as_they_are_typed() {
        for (varied, typed) in [
            (VariedArgument::Percentile(100.0), "percentile => 100"),
            (VariedArgument::Headroom(0.0), "headroom => 0"),
            (VariedArgument::MaxVolumes(4), "max_volumes => 4"),
            (VariedArgument::LatencyTargetMs(0.33), "latency_target_ms => 0.33"),
            (VariedArgument::DurabilityPct(99.999), "durability_pct => 99.999"),
        ] {
            assert_eq!(describe_argument(&varied), typed);
        }
    }
}
