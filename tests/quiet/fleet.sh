# ebsctl fleet beside the extension, on the same minutes of an emulated volume whose cap changes: node_exporter shows its counters with the
# serial of an EBS volume, Prometheus and VictoriaMetrics scrape it every five seconds: a scrape that is late by 20 ms, as on a
# busy machine, is 2 % of a second. The demands agree within 2 %. The cap is below that of every gp3, so that the counts refute the
# description: the row names the volume that would suffice, and it is the one that is advised here.
. "$ROOT/scripts/engines.sh"
program=$(program ebs-emulator)
ebsctl=$(program ebsctl)
# Directory and name are of this run alone: others may emulate volumes on this machine.
export EBS_EMULATOR_DIR=$SCRATCH/run XDG_STATE_HOME=$SCRATCH/state
name=quiet_${LIVE_DIRECTORY##*.}
mount=$SCRATCH/mount
store=$SCRATCH/store
volume=vol-06c1835863d5d7360

taken_down() {
  "$program" stop --all --force >/dev/null 2>&1
  rm -rf "$store"
}
# reads: as many random ones of 4 KiB as come through, four at a time, until this test ends.
# The device ends before them.
reads() {
  local _
  for _ in 1 2 3 4; do
    (while :; do dd if="$device" of=/dev/null bs=4k count=256 skip=$((RANDOM * 8)) iflag=direct status=none; done) 2>/dev/null &
  done
}
emulated_cluster() {
  at_exit+=(taken_down)
  [ ! -w /dev/shm ] || store=$(mktemp -d /dev/shm/ebs_emulator.XXXXXX)
  "$program" start "$name" plain --size 20 --iops 300 --read-ms 0.5 --store "$store" --mount "$mount" --owner "$SERVER_ACCOUNT" >/dev/null
  device=$("$program" list | awk -v name="$name" '$1 == name { print $2 }')
  sampling "$mount/server" </dev/null
  cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 20, 6000); SELECT ebs_instance_declare('m6i.2xlarge')" >/dev/null
}
scraped_engines() {
  udev_serial "$(stat --format '%Hr:%Lr' "$device")" "$volume"
  node_exporter_start node --path.udev.data="$SCRATCH/udev" --collector.disable-defaults --collector.diskstats \
    --collector.diskstats.device-exclude='^$'
  scrapers_start 5s node
  cat >"$SCRATCH/configuration.json" <<JSON
{"Volumes": [{"VolumeId": "$volume", "VolumeType": "gp3", "Size": 20, "Iops": 6000, "Throughput": 125, "State": "in-use",
  "AvailabilityZone": "us-east-1a", "Attachments": [{"InstanceId": "i-01", "Device": "/dev/sdf", "State": "attached"}]}]}
{"Reservations": [{"Instances": [{"InstanceId": "i-01", "InstanceType": "m6i.2xlarge"}]}]}
JSON
}
# A figure of the run by the extension, and that of the row.
own() { cluster_sql "SELECT $2 FROM ebs_io_mix('beside') WHERE metric = '$1' AND role LIKE '%data%'"; }
near() { within 2 "$(row_value "$1" "demand,iops_$2")" "$(own requests "$2")"; }
beside() {
  local cap engine statistic from
  emulated_cluster
  scraped_engines
  reads
  cluster_sql "SELECT ebs_run_begin('beside')" >/dev/null
  from=$(date +%s)
  # The figures are those of a cap, as most of the time is spent under it, and not of the seconds in which it changes.
  for cap in 300 600 900 600; do
    "$program" set "$name" --iops "$cap" >/dev/null
    sleep 35
  done
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  for engine in prometheus vm; do
    check "a row from $engine" fleet_row "$engine" --volumes "$SCRATCH/configuration.json" --since "$(($(date +%s) - from))s"
    for statistic in p50 p99 max; do
      check "$statistic of IOPS within 2 % of the extension's" near "$engine" "$statistic"
      sed 's/^/#   row and run: /' "$SCRATCH/output"
    done
    check "the same volume would suffice" suffices "$engine"
  done
}

# suffices ENGINE: its row names the first option for the run.
suffices() {
  local volumes
  volumes=$(cluster_sql "SELECT format('%s, 1 × %s GiB, %s IOPS, %s MiB/s would suffice', volume_type, size_gib, to_char(iops, 'FM999,999'), throughput_mibps)
    FROM ebs_options('beside') WHERE rank = 1")
  grep -qF "$volumes" "$SCRATCH/$1.rows" || { echo "not named: $volumes"; return 1; }
}

loops_left
if missing=$("$program" probe 2>&1); then
  if engines_found; then beside; else skip "a fleet beside the extension ($ENGINES_MISSING)"; fi
else
  skip "no volume can be emulated here: $(head -n 1 <<<"$missing")"
fi
