# Two sessions that begin a run at the same time: one begins it, the other is told.
sampling </dev/null
# The lock tells that the first has begun and is not committed.
(cluster_psql -d postgres -qAtX -c "BEGIN; SELECT ebs_run_begin('first'); SELECT pg_advisory_xact_lock(7);
  SELECT pg_sleep(3); COMMIT" >/dev/null) &
cluster_await "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted)"
check "the second waits for the first and is refused" matches "SELECT ebs_run_begin('second')" 'run "first" is still open'
wait
check "one run is open" is "SELECT string_agg(label, ',') FROM ebs.runs WHERE ended_at IS NULL" first
cluster_sql 'SELECT ebs_run_end()' >/dev/null
cluster_psql -d postgres -qAtX -c "BEGIN; SELECT ebs_run_begin('undone'); ROLLBACK" >/dev/null
check "a run that was rolled back never was" is "SELECT count(*) FROM ebs.runs WHERE label = 'undone'" 0
check "and keeps no other from beginning" cluster_sql "SELECT ebs_run_begin('next')"
