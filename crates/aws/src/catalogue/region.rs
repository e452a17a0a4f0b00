//! Codes of regions, those without prices here among them.

use ebs_base::error::InputError;
use ebs_base::names;

use super::{SIMILAR, regions};

/// Second words of regions: those of partitions and of the European Sovereign Cloud.
const QUALIFIERS: [&str; 7] = ["gov", "iso", "isob", "isoe", "isof", "isog", "de"];
/// Words before the number.
const DIRECTIONS: [&str; 9] =
    ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest", "central"];

/// The code of a region in lower case, of one with prices or of the form of AWS's codes: `ap-southeast-7`, `us-gov-west-1`. AWS opens
/// regions more often than this list is printed. Names of zones, such as `us-east-1a`, are refused.
pub fn region_code(region: &str) -> Result<String, InputError> {
    let code = names::bounded(region).map(str::to_ascii_lowercase);
    let is_region = |code: &String| regions().any(|known| known == code) || has_form(code);
    code.filter(is_region).ok_or_else(|| {
        let code = names::owned(region).to_ascii_lowercase();
        let near = names::similar(&code, regions(), SIMILAR);
        let accepted = if near.is_empty() {
            "Regions have codes such as us-east-1, eu-central-1, ap-southeast-7 or us-gov-west-1.".to_owned()
        } else {
            format!("Perhaps you meant {}.", near.join(", "))
        };
        InputError::UnknownName { what: "region", name: names::quoted(region), accepted }
    })
}

fn has_form(code: &str) -> bool {
    let words: Vec<&str> = code.split('-').collect();
    let (area, qualifier, direction, number) = match words.as_slice() {
        [area, direction, number] => (area, None, direction, number),
        [area, qualifier, direction, number] => (area, Some(qualifier), direction, number),
        _ => return false,
    };
    (area.len() == 2 || *area == "eusc")
        && area.bytes().all(|letter| letter.is_ascii_lowercase())
        && qualifier.is_none_or(|qualifier| QUALIFIERS.contains(qualifier))
        && DIRECTIONS.contains(direction)
        && (1..=2).contains(&number.len())
        && number.bytes().all(|digit| digit.is_ascii_digit())
        && !number.starts_with('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_have_prices_or_the_form_of_a_region() {
        for region in regions() {
            assert!(has_form(region), "{region}");
        }
        for (region, code) in [
            ("ap-southeast-7", "ap-southeast-7"),
            ("EU-West-1 ", "eu-west-1"),
            ("us-gov-west-1", "us-gov-west-1"),
            ("us-isob-east-1", "us-isob-east-1"),
            ("eusc-de-east-1", "eusc-de-east-1"),
            ("cn-northwest-1", "cn-northwest-1"),
            ("nz-central-12", "nz-central-12"),
        ] {
            assert_eq!(region_code(region).as_deref(), Ok(code));
        }
    }

    #[test]
    fn other_names_are_refused_with_similar_regions() {
        for region in [
            "mars-1",
            "mars-east-1",
            "us-east",
            "us-east-1a",
            "us-east-0",
            "us-east-+1",
            "us-east-1-bos-1",
            "",
            "frankfurt",
        ] {
            assert!(region_code(region).is_err(), "{region}");
        }
        let error = region_code("eu-wets-1").unwrap_err();
        assert_eq!(error.to_string(), "unknown region \"eu-wets-1\"");
        assert!(error.hint().starts_with("Perhaps you meant eu-west-1"), "{}", error.hint());
    }
}
