//! Name of an instance type on a platform.

use ebs_aws::catalogue::Platform;

/// Describes an instance type, or a family, by its name on a platform: `r6i.8xlarge`, `db.r6i.8xlarge`.
pub fn describe_type(name: &str, platform: Platform) -> String {
    if platform.is_rds() { format!("db.{name}") } else { name.to_owned() }
}
