//! Region and account of an object, by its ARN or its availability zone.

/// Region of an availability zone or a local zone: `us-east-1` of `us-east-1a`, `us-west-2` of `us-west-2-lax-1a`; `None` where the
/// name has another form.
pub(super) fn region_of_zone(zone: &str) -> Option<String> {
    let mut region = String::new();
    for (index, word) in zone.split('-').enumerate() {
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        if !digits.is_empty() {
            return (index > 1).then(|| format!("{region}{digits}"));
        }
        let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_word {
            return None;
        }
        region.push_str(word);
        region.push('-');
    }
    None
}

/// Region and account of an ARN, `arn:aws:rds:us-east-1:123456789012:db:mydb`; each `None` where the ARN lacks it.
pub(super) fn region_and_account(arn: &str) -> (Option<String>, Option<String>) {
    let mut words = arn.split(':');
    let is_arn = words.next() == Some("arn") && words.nth(1).is_some();
    let mut word = || words.next().filter(|word| is_arn && !word.is_empty()).map(str::to_owned);
    (word(), word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_regions() {
        for (zone, region) in [
            ("us-east-1a", Some("us-east-1")),
            ("us-gov-west-1b", Some("us-gov-west-1")),
            ("us-west-2-lax-1a", Some("us-west-2")),
            ("ap-southeast-4", Some("ap-southeast-4")),
            ("use1-az1", None),
            ("", None),
            ("1a", None),
            ("us-", None),
        ] {
            assert_eq!(region_of_zone(zone).as_deref(), region, "{zone}");
        }
    }

    #[test]
    fn an_arn_has_region_and_account() {
        let both = |arn: &str| region_and_account(arn);
        let known = (Some("eu-west-1".to_owned()), Some("123456789012".to_owned()));
        assert_eq!(both("arn:aws:rds:eu-west-1:123456789012:db:mydb"), known);
        assert_eq!(both("arn:aws-cn:rds::1:db:x"), (None, Some("1".to_owned())));
        assert_eq!(both("mydb"), (None, None));
        assert_eq!(both("a:b:c:d:e"), (None, None));
    }
}
