//! A smaller storage of RDS by a Blue/Green deployment: a copy of the instance on new storage, kept up to date, and switched over.
//!
//! `create-blue-green-deployment` takes the size, the type, IOPS and throughput of the copy's storage, also a smaller one
//! (<https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateBlueGreenDeployment.html>).

use super::procedure::{Script, limit_options, quote};
use super::unknown::Unknown;
use ebs_aws::catalogue::VolumeConfig;

/// Setting of an RDS instance with which AWS refuses a Blue/Green deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlueGreenObstacle {
    /// Secrets Manager manages the master user's password
    /// (<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/blue-green-deployments-considerations.html>).
    ManagedPassword,
    /// Automated backups are off
    /// (<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/blue-green-deployments-creating.html>).
    NoBackups,
}

/// Commands of a Blue/Green deployment, a script for each decision. Nothing is executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlueGreenCommands {
    /// Creates the copy, and waits until it is available.
    pub create: Script,
    /// Switches over to it, and waits until that is completed.
    pub switch_over: Script,
    /// Deletes the old instance with a last snapshot, once nothing is wrong with the new one.
    pub clean_up: Script,
    /// The way back before the switchover: deletes the copy.
    pub rollback: Script,
}

impl BlueGreenCommands {
    /// The commands for storage of this configuration; `database` is the DBInstanceIdentifier, `None` where it is not known.
    pub fn new(config: &VolumeConfig, database: Option<&str>) -> BlueGreenCommands {
        BlueGreenCommands {
            create: create(config, database),
            switch_over: switch_over(),
            clean_up: clean_up(config, database),
            rollback: rollback(),
        }
    }
}

fn create(config: &VolumeConfig, database: Option<&str>) -> Script {
    let mut script = Script::default();
    let instance = database.map_or_else(|| script.ask(Unknown::DbInstance), quote);
    let describe = format!("source=$(aws rds describe-db-instances --db-instance-identifier {instance}");
    script.command([describe.as_str(), "--query 'DBInstances[0].DBInstanceArn'", "--output text)"]);
    let options = limit_options(config, ("--target-iops", Some("--target-storage-throughput")));
    let words = [
        "DEPLOYMENT=$(aws rds create-blue-green-deployment".to_owned(),
        format!("--blue-green-deployment-name smaller-{}-gib", config.size_gib),
        "--source \"$source\"".to_owned(),
        format!("--target-storage-type {}", config.volume_type.name()),
        format!("--target-allocated-storage {}", config.size_gib),
    ];
    let query = "--query BlueGreenDeployment.BlueGreenDeploymentIdentifier --output text)".to_owned();
    let words: Vec<String> = words.into_iter().chain(options).chain([query]).collect();
    script.command(words.iter().map(String::as_str));
    script.line("echo \"deployment: $DEPLOYMENT\"");
    wait(&mut script, "AVAILABLE", "PROVISIONING");
    script
}

fn switch_over() -> Script {
    let mut script = Script::default();
    let deployment = script.ask(Unknown::Deployment);
    let begin = format!("aws rds switchover-blue-green-deployment --blue-green-deployment-identifier {deployment}");
    script.command([begin.as_str(), "--switchover-timeout 300"]);
    wait(&mut script, "SWITCHOVER_COMPLETED", "AVAILABLE | SWITCHOVER_IN_PROGRESS");
    script
}

fn clean_up(config: &VolumeConfig, database: Option<&str>) -> Script {
    let mut script = Script::default();
    let deployment = script.ask(Unknown::Deployment);
    let old = match database {
        Some(name) => quote(&format!("{name}-old1")),
        None => format!("{}-old1", script.ask(Unknown::DbInstance)),
    };
    script.line(format!("aws rds delete-blue-green-deployment --blue-green-deployment-identifier {deployment}"));
    let delete = format!("aws rds delete-db-instance --db-instance-identifier {old}");
    let snapshot = format!("--final-db-snapshot-identifier before-smaller-{}-gib", config.size_gib);
    script.command([delete.as_str(), snapshot.as_str()]);
    script
}

fn rollback() -> Script {
    let mut script = Script::default();
    let deployment = script.ask(Unknown::Deployment);
    let delete = format!("aws rds delete-blue-green-deployment --blue-green-deployment-identifier {deployment}");
    script.command([delete.as_str(), "--delete-target"]);
    script
}

/// Waits for a status of the deployment while it has the expected one, and fails at any other.
fn wait(script: &mut Script, until: &str, meanwhile: &str) {
    script.line("while :; do");
    let describe =
        "  status=$(aws rds describe-blue-green-deployments --blue-green-deployment-identifier \"$DEPLOYMENT\"";
    script.command([describe, "--query 'BlueGreenDeployments[0].Status'", "--output text)"]);
    script.line("  case $status in");
    script.line(format!("    {until}) break ;;"));
    script.line(format!("    {meanwhile}) sleep 30 ;;"));
    script.line("    *) echo \"status $status\" >&2; exit 1 ;;");
    script.line("  esac");
    script.line("done");
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebs_aws::catalogue::{Platform, VolumeType};

    fn joined(script: &Script) -> String {
        script.lines.join("\n").replace(" \\\n   ", "")
    }

    #[test]
    fn a_deployment_has_the_storage_and_the_limits_that_can_be_chosen() {
        let commands = |volume_type, gib, iops| {
            let config = VolumeConfig::new(Platform::Rds, volume_type, gib, iops, None).unwrap();
            BlueGreenCommands::new(&config, Some("my db"))
        };
        let small = commands(VolumeType::Gp3, 188, None);
        let create = joined(&small.create);
        assert!(create.contains("--db-instance-identifier 'my db' "), "{create}");
        assert!(create.contains(" --target-storage-type gp3 --target-allocated-storage 188 --query "), "{create}");
        let large = joined(&commands(VolumeType::Gp3, 500, Some(16_000)).create);
        assert!(large.contains(" 500 --target-iops 16000 --target-storage-throughput 500 "), "{large}");
        let io2 = joined(&commands(VolumeType::Io2, 200, Some(2_000)).create);
        assert!(io2.contains(" 200 --target-iops 2000 --query "), "{io2}");
        assert!(joined(&small.clean_up).contains("--db-instance-identifier 'my db-old1' "), "{small:?}");
        assert_eq!((small.create.unknown, small.switch_over.unknown), (vec![], vec![Unknown::Deployment]));
        assert!(joined(&small.rollback).ends_with(" --delete-target"));
    }
}
