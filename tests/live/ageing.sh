# Samples age: seconds to minutes to hours, by themselves. Totals stay, percentiles nearly; what a run covers stays as it is.
sampling <<<"$(disk_settings)"
# A sampler looks for what is old when it writes for the first time, and again with the next write where it found some: that is
# over before there is anything old.
look
look
# Eight hours and more ago, three hours of demand in blocks of ten minutes, as if they had been sampled here.
since=$(cluster_sql "SELECT date_trunc('hour', now()) - interval '11 hours'")
for part in $(seq 0 17); do
  echo "SELECT ebs_import_samples('part $part', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '$since' + ($part * 600 + i) * interval '1 s',
    'reads', 100 + 10 * (i % 7) + 400 * ((i / 60 + $part) % 5), 'writes', 50 + i % 3, 'read_bytes', 8192 * (100 + 10 * (i % 7)
    + 400 * ((i / 60 + $part) % 5)), 'write_bytes', 16384 * (50 + i % 3), 'read_ms', 60, 'write_ms', 40))) FROM generate_series(1, 600) i;"
done >"$CLUSTER/import.sql"
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f "$CLUSTER/import.sql" >/dev/null
cluster_sql "UPDATE ebs.sample_block SET run_id = NULL; DELETE FROM ebs.run"
past="ended_at < now() - interval '7 hours'"
run() { echo "INSERT INTO ebs.run (label, started_at, ended_at) VALUES ('$1', timestamptz '$since' + interval '$2', timestamptz '$since' + interval '$3')"; }
# A run over the first ten minutes of the second hour.
cluster_sql "$(run kept '1 hour 5 s' '1 hour 595 s')"
# What a run over all of it would be told; it is not there when samples age.
told() { cluster_sql "BEGIN; $(run all '0' '3 hours'); SELECT $1; ROLLBACK"; }
totals="count(DISTINCT volume), sum(round(seconds)), sum(reads), sum(writes), sum(read_bytes), sum(write_bytes), sum(read_ms), sum(write_ms) FROM ebs_device_samples('all')"
percentiles="string_agg(concat_ws(' ', p50, p95, p99), ' ' ORDER BY metric) FROM ebs_io_mix('all') WHERE metric IN ('requests', 'throughput')"
near() { awk -v a="$1" -v b="$2" 'BEGIN { n = split(a, x, " "); m = split(b, y, " "); print a; print b; if (n != m || n < 6) exit 1
  for (i = 1; i <= n; i++) { d = x[i] - y[i]; if (d < 0) d = -d; if (d > 0.05 * y[i]) exit 1 } }'; }
spans="SELECT string_agg(format('%s: %s', span_s, n), ', ' ORDER BY span_s) FROM (SELECT span_s, count(*) AS n FROM ebs.sample_block WHERE $past GROUP BY 1) s"
state="SELECT md5(string_agg(format('%s %s %s', block_id, ended_at, md5(samples)), ' ' ORDER BY block_id)) FROM ebs.sample_block WHERE $past"
setting() { cluster_sql "ALTER SYSTEM SET ebs_advisor.$1"; cluster_sql 'SELECT pg_reload_conf()' >/dev/null; }
# Since the middle of the third hour: whole hours age, so half an hour either way is left for a slow test or a full hour.
third_hour=$(cluster_sql "SELECT ceil(extract(epoch FROM now() - (timestamptz '$since' + interval '150 min')) / 60) || 'min'")
before=$(told "$totals") were=$(told "$percentiles")
kept="SELECT md5(string_agg(samples, '' ORDER BY ended_at)) FROM ebs.sample_block WHERE span_s = 0 AND $past
  AND ended_at BETWEEN timestamptz '$since' + interval '1 hour 1 s' AND timestamptz '$since' + interval '70 min'"

setting "seconds_retention = '$third_hour'"
upkeep_again
check "seconds younger than seconds_retention stay" is "$spans" '0: 7, 60: 2'
mine=$(cluster_sql "$kept")
setting "seconds_retention = '6h'"
upkeep_again
check "older ones become minutes, an hour a block" is "$spans" '0: 1, 60: 3'
check "what a run covers stays as it is" test "$(cluster_sql "$kept")" = "$mine"
check "minutes: totals stay exact" test "$(told "$totals")" = "$before"
check "minutes: percentiles stay within 5 %" near "$(told "$percentiles")" "$were"
check "the report says how much has aged" test -n "$(told "($(report "'all', min_size_gib => 100"))" |
  grep -E '10,800 of 10,800 s sampled.*, 10,200 of them aged')"
done=$(cluster_sql "$state")
upkeep_again
check "a second look changes nothing" is "$state" "$done"
setting "minutes_retention = '$third_hour'"
upkeep_again
check "minutes younger than minutes_retention stay" is "$spans" '0: 1, 60: 1, 3600: 2'
setting "minutes_retention = '6h'"
upkeep_again
check "older ones become hours" is "$spans" '0: 1, 3600: 3'
check "hours: totals stay exact" test "$(told "$totals")" = "$before"
check "hours: percentiles stay within 5 %" near "$(told "$percentiles")" "$were"
done=$(cluster_sql "$state")
upkeep_again
check "again, a second look changes nothing" is "$state" "$done"
cluster_sql "SELECT ebs_run_drop('kept')"
upkeep_again
check "without its run the rest ages too" is "$spans" '3600: 4'
check "and totals stay exact" test "$(told "$totals")" = "$before"
cluster_run "$PG_BIN/pg_dump" --host "$CLUSTER" --username postgres --file "$CLUSTER/dump.sql" postgres
cluster_sql 'CREATE DATABASE restored'
cluster_psql -d restored -qX -v ON_ERROR_STOP=1 -f "$CLUSTER/dump.sql" >/dev/null
check "a dump holds what has aged" same_in restored "$state"
check "nobody complained" not_logged 'WARNING|FATAL: .*ebs|PANIC'
