//! The filesystem on volumes that grew.

use super::procedure::{Script, quote};
use super::unknown::Unknown;
use ebs_samples::evidence::{Layout, Volume};

/// Adds the commands that wait until volumes have their new size, and extend partitions and filesystem to it, as in
/// <https://docs.aws.amazon.com/ebs/latest/userguide/recognize-expanded-volume-linux.html>.
pub(super) fn extend(script: &mut Script, volume: &Volume, ids: &[String]) {
    script.line(format!("for id in {}; do", ids.join(" ")));
    script.line("  until aws ec2 describe-volumes-modifications --volume-ids \"$id\" --output text \\");
    script.line("      --query 'VolumesModifications[0].ModificationState' | grep -qE 'optimizing|completed'; do");
    script.line("    sleep 10");
    script.line("  done");
    script.line("done");
    extend_partitions(script, volume);
    let directory = script.ask(Unknown::Directory);
    match &volume.layout {
        Layout::Btrfs => {
            script.line(format!("sudo btrfs filesystem show {directory} | awk '$1 == \"devid\" {{ print $2 }}' |"));
            script.line(format!("  while read -r id; do sudo btrfs filesystem resize \"$id:max\" {directory}; done"));
        }
        Layout::DeviceMapper => {
            let source = format!("\"$(findmnt -nro SOURCE {directory})\"");
            script.line(format!("sudo lvextend --resizefs --extents +100%FREE {source}"));
        }
        Layout::Md(_) => {
            script.line(format!("sudo mdadm --grow /dev/{} --size=max", quote(&volume.device)));
            extend_filesystem(script, &directory);
        }
        Layout::Single => extend_filesystem(script, &directory),
    }
}

/// Extends the last partition of each disk that has partitions, and the physical volume on it.
fn extend_partitions(script: &mut Script, volume: &Volume) {
    let disks: Vec<String> = volume.disks().map(quote).collect();
    script.line(format!("for disk in {}; do", disks.join(" ")));
    script.line("  partition=$(lsblk -nrpo NAME,TYPE \"/dev/$disk\" | sed -n 's/ part$//p' | tail -n 1)");
    script.line("  [ -z \"$partition\" ] || sudo growpart \"/dev/$disk\" \"${partition##*[!0-9]}\"");
    if volume.layout == Layout::DeviceMapper {
        script.line("  sudo pvresize \"${partition:-/dev/$disk}\"");
    }
    script.line("done");
}

fn extend_filesystem(script: &mut Script, directory: &str) {
    script.line(format!("case $(findmnt -nro FSTYPE {directory}) in"));
    script.line(format!("  xfs) sudo xfs_growfs -d {directory} ;;"));
    script.line(format!("  *) sudo resize2fs \"$(findmnt -nro SOURCE {directory})\" ;;"));
    script.line("esac");
}
