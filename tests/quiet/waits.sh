# How long processes were seen waiting, against how long they did; and that 300 backends are looked at without a missed tick.
sampling <<CONF
max_connections = 350
ebs_advisor.track_database = on
ebs_advisor.track_application_name = on
CONF
cluster_sql 'CREATE DATABASE bench'
session() { (cluster_run env PGAPPNAME="$1" "$PG_BIN/psql" -X -h "$CLUSTER" -U postgres -d bench -qAtc "$2" >/dev/null 2>&1) & }

cluster_sql "SELECT ebs_run_begin('told')" >/dev/null
# The holder sleeps for longer than the run and is ended after it.
session holder "SELECT pg_advisory_lock(7); SELECT pg_sleep(60)"
cluster_await "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted)"
session waiter "SELECT pg_advisory_lock(7)"
cluster_await "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND waitstart IS NOT NULL)"
waited_from=$(cluster_sql "SELECT waitstart FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
session worker "SELECT count(*) FROM generate_series(1, 8000000) a, generate_series(1, 3) b"
sleep 5
cluster_sql 'SELECT ebs_run_end()' >/dev/null
cluster_sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name IN ('holder', 'worker')" >/dev/null
wait
check "a lock was waited for as long as PostgreSQL says, within a second" is \
  "SELECT abs(average_active_sessions * (SELECT extract(epoch FROM duration) FROM ebs.runs_detail WHERE label = 'told')
     - (SELECT extract(epoch FROM ended_at - '$waited_from') FROM ebs.runs_detail WHERE label = 'told')) < 1
   FROM ebs_waits('told') WHERE application_name = 'waiter' AND wait_event = 'advisory'" t
check "work without a wait event is CPU*" is \
  "SELECT sum(average_active_sessions) > 0.05 FROM ebs_waits('told') WHERE application_name = 'worker' AND wait_event = 'CPU*'" t

cluster_sql "SELECT ebs_run_begin('started')" >/dev/null
cluster_run "$PG_BIN/pgbench" -h "$CLUSTER" -U postgres -i -s 1 -q bench >/dev/null 2>&1
cluster_run "$PG_BIN/pgbench" -h "$CLUSTER" -U postgres -n -S -c 6 -T 3 bench >/dev/null 2>&1
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "little of sessions is seen before they have a database" is \
  "SELECT coalesce(sum(db_time_pct) FILTER (WHERE database IS NULL), 0) < 10 FROM ebs_waits('started')
   WHERE backend_type = 'client backend'" t

set_to track_database off track_application_name off wait_interval 1ms
cluster_sql "SELECT ebs_run_begin('plain')" >/dev/null
sleep 2
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "what sleeps is seen sleeping all the time" is \
  "SELECT average_active_sessions BETWEEN 0.8 AND 1.05 FROM ebs_waits('plain') WHERE wait_event = 'CheckpointerMain'" t

set_to wait_interval 10ms
echo 'SELECT pg_sleep(1800)' >"$CLUSTER/sleep.sql"
(cluster_run sh -c 'echo $$ >pgbench.pid; exec "$@"' _ \
  "$PG_BIN/pgbench" -h "$CLUSTER" -U postgres -n -c 300 -j 1 -T 60 -f sleep.sql postgres >/dev/null 2>&1) &
cluster_await "SELECT count(*) >= 300 FROM pg_stat_activity WHERE application_name = 'pgbench' AND wait_event = 'PgSleep'"
cluster_sql "SELECT ebs_run_begin('many')" >/dev/null
sleep 3
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "300 backends are all counted" is \
  "SELECT sum(average_active_sessions) BETWEEN 299.5 AND 303 FROM ebs_waits('many')
   WHERE backend_type = 'client backend' AND kind = 'idle'" t
check "and no tick is missed" is "SELECT count(*) FROM ebs_advise('many', show => 'all') line WHERE line LIKE '%missed%'" 0
signal KILL "$(cat "$CLUSTER/pgbench.pid")"
wait
