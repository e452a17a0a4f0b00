# Counters of PostgreSQL that are reset in the middle of a run: the second is left out and said, the rest is exact.
sampling <<<"autovacuum = off"
grow() { cluster_sql "CREATE TABLE $1 AS SELECT i, repeat('x', 1000) AS filler FROM generate_series(1, 20000) i"; sleep 2.2; tick; }
# reset FUNCTION: alone in its interval, so that nothing else is left out with it.
reset() { cluster_sql "SELECT $1" >/dev/null; tick; }
# A mark is a tick: none of the sampler's own needs to come in time.
tick() { cluster_sql "SELECT ebs_run_mark('tick')"; }
cluster_sql "SELECT ebs_run_begin('reset')" >/dev/null
sleep 1.2
grow before
reset "pg_stat_reset_shared('io')"
grow between
reset "pg_stat_reset_shared('wal')"
reset 'pg_stat_reset()'
grow after
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "a reset is a reset each time, and one of the database's own counters is none" matches \
  "SELECT string_agg(line, ' ') FROM ebs_advise('reset') line" ', 2 counter resets +\(those seconds left out\)'
check "what was counted around them is exact, within 2 %" within 2 \
  "$(cluster_sql "SELECT sum(extend_bytes) FROM ebs_io_sources('reset') WHERE backend_type = 'client backend' AND object = 'relation'")" \
  "$(cluster_sql "SELECT sum(pg_table_size(t::regclass)) FROM unnest('{before,between,after}'::text[]) t")"
check "nothing is negative or huge" is "SELECT count(*) FROM ebs_io_sources('reset')
  WHERE least(read_bytes, write_bytes, extend_bytes, fsyncs, hits) < 0 OR greatest(read_bytes, write_bytes, extend_bytes) > 1e9" 0
check "shares add up" is "SELECT round(sum(share_pct)) FROM ebs_io_sources('reset')" 100
check "waits are none of these counters" is "SELECT round(average_active_sessions::numeric, 1) FROM ebs_waits('reset')
  WHERE wait_event = 'CheckpointerMain'" 1.0
check "devices neither" is "SELECT abs(sum(seconds) - (SELECT extract(epoch FROM duration) FROM ebs.runs)) < 0.2
  FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('reset')) s" t
