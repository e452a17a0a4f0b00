# PostgreSQL 18 reads by the session itself, by I/O workers or through io_uring (io_method). Whichever it is, a cold scan is the
# same reads of the same sessions, and what they wait for are reads. What the device has to do with it is measured in
# tests/quiet/io_methods.sh.
version=$(major_of "$PG_BIN/pg_config")
if [ "$version" -lt 18 ]; then
  skip "PostgreSQL $version has no io_method"
  return
fi

# Scans of a table that is larger than a quarter of shared_buffers are the only reads with context bulkread.
sampling <<CONF
ebs_advisor.wait_interval = 1ms
shared_buffers = 16MB
autovacuum = off
max_parallel_workers_per_gather = 0
CONF
# A row a page: who scans it does little but read.
cluster_sql "CREATE TABLE t (filler text STORAGE PLAIN); INSERT INTO t SELECT repeat('x', 5000) FROM generate_series(1, 3000) i"
cluster_sql 'VACUUM (FREEZE, ANALYZE) t'
table=$(cluster_sql "SELECT pg_relation_size('t')")

# begun METHOD: the server reads so from now on, and has nothing of the table in its buffers. Fails where the server cannot.
begun() {
  cluster_sql "ALTER SYSTEM SET io_method = '$1'" || return 1
  cluster_stop
  cluster_start && sampler_works
}
# One session that is asked for what a process waits for, since that is asked often.
mkfifo "$SCRATCH/questions" "$SCRATCH/answers"
questions() {
  cluster_psql -d postgres -qAtX <"$SCRATCH/questions" >"$SCRATCH/answers" 2>/dev/null &
  exec 5>"$SCRATCH/questions" 6<"$SCRATCH/answers"
}
# caught EVENTS PID…: stops one of these processes where it waits for one of the events, and STOPPED is its number. Stopped at
# the wrong moment it could hold what the question takes: then it goes on after a while.
caught() {
  local events=$1 tries pid answer
  shift
  for ((tries = 0; tries < PATIENCE * 100; tries++)); do
    for pid in "$@"; do
      kill -STOP "$pid"
      echo "SELECT coalesce(wait_event IN ($events), false) FROM pg_stat_activity WHERE pid = $pid;" >&5
      answer=
      if read -r -t 20 -u 6 answer && [ "$answer" = t ]; then
        STOPPED=$pid
        exec 5>&- 6<&-
        return
      fi
      kill -CONT "$pid"
      [ -n "$answer" ] || read -r -u 6 answer
      sleep 0.01
    done
  done
  echo "in so many tries none of $* was found waiting for one of $events"
  return 1
}
reader="FROM pg_stat_activity WHERE application_name = 'reader'"
waits="FROM (SELECT * FROM ebs_waits('waiting by METHOD') WHERE backend_type = 'client backend') w WHERE wait_event IN"

# alike METHOD OWN: with this method; OWN is the waits for reads that a session shows then.
alike() {
  local method=$1 own=$2 session
  check "$method: it is in use" is 'SHOW io_method' "$method"
  cluster_sql "SELECT ebs_run_begin('$method')" >/dev/null
  # Counted before it has its answer.
  cluster_sql 'SELECT count(*) FROM t; SELECT pg_stat_force_next_flush()' >/dev/null
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  check "$method: the sessions read the table" \
    is "SELECT sum(read_bytes) FROM ebs_io_sources('$method') 
      WHERE backend_type = 'client backend' AND object = 'relation' AND context = 'bulkread'" "$table"
  check "$method: and nobody else did" \
    is "SELECT sum(read_bytes) FROM ebs_io_sources('$method') WHERE context = 'bulkread'" "$table"
  check "$method: the balance has all that sessions read" is \
    "SELECT read_bytes = (SELECT sum(read_bytes) FROM ebs_io_sources('$method') WHERE backend_type = 'client backend')
     FROM ebs_balance('$method') WHERE line = 'client backends'" t

  # A session that reads for ever is held where it waits for a read.
  (cluster_run env PGAPPNAME=reader "$PG_BIN/psql" -h "$CLUSTER" -U postgres -d postgres -qX -c \
    'DO $$ BEGIN LOOP PERFORM count(*) FROM t; END LOOP; END $$' >/dev/null 2>&1) &
  cluster_await "SELECT count(*) = 1 $reader"
  session=$(cluster_sql "SELECT pid $reader")
  questions
  if [ "$method" = worker ]; then
    caught "'DataFileRead'" $(cluster_sql "SELECT pid FROM pg_stat_activity WHERE backend_type = 'io worker'")
    # What this worker does not bring the session waits for.
    cluster_await "SELECT wait_event IN ($own) $reader"
  else
    caught "$own" "$session"
  fi
  cluster_sql "SELECT ebs_run_begin('waiting by $method')" >/dev/null
  check "$method: sessions wait for them" cluster_await "SELECT sum(average_active_sessions) > 0 ${waits/METHOD/$method} ($own)"
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  kill -CONT "$STOPPED"
  # Sessions that begin meanwhile read other files: RelationMapRead and the like.
  check "$method: all of which the workload has as reads" is \
    "SELECT abs(value - (SELECT sum(average_active_sessions) ${waits/METHOD/$method} ($own)
       OR wait_class = 'IO' AND wait_event LIKE '%Read' OR wait_event IN ('DataFilePrefetch', 'AioUringCompletion'))) < 1e-6
     FROM ebs_workload('waiting by $method') WHERE metric = 'waiting for reads'" t
  cluster_sql "SELECT pg_terminate_backend($session)" >/dev/null
}

begun sync
alike sync "'DataFileRead'"
begun worker
alike worker "'AioIoCompletion'"
check "worker: reads that I/O workers make are no time of the database" \
  is "SELECT count(*) FILTER (WHERE wait_event = 'DataFileRead') > 0 AND bool_and(kind = 'idle')
    FROM ebs_waits('waiting by worker') WHERE backend_type = 'io worker'" t
refused=$(cluster_run "$PG_BIN/postgres" -D data -C io_method -c io_method=io_uring 2>&1) || true
if [ "$refused" != io_uring ]; then
  skip "io_uring: this PostgreSQL was built without liburing"
elif ! begun io_uring 2>/dev/null && server_log -q io_uring; then
  skip "io_uring: this kernel refuses it: $(server_log -m 1 io_uring)"
else
  alike io_uring "'AioIoUringSubmit', 'AioIoUringExecution', 'AioIoCompletion'"
fi
