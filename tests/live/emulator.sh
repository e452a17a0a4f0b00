# The emulated volume: brought up, held to its caps, changed while it runs, taken down, also after its daemon was killed. How near
# it comes to a cap is measured in tests/quiet/emulator.sh; what each limit lets through stands in
# emulator/src/volume/shaper_tests.rs.
program=$(program ebs-emulator)
# Directory and name are of this run alone: others may emulate volumes on this machine.
export EBS_EMULATOR_DIR=$SCRATCH/run
volume=live_${LIVE_DIRECTORY##*.}
mount=$SCRATCH/mount
store=$SCRATCH/store

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
# reads NUMBER: of 4 KiB, one after the other.
reads() { dd if="$device" of=/dev/null bs=4k count="$1" iflag=direct status=none; }
# at_rest: nobody's request waits, such as those of the file system: what was let through at one cap may be due only at the next.
at_rest() { [ "$(figure queue)" = 0 ]; }
# reset: counts anew.
reset() { await at_rest && emulator stats "$volume" --reset >/dev/null; }
# within_cap CAP: no more came through since the reset than the cap lets through in the time since then, and in the 10 ms that may
# be saved up; a few may have been on their way at the reset.
within_cap() {
  local told
  told=$(emulator stats "$volume" --json)
  awk -v cap="$1" -v ops="$(figure read_ops "$told")" -v s="$(figure seconds "$told")" \
    'BEGIN { print ops " reads in " s " s"; exit !(ops <= cap * (s + 0.01) + 4) }'
}
# holds CAP NUMBER: so many reads, and no faster.
holds() {
  reset
  reads "$2"
  counted "$2" && within_cap "$1"
}
counted() { [ "$(figure read_ops)" -ge "$1" ]; }
held_back() { [ "$(figure volume_iops_exceeded_us)" -gt 0 ]; }
ended() { ! kill -0 "$1"; }
# At rest the verdict changes no more.
agrees() {
  local kept_up=$(figure kept_up) rc=0
  emulator stats "$volume" --check || rc=$?
  echo "kept_up $kept_up, exit status $rc"
  [ "$kept_up:$rc" = true:0 ] || [ "$kept_up:$rc" = false:1 ]
}
# Others that look at each device, udev for one, may hold the loop device for a moment.
nothing_left() {
  local left
  left=$(ls -A "$EBS_EMULATOR_DIR" "$store" "$mount" 2>/dev/null
    grep -F "$SCRATCH" /proc/self/mountinfo
    losetup -l | grep -F "$SCRATCH") || true
  [ -z "$left" ] || { echo "$left"; return 1; }
}
daemon() { cat "$EBS_EMULATOR_DIR/$volume/pid"; }
# Dead, whether or not it was waited for.
dead() { [[ ! -e /proc/$1 || $(cat "/proc/$1/stat") == *") Z "* ]]; }
killed() {
  local pid
  pid=$(daemon)
  kill -9 "$pid" && await dead "$pid"
}
# keeps PATTERN: the daemon has a file open whose path matches; it opens and closes others while they are listed.
keeps() { { ls -l "/proc/$(cat "$EBS_EMULATOR_DIR/$volume/pid")/fd" || true; } | grep "$1"; }
start() { emulator start "$volume" "$@" --store "$store" --mount "$mount"; }
taken_down() {
  emulator stop --all --force >/dev/null 2>&1
  rm -rf "$store"
}

emulation() {
  at_exit+=(taken_down)
  [ ! -w /dev/shm ] || store=$(mktemp -d /dev/shm/ebs_emulator.XXXXXX)
  check "a small gp2 starts in one command, ready to use" ends 0 "^/dev/loop[0-9]+ $mount gp2 20 GiB, 100 IOPS \(3000 with credits\)" start gp2 --size 20
  device=$(emulator list | awk -v name="$volume" '$1 == name { print $2 }')
  check "its file system takes files" bash -c "echo kept >'$mount/file' && sync -f '$mount' && grep -q kept '$mount/file'"
  check "the device looks like an EBS volume's" grep -qx 'write through' "/sys/block/${device#/dev/}/queue/write_cache"
  check "the name is taken" ends 2 'there is a volume .* already' start gp3
  check "it takes other limits while it runs" ends 0 '^plain 20 GiB, 20 IOPS' emulator set "$volume" plain --iops 20 --read-ms 0.5
  check "it holds a cap" holds 20 20
  # One a second: these would take a quarter of an hour.
  await at_rest
  emulator set "$volume" --iops 1 >/dev/null
  reset
  reads 1000 &
  local load=$!
  check "and says that it held requests back" await held_back
  check "and lets no more through" within_cap 1
  emulator set "$volume" --iops 100000 >/dev/null
  check "another cap counts at once" await ended "$load"
  wait "$load"
  check "and all is counted" counted 1000
  check "whether it kept up is an exit status too" await agrees
  check "credits are what is asked for" bash -c "'$program' set $volume gp2 --size 20 --credits 30 && '$program' stats $volume | grep -q 'credits 30\.0'"
  check "a bad setting is refused" ends 2 'hint: ' emulator set "$volume" --iops 5000
  check "and changes nothing" ends 0 'gp2 20 GiB, 100 IOPS' emulator stats "$volume"
  emulator set "$volume" plain --iops 20 --read-ms 0.5 >/dev/null
  exec 8>"$mount/open"
  check "it does not go from under whoever uses it" ends 1 'is in use' emulator stop "$volume"
  check "and keeps its cap then" holds 20 20
  exec 8>&-
  check "it goes away" emulator stop "$volume"
  check "and leaves nothing" await nothing_left
  ln -s "$SCRATCH" "$SCRATCH/a link"
  check "a mount point behind a link" ends 0 '^/dev/loop' \
    bash -c 'umask 077 && exec env "$@"' bash EBS_EMULATOR_DIR="$SCRATCH/a link/run" "$program" start "$volume" plain --store "$store" \
    --mount "$SCRATCH/a link/below/mount"
  check "PostgreSQL's account may enter it, whatever the umask" test "$(stat --format=%a "$SCRATCH/below")" = 755
  check "is taken down" env EBS_EMULATOR_DIR="$SCRATCH/a link/run" "$program" stop "$volume"
  check "to nothing, too" await nothing_left

  check "a volume that is started again" ends 0 '^/dev/loop' start io2 --size 10 --iops 1000 9>"$SCRATCH/lock"
  check "whose daemon has its bytes open" keeps "$store"
  check "and nothing that its starter had" bash -c "$(declare -f keeps); ! EBS_EMULATOR_DIR=$EBS_EMULATOR_DIR volume=$volume keeps $SCRATCH/lock"
  check "and whose daemon is killed" killed
  check "does not answer" ends 1 'does not answer' emulator stats "$volume"
  check "is taken down all the same" ends 0 '' emulator stop "$volume"
  check "and leaves nothing either" await nothing_left
  check "to stop what is not there is no error" ends 0 '' emulator stop "$volume"
}

loops_left
if missing=$("$program" probe 2>&1); then emulation; else skip "no volume can be emulated here: $(head -n 1 <<<"$missing")"; fi
