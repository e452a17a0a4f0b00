# What statements and findings have of a real disk: it takes the seconds that advice asks for, and what the disk does is not ours alone.
if [ ! -e "$("$PG_BIN/pg_config" --sharedir)/extension/pg_stat_statements.control" ]; then
  skip "findings of a real load: this PostgreSQL has no pg_stat_statements"
  return
fi
sampling <<<"shared_preload_libraries = 'ebs_advisor, pg_stat_statements'
track_io_timing = on
min_wal_size = 32MB
max_wal_size = 32MB
autovacuum = off"
if ! whole_device >/dev/null; then
  skip "findings of a real load: this cluster is on no block device"
  return
fi
cluster_sql 'CREATE EXTENSION pg_stat_statements'
cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres -i -s 2 -q postgres >/dev/null 2>&1
cluster_sql "SELECT ebs_run_begin('load')" >/dev/null
cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres -n -t 200 -c 2 postgres >/dev/null 2>&1
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "the rows' reads are all the device's" is "SELECT abs(coalesce(sum(device_reads_s), 0) - coalesce((SELECT mean FROM ebs_io_mix('load')
  WHERE metric = 'reads' LIMIT 1), 0)) < 0.02 * greatest(1, coalesce(sum(device_reads_s), 0)) FROM ebs_queries('load')" t

# Sorts that spill, updates without room, checkpoints forced by WAL.
cluster_sql "CREATE TABLE narrow (id int PRIMARY KEY, n int, filler text); CREATE INDEX ON narrow (filler);
  INSERT INTO narrow SELECT i, 0, repeat('x', 80) || i FROM generate_series(1, 40000) i"
cluster_sql 'VACUUM ANALYZE narrow'
cluster_sql "SELECT ebs_run_begin('causes')" >/dev/null
for _ in 1 2 3; do
  cluster_sql 'UPDATE narrow SET n = n + 1'
  cluster_sql "SET work_mem = '64kB'; SELECT count(*) FROM (SELECT * FROM pgbench_accounts ORDER BY filler, aid DESC OFFSET 1) s" >/dev/null
done
# Advice asks for 30 s.
seconds_sampled causes 32
cluster_sql 'SELECT ebs_run_end()' >/dev/null
cluster_psql -d postgres -qX -c "SELECT finding, left(subject, 60) AS subject, round(demand_pct::numeric, 1) AS pct, round(requests_s_saved_low::numeric) AS low,
  round(requests_s_saved_high::numeric) AS high FROM ebs_findings('causes')" | sed 's/^/# /'
check "updates without room name their table" is "SELECT subject FROM ebs_findings('causes') WHERE finding = 'fillfactor'" public.narrow
check "checkpoints forced by WAL are named" matches "SELECT measured FROM ebs_findings('causes') WHERE finding = 'checkpoints'" '^[1-9][0-9]* checkpoints in'
check "ranked by what they may save" is "SELECT bool_and(rank = expected) FROM (SELECT rank, row_number() OVER
  (ORDER BY coalesce(requests_s_saved_low + requests_s_saved_high, 0) DESC, subject) AS expected FROM ebs_findings('causes')) r" t
check "no more is saved than was asked for" is "SELECT count(*) FROM ebs_findings('causes') WHERE NOT demand_pct BETWEEN 1 AND 100.001
  OR requests_s_saved_low > requests_s_saved_high" 0
check "the report has them before the commands" matches "SELECT string_agg(line, ' ') FROM ebs_advise('causes') line" 'Before you buy   1\. '
