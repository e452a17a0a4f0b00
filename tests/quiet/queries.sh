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
# Neither shared buffers nor the page cache have it: what is read is read from the disk.
cluster_stop
find "$CLUSTER/data/base" -type f -exec dd if={} of=/dev/null iflag=nocache count=0 status=none \;
cluster_start
sampler_works
cluster_sql "SELECT ebs_run_begin('load')" >/dev/null
cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres -n -t 200 -c 2 postgres >/dev/null 2>&1
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "the rows' reads are all the device's" is "SELECT sum(device_reads_s) > 0 AND abs(sum(device_reads_s)
  - (SELECT mean FROM ebs_io_mix('load') WHERE metric = 'reads' LIMIT 1)) < 0.02 * greatest(1, sum(device_reads_s)) FROM ebs_queries('load')" t

# Sorts that spill, updates without room, checkpoints forced by WAL.
without_room
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
causes_found causes
check "the report has them before the commands" matches "$(report "'causes'")" 'Before you buy 1\. '
