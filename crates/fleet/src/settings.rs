//! Settings of an answer.

use ebs_aws::catalogue::{Prices, prices};
use ebs_aws::discount::Discounts;

/// Settings of the evaluation.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Beginning of the time that was asked for, microseconds since 1970.
    pub from_us: i64,
    /// Its end.
    pub to_us: i64,
    /// Arguments of ebs_options that hold for every volume. Its platform, its region and its instance are those of each volume.
    pub advice: ebs_advice::Settings,
    /// Region of volumes whose region no document names.
    pub region: Option<String>,
    /// Discounts on AWS's list prices.
    pub discounts: Discounts,
}

/// Prices of a volume's region, after discounts.
pub(crate) struct RegionPrices {
    /// Prices that the search uses.
    pub prices: Prices,
    /// True where they are those of the volume's own region.
    pub is_own: bool,
}

impl Settings {
    /// Prices of a region; where it has none here, or is not known, those of the default region of ebs_options, which are not shown.
    pub(crate) fn prices(&self, region: Option<&str>) -> Option<RegionPrices> {
        let own = region.and_then(|region| prices(region).ok());
        let default = ebs_advice::Settings::default().region;
        let known = own.map_or_else(|| prices(&default).ok(), Some)?;
        Some(RegionPrices { prices: self.discounts.apply(known.clone()), is_own: own.is_some() })
    }
}
