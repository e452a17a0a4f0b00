//! Local and Wavelength Zones by their names, which the AWS CLI prints as AvailabilityZone.

use super::region::region_code;
use super::{Platform, VolumeType};

/// Local or Wavelength Zone: `us-west-2-lax-1a`, `us-east-1-wl1-bos-wlz-1`, or the group of several, `us-west-2-lax-1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Name in lower case.
    pub name: String,
    /// Region that it extends.
    pub region: String,
    /// Platform of its volumes.
    pub platform: Platform,
}

/// Platform of an EC2 instance's volumes by their availability zone, and true where they are on an Outpost.
pub fn platform_of_zone(zone: Option<&str>, is_on_outpost: bool) -> Platform {
    match zone.and_then(Zone::parse) {
        _ if is_on_outpost => Platform::Outposts,
        Some(zone) => zone.platform,
        None => Platform::Ec2,
    }
}

/// True for RDS in a Local or Wavelength Zone, `place`: which storage types it has there is not in the catalogue.
pub fn is_rds_in_zone(platform: Platform, place: &str) -> bool {
    platform.is_rds() && Zone::parse(place).is_some()
}

/// True of a type that a platform is known to have at a place, a region or a zone, as far as the catalogue has a row for it; which of the
/// types that not every Local Zone has are in one is not in the catalogue.
pub fn surely_has(platform: Platform, place: &str, volume_type: VolumeType) -> bool {
    match platform {
        Platform::LocalZone => volume_type.characteristics().local_zones,
        _ => !is_rds_in_zone(platform, place),
    }
}

impl Zone {
    /// Parses a name; `None` of a region, an availability zone, and a name of another form.
    pub fn parse(name: &str) -> Option<Zone> {
        let name = ebs_base::names::bounded(name)?.to_ascii_lowercase();
        let words: Vec<&str> = name.split('-').collect();
        let is_number = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let number = words.iter().position(is_number)?;
        let (region, rest) = (words.get(..=number)?.join("-"), words.get(number + 1..)?);
        let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if rest.len() < 2 || !rest.iter().all(is_word) || region_code(&region).is_err() {
            return None;
        }
        let is_wavelength = rest.first().is_some_and(|word| word.starts_with("wl")) || rest.contains(&"wlz");
        let platform = if is_wavelength { Platform::Wavelength } else { Platform::LocalZone };
        Some(Zone { platform, region, name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_surely_has_gp2_volumes_and_no_storage_of_rds() {
        let found = |platform, place| [VolumeType::Gp2, VolumeType::Gp3].map(|one| surely_has(platform, place, one));
        assert_eq!(found(Platform::LocalZone, "us-west-2-lax-1a"), [true, false]);
        for platform in [Platform::Rds, Platform::RdsMultiAz] {
            assert_eq!(found(platform, "us-west-2-lax-1a"), [false; 2]);
            assert_eq!(found(platform, "us-west-2"), [true; 2]);
        }
        assert_eq!(found(Platform::Ec2, "us-west-2"), [true; 2]);
    }

    #[test]
    fn a_zone_extends_a_region() {
        let parse = |name: &str| Zone::parse(name).map(|zone| (zone.region, zone.platform));
        let zone = |region: &str, platform| Some((region.to_owned(), platform));
        for (name, expected) in [
            ("us-west-2-lax-1a", zone("us-west-2", Platform::LocalZone)),
            ("us-west-2-lax-1", zone("us-west-2", Platform::LocalZone)),
            ("US-East-1-BOS-1a", zone("us-east-1", Platform::LocalZone)),
            ("ap-south-1-ccu-1a", zone("ap-south-1", Platform::LocalZone)),
            ("us-east-1-wl1-bos-wlz-1", zone("us-east-1", Platform::Wavelength)),
            ("eu-west-2-wl1-lon-wlz-1", zone("eu-west-2", Platform::Wavelength)),
            ("ap-northeast-1-wl1-nrt-wlz-1", zone("ap-northeast-1", Platform::Wavelength)),
            ("us-east-1a", None),
            ("us-gov-west-1", None),
            ("us-gov-west-1b", None),
            ("cn-north-1", None),
            ("mars-east-1-lax-1a", None),
            ("us-west-2-", None),
            ("us-west-2-lax-", None),
            ("use1-az1", None),
            ("", None),
        ] {
            assert_eq!(parse(name), expected, "{name}");
        }
    }
}
