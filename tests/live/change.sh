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
stand_in aws "case \"\$2\" in
  create-volume) echo vol-0\$(grep -c '^aws ec2 create-volume' '$SCRATCH/called') ;;
  attach-volume) touch '$SCRATCH/by-id/nvme-Amazon_Elastic_Block_Store_vol0'\$(grep -c '^aws ec2 create-volume' '$SCRATCH/called') ;;
  describe-volumes-modifications) echo optimizing ;;
  esac"
stand_in sudo 'case "$1" in blkid) echo 1234 ;; tee) cat >/dev/null ;; esac'
stand_in findmnt 'case "$2" in FSTYPE) echo ext4 ;; *) echo /dev/nvme1n1p1 ;; esac'
stand_in lsblk 'echo "/dev/nvme1n1 disk"; echo "/dev/nvme1n1p1 part"'

# block RUN ARGUMENTS: the commands in $SCRATCH/block, with the devices of the stand-ins.
block() {
  cluster_sql "SELECT ebs_advise('$1', show => 'commands', $2)" | sed "s,/dev/disk/by-id,$SCRATCH/by-id," >"$SCRATCH/block"
}

# filled NAME=VALUE…: the block with these variables set.
filled() {
  local assignment edits=()
  for assignment in "$@"; do edits+=(-e "s,^${assignment%%=*}= .*,$assignment,"); done
  sed "${edits[@]}" "$SCRATCH/block"
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
  [ ! -s "$SCRATCH/called" ] && grep -q 'AVAILABILITY_ZONE' "$SCRATCH/refusal"
}

block busy "min_size_gib => 500"
check "no line is wider than 100 columns" is "SELECT max(length(line)) <= 100 FROM ebs_advise('busy', show => 'commands', min_size_gib => 500) line" t
check "it changes nothing while a variable is empty" unchanged <"$SCRATCH/block"
cat >"$SCRATCH/wanted" <<'WANTED'
aws ec2 create-volume --availability-zone us-east-1a --volume-type gp3 --size 500 --iops
aws ec2 wait volume-available --volume-ids vol-01
aws ec2 attach-volume --volume-id vol-01 --instance-id i-1 --device /dev/sdf
sudo mkfs.xfs
sudo rsync
sudo systemctl stop postgresql
sudo rsync -aHAX --numeric-ids --delete /data/
sudo mount
sudo systemctl start postgresql
WANTED
place=(AVAILABILITY_ZONE=us-east-1a INSTANCE_ID=i-1 DIRECTORY=/data SERVICE=postgresql)
check "it moves the data to a new volume" ran "$SCRATCH/wanted" < <(filled "${place[@]}")
check "the way back is not run" test "$(grep -c 'umount /data' "$SCRATCH/called")" = 0

# A declared volume is modified where it is; a larger one waits for AWS, and then the partition and the filesystem grow.
install -m 644 "$ROOT/tests/live/driven.json" "$SCRATCH/driven.json"
printf "\\\\set document \`cat '%s'\`\nSELECT ebs_run_import(:'document');\n" "$SCRATCH/driven.json" |
  cluster_psql -d postgres -qXAt -v ON_ERROR_STOP=1 >/dev/null
block after "min_size_gib => 600"
cat >"$SCRATCH/wanted" <<'WANTED'
aws ec2 modify-volume --volume-id vol-0a00000000000000a --volume-type gp3 --size 600
aws ec2 describe-volumes-modifications --volume-ids vol-0a00000000000000a
sudo growpart /dev/nvme1n1 1
sudo resize2fs /dev/nvme1n1p1
WANTED
check "a volume grows with its filesystem" ran "$SCRATCH/wanted" < <(filled DIRECTORY=/data)
check "the way back is to what was declared" grep -q '^#   aws ec2 modify-volume --volume-id vol-0a00000000000000a --volume-type gp3 --iops 3000' "$SCRATCH/block"
