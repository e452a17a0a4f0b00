# A run that was sampled here, and the same demand as Enhanced Monitoring and Performance Insights would tell it: the same volumes are
# advised, and a prediction is made.
sampling </dev/null
own_disk
# serve READS WRITES: that many requests of 8 KiB, half a millisecond each.
serve() {
  local stats=$SCRATCH/tree/proc/diskstats
  awk -v n="$1" -v w="$2" '$3 == "nvme0n1" { $4 += n; $6 += 16 * n; $7 += n / 2; $8 += w; $10 += 16 * w; $11 += w / 2; $14 += (n + w) / 2 } { print }' \
    OFMT=%d CONVFMT=%d "$stats" >"$stats.new"
  mv "$stats.new" "$stats"
}
# A session that works for all of the run: its waits are sampled with the device.
(cluster_run "$PG_BIN/psql" -X -h "$CLUSTER" -U postgres -d postgres -qAtc 'DO $$ BEGIN LOOP END LOOP; END $$' >/dev/null 2>&1) &
cluster_await "SELECT state = 'active' FROM pg_stat_activity WHERE query ~ '^DO .. BEGIN LOOP'"
cluster_sql "SELECT ebs_run_begin('sampled')" >/dev/null
for second in $(seq 1 70); do
  serve $((2000 + second * 37 % 500)) $((300 + second * 11 % 100))
  seconds_sampled sampled "$second"
done
cluster_sql 'SELECT ebs_run_end()' >/dev/null
cluster_sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^DO .. BEGIN LOOP'" >/dev/null
wait

# Rates have more decimals here than Enhanced Monitoring prints: the counts of each interval come back.
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - >/dev/null <<'SQL'
CREATE FUNCTION as_events(label text) RETURNS text LANGUAGE sql AS $$
  SELECT jsonb_build_object('events', jsonb_agg(jsonb_build_object('timestamp', (extract(epoch FROM ended_at) * 1000)::bigint, 'message', jsonb_build_object(
      'engine', 'POSTGRES', 'instanceID', 'made', 'instanceResourceID', 'db-MADE',
      'timestamp', to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'numVCPUs', cpus, 'cpuUtilization', jsonb_build_object('total', cpu_pct),
      'physicalDeviceIO', jsonb_build_array(jsonb_build_object('device', 'nvme1n1', 'readIOsPS', reads / seconds, 'writeIOsPS', writes / seconds,
          'readKbPS', read_bytes / seconds / 1024, 'writeKbPS', write_bytes / seconds / 1024, 'readKb', read_bytes / 1024, 'writeKb', write_bytes / 1024,
          'await', coalesce((read_ms + write_ms)::float8 / nullif(reads + writes, 0), 0), 'avgQueueLen', round(((read_ms + write_ms) / seconds / 1000)::numeric, 2)))
      )::text) ORDER BY ended_at), 'nextForwardToken', 'f/0')::text
  FROM ebs_device_samples(label) d, (SELECT (SELECT value FROM ebs_workload(label) WHERE metric = 'CPUs') AS cpus,
      100 * (SELECT value FROM ebs_workload(label) WHERE metric = 'CPU of the machine') / (SELECT value FROM ebs_workload(label) WHERE metric = 'CPUs') AS cpu_pct) c
$$;
-- Points of each second, at its end; idle sessions are not in db.load.avg.
CREATE FUNCTION as_metrics(label text) RETURNS text LANGUAGE sql AS $$
  SELECT jsonb_build_object('Identifier', 'db-MADE', 'MetricList', jsonb_agg(metric))::text FROM (
    SELECT jsonb_build_object('Key', jsonb_build_object('Metric', 'db.load.avg', 'Dimensions', jsonb_build_object(
        'db.wait_event.name', CASE WHEN w.wait_event = 'CPU*' THEN 'CPU' ELSE w.wait_class || ':' || w.wait_event END,
        'db.wait_event.type', rtrim(w.wait_class, '*'))),
      'DataPoints', (SELECT jsonb_agg(jsonb_build_object('Timestamp', s, 'Value', w.average_active_sessions) ORDER BY s)
                     FROM ebs.run r, generate_series(ceil(extract(epoch FROM r.started_at))::bigint, ceil(extract(epoch FROM r.ended_at))::bigint) s
                     WHERE r.label = as_metrics.label)) AS metric
    FROM (SELECT wait_class, wait_event, sum(average_active_sessions) AS average_active_sessions FROM ebs_waits(label)
          WHERE kind = 'active' AND backend_type IN ('client backend') GROUP BY 1, 2) w) m
$$;
SELECT ebs_import_rds_os('told', as_events('sampled'));
SELECT ebs_import_rds_waits('told', as_metrics('sampled'));
SQL
# The first event stands for an interval of whole seconds, which a sample need not be: its rates come back, and not its length.
check "no interval is lost" is "SELECT (SELECT count(*) FROM ebs_device_samples('told'))" \
  "$(cluster_sql "SELECT count(*) FROM ebs_device_samples('sampled')")"
ratios="SELECT abs(t.n / s.n - 1) < 0.005 FROM (SELECT sum(FIGURE) / sum(seconds) AS n FROM ebs_device_samples('told')) t,
  (SELECT sum(FIGURE) / sum(seconds) AS n FROM ebs_device_samples('sampled')) s"
for figure in reads writes read_bytes write_bytes read_ms+write_ms; do
  check "rates of $figure come back" is "${ratios//FIGURE/($figure)}" t
done
active="SELECT wait_event, round(average_active_sessions::numeric, 2) FROM ebs_waits"
check "waits are the same" is "$active('told') WHERE average_active_sessions > 0.1" \
  "$(cluster_sql "$active('sampled') WHERE average_active_sessions > 0.1 AND backend_type = 'client backend' AND kind = 'active'")"
best="SELECT role, volume_type, volumes, size_gib, iops, throughput_mibps, usd_month FROM ebs_options"
check "the same volume is advised" is "$best('told', min_size_gib => 100, platform => 'rds') WHERE rank = 1" \
  "$(cluster_sql "$best('sampled', min_size_gib => 100, platform => 'rds') WHERE rank = 1")"
json="SELECT jsonb_build_array(o -> 'volume_type', o -> 'volumes', o -> 'size_gib', o -> 'iops', o -> 'throughput_mibps') FROM (
  SELECT role -> 'options' -> (role #>> '{recommendation,option}')::int AS o FROM (SELECT ebs_advise_json"
sampled="$json('sampled', min_size_gib => 100, platform => 'rds') #> '{roles,0}' AS role) a) b"
check "a volume is named in JSON" matches "$sampled" '^\["(gp3|io2|gp2|io1)", [1-9]'
check "and the same" is "$json('told', min_size_gib => 100, platform => 'rds') #> '{roles,0}' AS role) a) b" "$(cluster_sql "$sampled")"
check "the database is predicted on other volumes" is \
  "SELECT throughput_ratio BETWEEN throughput_ratio_low AND throughput_ratio_high AND bound_by IS NOT NULL FROM ebs_whatif('told', 'io2', 20000)" t
