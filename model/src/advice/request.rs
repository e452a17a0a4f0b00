//! What a user may ask for, checked.

use crate::catalogue::{Ceiling, Instance, Prices, instance, prices};
use crate::error::{Refusal, within};
use crate::need::Rule;
use crate::units::Usd;

/// The arguments of `ebs_options`, as written.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `ec2`.
    pub platform: String,
    /// AWS region whose prices count.
    pub region: String,
    /// EC2 instance type whose limits count; `None`: not checked.
    pub instance: Option<String>,
    /// Percentile of one-second demand to size for.
    pub percentile: f64,
    /// Added to it, as a share.
    pub headroom: f64,
    /// Seconds that may be throttled, per cent.
    pub max_throttled_pct: f64,
    /// Least yearly durability, per cent.
    pub durability_pct: Option<f64>,
    /// Most dollars a month for one role's volumes.
    pub budget_usd: Option<Usd>,
    /// Most volumes in a stripe.
    pub max_volumes: i32,
    /// Least size in all, GiB; `None`: the size of the filesystem now.
    pub min_size_gib: Option<i64>,
}

/// What holds when nothing is said; the SQL defaults are the same, and a test compares them.
pub const DEFAULTS: (&str, &str, f64, f64, f64, i32) = ("ec2", "us-east-1", 99.0, 0.2, 1.0, 1);

/// Checked arguments.
#[derive(Clone, Debug)]
pub struct Request {
    /// Prices of the region.
    pub prices: &'static Prices,
    /// The instance, if one was named.
    pub instance: Option<&'static Instance>,
    /// How need is read off demand.
    pub rule: Rule,
    /// Least durability.
    pub durability_pct: Option<f64>,
    /// Most dollars a month.
    pub budget_usd: Option<Usd>,
    /// Most volumes in a stripe.
    pub max_volumes: u64,
    /// Least size in all.
    pub min_size_gib: Option<u64>,
}

/// Whether this platform is one that the catalogue covers.
pub fn check_platform(platform: &str) -> Result<(), Refusal> {
    match platform.trim().to_ascii_lowercase().as_str() {
        "ec2" => Ok(()),
        "rds" => Err(Refusal::NotYet("platform \"rds\" is not supported yet")),
        _ => {
            let accepted = "Platforms are ec2.".to_owned();
            Err(Refusal::UnknownName { what: "platform", name: platform.to_owned(), accepted })
        }
    }
}

impl Settings {
    /// Checks every argument.
    pub fn check(&self) -> Result<Request, Refusal> {
        check_platform(&self.platform)?;
        let percentile = "The percentile of one-second demand to size for, for example 99.";
        let headroom = "A share added to the demand: 0.2 is 20 %.";
        let throttled = "Seconds that may be throttled, in per cent, for example 1.";
        let rule = Rule {
            percentile: within("percentile", self.percentile, (50.0, 100.0), percentile)?,
            headroom: within("headroom", self.headroom, (0.0, 10.0), headroom)?,
            max_throttled_pct: within("max_throttled_pct", self.max_throttled_pct, (0.0, 100.0), throttled)?,
        };
        let durability = "Yearly durability in per cent: 99.8 (gp2, gp3, io1) or 99.999 (io2).";
        if let Some(asked) = self.durability_pct {
            within("durability_pct", asked, (0.0, 99.999), durability)?;
        }
        let volumes = "The most volumes to stripe (RAID 0).";
        let max_volumes = within("max_volumes", f64::from(self.max_volumes), (1.0, 28.0), volumes)? as u64;
        let size = "GiB in all; EBS volumes hold up to 65,536 GiB each.";
        let largest = 65_536.0 * 28.0;
        let size_of = |gib: i64| within("min_size_gib", gib as f64, (1.0, largest), size).map(|gib| gib as u64);
        if let Some(budget) = self.budget_usd {
            let budget = budget.cents() as f64 / 100.0;
            within("budget_usd", budget, (0.01, 1e9), "US dollars a month for the volumes of one role.")?;
        }
        Ok(Request {
            prices: prices(&self.region)?,
            instance: self.instance.as_deref().map(instance).transpose()?,
            rule,
            durability_pct: self.durability_pct,
            budget_usd: self.budget_usd,
            max_volumes,
            min_size_gib: self.min_size_gib.map(size_of).transpose()?,
        })
    }
}

impl Request {
    /// What the instance can do without end.
    pub fn instance_baseline(&self) -> Option<Ceiling> {
        self.instance.map(Instance::baseline)
    }
}
