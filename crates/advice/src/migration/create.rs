//! New EBS volumes, and a copy of the data on them.

use super::aws_command::{Argument, AwsCommand};
use super::aws_resource::{AwsResource, StorageAttributes};
use super::directory::{check_directory, move_to_volume, return_to_current};
use super::procedure::{MigrationTarget, Procedure, Script};
use super::rule::MigrationRule;
use super::unknown::Unknown;
use ebs_aws::catalogue::{Platform, known_instance};

/// Mount point of the new volumes while the data is copied.
const MOUNTED: &str = "/mnt/new-volume";

/// Creates volumes, because a rule keeps the current ones from being modified.
pub(super) fn create(target: &MigrationTarget, rule: MigrationRule) -> Procedure {
    let mut change = Script::default();
    check_directory(&mut change);
    find_names(&mut change, target.volumes);
    attach(&mut change, target);
    copy(&mut change, target);
    let mut rules = vec![rule];
    rules.extend(cards(target).map(|cards| MigrationRule::EbsCards { cards }));
    Procedure { change, rollback: return_to_current(), rules, ..Procedure::default() }
}

/// EBS cards that a stripe alternates; `None` where there is one, or one volume.
fn cards(target: &MigrationTarget) -> Option<u64> {
    let cards = target.instance.and_then(known_instance)?.ebs_cards();
    (cards > 1 && target.volumes > 1).then_some(cards)
}

/// Finds a name for each attachment that neither the instance nor its kernel has in use.
fn find_names(script: &mut Script, volumes: u64) {
    let instance = script.ask(Unknown::InstanceId);
    let describe = AwsCommand::new("ec2 describe-instances").option("--instance-ids", [instance]);
    let query = "Reservations[].Instances[].BlockDeviceMappings[].DeviceName";
    script.aws_within("used=$(", &describe.option("--output", ["text"]).option("--query", [query]), ")");
    script.line("free=");
    script.for_each("name", attachments());
    script.line("  case $used in *\"$name\"* | *\"xvd${name#sd}\"*) continue ;; esac");
    script.line("  [ -e \"/dev/$name\" ] || [ -e \"/dev/xvd${name#sd}\" ] || free=\"$free $name\"");
    script.line("done");
    script.line("set -- $free");
    script.require(&format!("[ $# -ge {volumes} ]"), &format!("free device names: $#, needed: {volumes}"));
}

/// Names of attachments: those that AWS recommends, then those for more volumes, 28 together
/// (<https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/device_naming.html>).
fn attachments() -> Vec<String> {
    let recommended = ('f'..='p').map(|letter| format!("sd{letter}"));
    recommended.chain(('a'..='q').map(|letter| format!("xvdb{letter}"))).collect()
}

/// Creates and attaches each volume. On Nitro its device is found by its id, as the kernel's names are not those of the attachment
/// (<https://docs.aws.amazon.com/ebs/latest/userguide/identify-nvme-ebs-device.html>); on Xen by the name, for which the kernel may
/// have xvd in place of sd.
fn attach(script: &mut Script, target: &MigrationTarget) {
    let config = &target.config;
    let zone = script.ask(Unknown::AvailabilityZone);
    let outpost = (config.platform == Platform::Outposts).then(|| script.ask(Unknown::OutpostArn));
    let size = script.size(target, config.size_gib);
    let storage = StorageAttributes::new(AwsResource::Volume, config).values(AwsResource::Volume, size, true);
    let instance = script.ask(Unknown::InstanceId);
    script.line("volumes= devices=");
    script.line("trap 'echo \"new volumes:$volumes\"' EXIT");
    script.line(format!("for number in $(seq {}); do", target.volumes));
    let create = AwsResource::Volume.command("create").option("--availability-zone", [zone]);
    let create = create.option("--outpost-arn", outpost).options(AwsResource::Volume.storage_options(), storage);
    script.capture("  volume", create, "VolumeId");
    script.line("  volumes=\"$volumes $volume\"");
    let volume = Argument::Shell("\"$volume\"".into());
    let available = AwsCommand::new("ec2 wait volume-available").option("--volume-ids", [volume.clone()]);
    script.aws_within("  ", &available, "");
    let attach =
        AwsResource::Volume.command("attach").option("--volume-id", [volume]).option("--instance-id", [instance]);
    let attach = attach.option("--device", [Argument::Shell("\"/dev/$1\"".into())]);
    let card = cards(target).map(|cards| Argument::Shell(format!("$((number % {cards}))")));
    script.aws_within("  ", &attach.option("--ebs-card-index", card), "");
    script.line("  by_id=/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol${volume#vol-}");
    script.line("  for second in $(seq 120); do");
    script
        .line("    for device in \"$by_id\" \"/dev/$1\" \"/dev/xvd${1#sd}\"; do [ ! -e \"$device\" ] || break 2; done");
    script.line("    sleep 1");
    script.line("  done");
    script.require("  [ -e \"$device\" ]", "$volume did not appear as a device within 2 min");
    script.line("  devices=\"$devices $device\"");
    script.line("  shift");
    script.line("done");
}

/// Copies the directory while PostgreSQL runs, and what changed since while it is stopped.
fn copy(script: &mut Script, target: &MigrationTarget) {
    if target.volumes > 1 {
        let array = array(target.role);
        script.line(format!("array={array} number=1"));
        script.line(format!("while [ -e \"$array\" ]; do number=$((number + 1)); array={array}-$number; done"));
        let members = target.volumes;
        script.line(format!("sudo mdadm --create \"$array\" --level=0 --raid-devices={members} $devices"));
        script.line("device=$array");
    }
    let (directory, service) = (script.ask(Unknown::Directory), script.ask(Unknown::Service));
    script.line("sudo mkfs.xfs \"$device\"");
    script.line(format!("sudo mkdir -p {MOUNTED}"));
    script.line(format!("sudo mount \"$device\" {MOUNTED}"));
    script.line("# A first copy, while PostgreSQL runs; 24 means that files vanished meanwhile.");
    script.line(format!("sudo rsync -aHAX --numeric-ids {directory}/ {MOUNTED}/ || [ $? = 24 ]"));
    script.line(format!("sudo systemctl stop {service}"));
    script.line(format!("sudo rsync -aHAX --numeric-ids --delete {directory}/ {MOUNTED}/"));
    script.line(format!("sudo umount {MOUNTED}"));
    move_to_volume(script);
    script.line(format!("sudo systemctl start {service}"));
}

/// Name of the array for a role: at most 20 characters that mdadm allows in every locale.
fn array(role: &str) -> String {
    let plain = |character: char| if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { '-' };
    let name: String = role.chars().take(20).map(plain).collect();
    let name = name.trim_matches('-');
    format!("/dev/md/{}", if name.is_empty() { "volumes" } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_eight_volumes_have_names_of_their_own() {
        let mut names = attachments();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 28);
    }

    #[test]
    fn an_array_is_named_by_its_role() {
        assert_eq!((array("data"), array("data+wal")), ("/dev/md/data".to_owned(), "/dev/md/data-wal".to_owned()));
        assert_eq!(array("tablespace $(reboot) \"'"), "/dev/md/tablespace---reboot");
        assert_eq!((array("быстро"), array("")), ("/dev/md/volumes".to_owned(), "/dev/md/volumes".to_owned()));
    }
}
