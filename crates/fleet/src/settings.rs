//! Settings of an answer.

use ebs_aws::catalogue::{Prices, Zone, prices};
use ebs_aws::discount::Discounts;

use crate::checked_arguments::CheckedArguments;
use crate::durability::ScopedDurability;

/// Settings of the evaluation.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Beginning of the time that was asked for, microseconds since 1970.
    pub from_us: i64,
    /// Its end.
    pub to_us: i64,
    /// Arguments of ebs_options that hold for every volume.
    pub advice: CheckedArguments,
    /// Durability that is requested of some volumes, in place of that of the arguments.
    pub durability: Vec<ScopedDurability>,
    /// Region of volumes whose region no document names.
    pub region: Option<String>,
    /// Discounts on AWS's list prices.
    pub discounts: Discounts,
}

impl Settings {
    /// Prices of a region or a zone after discounts; where it has none here, or is not known, those of its region or of the default region
    /// of ebs_options stand in.
    pub(crate) fn prices(&self, place: Option<&str>) -> Option<Prices> {
        let region = |name: &str| prices(name).ok().cloned();
        let found = place.and_then(region).or_else(|| {
            let zone = place.and_then(Zone::parse);
            let of_zone = zone.as_ref().and_then(|zone| region(&zone.region));
            let stand_in = of_zone.or_else(|| region(&ebs_advice::Settings::default().region))?;
            Some(stand_in.stand_in_for(place.unwrap_or_default()))
        })?;
        Some(self.discounts.apply(found))
    }
}
