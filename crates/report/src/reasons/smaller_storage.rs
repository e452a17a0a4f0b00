//! Smaller storage of RDS by a Blue/Green deployment: its price, what it takes, and what is at stake.

use super::order;
use ebs_advice::{BlueGreenObstacle, NoSmallerStorage, RoleAdvice, SmallerStorage};
use ebs_aws::catalogue::VolumeType;
use ebs_base::format::{count, usd};
use ebs_base::units::Usd;

/// Facts of a Blue/Green deployment, a sentence each.
const FACTS: [&str; 8] = [
    "A Blue/Green deployment copies the instance to storage of this size and keeps the copy up to date: physically for PostgreSQL, unless the \
     major version changes.",
    "Both instances and both storages are paid for while both exist.",
    "The switchover ends all connections, for a minute as a rule; it is undone where it takes longer than its timeout.",
    "Logical replication slots and subscriptions are not part of the copy: end them before, and create them again after it.",
    "Read replicas are copied too, with as much storage as the new instance.",
    "AWS has none with RDS Proxy, zero-ETL integrations, cascading or cross-Region read replicas, CloudFormation, and old minor versions: see \
     its page of limitations.",
    "The size is use and growth with 25 % more; AWS's text asks for at least 20 % above the use.",
    "Aurora has no storage to shrink. Terraform's provider has no argument for the target's storage: use the AWS CLI, then import the state.",
];

/// Facts of this one, a sentence each: settings to change before, and the way back at the end.
pub fn facts(smaller: &SmallerStorage) -> Vec<&'static str> {
    smaller.obstacles.iter().map(describe_obstacle).chain(FACTS).chain([WAY_BACK]).collect()
}

fn describe_obstacle(obstacle: &BlueGreenObstacle) -> &'static str {
    match obstacle {
        BlueGreenObstacle::ManagedPassword => {
            "AWS refuses it while Secrets Manager manages the master user's password: end that first with modify-db-instance \
             --no-manage-master-user-password --master-user-password, then import the configuration again."
        }
        BlueGreenObstacle::NoBackups => {
            "AWS requires automated backups, which are off: turn them on first with modify-db-instance --backup-retention-period, which can \
             interrupt the database, then import the configuration again."
        }
    }
}

/// The way back, before the switchover and after it.
const WAY_BACK: &str = "Before the switchover the way back is to delete the copy. After it the old instance remains as …-old1, without what was \
                            written since: there is no way back that keeps those writes.";

/// The page that documents Blue/Green deployments.
pub const SOURCE: &str = "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/blue-green-deployments-overview.html";

/// Saving against today, a month; `None` where today's price is not known.
pub fn saving(smaller: &SmallerStorage) -> Option<Usd> {
    smaller.current_usd.zip(smaller.storage.usd_month()).map(|(today, then)| today.rounded() - then.rounded())
}

/// Describes the storage and both prices: `gp3 200 GiB …: $23.00 a month, today 1,000 GiB for $115.00`.
pub fn describe(smaller: &SmallerStorage) -> String {
    let storage = order::describe_briefly(&smaller.storage.config, 1);
    let price = smaller
        .storage
        .usd_month()
        .map_or("a price that is not known".to_owned(), |price| format!("{} a month", usd(price)));
    let today = smaller.current_usd.map_or("at an unknown price".to_owned(), |today| format!("for {}", usd(today)));
    format!("{storage} for {price}; today {} GiB {today}", count(smaller.current_gib as f64))
}

/// Describes the size and the limits that the storage loses, a sentence each.
pub fn describe_size(role: &RoleAdvice, smaller: &SmallerStorage) -> String {
    let gib = |gib: u64| count(gib as f64);
    let basis = match (role.state.size.by_use_gib, &role.state.size.growth) {
        (Some(by_use), _) if by_use < smaller.required_gib => "min_size_gib",
        (Some(_), Some(_)) => "use, its growth in 30 days and 25 %",
        (Some(_), None) => "use and 25 %; growth unknown",
        (None, _) => "min_size_gib; the use is unknown",
    };
    let size = format!("{} GiB needed ({basis})", gib(smaller.required_gib));
    if !smaller.leaves_stripe {
        return format!("{size}.");
    }
    let config = &smaller.storage.config;
    format!(
        "{size}. Below 400 GiB the storage is one volume, not four: {} IOPS and {} MiB/s, which the demand does not exceed.",
        gib(config.iops),
        gib(config.throughput_mibps)
    )
}

/// Describes why no smaller storage is offered.
pub fn describe_missing(missing: NoSmallerStorage) -> String {
    let gib = |gib: u64| count(gib as f64);
    match missing {
        NoSmallerStorage::UseUnknown => {
            "unknown: the used space is not known (FreeStorageSpace of CloudWatch, fileSys of Enhanced \
                                         Monitoring, or min_size_gib => …)"
                .to_owned()
        }
        NoSmallerStorage::Used { required_gib } => format!("none: use, growth and 25 % need {} GiB", gib(required_gib)),
        NoSmallerStorage::Cluster => {
            "unknown: AWS documents it for instances, not for a Multi-AZ DB cluster".to_owned()
        }
        NoSmallerStorage::LogVolume => {
            let types = VolumeType::list(VolumeType::can_have_log_volume, "and");
            format!(
                "unknown: AWS does not document a copy without the dedicated log volume, which {types} storage alone can have"
            )
        }
        NoSmallerStorage::InstanceBinds => {
            "unknown: the instance's limit binds, a larger one asks more of the storage".to_owned()
        }
        NoSmallerStorage::NotCheaper { required_gib } => {
            format!("none: no storage of {} GiB or more that meets the request costs less", gib(required_gib))
        }
    }
}
