# The emulated volume: brought up, kept to its caps, changed while it runs, taken down, also after its daemon was killed.
program=$("$ROOT/scripts/emulator" 2>/dev/null)
# Directory and name are of this run alone: others may emulate volumes on this machine.
export EBS_EMULATOR_DIR=$SCRATCH/run
volume=live_$$
mount=$SCRATCH/mount
store=$SCRATCH/store
[ ! -w /dev/shm ] || store=/dev/shm/ebs_emulator_$$

emulator() { "$program" "$@"; }
# ends STATUS PATTERN COMMAND…: the command ends with this exit status, and what it says matches.
ends() {
  local status=$1 pattern=$2 rc=0 said
  shift 2
  said=$("$@" 2>&1) || rc=$?
  [ "$rc" = "$status" ] && grep -qE "$pattern" <<<"$said" || { echo "exit status $rc: $said"; return 1; }
}
# figure NAME [STATISTICS]: a figure of the volume's statistics, or of those that were told before.
figure() { sed -E "s/.*\"$1\":([^,}]*).*/\1/" <<<"${2:-$(emulator stats "$volume" --json)}"; }
# reads SECONDS: so long, as many random reads of 4 KiB as come through, four at a time.
reads() {
  local device=$1 n until=$((SECONDS + $2))
  for n in 1 2 3 4; do
    (while [ $SECONDS -lt $until ]; do
      dd if="$device" of=/dev/null bs=4k count=64 skip=$((RANDOM * 8)) iflag=direct status=none
    done) &
  done
  wait
}
# holds CAP DEVICE [BEFORE]: so many requests a second come through, within 10 %: never more. The time before the first and
# after the last counts as well, which is long on a busy machine: as many in one of three attempts, each right after the cap was
# changed from BEFORE, if that is given.
holds() {
  local told iops cap
  for _ in 1 2 3; do
    [ $# -lt 3 ] || for cap in "$3" "$1"; do emulator set "$volume" --iops "$cap" >/dev/null; done
    emulator stats "$volume" --reset >/dev/null
    reads "$2" 2
    told=$(emulator stats "$volume" --json)
    iops=$(awk -v ops="$(figure read_ops "$told")" -v s="$(figure seconds "$told")" 'BEGIN { print ops / s }')
    ! within 10 "$iops" "$1" || return 0
    awk -v iops="$iops" -v cap="$1" 'BEGIN { exit !(iops < cap) }' || return 1
  done
  return 1
}
agrees() {
  local kept_up=$(figure kept_up) rc=0
  emulator stats "$volume" --check || rc=$?
  echo "kept_up $kept_up, exit status $rc"
  [ "$kept_up:$rc" = true:0 ] || [ "$kept_up:$rc" = false:1 ]
}
# Others that look at each device, udev for one, may hold the loop device for a moment.
nothing_left() {
  local left
  for _ in {1..25}; do
    left=$(ls -A "$EBS_EMULATOR_DIR" "$store" "$mount" 2>/dev/null; grep -F "$SCRATCH" /proc/self/mountinfo; losetup -l | grep -F "$SCRATCH") || true
    [ -n "$left" ] || return 0
    sleep 0.2
  done
  echo "$left"
  return 1
}
killed() { kill -9 "$(cat "$EBS_EMULATOR_DIR/$volume/pid")"; }
# keeps PATTERN: the daemon has a file open whose path matches; it opens and closes others while they are listed.
keeps() { { ls -l "/proc/$(cat "$EBS_EMULATOR_DIR/$volume/pid")/fd" || true; } | grep "$1"; }
start() { emulator start "$volume" "$@" --store "$store" --mount "$mount"; }

emulation() {
  trap 'emulator stop --all --force >/dev/null 2>&1 || true' EXIT
  local device
  check "a small gp2 starts in one command, ready to use" ends 0 "^/dev/loop[0-9]+ $mount gp2 20 GiB, 100 IOPS \(3000 with credits\)" start gp2 --size 20
  device=$(emulator list | awk -v name="$volume" '$1 == name { print $2 }')
  check "its file system takes files" bash -c "echo kept >'$mount/file' && sync && grep -q kept '$mount/file'"
  check "the device looks like an EBS volume's" grep -qx 'write through' "/sys/block/${device#/dev/}/queue/write_cache"
  check "the name is taken" ends 2 'there is a volume .* already' start gp3
  emulator set "$volume" plain --iops 200 --read-ms 0.5 >/dev/null
  check "it holds a cap" holds 200 "$device"
  check "and says for how long it held requests back" test "$(figure volume_iops_exceeded_us)" -gt 1000000
  check "another cap counts at once" holds 800 "$device" 200
  check "whether it kept up is an exit status too" agrees
  check "credits are what is asked for" bash -c "'$program' set $volume gp2 --size 20 --credits 30 && '$program' stats $volume | grep -q 'credits 30\.0'"
  check "a bad setting is refused" ends 2 'hint: ' emulator set "$volume" --iops 5000
  check "and changes nothing" ends 0 'gp2 20 GiB, 100 IOPS' emulator stats "$volume"
  emulator set "$volume" plain --iops 200 --read-ms 0.5 >/dev/null
  exec 8>"$mount/open"
  check "it does not go from under whoever uses it" ends 1 'is in use' emulator stop "$volume"
  check "and keeps its cap then" holds 200 "$device"
  exec 8>&-
  check "it goes away" emulator stop "$volume"
  check "and leaves nothing" nothing_left
  ln -s "$SCRATCH" "$SCRATCH/a link"
  check "a mount point behind a link" ends 0 '^/dev/loop' \
    env EBS_EMULATOR_DIR="$SCRATCH/a link/run" "$program" start "$volume" plain --store "$store" --mount "$SCRATCH/a link/mount"
  check "is taken down" env EBS_EMULATOR_DIR="$SCRATCH/a link/run" "$program" stop "$volume"
  check "to nothing, too" nothing_left

  check "a volume that is started again" ends 0 '^/dev/loop' start io2 --size 10 --iops 1000 9>"$SCRATCH/lock"
  check "whose daemon has its bytes open" keeps "$store"
  check "and nothing that its starter had" bash -c "$(declare -f keeps); ! EBS_EMULATOR_DIR=$EBS_EMULATOR_DIR volume=$volume keeps $SCRATCH/lock"
  check "and whose daemon is killed" killed
  check "does not answer" ends 1 'does not answer' emulator stats "$volume"
  check "is taken down all the same" ends 0 '' emulator stop "$volume"
  check "and leaves nothing either" nothing_left
  check "to stop what is not there is no error" ends 0 '' emulator stop "$volume"
}

if missing=$("$program" probe 2>&1); then emulation; else skip "no volume can be emulated here: $(head -n 1 <<<"$missing")"; fi
