# ebsctl fleet on what node_exporter shows of a disk with the serial of an EBS volume, scraped each second by Prometheus and by
# VictoriaMetrics, beside the extension's own samples of the same disk. How near the two demands are is measured in
# tests/quiet/fleet.sh; here the disk, its size and the recommendation are the same, and what is missing is a gap.
. "$ROOT/scripts/engines.sh"
if ! engines_found; then
  skip "a fleet on what node_exporter shows ($ENGINES_MISSING)"
  return
fi
ebsctl=$(program ebsctl)
export XDG_STATE_HOME=$SCRATCH/state
volume=vol-06c1835863d5d7360
sampling <<<"$(own_disk_settings)"
cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 100); SELECT ebs_instance_declare('r6id.4xlarge')" >/dev/null

# The serial is udev's, by the numbers of the device.
udev_serial 259:0 "$volume"
exporter() {
  node_exporter_start node --path.procfs="$SCRATCH/tree/proc" --path.sysfs="$SCRATCH/tree/sys" --path.udev.data="$SCRATCH/udev" \
    --collector.disable-defaults --collector.diskstats --collector.dmi
}
exporter
scrapers_start 1s node
cat >"$SCRATCH/volumes.json" <<JSON
{"Volumes": [{"VolumeId": "$volume", "VolumeType": "gp3", "Size": 100, "Iops": 6000, "Throughput": 250, "State": "in-use",
  "AvailabilityZone": "us-east-1a", "Attachments": [{"InstanceId": "i-01", "Device": "/dev/sdf", "State": "attached"}]}]}
JSON

# load: 800 requests a second, as near as this machine keeps to it, until this test ends.
load() { while disk_reads 24 16; do sleep 0.05; done; }
# Scrapes with another value than the one before, and scrapes that failed.
CHANGES='changes(node_disk_reads_completed_total{device="nvme0n1"}[10m])'
FAILED='count_over_time(up{job="postgres"}[10m]) - sum_over_time(up{job="postgres"}[10m])'
# fleet ENGINE: the row of the volume.
fleet() { fleet_row "$1" --volumes "$SCRATCH/volumes.json" --since 30m; }

cluster_sql "SELECT ebs_run_begin('beside')" >/dev/null
load &
for engine in prometheus vm; do await engine_reached "$engine" "$CHANGES" 35; done
cluster_sql 'SELECT ebs_run_end()' >/dev/null
for engine in prometheus vm; do
  check "a row from $engine" fleet "$engine"
  check "of the volume whose serial it is" row_has "$engine" volume "$volume"
  check "from node_exporter" row_has "$engine" evidence,source node_exporter
  check "by its scrapes of a second" row_has "$engine" evidence,interval_s 1.0
  check "with the recommendation that the extension has" row_recommends "$engine" beside
done

# The exporter does not answer for a while: both engines mark its series as stale.
engine_stop node
for engine in prometheus vm; do await engine_reached "$engine" "$FAILED" 6; done
exporter
for engine in prometheus vm; do
  before=$(engine_value "$engine" "$CHANGES")
  await engine_reached "$engine" "$CHANGES" $((before + 8))
  check "a row after the exporter was away, from $engine" fleet "$engine"
  check "with a gap" bash -c "grep -qE '\"gaps\":[1-9]' '$SCRATCH/$engine.rows'"
  check "and no reset" row_has "$engine" evidence,resets 0
  check "and the recommendation that it had" row_recommends "$engine" beside
done
