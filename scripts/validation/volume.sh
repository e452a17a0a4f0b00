# The emulated volume that the server is on. Sourced; the caller sets EMULATOR (the program) and VOLUME (the mount point).

VOLUME_NAME=ebs-validate
VOLUMES=("$VOLUME_NAME")   # and that of WAL, where it has one of its own (wal.sh)
VOLUME_STORE=/dev/shm/ebs_advisor_validate
VOLUME_GIB=8
BURST_MS=10   # of a cap, how much time may be saved up and used at once: what EBS grants is not published

# What a write takes where a read takes that long, ms: the pairs lie where published figures of EBS types do.
write_ms() {
  case $1 in
    0.35) echo 0.45 ;;
    0.7) echo 0.8 ;;
    *) echo "$1" ;;
  esac
}

# volume_create: an unlimited one, as fast as can be, for filling.
volume_create() {
  volume_remove
  volume_start "$VOLUME_NAME" "$VOLUME_GIB" "$VOLUME_STORE" "$VOLUME"
}

# volume_start NAME GIB STORE MOUNT_POINT
volume_start() {
  mkdir -p "$4"
  "$EMULATOR" start "$1" plain --size "$2" --read-ms 0.05 --write-ms 0.05 --iops unlimited \
    --throughput unlimited --store "$3" --mount "$4" --owner "$SERVER_ACCOUNT" >/dev/null 9>&-
}

# volumes COMMAND ARGUMENT…: a command of the emulator for each volume.
volumes() {
  local command=$1 name
  shift
  for name in "${VOLUMES[@]}"; do "$EMULATOR" "$command" "$name" "$@" || return; done
}

# volume_set READ_MS LIMIT: the same for each volume.
volume_set() {
  limit_parse "$2"
  volumes set --read-ms "$1" --write-ms "$(write_ms "$1")" --iops "$LIMIT_IOPS" --throughput "$LIMIT_MIBPS" \
    --burst-ms "$BURST_MS" >/dev/null
}

# volume_fast: unlimited and far faster than any setting that is measured, for what is not measured.
volume_fast() { volumes set --read-ms 0.1 --write-ms 0.1 --iops unlimited --throughput unlimited >/dev/null; }

volume_remove() {
  local name
  for name in "${VOLUMES[@]}"; do "$EMULATOR" stop "$name" --force >/dev/null 2>&1 || true; done
}

# volume_numbers: major and minor number of its device, as /proc/diskstats has them.
volume_numbers() { stat --format '%Hd %Ld' "$VOLUME"; }

# volume_reads: requests to read that its device has completed.
volume_reads() {
  local major minor name reads rest
  while read -r major minor name reads rest; do
    [ "$major $minor" != "$VOLUME_NUMBERS" ] || { echo "$reads"; return; }
  done </proc/diskstats
}

# volume_cpu_ns: CPU time of the emulator so far, all volumes together.
volume_cpu_ns() {
  local name pids=()
  for name in "${VOLUMES[@]}"; do pids+=("$(cat "${EBS_EMULATOR_DIR:-/run/ebs-emulator}/$name/pid")"); done
  cpu_ns_of "${pids[@]}"
}

# cpu_ns_of PID…: CPU time of all their threads so far.
cpu_ns_of() {
  local pid
  for pid; do cat "/proc/$pid"/task/*/schedstat; done | awk '{ ns += $1 } END { printf "%.0f\n", ns }'
}

# volume_service_times READ_MS: what a user would measure on the idle volume, one request of 8 KiB at a time: mean ms of a
# read and of a write.
volume_service_times() {
  volume_set "$1" unlimited
  local kind
  for kind in read write; do
    # fio reports in nanoseconds and may print notes before the document.
    fio --name=probe --filename="$VOLUME/probe" --size=64m --rw="rand$kind" --bs=8k --iodepth=1 --ioengine=psync --direct=1 \
      --runtime=3 --time_based --output-format=json 2>/dev/null |
      awk -v kind="$kind" '
        # To its end: fio would fail if nobody read the rest.
        $1 == "\"" kind "\"" { inside = 1 }
        inside && $1 == "\"clat_ns\"" { there = 1 }
        there && !told && $1 == "\"mean\"" { sub(/,/, "", $3); printf "%.4f\n", $3 / 1e6; told = 1 }'
  done
  rm -f "$VOLUME/probe"
}
