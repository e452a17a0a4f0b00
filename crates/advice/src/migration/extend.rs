//! The filesystem on volumes that grew.

use super::aws_command::{Argument, AwsCommand, quote};
use super::procedure::Script;
use super::unknown::Unknown;
use ebs_samples::evidence::{Layout, Volume, is_ebs_volume_id};

/// Beginning of the links by which NVMe volumes are found by their ids, without the dash
/// (<https://docs.aws.amazon.com/ebs/latest/userguide/identify-nvme-ebs-device.html>).
const BY_ID: &str = "/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol";

/// Requires the disks, before the volumes grow: names of imported samples may be those of another server, or of another day.
pub(super) fn check_disks(script: &mut Script, volume: &Volume) {
    for_each_disk(script, volume);
    script.require("  [ -e \"$disk\" ]", "$disk is not a disk of this server");
    script.line("done");
}

fn for_each_disk(script: &mut Script, volume: &Volume) {
    let path = |disk: &str| match disk.strip_prefix("vol-").filter(|_| is_ebs_volume_id(disk)) {
        Some(digits) => format!("{BY_ID}{digits}"),
        None => quote(&format!("/dev/{disk}")),
    };
    script.for_each("disk", volume.disks().map(path));
}

/// Adds the commands that wait until volumes have their new size, and extend partitions and filesystem to it, as in
/// <https://docs.aws.amazon.com/ebs/latest/userguide/recognize-expanded-volume-linux.html>.
pub(super) fn extend(script: &mut Script, volume: &Volume, ids: &[Argument]) {
    script.for_each("id", ids);
    let describe = AwsCommand::new("ec2 describe-volumes-modifications");
    let describe = describe.option("--volume-ids", [Argument::Shell("\"$id\"".into())]).option("--output", ["text"]);
    script.line(format!("  until {describe} \\"));
    script.line("      --query 'VolumesModifications[0].ModificationState' | grep -qE 'optimizing|completed'; do");
    script.line("    sleep 10");
    script.line("  done");
    script.line("done");
    extend_partitions(script, volume);
    let directory = script.ask(Unknown::Directory);
    // The directory may lie below the mount point.
    script.line(format!("mount_point=$(sudo findmnt -nro TARGET --target {directory})"));
    script.line(format!("filesystem=$(sudo findmnt -nro SOURCE --target {directory})"));
    match &volume.layout {
        Layout::Btrfs => {
            script.line("sudo btrfs filesystem show \"$mount_point\" | awk '$1 == \"devid\" { print $2 }' |");
            script.line("  while read -r id; do sudo btrfs filesystem resize \"$id:max\" \"$mount_point\"; done");
        }
        Layout::DeviceMapper => script.line("sudo lvextend --resizefs --extents +100%FREE \"$filesystem\""),
        Layout::Md(_) => {
            script.line(format!("sudo mdadm --grow /dev/{} --size=max", quote(&volume.device)));
            extend_filesystem(script);
        }
        Layout::Single => {
            if !is_layout_known(volume) {
                script.line("[ \"$(lsblk -dnro TYPE \"$filesystem\")\" != lvm ] ||");
                script.line("  sudo lvextend --extents +100%FREE \"$filesystem\"");
            }
            extend_filesystem(script);
        }
    }
}

/// True where the disks were seen. Imported samples do not show whether LVM is on their device.
fn is_layout_known(volume: &Volume) -> bool {
    volume.members.iter().any(|member| !is_ebs_volume_id(&member.device))
}

/// Extends the last partition of each disk that has partitions, and the physical volume on it.
fn extend_partitions(script: &mut Script, volume: &Volume) {
    for_each_disk(script, volume);
    script.line("  disk=$(realpath \"$disk\")");
    script.line("  partition=$(lsblk -nrpo NAME,TYPE \"$disk\" | sed -n 's/ part$//p' | tail -n 1)");
    script.line("  # 1 means that the partition has the size already.");
    script.line("  [ -z \"$partition\" ] ||");
    script.line("    sudo growpart \"$disk\" \"${partition##*[!0-9]}\" || [ $? = 1 ]");
    if volume.layout == Layout::DeviceMapper {
        script.line("  sudo pvresize \"${partition:-$disk}\"");
    } else if !is_layout_known(volume) {
        script.line("  [ \"$(lsblk -dnro FSTYPE \"${partition:-$disk}\")\" != LVM2_member ] ||");
        script.line("    sudo pvresize \"${partition:-$disk}\"");
    }
    script.line("done");
}

fn extend_filesystem(script: &mut Script) {
    script.line("case $(sudo findmnt -nro FSTYPE --target \"$mount_point\") in");
    script.line("  xfs) sudo xfs_growfs -d \"$mount_point\" ;;");
    script.line("  *) sudo resize2fs \"$filesystem\" ;;");
    script.line("esac");
}
