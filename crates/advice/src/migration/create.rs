//! New EBS volumes, and a copy of the data on them.

use super::procedure::{MigrationTarget, Procedure, Script, limit_options};
use super::rule::MigrationRule;
use super::unknown::Unknown;
use ebs_aws::catalogue::Platform;

/// Mount point of the new volumes while the data is copied.
const MOUNTED: &str = "/mnt/new-volume";

/// Creates volumes, because a rule keeps the current ones from being modified.
pub(super) fn create(target: &MigrationTarget, rule: MigrationRule) -> Procedure {
    let mut change = Script::default();
    attach(&mut change, target);
    copy(&mut change, target.volumes);
    Procedure { change, rollback: return_to_current(), rules: vec![rule] }
}

/// Creates and attaches each volume; its device is found by its id, as the kernel's names are not those of the attachment
/// (<https://docs.aws.amazon.com/ebs/latest/userguide/identify-nvme-ebs-device.html>).
fn attach(script: &mut Script, target: &MigrationTarget) {
    let config = &target.config;
    let zone = format!("--availability-zone {}", script.ask(Unknown::AvailabilityZone));
    let outpost =
        (config.platform == Platform::Outposts).then(|| format!("--outpost-arn {}", script.ask(Unknown::OutpostArn)));
    let volume_type = format!("--volume-type {}", config.volume_type.name());
    let size = format!("--size {}", script.size(target, config.size_gib));
    let instance = script.ask(Unknown::InstanceId);
    let names: Vec<String> = (0..target.volumes).map(attachment).collect();
    script.line("volumes= devices=");
    script.line(format!("for name in {}; do", names.join(" ")));
    let words = ["  volume=$(aws ec2 create-volume".to_owned(), zone].into_iter().chain(outpost);
    let words = words.chain([volume_type, size]).chain(limit_options(config, ("--iops", Some("--throughput"))));
    let words: Vec<String> = words.chain(["--query VolumeId --output text)".to_owned()]).collect();
    script.command(words.iter().map(String::as_str));
    script.line("  aws ec2 wait volume-available --volume-ids \"$volume\"");
    script.line(format!(
        "  aws ec2 attach-volume --volume-id \"$volume\" --instance-id {instance} --device \"/dev/$name\""
    ));
    script.line("  device=/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol${volume#vol-}");
    script.line("  until [ -e \"$device\" ]; do sleep 1; done");
    script.line("  volumes=\"$volumes $volume\" devices=\"$devices $device\"");
    script.line("done");
}

/// Name of the nth attachment: those that AWS recommends, then those for more volumes
/// (<https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/device_naming.html>).
fn attachment(number: u64) -> String {
    let names = ('f'..='p').map(|letter| format!("sd{letter}"));
    let further = ('a'..='z').map(|letter| format!("xvdb{letter}"));
    names.chain(further).nth(usize::try_from(number).unwrap_or(usize::MAX)).unwrap_or_default()
}

/// Copies the directory while PostgreSQL runs, and what changed since while it is stopped.
fn copy(script: &mut Script, volumes: u64) {
    if volumes > 1 {
        script.line(format!("sudo mdadm --create /dev/md0 --level=0 --raid-devices={volumes} $devices"));
        script.line("device=/dev/md0");
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
    script.line("echo \"UUID=$(sudo blkid -s UUID -o value \"$device\") $DIRECTORY xfs defaults,nofail 0 2\" |");
    script.line("  sudo tee -a /etc/fstab  # remove the line of the old volume there");
    script.line(format!("sudo mount \"$device\" {directory}"));
    script.line(format!("sudo systemctl start {service}"));
    script.line("echo \"new volumes:$volumes\"");
}

/// The old files lie unchanged below the new mount.
fn return_to_current() -> Script {
    let mut script = Script::default();
    let (directory, service) = (script.ask(Unknown::Directory), script.ask(Unknown::Service));
    script.line(format!("sudo systemctl stop {service}"));
    script.line(format!("sudo umount {directory}  # what was written since stays on the new volumes"));
    script.line("sudo sed -i '$d' /etc/fstab  # the line that was added");
    script.line(format!("sudo systemctl start {service}"));
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_eight_volumes_have_names_of_their_own() {
        let mut names: Vec<String> = (0..28).map(attachment).collect();
        assert_eq!((names[0].as_str(), names[10].as_str(), names[11].as_str()), ("sdf", "sdp", "xvdba"));
        assert_eq!(names[27], "xvdbq");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 28);
    }
}
