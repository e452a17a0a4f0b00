# From paths to devices, on recorded /proc and /sys trees: overlay, partitions, WAL on a volume of its own.
sampling </dev/null
tree=$SCRATCH/tree
mkdir -p "$tree/proc/self" "$tree/sys/dev/block" "$tree/sys/devices/nvme1n1/nvme1n1p1" "$tree/sys/devices/nvme2n1"
touch "$tree/sys/devices/nvme1n1/nvme1n1p1/partition"
ln -s ../../devices/nvme1n1/nvme1n1p1 "$tree/sys/dev/block/259:3"
ln -s ../../devices/nvme2n1 "$tree/sys/dev/block/259:5"
cat >"$tree/proc/diskstats" <<DISKS
 259       1 nvme1n1 100 0 800 70 30 0 240 90 0 60 160 0 0 0 0 0 0
 259       3 nvme1n1p1 100 0 800 70 30 0 240 90 0 60 160 0 0 0 0 0 0
 259       5 nvme2n1 0 0 0 0 900 0 14400 400 0 300 400 0 0 0 0 0 0
DISKS
chmod -R a+rX "$SCRATCH"
data=$CLUSTER/data

# mounted MOUNTINFO: makes the server see these mounts.
mounted() {
  printf '%s\n' "$1" >"$tree/proc/self/mountinfo"
  cluster_sql "ALTER SYSTEM SET ebs_advisor.procfs_root = '$tree/proc'"
  cluster_sql "ALTER SYSTEM SET ebs_advisor.sysfs_root = '$tree/sys'"
  cluster_sql 'SELECT pg_reload_conf()' >/dev/null
  sleep 0.5
}
devices="SELECT string_agg(detail, '; ' ORDER BY detail) FROM ebs_status() WHERE \"check\" = 'device'"

mounted "20 1 259:3 / / rw - ext4 /dev/nvme1n1p1 rw
21 20 259:5 / $data/pg_wal rw - xfs /dev/nvme2n1 rw"
check "a partition is its disk, and WAL has a volume of its own" matches "$devices" '^data on nvme1n1, .*; wal on nvme2n1'

mounted "20 1 0:45 / / rw - overlay overlay rw,lowerdir=/lower,upperdir=/upper,workdir=/work"
check "overlay is unknown, and says what to do" matches "$devices" 'data unknown: .* is on overlay, which hides the device below it'

mounted "20 1 0:22 / /proc rw - proc proc rw"
number=$(stat --format '%Hd:%Ld' "$data")
check "where no mount holds it (chroot) the file's own device counts" matches "$devices" "(device $number of .* is not in diskstats|names no single block device)"

mounted "20 1 8:77 / / rw - ext4 /dev/sdq rw"
check "a device that diskstats does not have is unknown" matches "$devices" 'data unknown: device 8:77 of .* is not in diskstats'

mounted "20 1 259:3 / / rw - ext4 /dev/nvme1n1p1 rw"
rm "$tree/proc/diskstats"
check "without diskstats everything else goes on" matches "$devices" 'could not read ".*/diskstats"'
check "and the sampler says so once" test "$(logged 'cannot sample block devices: could not read ".*/diskstats"')" -le 1
check "and samples" cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'" 10
