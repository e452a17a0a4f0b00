# A run that was sampled here, through a file and psql into another database: every answer is the same there.
sampling </dev/null
cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 500)" >/dev/null
cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres -i -s 2 -q postgres >/dev/null 2>&1
cluster_sql "SELECT ebs_run_begin('moved', '{\"scale\": 2}')" >/dev/null
cluster_sql "SELECT ebs_run_mark('measure')"
cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres -c 2 -T 34 postgres >/dev/null 2>&1
cluster_sql "SELECT ebs_run_mark('over')"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
cluster_sql "SELECT ebs_run_result('moved', tps => 1::float8 / 3, latency_ms => 0.1)"

cluster_psql -d postgres -XAtc "SELECT ebs_run_export('moved')" >"$SCRATCH/moved.json"
cluster_sql 'CREATE DATABASE elsewhere'
cluster_psql -d elsewhere -qX -c 'CREATE EXTENSION ebs_advisor'
chmod a+r "$SCRATCH/moved.json"
import() { printf "\\\\set document \`cat '%s'\`\nSELECT ebs_run_import(:'document');\n" "$SCRATCH/moved.json" | cluster_psql -d elsewhere -qXAt -v ON_ERROR_STOP=1; }
check "a document of a file becomes a run" test "$(import)" = 1

for answer in ebs_io_mix ebs_io_sources ebs_balance ebs_waits ebs_workload ebs_device_samples ebs_options ebs_advise ebs_frontier \
  ebs_report_card; do
  query="SELECT md5(string_agg(x::text, '|')) FROM $answer('moved') x"
  check "the same of $answer" test "$(cluster_sql "$query" 2>&1)" = "$(cluster_sql "$query" elsewhere 2>&1)"
done
query="SELECT x FROM ebs_whatif('moved', 'io2', 20000) x"
check "the same of ebs_whatif" test "$(cluster_sql "$query" 2>&1)" = "$(cluster_sql "$query" elsewhere 2>&1)"
query="SELECT label, started_at, ended_at, tps, latency_ms, note, environment, phases FROM ebs.runs"
check "the same row" test "$(cluster_sql "$query")" = "$(cluster_sql "$query" elsewhere)"
check "with answers that say something" matches "SELECT count(*) FROM ebs_options('moved') WHERE feasible" '^[1-9]'
check "what was declared there is not declared here" test "$(cluster_sql 'SELECT count(*) FROM ebs.volume_declared' elsewhere)" = 0
check "and is known of the run" test "$(cluster_sql "SELECT declared #>> '{volumes,0,volume_type}' FROM ebs.run" elsewhere)" = gp3
check "ageing and retention leave it alone" test \
  "$(cluster_sql 'SELECT bool_and(run_id IS NOT NULL) FROM ebs.sample_block' elsewhere)" = t

# What is damaged on its way changes nothing.
sed 's/"data": "\(....\)..../"data": "\1AAAA/' "$SCRATCH/moved.json" >"$SCRATCH/damaged.json"
cp "$SCRATCH/damaged.json" "$SCRATCH/moved.json"
cluster_psql -d elsewhere -qXAtc "SELECT ebs_run_drop('moved')" >/dev/null
check "a damaged file is refused" bash -c "! grep -q '^1\$' <<<\"\$1\" && grep -q 'is damaged' <<<\"\$1\"" _ "$(import 2>&1)"
check "and nothing is left of it" test "$(cluster_sql 'SELECT count(*) FROM ebs.run, ebs.sample_block' elsewhere)" = 0
