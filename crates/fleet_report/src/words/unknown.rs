//! Facts on a volume that are not known, each with its consequence.

use std::borrow::Cow;

use ebs_advice::BusyRates;
use ebs_aws::catalogue::{Platform, VolumeType, unpublished_type};
use ebs_base::format::{brief_duration, count, pct, plain, rate, size};
use ebs_fleet::{Location, Timer, UnknownFact};

use super::coded;
use ebs_fleet_row::Coded;

/// Describes bursts within an interval, and the rate within busy time.
fn bursts(interval_s: f64, busy: Option<BusyRates>, timer: Timer) -> String {
    let interval = count(interval_s);
    match busy {
        Some(busy) if busy.iops < 1.0 => format!(
            "bursts within {interval} s, which are averaged: the device was busy {} of the time, with almost no requests",
            pct(100.0 * busy.share)
        ),
        Some(busy) => format!(
            "bursts within {interval} s, which are averaged: up to {} IOPS and {} MiB/s may have come together, as the device was busy {} of the \
             time; a burst beside a trickle may have been higher",
            rate(busy.iops),
            size(busy.mibps),
            pct(100.0 * busy.share)
        ),
        None => format!(
            "bursts within {interval} s, which are averaged: the upper end of the interval allows for bursts like the differences between samples, \
             and for no others, and {}",
            match timer {
                Timer::Missing => "the exporter does not show how long the device was busy",
                Timer::Still => "the exporter's busy time does not advance while requests are counted",
                Timer::Running => "the exporter's busy time is missing for some of the requests",
            }
        ),
    }
}

/// Describes what is not known of the place of a volume.
fn place(platform: Platform) -> Cow<'static, str> {
    let types = |holds: fn(VolumeType) -> bool| VolumeType::list(|one| one.is_sold_on(platform) && holds(one), "and");
    match platform {
        Platform::Outposts => {
            "free capacity of the Outpost: volumes are on its own hardware, which has gp2, and gp3 on some".into()
        }
        Platform::LocalZone => {
            let all = types(|one| one.characteristics().local_zones);
            let some = types(|one| !one.characteristics().local_zones);
            format!("types of the Local Zone beside {all}: some have {some}").into()
        }
        Platform::Wavelength => format!("types beside {}: Wavelength Zones have none", types(|_| true)).into(),
        _ if platform.is_rds() => "storage types of RDS in the zone beside the present one".into(),
        _ => "types that are sold there".into(),
    }
}

/// Describes latencies that are not known.
fn latency(timer: Timer) -> &'static str {
    match timer {
        Timer::Still => "latencies: the exporter's request times do not advance while requests are counted",
        _ => "latencies: the exporter has none",
    }
}

/// Describes RDS instances of one identifier.
fn rds_instance(candidates: &[Location]) -> String {
    let locations: Vec<String> = candidates.iter().map(ToString::to_string).collect();
    let locations = locations.join("; ");
    format!(
        "RDS instance: several have this identifier, and the labels of its series do not distinguish them ({locations})"
    )
}

/// Describes volumes of an instance without counts.
fn instance_volumes(volumes: usize) -> String {
    match volumes {
        1 => "demand on 1 more volume of its instance: it uses its limits, too".to_owned(),
        volumes => {
            format!("demand on {} more volumes of its instance: they use its limits, too", count(volumes as f64))
        }
    }
}

/// Describes a region without prices.
fn prices(region: Option<&str>, used: &str) -> String {
    let place =
        region.map_or("the region is unknown".to_owned(), |name| format!("prices of {name} are not in the catalogue"));
    format!("{place}: types are compared at the prices of {used}, without amounts")
}

/// Describes a fact that is not known.
pub fn describe_unknown(fact: &UnknownFact) -> Coded {
    match fact {
        UnknownFact::Configuration => {
            coded("configuration", "present configuration: no document describes the volume, so the saving is unknown")
        }
        UnknownFact::RdsInstance { candidates } => coded("rds_instance", rds_instance(candidates)),
        UnknownFact::VolumeType(name) => coded(
            "configuration",
            format!("limits and price of the volume type {}: it is not in the catalogue", plain(name)),
        ),
        UnknownFact::Prices { region, used } => coded("prices", prices(region.as_deref(), used)),
        UnknownFact::Instance => coded("instance_type", "instance type: the limits of the instance are not checked"),
        UnknownFact::Place(platform) => coded("place", place(*platform)),
        UnknownFact::InstanceLimits(name) => {
            let why =
                if unpublished_type(name).is_some() { "AWS publishes none" } else { "it is not in the catalogue" };
            let text = format!("limits of the instance type {}: {why}, and assumed to have none", plain(name));
            coded("instance_type", text)
        }
        UnknownFact::InstanceVolumes { count } => coded("instance_volumes", instance_volumes(*count)),
        UnknownFact::Bursts { interval_s, busy, timer } => coded("bursts", bursts(*interval_s, *busy, *timer)),
        UnknownFact::DailyCycle { known_s } => {
            coded("daily_cycle", format!("demand at other times of a day: samples cover {}", brief_duration(*known_s)))
        }
        UnknownFact::Latency(timer) => coded("latency", latency(*timer)),
        UnknownFact::JointDemand => {
            coded("joint_demand", "requests and bytes of the same second: their peaks are assumed to coincide")
        }
        UnknownFact::Space => coded("space", "used space: no exporter shows a file system of this volume alone"),
        UnknownFact::Growth => coded("growth", "growth of used space: at least two days of samples are needed"),
        UnknownFact::Coverage { missing } => {
            coded("coverage", format!("demand in the {} of the time without samples", pct(100.0 * missing)))
        }
        UnknownFact::NilToZero => coded("nil_to_zero", "zeros: with nilToZero, YACE exports zero for missing values"),
        UnknownFact::Merging => {
            coded("merging", "requests as EBS counts them below the stripe of RDS: at most those counted here")
        }
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
