# The emulated volume comes near its caps: as many requests come through as they let. What it does besides is tested in
# tests/live/emulator.sh.
program=$(program ebs-emulator)
# Directory and name are of this run alone: others may emulate volumes on this machine.
export EBS_EMULATOR_DIR=$SCRATCH/run
volume=quiet_${LIVE_DIRECTORY##*.}
mount=$SCRATCH/mount
store=$SCRATCH/store

emulator() { "$program" "$@"; }
# figure NAME STATISTICS: one of them.
figure() { sed -E "s/.*\"$1\":([^,}]*).*/\1/" <<<"$2"; }
# reads SECONDS: so long, as many random reads of 4 KiB as come through, four at a time.
reads() {
  local n until=$((SECONDS + $1))
  for n in 1 2 3 4; do
    (while [ $SECONDS -lt $until ]; do
      dd if="$device" of=/dev/null bs=4k count=64 skip=$((RANDOM * 8)) iflag=direct status=none
    done) &
  done
  wait
}
# holds CAP: so many requests a second come through, within 10 %.
holds() {
  emulator stats "$volume" --reset >/dev/null
  reads 2
  told=$(emulator stats "$volume" --json)
  within 10 "$(awk -v ops="$(figure read_ops "$told")" -v s="$(figure seconds "$told")" 'BEGIN { print ops / s }')" "$1"
}
taken_down() {
  emulator stop --all --force >/dev/null 2>&1
  rm -rf "$store"
}
caps() {
  at_exit+=(taken_down)
  [ ! -w /dev/shm ] || store=$(mktemp -d /dev/shm/ebs_emulator.XXXXXX)
  emulator start "$volume" plain --size 20 --iops 200 --read-ms 0.5 --store "$store" --mount "$mount" >/dev/null
  device=$(emulator list | awk -v name="$volume" '$1 == name { print $2 }')
  check "it holds a cap" holds 200
  check "and says for how long it held requests back" test "$(figure volume_iops_exceeded_us "$told")" -gt 1000000
  emulator set "$volume" --iops 800 >/dev/null
  check "another cap counts at once" holds 800
  emulator set "$volume" --iops 200 >/dev/null
  exec 8>"$mount/open"
  emulator stop "$volume" >/dev/null 2>&1 && result "not ok" "it does not go from under whoever uses it"
  check "a volume that was in use keeps its cap" holds 200
  exec 8>&-
}

loops_left
if missing=$("$program" probe 2>&1); then caps; else skip "no volume can be emulated here: $(head -n 1 <<<"$missing")"; fi
