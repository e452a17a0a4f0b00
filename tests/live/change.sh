# The block of show => 'commands' in a shell: it changes nothing while a variable is empty, and then runs the AWS CLI's commands and the
# server's in their order. Both are stand-ins that write down how they were called.
sampling </dev/null
cluster_sql "SELECT ebs_import_samples('busy', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01' + i * interval '1 s',
    'reads', 5000 + i % 100, 'writes', 500, 'read_bytes', 40960000, 'write_bytes', 4096000, 'read_ms', 2500, 'write_ms', 300) ORDER BY i))
  FROM generate_series(1, 900) i" >/dev/null
mkdir "$SCRATCH/programs" "$SCRATCH/by-id"

# stand_in PROGRAM [LINE]: PROGRAM writes its arguments to the file called, and runs LINE.
stand_in() {
  printf '#!/bin/sh\necho "%s $*" >>"%s/called"\n%s\n' "$1" "$SCRATCH" "${2-}" >"$SCRATCH/programs/$1"
  chmod +x "$SCRATCH/programs/$1"
}
# The instance has what was attached to it, and a device of its image.
stand_in aws "case \"\$2\" in
  describe-instances) printf '/dev/xvda\t/dev/xvdg\t'; cat '$SCRATCH/attached' ;;
  create-volume) echo vol-0\$(grep -c '^aws ec2 create-volume' '$SCRATCH/called') ;;
  attach-volume)
    printf '%s\t' \"\${8}\" >>'$SCRATCH/attached'
    [ -e '$SCRATCH/absent' ] || touch '$SCRATCH/by-id/nvme-Amazon_Elastic_Block_Store_vol0'\$(grep -c '^aws ec2 create-volume' '$SCRATCH/called') ;;
  describe-volumes-modifications) echo optimizing ;;
  esac"
# Files change, as root would change them; a mount point is a line of the file mounted: its directory, and the source of what is there.
stand_in sudo "for last; do :; done
case \"\$1\" in
  realpath | cp | mv | mkdir | chown | chmod | test) exec \"\$@\" ;;
  blkid) echo 1234 ;;
  growpart) echo 'NOCHANGE: partition 1 is size 1. it cannot be grown' >&2; exit 1 ;;
  mountpoint) grep -q \"^\$last \" '$SCRATCH/mounted' ;;
  findmnt) shift; exec findmnt \"\$@\" ;;
  mount) [ \$# -gt 2 ] || awk -v at=\"\$last\" '\$1 !~ /^#/ && (\$2 == at || \$2 == at \"/\") { print at, \$1; found = 1 } END { exit !found }' '$SCRATCH/fstab' >>'$SCRATCH/mounted' ;;
  umount) [ \"\$last\" = '$SCRATCH/copy' ] || { grep -q \"^\$last \" '$SCRATCH/mounted' && sed -i \"\\\\,^\$last ,d\" '$SCRATCH/mounted'; } ;;
  esac"
stand_in findmnt "case \"\$*\" in
  *--source*) grep -q \"^\$5 \$3\" '$SCRATCH/mounted' ;;
  *FSTYPE*) echo ext4 ;;
  *TARGET*) echo /mount/point ;;
  *) echo /dev/nvme0n1p1 ;;
  esac"
stand_in lsblk 'echo "/dev/nvme0n1 disk"; echo "/dev/nvme0n1p1 part"'
stand_in sleep
touch "$SCRATCH/attached" "$SCRATCH/mounted"

# block RUN ARGUMENTS: the commands in $SCRATCH/block, and the way back in $SCRATCH/back, with the files of the stand-ins.
block() {
  cluster_sql "SELECT ebs_advise('$1', show => 'commands', $2)" |
    sed "s,/dev/disk/by-id,$SCRATCH/by-id,; s,/dev/nvme0n1,$SCRATCH/nvme0n1,; s,/etc/fstab,$SCRATCH/fstab,; s,/mnt/new-volume,$SCRATCH/copy," >"$SCRATCH/block"
  sed -n '/^# Rollback/,/^# )$/s/^# //p' "$SCRATCH/block" | sed 1d >"$SCRATCH/back"
}

# filled FILE NAME=VALUE…: the script with these variables set.
filled() {
  local file=$1 assignment edits=()
  shift
  for assignment in "$@"; do edits+=(-e "s,^${assignment%%=*}= .*,$assignment,"); done
  sed "${edits[@]}" "$file"
}

# ran FILE: the block on standard input ends well, having called what is in FILE, in this order, anything else between.
ran() {
  : >"$SCRATCH/called"
  PATH=$SCRATCH/programs:$PATH sh || { cat "$SCRATCH/called"; return 1; }
  awk 'NR == FNR { wanted[++n] = $0; next } n > found && index($0, wanted[found + 1]) { found++ } END { if (n > found) { print "missing: " wanted[found + 1]; exit 1 } }' \
    "$1" "$SCRATCH/called" || { cat "$SCRATCH/called"; return 1; }
}

# unchanged: the block on standard input fails, and has called nothing.
unchanged() {
  : >"$SCRATCH/called"
  ! PATH=$SCRATCH/programs:$PATH sh 2>"$SCRATCH/refusal" || return 1
  [ ! -s "$SCRATCH/called" ] && grep -q 'DIRECTORY' "$SCRATCH/refusal"
}

# refused MESSAGE: the script on standard input fails without a change of volumes, PostgreSQL or files.
refused() {
  : >"$SCRATCH/called"
  ! PATH=$SCRATCH/programs:$PATH sh 2>"$SCRATCH/refusal" || return 1
  ! grep -E 'create-volume|modify-volume|systemctl|sudo (cp|mv|u?mount) ' "$SCRATCH/called" && grep -q "$1" "$SCRATCH/refusal"
}

# ended MESSAGE: the script on standard input fails with this message before a filesystem is made.
ended() {
  : >"$SCRATCH/called"
  ! PATH=$SCRATCH/programs:$PATH sh 2>"$SCRATCH/refusal" || return 1
  ! grep -q mkfs "$SCRATCH/called" && grep -q "$1" "$SCRATCH/refusal"
}

block busy "min_size_gib => 500"
check "no line is wider than 100 columns" is "SELECT max(length(line)) <= 100 FROM ebs_advise('busy', show => 'commands', min_size_gib => 500) line" t
check "it changes nothing while a variable is empty" unchanged <"$SCRATCH/block"
# A directory on a volume that /etc/fstab mounts: its line becomes a comment.
data=$SCRATCH/data
mkdir "$data"
printf '# Debian\nUUID=root / ext4 defaults 0 1\n/dev/xvdg\t%s/  ext4 defaults,nofail 0 2\n/dev/xvdh %s2 ext4 defaults 0 2\n\n' "$data" "$data" >"$SCRATCH/fstab"
cp "$SCRATCH/fstab" "$SCRATCH/fstab.before"
echo "$data /dev/xvdg" >"$SCRATCH/mounted"
cat >"$SCRATCH/wanted" <<WANTED
aws ec2 describe-instances --instance-ids i-1
aws ec2 create-volume --availability-zone us-east-1a --volume-type gp3 --size 500 --iops
aws ec2 wait volume-available --volume-ids vol-01
aws ec2 attach-volume --volume-id vol-01 --instance-id i-1 --device /dev/sdf
sudo mkfs.xfs
sudo rsync
sudo systemctl stop postgresql
sudo rsync -aHAX --numeric-ids --delete $data/
sudo systemctl daemon-reload
sudo umount $data
sudo mount $data
sudo systemctl start postgresql
WANTED
place=("AVAILABILITY_ZONE=us-east-1a" "INSTANCE_ID=i-1" "DIRECTORY=$data" "SERVICE=postgresql")
check "it moves the data to a new volume" ran "$SCRATCH/wanted" < <(filled "$SCRATCH/block" "${place[@]}")
check "the way back is not run" test "$(grep -c "umount $data\$" "$SCRATCH/called")" = 1
check "after a reboot the new volume alone is mounted there" diff - "$SCRATCH/fstab" <<FSTAB
# Debian
UUID=root / ext4 defaults 0 1
#before-1234 /dev/xvdg	$data/  ext4 defaults,nofail 0 2
/dev/xvdh ${data}2 ext4 defaults 0 2

UUID=1234 $data xfs defaults,x-ebs_advisor 0 2
FSTAB
check "the new volume is mounted now" test "$(cat "$SCRATCH/mounted")" = "$data UUID=1234"
printf 'sudo systemctl stop postgresql\nsudo umount %s\nsudo systemctl start postgresql\n' "$data" >"$SCRATCH/wanted"
check "the way back runs" ran "$SCRATCH/wanted" < <(filled "$SCRATCH/back" "${place[@]}")
check "the way back restores /etc/fstab byte for byte" cmp "$SCRATCH/fstab" "$SCRATCH/fstab.before"
check "the way back mounts the old volume" test "$(cat "$SCRATCH/mounted")" = "$data /dev/xvdg"
check "the way back without a change is refused" refused "has no line of the change" < <(filled "$SCRATCH/back" "${place[@]}")
sed -i '/xvdg/d' "$SCRATCH/fstab"
check "a mount point that /etc/fstab does not have is refused" refused "not by" < <(filled "$SCRATCH/block" "${place[@]}")
check "/ does not move" refused "cannot move" < <(filled "$SCRATCH/block" "${place[@]/#DIRECTORY=*/DIRECTORY=/}")

# A plain directory, by a link: it is moved aside, and back, although the change ended before the new volume was mounted.
: >"$SCRATCH/mounted"
chmod 700 "$data"
echo old >"$data/file"
ln -s "$data" "$SCRATCH/link"
cp "$SCRATCH/fstab" "$SCRATCH/fstab.before"
cat >"$SCRATCH/wanted" <<WANTED
aws ec2 attach-volume --volume-id vol-01 --instance-id i-1 --device /dev/sdh
sudo mv $data $data.before-1234
sudo mount $data
WANTED
linked=("${place[@]/#DIRECTORY=*/DIRECTORY=$SCRATCH/link}")
check "a second change has a name that is free on the instance" ran "$SCRATCH/wanted" < <(filled "$SCRATCH/block" "${linked[@]}")
check "a plain directory is moved aside" test "$(cat "$data.before-1234/file")" = old
check "the mount point is empty, and as the directory was" test "$(stat -c %a "$data") $(ls -A "$data")" = "700 "
: >"$SCRATCH/mounted"
printf 'sudo mv -T %s.before-1234 %s\n' "$data" "$data" >"$SCRATCH/wanted"
check "the way back moves it back" ran "$SCRATCH/wanted" < <(filled "$SCRATCH/back" "${linked[@]}")
check "the directory is what it was" test "$(cat "$data/file") $(ls -d "$data".before-* 2>/dev/null)" = "old "
check "/etc/fstab is what it was" cmp "$SCRATCH/fstab" "$SCRATCH/fstab.before"
# A stripe of three with the 3,000 IOPS that each includes: names go on from those of the changes before, the array has the name of its roles.
block busy "min_size_gib => 500, max_volumes => 3"
cat >"$SCRATCH/wanted" <<WANTED
aws ec2 attach-volume --volume-id vol-01 --instance-id i-1 --device /dev/sdi
aws ec2 attach-volume --volume-id vol-02 --instance-id i-1 --device /dev/sdj
aws ec2 attach-volume --volume-id vol-03 --instance-id i-1 --device /dev/sdk
sudo mdadm --create /dev/md/data-wal --level=0 --raid-devices=3 $SCRATCH/by-id/nvme-Amazon_Elastic_Block_Store_vol01 $SCRATCH/by-id/nvme-Amazon_Elastic_Block_Store_vol02
sudo mkfs.xfs /dev/md/data-wal
WANTED
check "a stripe has an array of its own" ran "$SCRATCH/wanted" < <(filled "$SCRATCH/block" "${place[@]}")
block busy "min_size_gib => 500"
rm "$SCRATCH"/by-id/*
touch "$SCRATCH/absent"
check "a device that does not appear ends it" ended "vol-01 did not appear" < <(filled "$SCRATCH/block" "${place[@]}")
rm "$SCRATCH/absent"

# A declared volume is modified where it is; a larger one waits for AWS, and then the partition and the filesystem grow.
install -m 644 "$ROOT/tests/live/driven.json" "$SCRATCH/driven.json"
printf "\\\\set document \`cat '%s'\`\nSELECT ebs_run_import(:'document');\n" "$SCRATCH/driven.json" |
  cluster_psql -d postgres -qXAt -v ON_ERROR_STOP=1 >/dev/null
block after "min_size_gib => 600"
check "a disk that is not there ends it before the volume changes" refused "is not a disk of this server" < <(filled "$SCRATCH/block" DIRECTORY=/mount/point/below)
touch "$SCRATCH/nvme0n1"
cat >"$SCRATCH/wanted" <<WANTED
aws ec2 modify-volume --volume-id vol-0a00000000000000a --volume-type gp3 --size 600
aws ec2 describe-volumes-modifications --volume-ids vol-0a00000000000000a
sudo growpart $SCRATCH/nvme0n1 1
sudo findmnt -nro TARGET --target /mount/point/below
sudo resize2fs /dev/nvme0n1p1
WANTED
check "a volume grows with its filesystem, though its partition need not" ran "$SCRATCH/wanted" < <(filled "$SCRATCH/block" DIRECTORY=/mount/point/below)
check "the way back is to what was declared" grep -q '^# aws ec2 modify-volume --volume-id vol-0a00000000000000a --volume-type gp3 --iops 3000' "$SCRATCH/block"

# Samples that name a volume by its id alone: its disk has a link with the id.
cluster_sql "SELECT ebs_import_samples('by-id', 'vol-0b00000000000000b', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01' + i * interval '1 s',
    'reads', 500, 'writes', 500, 'read_bytes', 4096000, 'write_bytes', 4096000) ORDER BY i)) FROM generate_series(1, 900) i;
  SELECT ebs_volume_declare('vol-0b00000000000000b', 'gp3', 100, run => 'by-id')" >/dev/null
block by-id "min_size_gib => 600"
disk=$SCRATCH/by-id/nvme-Amazon_Elastic_Block_Store_vol0b00000000000000b
touch "$disk"
printf '%s\n' "aws ec2 modify-volume --volume-id vol-0b00000000000000b --volume-type gp3 --size 600" "sudo growpart $disk 1" >"$SCRATCH/wanted"
check "a volume that its id names grows on the disk with that id" ran "$SCRATCH/wanted" < <(filled "$SCRATCH/block" DIRECTORY=/mount/point/below)
