//! Limitations of the comparison of Aurora's storage configurations.

use ebs_advice::AuroraLimitation;
use ebs_base::format::{size, usd, whole_pct};
use ebs_base::units::Usd;

/// Describes all limitations as one text; `None` where there are none.
pub fn describe(all: &[AuroraLimitation]) -> Option<String> {
    (!all.is_empty()).then(|| all.iter().map(describe_one).collect::<Vec<_>>().join("; "))
}

/// Describes one limitation.
fn describe_one(limitation: &AuroraLimitation) -> String {
    match limitation {
        AuroraLimitation::MissingMetric(name) => format!("{name} is missing"),
        AuroraLimitation::ShortPeriod { days } => {
            format!("only {}, less than a week: no interval, and weekdays may differ", describe_days(*days))
        }
        AuroraLimitation::Extrapolated { days } => format!("a month computed from {}", describe_days(*days)),
        AuroraLimitation::Gaps { share } => format!("{} of the periods have no values", whole_pct(*share)),
        AuroraLimitation::NotWhole => {
            "requests are not whole numbers: VolumeReadIOPs and VolumeWriteIOPs need the statistic Sum".to_owned()
        }
        AuroraLimitation::Undecided => {
            "the interval of requests contains the break-even: either may be cheaper".to_owned()
        }
        AuroraLimitation::InstancesUnknown { cheaper_below: None } => {
            "price of the instances unknown: give instances_usd_hour".to_owned()
        }
        AuroraLimitation::InstancesUnknown { cheaper_below: Some(bound) } if *bound > Usd::default() => format!(
            "price of the instances unknown (instances_usd_hour): I/O-Optimized is cheaper if they cost less than {} a month on Standard",
            usd(*bound)
        ),
        AuroraLimitation::InstancesUnknown { cheaper_below: Some(_) } => {
            "price of the instances unknown (instances_usd_hour): Standard is cheaper at any price".to_owned()
        }
        AuroraLimitation::OptimizedInstancesUnknown => {
            "price of the instances on I/O-Optimized unknown: give optimized_instances_usd_hour".to_owned()
        }
    }
}

fn describe_days(days: f64) -> String {
    if days < 1.0 { format!("{} h", size(24.0 * days)) } else { format!("{} days", size(days)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limitations_are_one_text() {
        let all = [
            AuroraLimitation::MissingMetric("VolumeReadIOPs"),
            AuroraLimitation::ShortPeriod { days: 0.5 },
            AuroraLimitation::InstancesUnknown { cheaper_below: Some("931.67".parse().unwrap()) },
        ];
        assert_eq!(
            describe(&all).unwrap(),
            "VolumeReadIOPs is missing; only 12.0 h, less than a week: no interval, and weekdays may differ; price of the instances \
             unknown (instances_usd_hour): I/O-Optimized is cheaper if they cost less than $931.67 a month on Standard"
        );
        assert_eq!(describe(&[]), None);
    }
}
