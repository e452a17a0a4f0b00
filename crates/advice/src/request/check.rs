//! Check of the arguments of a request.

use ebs_aws::catalogue::{Instance, Platform, Prices, instance};
use ebs_base::error::InputError;

use super::arguments::ARGUMENTS;
use super::database_facts::DatabaseFacts;
use super::settings::{Request, Settings};
use crate::requirement::SizingRule;

impl Settings {
    /// Checks every argument; `prices` are the region's.
    pub fn check(&self, prices: Prices) -> Result<Request, InputError> {
        ARGUMENTS.iter().try_for_each(|argument| argument.check(self))?;
        let platform: Platform = self.platform.parse()?;
        if self.budget_usd.is_some() && !prices.are_known(platform) {
            let place = if prices.stand_in.is_some() { &prices.region } else { platform.name() };
            return Err(InputError::Illegal {
                reason: format!("budget_usd cannot be checked: the prices of {place} are not in the catalogue"),
                remedy: "Leave out budget_usd, or name a region with prices (docs/prices.md).",
            });
        }
        Ok(Request {
            platform,
            prices,
            rule: self.rule(),
            instance: self.instance.as_deref().map(|name| instance_on(platform, name)).transpose()?,
            min_throughput_ratio: self.min_throughput_ratio,
            latency_target_ms: self.latency_target_ms,
            durability_pct: self.durability_pct,
            budget_usd: self.budget_usd,
            max_volumes: self.max_volumes.and_then(|count| u64::try_from(count).ok()),
            min_size_gib: self.min_size_gib.and_then(|gib| u64::try_from(gib).ok()),
            io_source: self.io_source,
            driver_load: None,
            max_wal_bytes: None,
            database: DatabaseFacts::default(),
        })
    }

    fn rule(&self) -> SizingRule {
        SizingRule {
            percentile: self.percentile,
            headroom: self.headroom.unwrap_or(SizingRule::DEFAULT.headroom),
            closed_headroom: self.headroom.unwrap_or(SizingRule::DEFAULT.closed_headroom),
            max_throttled_pct: self.max_throttled_pct,
            keep_throughput: self.keep_throughput_pct / 100.0,
        }
    }
}

/// Returns the instance with this name on the platform. On EC2 an RDS instance class is refused: its volumes cannot be ordered there.
fn instance_on(platform: Platform, name: &str) -> Result<&'static Instance, InputError> {
    let known = instance(name)?;
    let is_class = name.get(..3).is_some_and(|prefix| prefix.eq_ignore_ascii_case("db."));
    if platform == Platform::Ec2 && is_class {
        let accepted = format!(
            "\"{name}\" is an RDS instance class: platform => 'rds', or instance => '{}'.",
            known.instance_type
        );
        return Err(InputError::unknown("EC2 instance type", name, accepted));
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use ebs_aws::catalogue::prices;

    use super::*;

    fn check(settings: Settings) -> Result<Request, InputError> {
        settings.check(prices("us-east-1").unwrap().clone())
    }

    #[test]
    fn a_durability_given_as_a_fraction_is_refused() {
        for (durability, accepted) in [(0.998, false), (0.99999, false), (49.9, false), (50.0, true), (99.999, true)] {
            let answer = check(Settings { durability_pct: Some(durability), ..Settings::default() });
            assert_eq!(answer.is_ok(), accepted, "{durability}");
        }
    }

    #[test]
    fn an_rds_class_is_refused_on_ec2_alone() {
        let on = |platform: &str, name: &str| {
            check(Settings { platform: platform.to_owned(), instance: Some(name.to_owned()), ..Settings::default() })
        };
        let hint = on("ec2", "DB.r6i.large").unwrap_err().hint();
        assert_eq!(hint, "\"DB.r6i.large\" is an RDS instance class: platform => 'rds', or instance => 'r6i.large'.");
        for (platform, name) in [("rds", "db.r6i.large"), ("rds", "r6i.large"), ("ec2", "r6i.large")] {
            assert!(on(platform, name).is_ok(), "{platform} {name}");
        }
    }
}
