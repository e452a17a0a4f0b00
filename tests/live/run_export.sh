# Runs through a file and psql into another database: every answer is the same there. One is sampled here. The other two were,
# with pgbench at work for 34 s each, on a declared volume: they are long enough to be advised on (driven.json, kept as it was
# exported).
sampling </dev/null
own_disk
cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 500)" >/dev/null
cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres -i -s 2 -q postgres >/dev/null 2>&1
cluster_sql "SELECT ebs_run_begin('moved', '{\"scale\": 2}')" >/dev/null
cluster_sql "SELECT ebs_run_mark('measure')"
disk_reads 1000 500
cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres -c 2 -t 100 postgres >/dev/null 2>&1
seconds_sampled moved 3
cluster_sql "SELECT ebs_run_mark('over')"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
cluster_sql "SELECT ebs_run_result('moved', tps => 1::float8 / 3, latency_ms => 0.1)"

# import FILE DATABASE: how many runs that makes.
import() {
  install -m 644 "$1" "$SCRATCH/imported.json"
  printf "\\\\set document \`cat '%s'\`\nSELECT ebs_run_import(:'document');\n" "$SCRATCH/imported.json" |
    cluster_psql -d "$2" -qXAt -v ON_ERROR_STOP=1
}
check "a document of a file becomes runs" test "$(import "$ROOT/tests/live/driven.json" postgres)" = 2
check "with answers that say something" matches "SELECT count(*) FROM ebs_options_detail('after') WHERE feasible" '^[1-9]'
check "on what was declared then" \
  matches "$(report "'after'")" 'Today declared gp3 .*Recommended gp3'
cluster_psql -d postgres -XAtc "SELECT ebs_run_export('*')" >"$SCRATCH/moved.json"
cluster_sql 'CREATE DATABASE elsewhere'
cluster_psql -d elsewhere -qX -c 'CREATE EXTENSION ebs_advisor'
check "so does one that was made here" test "$(import "$SCRATCH/moved.json" elsewhere)" = 3

for answer in ebs_io_mix ebs_io_sources ebs_balance ebs_waits ebs_workload ebs_device_samples ebs_options_detail ebs_advise ebs_frontier \
  ebs_report_card; do
  for label in moved after; do
    query="SELECT md5(string_agg(x::text, '|')) FROM $answer('$label') x"
    check "the same of $answer for $label" same_in elsewhere "$query"
  done
done
for label in moved after; do
  query="SELECT x FROM ebs_whatif('$label', 'io2', 20000) x"
  check "the same of ebs_whatif for $label" same_in elsewhere "$query"
done
query="SELECT label, started_at, ended_at, tps, latency_ms, note, environment, phases FROM ebs.runs_detail ORDER BY label"
check "the same rows" same_in elsewhere "$query"
check "what was declared there is not declared here" test "$(cluster_sql 'SELECT count(*) FROM ebs.volume_declared' elsewhere)" = 0
check "and is known of the runs" test \
  "$(cluster_sql "SELECT string_agg(declared #>> '{volumes,0,volume_type}', ' ') FROM ebs.run" elsewhere)" = 'gp3 gp3 gp3'
check "ageing and retention leave them alone" test \
  "$(cluster_sql 'SELECT bool_and(run_id IS NOT NULL) FROM ebs.sample_block' elsewhere)" = t

# What is damaged on its way changes nothing.
sed 's/"data": "\(....\)..../"data": "\1AAAA/' "$SCRATCH/moved.json" >"$SCRATCH/damaged.json"
cluster_sql "SELECT ebs_run_drop(label) FROM ebs.runs_detail" elsewhere >/dev/null
check "a damaged file is refused" bash -c "! grep -q '^3\$' <<<\"\$1\" && grep -q 'is damaged' <<<\"\$1\"" _ \
  "$(import "$SCRATCH/damaged.json" elsewhere 2>&1)"
check "and nothing is left of it" test "$(cluster_sql 'SELECT count(*) FROM ebs.run, ebs.sample_block' elsewhere)" = 0
