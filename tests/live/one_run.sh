# Two sessions that begin a run at the same time: one begins it, the other is told.
sampling </dev/null
# The lock tells that the first has begun and is not committed, which it is once the second waits for it.
(cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - >/dev/null <<SQL
BEGIN;
SELECT ebs_run_begin('first');
SELECT pg_advisory_xact_lock(7);
$(until_true "EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))")
COMMIT;
SQL
) &
first=$!
cluster_await "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted)"
check "the second waits for the first and is refused" matches "SELECT ebs_run_begin('second')" 'run "first" is still open'
check "and the first was waited for" wait "$first"
check "one run is open" is "SELECT string_agg(label, ',') FROM ebs.runs_detail WHERE ended_at IS NULL" first
cluster_sql 'SELECT ebs_run_end()' >/dev/null
cluster_psql -d postgres -qAtX -c "BEGIN; SELECT ebs_run_begin('undone'); ROLLBACK" >/dev/null
check "a run that was rolled back never was" is "SELECT count(*) FROM ebs.runs_detail WHERE label = 'undone'" 0
check "and keeps no other from beginning" cluster_sql "SELECT ebs_run_begin('next')"
