# The device's side of tests/live/io_methods.sh: whichever way PostgreSQL 18 reads, a cold scan is read from the device once, by
# the server's processes and nobody else, and its waits are seen.
version=$(major_of "$PG_BIN/pg_config")
if [ "$version" -lt 18 ]; then
  skip "PostgreSQL $version has no io_method"
  return
fi

sampling <<CONF
ebs_advisor.wait_interval = 1ms
fsync = on
shared_buffers = 16MB
autovacuum = off
checkpoint_timeout = 1h
max_wal_size = 4GB
max_parallel_workers_per_gather = 0
track_io_timing = on
CONF
if ! whole_device >/dev/null; then
  skip "the device (the cache is on no block device)"
  return
fi
cluster_sql "CREATE TABLE t AS SELECT i, repeat('x', 1000) AS filler FROM generate_series(1, 150000) i"
cluster_sql 'VACUUM (FREEZE, ANALYZE) t'
cluster_sql CHECKPOINT
file=$(cluster_sql "SELECT pg_relation_filepath('t')")
table=$(cluster_sql "SELECT pg_relation_size('t')")

# cold METHOD: the server reads so from now on, and nothing of the table is in shared buffers or in the page cache. Fails where
# the server cannot.
cold() {
  local path
  cluster_sql "ALTER SYSTEM SET io_method = '$1'" || return 1
  cluster_stop
  for path in "$CLUSTER/data/$file"*; do dd if="$path" of=/dev/null iflag=nocache count=0 status=none; done
  cluster_start && sampler_works
}
read_bytes() { cluster_sql "SELECT coalesce(sum(read_bytes), 0) FROM ebs_$1('$RUN') WHERE $2"; }
waited() { cluster_sql "SELECT coalesce(sum(average_active_sessions), 0) FROM ebs_waits('$RUN')
  WHERE backend_type = 'client backend' AND $1"; }

# alike METHOD OWN: with this method; OWN is the waits for reads that a session shows then.
alike() {
  local method=$1 own=$2
  RUN=$method
  cluster_sql "SELECT ebs_run_begin('$RUN')" >/dev/null
  cluster_sql 'SELECT count(filler) FROM t; SELECT pg_stat_force_next_flush()' >/dev/null
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  check "$method: the device read the table" within 5 "$(read_bytes balance "side = 'device'")" "$table"
  check "$method: as much as PostgreSQL" \
    within 5 "$(read_bytes balance "side = 'PostgreSQL'")" "$(read_bytes balance "side = 'device'")"
  if [ -z "$(cluster_sql "SELECT read_bytes FROM ebs_balance('$RUN') WHERE line = 'unattributed'")" ]; then
    skip "$method: what the server's processes read (/proc/PID/io cannot be read)"
  else
    check "$method: by the server's processes, and no more than PostgreSQL counts" \
      within 5 "$(read_bytes balance "side = 'PostgreSQL' OR line IN ('page cache', 'unattributed')")" \
      "$(read_bytes balance "side = 'PostgreSQL'")"
  fi
  check "$method: nobody else's reads" within 5 "$(read_bytes balance "line = 'client backends'")" "$table"
  cluster_psql -d postgres -qX -c "SELECT backend_type, wait_event, kind, round(average_active_sessions::numeric, 4) AS sessions
    FROM ebs_waits('$RUN') WHERE wait_class IN ('IO', 'CPU*') AND average_active_sessions > 0.0005" | sed 's/^/# /'
  check "$method: sessions wait for them" test "$(waited "wait_event IN ($own)")" != 0
  check "$method: all of which the workload has as reads" within 10 \
    "$(cluster_sql "SELECT value FROM ebs_workload('$RUN') WHERE metric = 'waiting for reads'")" \
    "$(waited "wait_event IN ('DataFileRead', $own)")"
}

cold sync
alike sync "'DataFileRead'"
cold worker
alike worker "'AioIoCompletion'"
refused=$(cluster_run "$PG_BIN/postgres" -D data -C io_method -c io_method=io_uring 2>&1) || true
if [ "$refused" != io_uring ]; then
  skip "io_uring: this PostgreSQL was built without liburing"
elif ! cold io_uring 2>/dev/null && server_log -q io_uring; then
  skip "io_uring: this kernel refuses it: $(server_log -m 1 io_uring)"
else
  alike io_uring "'AioIoUringSubmit', 'AioIoUringExecution', 'AioIoCompletion'"
fi
