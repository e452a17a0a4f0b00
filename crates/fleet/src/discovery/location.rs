//! Location of an RDS instance: region and account, within which its identifier is unique.

use std::fmt;

use ebs_aws::catalogue::region_code;
use ebs_imports::configuration::DatabaseKey;
use ebs_prometheus::Labels;

/// Labels of the region: of qonto's exporter, and of Percona's and YACE.
const REGION_LABELS: [&str; 2] = ["aws_region", "region"];
/// Labels of the account: of qonto's exporter, and of YACE.
const ACCOUNT_LABELS: [&str; 2] = ["aws_account_id", "account_id"];
/// Digits of an account.
const ACCOUNT_DIGITS: usize = 12;

/// Region and account, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Region.
    pub region: Option<String>,
    /// AWS account.
    pub account: Option<String>,
}

impl Location {
    /// Location that labels show; a region or an account of another form than AWS's is a label of the user.
    pub(crate) fn from_labels(labels: &Labels) -> Location {
        let is_account = |text: &&str| text.len() == ACCOUNT_DIGITS && text.bytes().all(|one| one.is_ascii_digit());
        let account = ACCOUNT_LABELS.iter().filter_map(|label| labels.get(label)).find(is_account);
        let mut regions = REGION_LABELS.iter().filter_map(|label| labels.get(label));
        Location { region: regions.find_map(|text| region_code(text).ok()), account: account.map(str::to_owned) }
    }

    /// Location of a document.
    pub(crate) fn from_document(key: &DatabaseKey) -> Location {
        Location { region: key.region.clone(), account: key.account.clone() }
    }

    /// True where both may be the same: what both know is equal.
    pub(crate) fn agrees_with(&self, other: &Location) -> bool {
        let agree = |one: &Option<String>, other: &Option<String>| match (one, other) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        agree(&self.region, &other.region) && agree(&self.account, &other.account)
    }

    /// Everything that one of the two knows.
    pub(crate) fn union(self, other: &Location) -> Location {
        Location {
            region: self.region.or_else(|| other.region.clone()),
            account: self.account.or_else(|| other.account.clone()),
        }
    }
}

impl fmt::Display for Location {
    /// `us-east-1, account 123456789012`; different locations have different texts.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match (&self.region, &self.account) {
            (Some(region), Some(account)) => write!(formatter, "{region}, account {account}"),
            (Some(region), None) => formatter.write_str(region),
            (None, Some(account)) => write!(formatter, "account {account}"),
            (None, None) => formatter.write_str("unknown region"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A label `region` of the user is no region of AWS.
    #[test]
    fn labels_of_another_form_are_of_the_user() {
        let location = |labels: &[(&str, &str)]| Location::from_labels(&labels.iter().copied().collect());
        let yace = location(&[("account_id", "123456789012"), ("region", "eu-west-1")]);
        assert_eq!(yace.to_string(), "eu-west-1, account 123456789012");
        assert_eq!(location(&[("account_id", "main"), ("region", "emea")]), Location::default());
        assert_eq!(location(&[("aws_region", "eu-west-1"), ("region", "us-east-1")]).to_string(), "eu-west-1");
    }
}
