//! Rows of an offer file: prices by region and item.

use crate::catalogue::Item;
use ebs_base::units::Usd;

/// One price: US dollars a month for a GiB, an IOPS or a MiB/s.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// AWS region.
    pub region: String,
    /// Item of the price.
    pub item: Item,
    /// The price.
    pub usd: Usd,
}

/// True if a text has the shape of a region's code: `us-east-1`, `us-gov-west-1`, `eusc-de-east-1`. Zones' codes have not.
pub(super) fn is_region(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let Some((number, words)) = parts.split_last() else { return false };
    let letters = |word: &&str| (2..=12).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    (1..=2).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && (2..=3).contains(&words.len())
        && words.iter().all(letters)
}
