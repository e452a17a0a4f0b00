//! Requests for advice: arguments of the settings, with the platform, the region and the instance of a volume.

use ebs_advice::{PricedVolumes, Request};
use ebs_aws::catalogue::{Platform, Zone, is_rds_in_zone, known_instance};
use ebs_aws::price::bill;

use crate::discovery::described::Described;
use crate::durability::ScopedDurability;
use crate::settings::Settings;
use crate::unknown_fact::UnknownFact;

/// Request for advice on a volume: arguments of the settings, with its own platform, region and instance.
pub fn request(described: &Described, settings: &Settings) -> Option<Request> {
    let platform = described.identity.platform;
    let prices = settings.prices(place(described, settings))?;
    let instance = described.identity.instance_type.as_deref().and_then(known_instance);
    let request = settings.advice.request(platform, prices)?;
    let database = described.database.clone();
    let durability_pct = ScopedDurability::find(&settings.durability, &described.identity).or(request.durability_pct);
    Some(Request { instance, database, durability_pct, ..request })
}

/// Local or Wavelength Zone of a volume, or else its region; `None` where neither is known.
fn place<'a>(described: &'a Described, settings: &'a Settings) -> Option<&'a str> {
    let identity = &described.identity;
    let zone = identity.zone.as_deref().filter(|zone| Zone::parse(zone).is_some());
    zone.or(identity.region.as_deref()).or(settings.region.as_deref())
}

/// Present configuration with its price, and what is not known of it and its place.
pub fn present(described: &Described, settings: &Settings) -> (Option<PricedVolumes>, Vec<UnknownFact>) {
    let platform = described.identity.platform;
    let place = place(described, settings);
    let is_rds_in_zone = place.is_some_and(|place| is_rds_in_zone(platform, place));
    let prices = settings.prices(place);
    let is_known = prices.as_ref().is_some_and(|prices| prices.are_known(platform));
    let used = prices.as_ref().map_or(String::new(), |prices| {
        let own = prices.region.clone();
        prices.stand_in.clone().unwrap_or(own)
    });
    let place = match platform {
        Platform::Outposts => Some(place.map_or("Outposts".to_owned(), |place| format!("Outposts in {place}"))),
        _ => place.map(str::to_owned),
    };
    let mut unknown: Vec<UnknownFact> =
        (!is_known).then_some(UnknownFact::Prices { region: place, used }).into_iter().collect();
    unknown.extend((!platform.has_prices() || is_rds_in_zone).then_some(UnknownFact::Place(platform)));
    let priced = described.config.map(|config| {
        let bill = prices.and_then(|prices| bill(&config, 1, &prices));
        PricedVolumes { config, volumes: 1, usd_month: bill.map(|bill| bill.total().rounded()) }
    });
    (priced, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked_arguments::CheckedArguments;
    use crate::identity::Identity;

    #[test]
    fn a_durability_of_some_volumes_holds_in_place_of_that_of_all() {
        let all = ebs_advice::Settings { durability_pct: Some(99.999), ..ebs_advice::Settings::default() };
        let durability = ScopedDurability::new("volume:vol-1".parse().unwrap(), 99.8).unwrap();
        let advice = CheckedArguments::new(all).unwrap();
        let settings = Settings { advice, durability: vec![durability], ..Settings::default() };
        let of = |id: &str| {
            let identity = Identity { id: id.to_owned(), ..Identity::default() };
            request(&Described { identity, ..Described::default() }, &settings).unwrap().durability_pct
        };
        assert_eq!([of("vol-1"), of("vol-2")], [Some(99.8), Some(99.999)]);
    }

    /// The storage types of RDS in a zone are not known, as those of EC2 volumes there.
    #[test]
    fn places_whose_types_are_not_known_are_named() {
        for (platform, zone, is_named) in [
            (Platform::Rds, "us-west-2-lax-1a", true),
            (Platform::LocalZone, "us-west-2-lax-1a", true),
            (Platform::Rds, "us-west-2a", false),
        ] {
            let identity = Identity {
                platform,
                zone: Some(zone.to_owned()),
                region: Some("us-west-2".to_owned()),
                ..Identity::default()
            };
            let (_, unknown) = present(&Described { identity, ..Described::default() }, &Settings::default());
            assert_eq!(unknown.contains(&UnknownFact::Place(platform)), is_named, "{zone}");
        }
    }
}
