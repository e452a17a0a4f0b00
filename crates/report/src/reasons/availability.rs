//! Types that are not to be had where the volumes are, and prices that are not known there.

use crate::Report;
use ebs_advice::{Request, Unavailable};
use ebs_aws::catalogue::{Platform, VolumeType, Zone, describe_without_price_list, is_rds_in_zone};

/// Describes the reason for which a type cannot be ordered.
pub fn describe(volume_type: &str, unavailable: &Unavailable) -> String {
    match unavailable {
        Unavailable::Zone { zone } => {
            let common = VolumeType::list(is_in_every_zone, "and");
            format!("not known {} has {volume_type}: some Local Zones do, all have {common}", describe_zone(zone))
        }
        Unavailable::RdsZone { zone } => format!("not known whether RDS has {volume_type} in {zone}"),
        Unavailable::MultiAttach => {
            let others = VolumeType::list(VolumeType::can_multi_attach, "or");
            format!("{volume_type} has no Multi-Attach, which today's volume has: {others}")
        }
    }
}

fn is_in_every_zone(volume_type: VolumeType) -> bool {
    volume_type.characteristics().local_zones
}

/// Describes the types of Local Zones: `all have gp2, some gp3 and io1`.
fn describe_zone_types() -> String {
    let is_in_some = |one: VolumeType| one.is_sold_on(Platform::LocalZone) && !is_in_every_zone(one);
    format!("all have {}, some {}", VolumeType::list(is_in_every_zone, "and"), VolumeType::list(is_in_some, "and"))
}

fn describe_zone(zone: &str) -> String {
    match Zone::parse(zone) {
        Some(_) => format!("whether {zone}"),
        None => "whether this Local Zone".to_owned(),
    }
}

/// Describes the place of the volumes behind the platform: `local-zone us-west-2-lax-1a, prices unknown`.
pub fn describe_place(request: &Request) -> String {
    let prices = &request.prices;
    match prices.are_known(request.platform) {
        true => format!("{}, prices of {}", prices.region, prices.as_of(request.platform)),
        false => format!("{}, prices unknown", prices.region),
    }
}

/// Describes what is not known of the prices, the types and other users there, a sentence each; none where all is known.
pub fn describe_unknown(report: &Report) -> Vec<String> {
    let shared = has_multi_attach(report).then(|| {
        "I/O of other instances that have the volume attached (Multi-Attach), unless the samples are EBS's own"
            .to_owned()
    });
    shared.into_iter().chain(describe_place_unknown(report.request)).collect()
}

/// True where a current volume can be attached to several instances.
fn has_multi_attach(report: &Report) -> bool {
    report.roles().any(|role| role.current.as_ref().is_some_and(|current| current.is_multi_attach))
}

fn describe_place_unknown(request: &Request) -> Vec<String> {
    let prices = &request.prices;
    if prices.are_known(request.platform) {
        return Vec::new();
    }
    let ordered_by = prices.stand_in.as_ref().unwrap_or(&prices.region);
    let order = format!("volumes are ordered by those of {ordered_by}, and no amount is printed");
    let price = match request.platform {
        Platform::Outposts => format!("the prices: storage on Outposts is bought with the rack; {order}"),
        Platform::LocalZone => format!("the prices: those of Local Zones are not in the catalogue; {order}"),
        Platform::Wavelength => format!("the prices: those of Wavelength Zones are not in the catalogue; {order}"),
        _ => format!("the prices of {}; {order}", prices.region),
    };
    vec![price].into_iter().chain(describe_types_unknown(request)).collect()
}

/// Describes what is not known of the types of a place.
fn describe_types_unknown(request: &Request) -> Option<String> {
    let place = &request.prices.region;
    match request.platform {
        Platform::Outposts => {
            Some("the capacity of the Outpost: a volume needs free storage of its type on your own rack".to_owned())
        }
        Platform::LocalZone => Some(format!(
            "the types of the Local Zone: {} \
             (https://aws.amazon.com/about-aws/global-infrastructure/localzones/features/)",
            describe_zone_types()
        )),
        platform if is_rds_in_zone(platform, place) => Some(format!(
            "the storage types of RDS in {place} beside the present one: aws rds describe-orderable-db-instance-options \
             with --availability-zone-group lists them"
        )),
        _ => None,
    }
}

/// Describes Multi-Attach for the first screen; `None` where no current volume has it.
pub fn describe_shared_briefly(report: &Report) -> Option<String> {
    has_multi_attach(report).then(|| {
        let types = VolumeType::list(VolumeType::can_multi_attach, "or");
        format!("Multi-Attach: {types} alone. Other instances' I/O may be missing from the samples.")
    })
}

/// Describes place and prices for the first screen; `None` where the prices are known.
pub fn describe_place_briefly(request: &Request) -> Option<String> {
    if request.prices.are_known(request.platform) {
        return None;
    }
    let types = || VolumeType::list(|one| one.is_sold_on(request.platform), "or");
    Some(match request.platform {
        Platform::Outposts => {
            format!("On Outposts: {}, of your rack's free capacity. Prices are not known here.", types())
        }
        Platform::LocalZone => {
            format!("In a Local Zone: its prices are not in the catalogue; {}.", describe_zone_types())
        }
        platform if is_rds_in_zone(platform, &request.prices.region) => {
            format!("RDS in {}: prices and storage types are not in the catalogue.", request.prices.region)
        }
        Platform::Wavelength => {
            format!("In a Wavelength Zone: {} alone; its prices are not in the catalogue.", types())
        }
        _ => describe_missing_prices(&request.prices.region),
    })
}

/// Describes the prices of a region or zone that are not in the catalogue, and their import where a price list has them.
fn describe_missing_prices(place: &str) -> String {
    let has_list = Zone::parse(place).is_none() && describe_without_price_list(place).is_none();
    let import = if has_list { ": ebsctl prices imports them" } else { "" };
    format!("The prices of {place} are not in the catalogue{import}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_rds_in_a_zone_are_not_known() {
        let prices = ebs_aws::catalogue::prices("us-west-2").unwrap().clone();
        let settings = ebs_advice::Settings { platform: "rds".to_owned(), ..ebs_advice::Settings::default() };
        let in_region = settings.check(prices.clone()).unwrap();
        assert_eq!((describe_place_briefly(&in_region), describe_types_unknown(&in_region)), (None, None));
        let in_zone = settings.check(prices.stand_in_for("us-west-2-lax-1a")).unwrap();
        let text = "RDS in us-west-2-lax-1a: prices and storage types are not in the catalogue.";
        assert_eq!(describe_place_briefly(&in_zone).as_deref(), Some(text));
        assert!(describe_types_unknown(&in_zone).is_some_and(|text| text.contains("--availability-zone-group")));
    }

    #[test]
    fn only_prices_that_have_a_list_are_imported() {
        let text = |place| describe_missing_prices(place);
        assert_eq!(
            text("ap-southeast-9"),
            "The prices of ap-southeast-9 are not in the catalogue: ebsctl prices imports them."
        );
        for place in ["cn-north-1", "eusc-de-east-1", "us-iso-east-1", "us-west-2-lax-1a"] {
            assert_eq!(text(place), format!("The prices of {place} are not in the catalogue."));
        }
    }
}
