//! A smaller storage of RDS by a Blue/Green deployment: a copy of the instance on new storage, kept up to date, and switched over.
//!
//! `create-blue-green-deployment` takes the size, the type, IOPS and throughput of the copy's storage, also a smaller one
//! (<https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateBlueGreenDeployment.html>).

use super::aws_command::{Argument, AwsCommand};
use super::aws_resource::{AwsResource, StorageAttributes};
use super::procedure::Script;
use super::unknown::Unknown;
use ebs_aws::catalogue::VolumeConfig;

/// Option that names a deployment.
const IDENTIFIER: &str = "--blue-green-deployment-identifier";

/// Options for type, size, IOPS and throughput of the copy.
const TARGET_OPTIONS: [&str; 4] =
    ["--target-storage-type", "--target-allocated-storage", "--target-iops", "--target-storage-throughput"];

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
    let instance = database.map_or_else(|| script.ask(Unknown::DbInstance), Argument::from);
    let describe = AwsResource::Instance.describe([instance]).unbroken();
    script.capture("source", describe, "DBInstances[0].DBInstanceArn");
    let attributes = StorageAttributes::new(AwsResource::Instance, config);
    let storage = attributes.values(AwsResource::Instance, config.size_gib.into(), true);
    let create = AwsCommand::new("rds create-blue-green-deployment")
        .option("--blue-green-deployment-name", [format!("smaller-{}-gib", config.size_gib)])
        .option("--source", [Argument::Shell("\"$source\"".into())])
        .options(TARGET_OPTIONS, storage);
    script.capture("DEPLOYMENT", create, "BlueGreenDeployment.BlueGreenDeploymentIdentifier");
    script.line("echo \"deployment: $DEPLOYMENT\"");
    wait(&mut script, "AVAILABLE", "PROVISIONING");
    script
}

fn switch_over() -> Script {
    let mut script = Script::default();
    let deployment = script.ask(Unknown::Deployment);
    let switch_over = AwsCommand::new("rds switchover-blue-green-deployment").option(IDENTIFIER, [deployment]);
    script.aws(&switch_over.option("--switchover-timeout", [300]));
    wait(&mut script, "SWITCHOVER_COMPLETED", "AVAILABLE | SWITCHOVER_IN_PROGRESS");
    script
}

fn clean_up(config: &VolumeConfig, database: Option<&str>) -> Script {
    let mut script = Script::default();
    let deployment = script.ask(Unknown::Deployment);
    let old = match database {
        Some(name) => format!("{name}-old1").into(),
        None => Argument::Shell(format!("{}-old1", script.ask(Unknown::DbInstance))),
    };
    script.aws(&delete(deployment));
    let snapshot = format!("before-smaller-{}-gib", config.size_gib);
    let delete = AwsResource::Instance.command("delete").option(AwsResource::Instance.identifier(), [old]).unbroken();
    script.aws(&delete.option("--final-db-snapshot-identifier", [snapshot]));
    script
}

fn rollback() -> Script {
    let mut script = Script::default();
    let deployment = script.ask(Unknown::Deployment);
    script.aws(&delete(deployment).flags(["--delete-target"]));
    script
}

fn delete(deployment: Argument) -> AwsCommand {
    AwsCommand::new("rds delete-blue-green-deployment").option(IDENTIFIER, [deployment])
}

/// Waits for a status of the deployment while it has the expected one, and fails at any other.
fn wait(script: &mut Script, until: &str, meanwhile: &str) {
    script.line("while :; do");
    let describe = AwsCommand::new("rds describe-blue-green-deployments");
    let describe = describe.option(IDENTIFIER, [Argument::Variable(Unknown::Deployment)]).unbroken();
    script.capture("  status", describe, "BlueGreenDeployments[0].Status");
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
