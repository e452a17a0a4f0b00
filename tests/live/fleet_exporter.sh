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
mkdir -p "$SCRATCH/udev"
printf 'E:ID_SERIAL_SHORT=%s\nE:ID_MODEL=Amazon Elastic Block Store\n' "${volume/-/}" >"$SCRATCH/udev/b259:0"
exporter() {
  node_exporter_start node --path.procfs="$SCRATCH/tree/proc" --path.sysfs="$SCRATCH/tree/sys" --path.udev.data="$SCRATCH/udev" \
    --collector.disable-defaults --collector.diskstats --collector.dmi
}
exporter
mkdir -p "$SCRATCH/prometheus"
cat >"$SCRATCH/prometheus/prometheus.yml" <<CONF
scrape_configs:
- job_name: postgres
  scrape_interval: 1s
  scrape_timeout: 1s
  static_configs: [{targets: ['${engine_url[node]#http://}']}]
CONF
prometheus_start prometheus
victoria_metrics_start vm -promscrape.config="$SCRATCH/prometheus/prometheus.yml"
cat >"$SCRATCH/volumes.json" <<JSON
{"Volumes": [{"VolumeId": "$volume", "VolumeType": "gp3", "Size": 100, "Iops": 6000, "Throughput": 250, "State": "in-use",
  "AvailabilityZone": "us-east-1a", "Attachments": [{"InstanceId": "i-01", "Device": "/dev/sdf", "State": "attached"}]}]}
JSON

# load: 800 requests a second, as near as this machine keeps to it, until this test ends.
load() { while disk_reads 24 16; do sleep 0.05; done; }
# value ENGINE QUERY: the whole number that it gives, or nothing.
value() {
  curl --silent --fail --noproxy '*' "${engine_url[$1]}/api/v1/query" --data-urlencode "query=$2" | sed -nE 's/.*"(-?[0-9]+)"\]\}\].*/\1/p'
}
# reached ENGINE QUERY NUMBER: it gives at least that.
reached() {
  local found
  found=$(value "$1" "$2")
  [ "${found:-0}" -ge "$3" ]
}
# Scrapes with another value than the one before, and scrapes that failed.
CHANGES='changes(node_disk_reads_completed_total{device="nvme0n1"}[10m])'
FAILED='count_over_time(up{job="postgres"}[10m]) - sum_over_time(up{job="postgres"}[10m])'
# fleet ENGINE: the row of the volume.
fleet() {
  "$ebsctl" fleet --prometheus "${engine_url[$1]}" --volumes "$SCRATCH/volumes.json" --since 30m --format json >"$SCRATCH/$1.rows" 2>"$SCRATCH/$1.log" ||
    { cat "$SCRATCH/$1.log"; return 1; }
}
# row ENGINE PATH VALUE: what the row of the volume has there, as PostgreSQL writes it.
row() {
  local got
  got=$(cluster_psql -d postgres -qAtX -v row="$(cat "$SCRATCH/$1.rows")" -f - <<<"SELECT :'row'::jsonb #>> '{$2}'")
  [ "$got" = "$3" ] || { printf '%s is %s, not %s: ' "$2" "$got" "$3"; cut -c 1-2000 "$SCRATCH/$1.rows"; return 1; }
}
# recommended ENGINE: the volume of the extension's own recommendation for the run.
recommended() {
  is "SELECT format('%s %s %s %s', r ->> 'volume_type', r ->> 'size_gib', r ->> 'iops', r ->> 'throughput_mibps')
    FROM (SELECT \$json\$$(cat "$SCRATCH/$1.rows")\$json\$::jsonb -> 'recommended' AS r) row" "$own"
}

cluster_sql "SELECT ebs_run_begin('beside')" >/dev/null
load &
for engine in prometheus vm; do await reached "$engine" "$CHANGES" 35; done
cluster_sql 'SELECT ebs_run_end()' >/dev/null
own=$(cluster_sql "SELECT format('%s %s %s %s', volume_type, size_gib, iops, throughput_mibps) FROM ebs_options('beside')
  WHERE rank = 1")
for engine in prometheus vm; do
  check "a row from $engine" fleet "$engine"
  check "of the volume whose serial it is" row "$engine" volume "$volume"
  check "from node_exporter" row "$engine" evidence,source node_exporter
  check "by its scrapes of a second" row "$engine" evidence,interval_s 1.0
  check "with the recommendation that the extension has" recommended "$engine"
done

# The exporter does not answer for a while: both engines mark its series as stale.
engine_stop node
for engine in prometheus vm; do await reached "$engine" "$FAILED" 6; done
exporter
for engine in prometheus vm; do
  before=$(value "$engine" "$CHANGES")
  await reached "$engine" "$CHANGES" $((before + 8))
  check "a row after the exporter was away, from $engine" fleet "$engine"
  check "with a gap" bash -c "grep -qE '\"gaps\":[1-9]' '$SCRATCH/$engine.rows'"
  check "and no reset" row "$engine" evidence,resets 0
  check "and the recommendation that it had" recommended "$engine"
done
