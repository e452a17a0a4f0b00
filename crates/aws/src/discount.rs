//! Discounts: factors on AWS's list prices, by usage type, as bills and agreements name them.

use std::collections::BTreeMap;

use crate::catalogue::{Item, Prices};
use crate::offer::item_of_usage_type;
use ebs_base::names::quoted;

/// Factors by what is billed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Discounts(BTreeMap<Item, f64>);

/// Error of a discount.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DiscountError {
    /// No price is known by this usage type.
    #[error("unknown usage type \"{0}\"")]
    UsageType(String),
    /// The factor is no share of a price.
    #[error("the discount factor of \"{usage_type}\" must be between 0 and 10, not {factor}")]
    Factor {
        /// The usage type.
        usage_type: String,
        /// The factor.
        factor: f64,
    },
}

/// Largest factor: an agreement lowers prices, and a reseller may raise them.
const MAX_FACTOR: f64 = 10.0;

/// Parts in which a factor is held, so that prices stay exact.
const PARTS: u64 = 1_000_000_000;

impl Discounts {
    /// Reads factors by usage type, with or without the prefix of a region: `EBS:VolumeUsage.gp3`, 0.8.
    pub fn new<'a>(factors: impl IntoIterator<Item = (&'a str, f64)>) -> Result<Discounts, DiscountError> {
        let read = |(usage_type, factor): (&'a str, f64)| {
            let item = item_of_usage_type(usage_type).ok_or_else(|| DiscountError::UsageType(quoted(usage_type)))?;
            if !(0.0..=MAX_FACTOR).contains(&factor) {
                return Err(DiscountError::Factor { usage_type: quoted(usage_type), factor });
            }
            Ok((item, factor))
        };
        factors.into_iter().map(read).collect::<Result<_, _>>().map(Discounts)
    }

    /// True without discounts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The prices after the discounts.
    pub fn apply(&self, mut prices: Prices) -> Prices {
        for (item, factor) in &self.0 {
            if let Some(price) = prices.items.get_mut(item) {
                price.usd = price.usd.fraction((factor * PARTS as f64).round() as u64, PARTS);
            }
        }
        prices
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Part, Platform, VolumeType, prices};

    /// 0.08 a GiB less 20 % are 0.064; IOPS stay.
    #[test]
    fn a_factor_is_on_its_usage_type_alone() {
        let discounts = Discounts::new([("EUC1-EBS:VolumeUsage.gp3", 0.8)]).unwrap();
        let discounted = discounts.apply(prices("us-east-1").unwrap().clone());
        let usd = |part| discounted.get(Platform::Ec2, VolumeType::Gp3, part).unwrap().usd.to_string();
        assert_eq!((usd(Part::Storage), usd(Part::Iops)), ("0.064".to_owned(), "0.005".to_owned()));
        assert!(!discounts.is_empty() && Discounts::default().is_empty());
    }

    #[test]
    fn what_is_no_usage_type_or_no_share_is_refused() {
        let refused = |usage_type, factor| Discounts::new([(usage_type, factor)]).unwrap_err().to_string();
        assert_eq!(refused("EBS:VolumeUsage.gp9", 0.8), "unknown usage type \"EBS:VolumeUsage.gp9\"");
        assert_eq!(refused("BoxUsage:m5.large", 0.8), "unknown usage type \"BoxUsage:m5.large\"");
        assert!(refused("EBS:VolumeUsage.gp3", -0.1).starts_with("the discount factor of"));
        assert!(refused("EBS:VolumeUsage.gp3", f64::NAN).starts_with("the discount factor of"));
    }
}
