# pg_dump keeps runs, results and samples; restored they give the same answers.
# On every major: pg_dump, and what it restores into.
sampling </dev/null
history
check "there is something in each table" prints_nothing without_rows
cluster_run "$PG_BIN/pg_dump" --host "$CLUSTER" --username postgres --file "$CLUSTER/dump.sql" postgres
cluster_sql 'CREATE DATABASE restored'
check "the dump can be restored" cluster_psql -d restored -qX -v ON_ERROR_STOP=1 -f "$CLUSTER/dump.sql"
answer="SELECT md5(string_agg(o::text, '|')) FROM ebs_options_detail('kept', min_size_gib => 100) o"
check "the same options" same_in restored "$answer"
samples="SELECT count(*) FROM ebs_device_samples('live')"
check "the same samples" same_in restored "$samples"
check "the same results" test "$(cluster_sql 'SELECT tps FROM ebs.runs_detail WHERE tps > 0' restored)" = 42
check "the same tags and reports of fio" test \
  "$(cluster_sql "SELECT tags, fio #>> '{jobs,0,name}' FROM ebs.run JOIN ebs.run_fio USING (run_id)" restored)" = '{final}|kept by fio'
check "the same declarations" test "$(cluster_sql 'SELECT volume, iops, instance FROM ebs.volume_declared, ebs.instance_declared' restored)" = 'data|3000|m5.large'
check "the same imported prices" test "$(cluster_sql "SELECT usd_month, price_status FROM ebs_price('gp3', 100)" restored)" = '7.00|imported'
check "the same imported configuration" test "$(cluster_sql "SELECT name, facts ->> 'size_gib' FROM ebs.configuration" restored)" = 'vol-0a|500'
check "the same answers of a fleet" test "$(cluster_sql "SELECT volume, action, usd_month_saved FROM ebs.fleet_latest" restored)" = 'vol-0a|keep|0'
check "new runs get new numbers" cluster_sql "SELECT ebs_import_samples('next', 'sdf', '[
  {\"ts\": \"2026-01-01\", \"reads\": 1, \"writes\": 1, \"read_bytes\": 1, \"write_bytes\": 1},
  {\"ts\": \"2026-01-02\", \"reads\": 1, \"writes\": 1, \"read_bytes\": 1, \"write_bytes\": 1}]')" restored
