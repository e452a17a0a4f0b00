//! The directory of the data: moved to a new volume, and back.
//!
//! The old volume's line in /etc/fstab becomes a comment, and a plain directory is renamed: after a reboot PostgreSQL runs on the new
//! volume or not at all, never on the old files. Both are marked with the UUID of the new filesystem, by which the way back finds
//! them.

use super::procedure::Script;
use super::unknown::Unknown;

/// Option of the line that is added to /etc/fstab; mount ignores options that begin with x-.
const OPTION: &str = "x-ebs_advisor";

/// Condition of awk for a line that mounts `$DIRECTORY`.
const MOUNTS: &str = "$1 ~ /^[^#]/ && ($2 == at || $2 == at \"/\")";

/// Requires a directory that can move: itself in /etc/fstab where it is a mount point, and without mount points below it.
pub(super) fn check_directory(script: &mut Script) {
    resolve(script, "realpath -e");
    script.line("case $DIRECTORY in");
    script.line("  / | *[[:space:]\\\\]*) echo \"$DIRECTORY cannot move to a volume\" >&2; exit 1 ;;");
    script.line("esac");
    script.line("if sudo mountpoint -q \"$DIRECTORY\"; then");
    script.line("  awk -v at=\"$DIRECTORY\" \\");
    script.line(format!("    '{MOUNTS} {{ n = 1 }} END {{ exit 1 - n }}' /etc/fstab ||"));
    script.line("    { echo \"$DIRECTORY is mounted, but not by /etc/fstab\" >&2; exit 1; }");
    script.line("fi");
    script.line("awk -v below=\"$DIRECTORY/\" \\");
    script.line("  'index($2, below) == 1 { n = 1 } END { exit n }' /proc/self/mounts ||");
    script.line("  { echo \"other filesystems are mounted below $DIRECTORY\" >&2; exit 1; }");
}

/// Mounts the filesystem on `$device` at the directory, now and after a reboot, while PostgreSQL is stopped.
pub(super) fn move_to_volume(script: &mut Script) {
    script.line("uuid=$(sudo blkid -s UUID -o value \"$device\")");
    script.line("# The line of the old volume becomes a comment, a plain directory is renamed.");
    script.line("fstab=$(mktemp)");
    script.line("awk -v at=\"$DIRECTORY\" -v uuid=\"$uuid\" '");
    script.line(format!("  {MOUNTS} {{ printf \"#before-%s \", uuid }}"));
    script.line("  { print }");
    script.line(format!("  END {{ print \"UUID=\" uuid, at, \"xfs defaults,{OPTION} 0 2\" }}' /etc/fstab >\"$fstab\""));
    replace_fstab(script);
    script.line("if sudo mountpoint -q \"$DIRECTORY\"; then");
    script.line("  sudo umount \"$DIRECTORY\"");
    script.line("else");
    script.line("  sudo mv \"$DIRECTORY\" \"$DIRECTORY.before-$uuid\"");
    script.line("  sudo mkdir \"$DIRECTORY\"");
    script.line("  sudo chown --reference=\"$DIRECTORY.before-$uuid\" \"$DIRECTORY\"");
    script.line("  sudo chmod --reference=\"$DIRECTORY.before-$uuid\" \"$DIRECTORY\"");
    script.line("fi");
    script.line("sudo mount \"$DIRECTORY\"");
}

/// The way back to the old files, also from a change that ended halfway.
pub(super) fn return_to_current() -> Script {
    let mut script = Script::default();
    resolve(&mut script, "realpath -m");
    script.line("uuid=$(awk -v at=\"$DIRECTORY\" \\");
    script.line(format!("  '$2 == at && $4 ~ /{OPTION}/ && sub(/^UUID=/, \"\", $1) {{ print $1 }}' /etc/fstab)"));
    script.require("[ -n \"$uuid\" ]", "/etc/fstab has no line of the change for $DIRECTORY");
    let service = script.ask(Unknown::Service);
    script.line(format!("sudo systemctl stop {service}"));
    script.line("# Changes since then stay on the new volumes.");
    script.line("! sudo findmnt -n --source \"UUID=$uuid\" --mountpoint \"$DIRECTORY\" || sudo umount \"$DIRECTORY\"");
    script.line("fstab=$(mktemp)");
    script.line("awk -v at=\"$DIRECTORY\" -v uuid=\"$uuid\" '");
    script.line("  $1 == \"UUID=\" uuid && $2 == at { next }");
    script.line("  { sub(\"^#before-\" uuid \" \", \"\"); print }' /etc/fstab >\"$fstab\"");
    replace_fstab(&mut script);
    script.line("if sudo test -d \"$DIRECTORY.before-$uuid\"; then");
    script.line("  sudo mv -T \"$DIRECTORY.before-$uuid\" \"$DIRECTORY\"");
    script.line("else");
    script.line("  sudo mountpoint -q \"$DIRECTORY\" || sudo mount \"$DIRECTORY\"");
    script.line("fi");
    script.line(format!("sudo systemctl start {service}"));
    script
}

/// Resolves links, since what is moved and mounted is the directory itself.
fn resolve(script: &mut Script, realpath: &str) {
    let directory = script.ask(Unknown::Directory);
    script.line(format!("DIRECTORY=$(sudo {realpath} {directory})"));
}

/// Replaces the contents of /etc/fstab, and units that systemd made from its old lines.
fn replace_fstab(script: &mut Script) {
    script.line("sudo cp \"$fstab\" /etc/fstab");
    script.line("rm \"$fstab\"");
    script.line("sudo systemctl daemon-reload");
}
