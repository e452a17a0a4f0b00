//! Facts on a volume that are not known, each with its consequence.

use ebs_aws::catalogue::{Platform, unpublished_type};
use ebs_base::format::{brief_duration, count, pct, plain, rate, size};
use ebs_fleet::{BusyRates, UnknownFact};

use super::coded;
use crate::row::Coded;

/// Describes bursts within an interval, and the rate within busy time.
fn bursts(interval_s: f64, busy: Option<BusyRates>) -> String {
    let interval = count(interval_s);
    match busy {
        Some(busy) => format!(
            "bursts within {interval} s, which are averaged: up to {} IOPS and {} MiB/s may have come together, as the device was busy {} of the \
             time; a burst beside a trickle may have been higher",
            rate(busy.iops),
            size(busy.mibps),
            pct(100.0 * busy.share)
        ),
        None => format!(
            "bursts within {interval} s, which are averaged: the upper end of the interval allows for bursts like the differences between samples, \
             and for no others, and the exporter does not show how long the device was busy"
        ),
    }
}

/// Describes what is not known of the place of a volume.
fn place(platform: Platform) -> &'static str {
    match platform {
        Platform::Outposts => {
            "free capacity of the Outpost: volumes are on its own hardware, which has gp2, and gp3 on some"
        }
        Platform::LocalZone => "types of the Local Zone beside gp2: some have gp3 and io1",
        Platform::Wavelength => "types beside gp2: Wavelength Zones have none",
        _ => "types that are sold there",
    }
}

/// Describes a fact that is not known.
pub fn describe_unknown(fact: &UnknownFact) -> Coded {
    match fact {
        UnknownFact::Configuration => coded(
            "configuration",
            "present configuration: no document describes it, so its saving is not known".to_owned(),
        ),
        UnknownFact::RdsInstance { candidates } => {
            let locations: Vec<String> = candidates.iter().map(ToString::to_string).collect();
            let locations = locations.join("; ");
            let text = format!(
                "which RDS instance it is: its series do not tell, and several have its identifier ({locations})"
            );
            coded("rds_instance", text)
        }
        UnknownFact::VolumeType(name) => {
            coded("configuration", format!("limits and price of the volume type {}: it is not known here", plain(name)))
        }
        UnknownFact::Prices { region, used } => {
            let place = region
                .as_ref()
                .map_or("its region is not known".to_owned(), |name| format!("prices of {name} are not known"));
            coded("prices", format!("{place}: types are compared by the prices of {used}, and no amounts are given"))
        }
        UnknownFact::Place(platform) => coded("place", place(*platform).to_owned()),
        UnknownFact::Instance => coded("instance_type", "instance type: its limits are not checked".to_owned()),
        UnknownFact::InstanceLimits(name) => {
            let why = if unpublished_type(name).is_some() { "AWS publishes none" } else { "it is not known here" };
            let text = format!("limits of the instance type {}: {why}, and taken to have none", plain(name));
            coded("instance_type", text)
        }
        UnknownFact::InstanceVolumes { count: volumes } => {
            let more = match *volumes {
                1 => "1 more volume of its instance: it uses its limits, too".to_owned(),
                volumes => format!("{} more volumes of its instance: they use its limits, too", count(volumes as f64)),
            };
            coded("instance_volumes", format!("demand on {more}"))
        }
        UnknownFact::Bursts { interval_s, busy } => coded("bursts", bursts(*interval_s, *busy)),
        UnknownFact::DailyCycle { known_s } => {
            coded("daily_cycle", format!("demand at other times of a day: samples cover {}", brief_duration(*known_s)))
        }
        UnknownFact::Latency => coded("latency", "latencies: its exporter has none".to_owned()),
        UnknownFact::JointDemand => {
            let text = "requests and bytes of the same second: their largest are taken to come together";
            coded("joint_demand", text.to_owned())
        }
        UnknownFact::Space => coded("space", "used space: no exporter shows its file system".to_owned()),
        UnknownFact::Growth => coded("growth", "growth of used space: two days of it are needed".to_owned()),
        UnknownFact::Coverage { missing } => {
            coded("coverage", format!("demand in the {} of the time without samples", pct(100.0 * missing)))
        }
        UnknownFact::NilToZero => {
            let text = "zeros: YACE writes them for missing values where nilToZero is set";
            coded("nil_to_zero", text.to_owned())
        }
        UnknownFact::Merging => coded(
            "merging",
            "requests as EBS counts them below the stripe of RDS: at most those counted here".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_of_an_instance_are_counted_in_plain_english() {
        let text = |count| describe_unknown(&UnknownFact::InstanceVolumes { count }).text;
        assert_eq!(text(1), "demand on 1 more volume of its instance: it uses its limits, too");
        assert_eq!(text(2), "demand on 2 more volumes of its instance: they use its limits, too");
    }
}
