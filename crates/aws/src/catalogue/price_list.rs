//! Regions without a price list that can be imported.

use ebs_base::names;

/// Reason for which no price list of a region can be imported: it has none in US dollars, or none that is public. `None` of other regions.
pub fn describe_without_price_list(region: &str) -> Option<&'static str> {
    let code = names::bounded(region)?.to_ascii_lowercase();
    let is_isolated = code.split('-').any(|word| word.starts_with("iso"));
    match code.split('-').next() {
        Some("cn") => Some("The price lists of the China regions are in CNY; prices here are in US dollars."),
        Some("eusc") => {
            Some("The price lists of the European Sovereign Cloud are in euros; prices here are in US dollars.")
        }
        _ if is_isolated => Some("The price lists of AWS's isolated regions are not public."),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_without_a_list_in_dollars_are_named() {
        for (region, word) in [
            ("cn-north-1", "China"),
            ("CN-northwest-1", "CNY"),
            ("eusc-de-east-1", "euros"),
            ("us-isob-east-1", "isolated"),
        ] {
            assert!(describe_without_price_list(region).is_some_and(|text| text.contains(word)), "{region}");
        }
        for region in ["us-east-1", "us-gov-west-1", "ap-southeast-9", "", "moon"] {
            assert_eq!(describe_without_price_list(region), None, "{region}");
        }
    }
}
