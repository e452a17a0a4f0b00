# Histograms of one-second demand from end to end: the sampler's counters, by the script of docs/exporters into a textfile, from a real
# node_exporter, scraped every five seconds by Prometheus and by VictoriaMetrics, are seconds again for ebsctl fleet. Percentiles are those
# of the extension's own samples of the same seconds, to the 5 % of a bin.
. "$ROOT/scripts/engines.sh"
if ! engines_found; then
  skip "histograms of demand through node_exporter ($ENGINES_MISSING)"
  return
fi
ebsctl=$(program ebsctl)
export XDG_STATE_HOME=$SCRATCH/state
# Only runs are sampled: the seconds between two runs are in no counter, so that what is scraped between them is of a whole run.
fresh <<<"ebs_advisor.enabled = off
$(own_disk_settings)"
cluster_sql "CREATE EXTENSION ebs_advisor; CREATE ROLE exporter LOGIN; GRANT pg_monitor TO exporter"
cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 100); SELECT ebs_instance_declare('r6id.4xlarge')" >/dev/null
mkdir "$SCRATCH/textfile"
textfile() { PATH=$PG_BIN:$PATH "$ROOT/docs/exporters/ebs-demand-textfile" "$SCRATCH/textfile" -h "$CLUSTER" -U exporter postgres; }

# Counters begin with the first run, and both engines have them before the second.
cluster_sql "SELECT ebs_run_begin('before')" >/dev/null
disk_reads 50 5
seconds_sampled before 2
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "the textfile" textfile
volume=$(cluster_sql "SELECT DISTINCT volume FROM ebs_demand_histogram()")
cat >"$SCRATCH/volumes.json" <<JSON
{"Volumes": [{"VolumeId": "$volume", "VolumeType": "gp3", "Size": 100, "Iops": 6000, "Throughput": 250, "State": "in-use",
  "AvailabilityZone": "us-east-1a", "Attachments": [{"InstanceId": "i-01", "Device": "/dev/sdf", "State": "attached"}]}]}
{"Reservations": [{"Instances": [{"InstanceId": "i-01", "InstanceType": "r6id.4xlarge"}]}]}
JSON
# The disk is the volume's while it has its serial: during the run, so that the scrapes of its counters are of the same time.
mkdir "$SCRATCH/udev"
node_exporter_start node --path.procfs="$SCRATCH/tree/proc" --path.sysfs="$SCRATCH/tree/sys" --path.udev.data="$SCRATCH/udev" \
  --collector.disable-defaults --collector.diskstats --collector.dmi --collector.textfile --collector.textfile.directory="$SCRATCH/textfile"
scrapers_start 5s node
SCRAPES='sum(count_over_time(ebs_demand_requests_count[10m]))'
for engine in prometheus vm; do await engine_reached "$engine" "$SCRAPES" 1; done

# load: busy for a quarter of its steps, until this test ends. Even with what the upper end of the interval allows for, it is below the
# 3,000 IOPS of every gp3, so that the recommendation does not rest on the width of a bin.
load() {
  local step=0
  while disk_reads $((step % 80 < 60 ? 20 : 70)) 4; do
    step=$((step + 1))
    sleep 0.05
  done
}
# rewritten: the textfile, again and again, as cron does.
rewritten() { while textfile; do sleep 1; done; }
cluster_sql "SELECT ebs_run_begin('beside')" >/dev/null
udev_serial 259:0 "$volume"
seconds_sampled beside 1
load &
load=$!
rewritten &
rewriter=$!
seconds_sampled beside 60
# Until both engines have eight scrapes of it.
for engine in prometheus vm; do await engine_reached "$engine" 'sum(changes(ebs_demand_requests_count[10m]))' 8; done
end_all "$load"
sampled=$(cluster_sql "SELECT count(*) FROM ebs_device_samples('beside')")
seconds_sampled beside $((sampled + 2))
cluster_sql 'SELECT ebs_run_end()' >/dev/null
rm "$SCRATCH/udev/b259:0"
end_all "$rewriter"
check "the textfile of the whole run" textfile
requests=$(cluster_sql "SELECT max(total) FROM ebs_demand_histogram() WHERE metric = 'requests'")
# A scrape later all series of that one can be read.
for engine in prometheus vm; do
  await engine_reached "$engine" 'sum(ebs_demand_requests_sum)' "$requests"
  scrapes=$(engine_value "$engine" "$SCRAPES")
  await engine_reached "$engine" "$SCRAPES" $((scrapes + 1))
done

# near ENGINE KEY SHARE RATE: the figure of the row is that of the seconds of the run which have this share of its time at or below them, to
# the width of a bin, the rounding of a row, and two seconds: an interval that is cut short is joined with a neighbour in answers alone.
near() {
  local got
  got=$(row_value "$1" "demand,$2")
  is "WITH second AS (SELECT seconds, ($4) / seconds AS rate FROM ebs_device_samples('beside')),
      ranked AS (SELECT rate, seconds, sum(seconds) OVER (ORDER BY rate, seconds) AS until, sum(seconds) OVER () AS whole FROM second)
    SELECT '${got:-NaN}'::float8 BETWEEN min(rate) / 1.053 AND max(rate) * 1.053, min(rate) > 1
    FROM ranked WHERE until >= $3 * whole - 2 AND until - seconds <= $3 * whole + 2" 't|t'
}
declare -A share=([p50]=0.5 [p99]=0.99 [max]=1)
for engine in prometheus vm; do
  check "a row from $engine" fleet_row "$engine" --volumes "$SCRATCH/volumes.json" --since 30m
  check "of the volume that the counters name" row_has "$engine" volume "$volume"
  check "by seconds, from scrapes of five" row_has "$engine" evidence,grade seconds
  for figure in p50 p99 max; do
    check "$figure of IOPS is that of the extension's seconds" near "$engine" "iops_$figure" "${share[$figure]}" 'reads + writes'
    check "$figure of throughput too" near "$engine" "mibps_$figure" "${share[$figure]}" '(read_bytes + write_bytes) / 1048576.0'
  done
  check "nothing is said about bursts within an interval" bash -c "! grep -q '\"bursts\"' '$SCRATCH/$engine.rows'"
  check "the recommendation is that of the run" row_recommends "$engine" beside
done
