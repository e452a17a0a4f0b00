//! Arguments of ebs_options for all volumes, checked.

use ebs_advice::Request;
use ebs_aws::catalogue::{Platform, Prices, prices};
use ebs_base::error::InputError;

/// Arguments of ebs_options that were accepted: a volume is never left without an answer because one of them is refused.
#[derive(Clone, Debug, Default)]
pub struct CheckedArguments(ebs_advice::Settings);

impl CheckedArguments {
    /// Checks arguments. Their platform, region and instance are not used: a request has those of its volume.
    pub fn new(arguments: ebs_advice::Settings) -> Result<CheckedArguments, InputError> {
        let default = ebs_advice::Settings::default();
        let own =
            ebs_advice::Settings { platform: default.platform, region: default.region, instance: None, ..arguments };
        own.check(prices(&own.region)?.clone())?;
        Ok(CheckedArguments(own))
    }

    /// Request with these arguments, on the platform and at the prices of a volume. No check depends on either: it is always there.
    pub(crate) fn request(&self, platform: Platform, prices: Prices) -> Option<Request> {
        let own = ebs_advice::Settings {
            platform: platform.name().to_owned(),
            region: prices.region.clone(),
            ..self.0.clone()
        };
        own.check(prices).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_arguments_make_no_settings_and_accepted_ones_a_request_everywhere() {
        let arguments = |percentile| ebs_advice::Settings { percentile, ..ebs_advice::Settings::default() };
        assert!(CheckedArguments::new(arguments(0.99)).is_err());
        let named = ebs_advice::Settings { region: "nowhere".to_owned(), ..arguments(99.9) };
        let checked = CheckedArguments::new(named).unwrap();
        let prices = prices("eu-west-1").unwrap();
        for platform in [Platform::Ec2, Platform::Rds, Platform::RdsMultiAz, Platform::RdsCluster] {
            let request = checked.request(platform, prices.clone()).unwrap();
            assert_eq!((request.rule.percentile, request.platform), (99.9, platform));
        }
    }
}
