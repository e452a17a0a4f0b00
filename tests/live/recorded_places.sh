# From paths to disks, on the /proc and /sys of tests/trees: stripes, partitions, tablespaces, overlay, declarations.
sampling <<<"allow_in_place_tablespaces = on"
cp -a "$ROOT/tests/trees" "$SCRATCH/trees"
# The account of the server may not be able to read this clone.
chmod -R a+rX "$SCRATCH/trees"
data=$CLUSTER/data

# reloaded: sessions see the settings of now: the postmaster reads them before it lets the next one in.
reloaded() { cluster_sql 'SELECT pg_reload_conf()' >/dev/null; }

# seen TREE [MOUNTINFO]: makes the server see that tree, with these mounts instead of its own.
seen() {
  tree=$SCRATCH/trees/$1
  [ $# -lt 2 ] || printf '%s\n' "$2" >"$tree/proc/self/mountinfo"
  cluster_sql "ALTER SYSTEM SET ebs_advisor.procfs_root = '$tree/proc'"
  cluster_sql "ALTER SYSTEM SET ebs_advisor.sysfs_root = '$tree/sys'"
  reloaded
}
devices="SELECT string_agg(detail, '; ' ORDER BY detail) FROM ebs_status() WHERE \"check\" = 'device'"
instance="SELECT detail FROM ebs_status() WHERE \"check\" = 'instance'"

cluster_sql "CREATE TABLESPACE beside LOCATION ''"
cluster_run mkdir "$CLUSTER/fast" "$CLUSTER/memory"
cluster_sql "CREATE TABLESPACE \"Fast One\" LOCATION '$CLUSTER/fast'"
cluster_sql "CREATE TABLESPACE memory LOCATION '$CLUSTER/memory'"

seen nitro "20 1 259:1 / / rw - ext4 /dev/nvme0n1p1 rw
21 20 9:0 / $data rw - xfs /dev/md0 rw
22 21 253:0 / $data/pg_wal rw - xfs /dev/mapper/vgwal-wal rw
23 20 259:7 / $CLUSTER/fast rw - ext4 /dev/nvme5n1 rw
24 20 0:30 / $CLUSTER/memory rw - tmpfs tmpfs rw"
check "a stripe by md, and what its disks are" matches "$devices" \
  '(^|; )data on md0 \(raid0 of nvme1n1 vol-0b11111111111111b, nvme2n1 vol-0c22222222222222c\), [0-9]+ of [0-9]+ GiB in use'
check "a stripe by LVM" matches "$devices" \
  '; wal on dm-0 \(device-mapper over nvme3n1 vol-0d33333333333333d, nvme4n1 vol-0e44444444444444e\), '
check "a tablespace on an instance store" matches "$devices" '; tablespace Fast One on nvme5n1 \(instance store\), '
check "a tablespace in memory has none" matches "$devices" '; tablespace memory unknown: .* is on tmpfs, which lives in memory'
check "a tablespace beside the data directory is not named" is "SELECT ($devices) ~ 'beside'" f
check "the instance type is the firmware's" is "$instance" 'r6id.4xlarge'

cluster_sql 'ALTER SYSTEM SET temp_tablespaces = "Fast One", beside'
reloaded
check "temporary files are where temp_tablespaces sends them" matches "$devices" '; tablespace Fast One\+temp on nvme5n1 '

# The sampler adds up the members: 100 and 20 reads of 8 KiB on md0's disks, writes on one of those of dm-0.
look
cluster_sql "SELECT ebs_run_begin('stripes')" >/dev/null
awk '$3 == "nvme1n1" { $4 += 100; $6 += 1600 } $3 == "nvme2n1" { $4 += 20; $6 += 320 } $3 == "nvme4n1" { $8 += 7; $10 += 112 }
  $3 == "md0" { $4 += 5000 } { print }' "$tree/proc/diskstats" >"$SCRATCH/diskstats"
mv "$SCRATCH/diskstats" "$tree/proc/diskstats" # at once: the kernel's is never seen half written
cluster_sql 'SELECT ebs_run_end()' >/dev/null
counted() { echo "SELECT sum(reads), sum(read_bytes), sum(writes), sum(write_bytes) FROM ebs_device_samples('stripes') WHERE volume = '$1'"; }
check "a stripe's counts are the sum of its disks'" is "$(counted md0)" '120|983040|0|0'
check "of every stripe" is "$(counted dm-0)" '0|0|7|57344'

# Declarations.
declared() { matches "SELECT ebs_volume_declare($1)" "$2"; }
check "a stripe is not one volume" declared "'data', 'gp3', 250" '"data" is made of 2 disks, not 1'
check "the hint names the disks" declared "'md0', 'gp3', 250" 'volumes => 2 if .*: vol-0b11111111111111b, vol-0c22222222222222c'
check "a volume of another machine is refused with what there is" declared "'vol-0f', 'gp3', 250" \
  'This cluster is on data, md0, vol-0b11111111111111b, vol-0c22222222222222c, wal, dm-0, .*, tablespace Fast One, temp'
check "all of them at once" declared "'data', 'gp3', 250, 6000, 250, volumes => 2" '^$'
check "one by id" declared "'vol-0d33333333333333d', 'io2', 100, 20000" '^$'
check "the status shows it" matches "$devices" 'data on md0 .*; declared 2 × gp3 6,000 IOPS, 250 MiB/s, 250 GiB each'
check "and of what it was said" matches "$devices" 'wal on dm-0 .*; declared vol-0d33333333333333d as io2 20,000 IOPS, 100 GiB'
cluster_sql "SELECT ebs_instance_declare('m5.large')"
check "a declared instance stands above the firmware's" matches "$instance" '^m5.large \(declared\)'
check "and in the report" matches "$(report "'stripes'")" '· m5.large ·'
cluster_sql 'SELECT ebs_instance_declare(NULL)'
check "withdrawn, the firmware's is back" is "$instance" r6id.4xlarge

seen nitro "20 1 259:1 / / rw - ext4 /dev/nvme0n1p1 rw
21 20 253:0 / $data rw - xfs /dev/mapper/vgwal-wal rw
22 21 253:1 / $data/pg_wal rw - xfs /dev/mapper/vgwal-logs rw"
check "a disk of the stripe alone cannot be told from the stripe" matches "$devices" '(^|; )data\+wal on dm-0 \('
check "what stays is on the disk of the partition" matches "$devices" 'tablespace Fast One\+tablespace memory\+temp on nvme0n1 \(vol-0a'

seen btrfs "20 1 259:0 / / rw - ext4 /dev/nvme0n1 rw
21 20 0:41 /pg $data rw - btrfs /dev/nvme2n1 rw"
check "btrfs over two volumes" matches "$devices" '(^|; )data\+wal on btrfs-3f1c9a52 \(btrfs over nvme1n1 vol-0aa1111111111111a, nvme2n1 vol-'

seen xen
check "Xen does not say which instance" matches "SELECT ok IS NULL, hint FROM ebs_status() WHERE \"check\" = 'instance'" '^t\|.*ebs_instance_declare'
check "nor which volume" matches "$devices" 'on xvda, [0-9]+ of'

seen container/host "700 650 0:81 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/nowhere/upper,workdir=/w
701 700 259:2 /pvc-1 $data rw - ext4 /dev/nvme1n1 rw"
check "a container that sees the host's trees" matches "$devices" 'data\+wal on nvme1n1 \(vol-0e11111111111111e\)'

seen overlay "20 1 0:45 / / rw - overlay overlay rw,lowerdir=/lower,upperdir=/nowhere/upper,workdir=/work"
check "overlay is unknown, and says what to do" matches "$devices" 'data unknown: .* is on overlay, which hides the device below it'
seen overlay "20 1 0:45 / / rw - overlay overlay rw,lowerdir=/lower,upperdir=$SCRATCH,workdir=/work
21 20 259:2 / $SCRATCH rw - ext4 /dev/nvme1n1 rw
22 21 0:46 / $data rw - overlay overlay rw,lowerdir=/lower,upperdir=$CLUSTER/fast,workdir=/work"
check "but followed where its directory is seen" matches "$devices" 'data\+wal.* on nvme1n1 \(vol-0d11111111111111d\)'

cp -a "$SCRATCH/trees/overlay" "$SCRATCH/trees/chroot"
# Whatever this machine's disk is called, it is none of those in the tree.
own=$(stat --format '%Hd:%Ld' "$data")
rm -rf "$SCRATCH/trees/chroot/sys/dev/block/$own"
sed -i -E "/^ *${own%:*} +${own#*:} /d" "$SCRATCH/trees/chroot/proc/diskstats"
seen chroot "20 1 0:22 / /proc rw - proc proc rw"
check "where no mount holds it (chroot) the file's own device counts" matches "$devices" "(device [0-9:]+ of .* is not in diskstats|names no single block device)"

seen overlay "20 1 8:77 / / rw - ext4 /dev/sdq rw"
check "a device that diskstats does not have is unknown" matches "$devices" 'data unknown: device 8:77 of .* is not in diskstats'

seen overlay "20 1 259:2 / / rw - ext4 /dev/nvme1n1 rw"
# So that the sampler has this disk, and nothing to complain of.
look
check "all is well while it is there" is "SELECT bool_and(ok) FROM ebs_status() WHERE \"check\" = 'device'" t
rm "$tree/proc/diskstats"
check "without diskstats everything else goes on" matches "$devices" 'could not read ".*/diskstats"'
look
check "and the sampler says so once" test "$(logged 'cannot sample block devices: could not read ".*/diskstats"')" = 1
check "and samples" cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
