# Waits: what they agree with, what they are told apart by, and that each is counted for as long as it lasted. Looks add the time
# since the look before to what each process stands in: what stands so in all of a run is one session, exactly.
# On every major: names of wait events, and how a session starts.
sampling <<CONF
compute_query_id = on
deadlock_timeout = 1h
max_connections = 350
ebs_advisor.flush_interval = 300s
ebs_advisor.track_database = on
ebs_advisor.track_role = on
ebs_advisor.track_application_name = on
ebs_advisor.track_query_id = on
CONF
cluster_sql 'CREATE DATABASE bench'
cluster_sql 'CREATE ROLE someone LOGIN SUPERUSER'
# session APPLICATION ROLE STATEMENT: in the background; sleeps and waits end with it.
session() { (cluster_run env PGAPPNAME="$1" "$PG_BIN/psql" -X -h "$CLUSTER" -U "$2" -d bench -qAtc "$3" >/dev/null 2>&1) & }
ended() {
  cluster_sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'bench'" >/dev/null
  wait
}

# They stay until the run is over. A wait for a lock is looked at after deadlock_timeout, and is none for a moment then.
session holder someone "SELECT pg_advisory_lock(7); SELECT pg_sleep(3600)"
cluster_await "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE application_name = 'holder'"
session waiter postgres "SELECT pg_advisory_lock(7)"
cluster_await "SELECT wait_event = 'advisory' FROM pg_stat_activity WHERE application_name = 'waiter'"
session worker someone 'DO $$ BEGIN LOOP END LOOP; END $$'
cluster_await "SELECT state = 'active' FROM pg_stat_activity WHERE application_name = 'worker'"
# As ebsctl names its own sessions.
session ebsctl someone 'SELECT pg_sleep(3600)'
cluster_await "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE application_name = 'ebsctl'"
cluster_sql "SELECT ebs_run_begin('told')" >/dev/null
row="FROM ebs_waits('told') WHERE application_name ="
check "work without a wait event is CPU*" \
  cluster_await "SELECT sum(average_active_sessions) > 0 $row 'worker' AND wait_event = 'CPU*'"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
ended

check "a lock that was waited for is told apart, by whom and where" is \
  "SELECT wait_class, wait_event, kind, database, role $row 'waiter'" 'Lock|advisory|active|bench|postgres'
check "for as long as it lasted" is "SELECT round(average_active_sessions::numeric, 9) $row 'waiter'" 1.000000000
check "a sleep is idle and no database time" is \
  "SELECT kind, wait_event, db_time_pct IS NULL, round(average_active_sessions::numeric, 9)
   $row 'holder'" 'idle|PgSleep|t|1.000000000'
check "statements are told apart" is "SELECT count(DISTINCT query_id) $row 'waiter' AND query_id IS NOT NULL" 1
check "our own workers are not counted" is "SELECT count(*) FROM ebs_waits('told') WHERE backend_type LIKE 'ebs_advisor%'" 0
check "nor are sessions of ebsctl" is "SELECT count(*) $row 'ebsctl'" 0
check "shares of database time add up" is "SELECT round(sum(db_time_pct)) FROM ebs_waits('told')" 100

# One that takes long to start has no database yet when it is first seen; who was seen is forgotten with a flush, which does not
# come.
cluster_sql "SELECT ebs_run_begin('started')" >/dev/null
(cluster_run env PGOPTIONS='-c post_auth_delay=1' PGAPPNAME=slow "$PG_BIN/psql" -X -h "$CLUSTER" -U someone -d bench \
  -qAtc 'SELECT pg_sleep(3600)' >/dev/null 2>&1) &
check "a session is told apart from its start on" cluster_await "SELECT count(*) > 0 FROM ebs_waits('started')
  WHERE application_name = 'slow' AND database = 'bench' AND role = 'someone' AND wait_event = 'PgSleep'"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
ended

# 300 clients within a statement, and two that have done nothing for longer than sessions are judged by (a second), of a program that
# does not notice when they are ended.
echo 'SELECT pg_sleep(1800)' >"$CLUSTER/sleep.sql"
echo '\sleep 1800 s' >"$CLUSTER/idle.sql"
# clients APPLICATION NUMBER SCRIPT: in the background.
clients() {
  (cluster_run env PGAPPNAME="$1" sh -c 'echo $$ >"$0.pid"; exec "$@"' "$1" \
    "$PG_BIN/pgbench" -h "$CLUSTER" -U postgres -n -c "$2" -j 1 -t 1 -f "$3.sql" bench >/dev/null 2>&1) &
}
clients idler 2 idle
clients sleeper 300 sleep
cluster_await "SELECT count(*) = 300 FROM pg_stat_activity WHERE application_name = 'sleeper' AND wait_event = 'PgSleep'"
cluster_await "SELECT count(*) = 2 FROM pg_stat_activity WHERE application_name = 'idler' AND wait_event = 'ClientRead'
  AND state_change < clock_timestamp() - interval '5 s'"
cluster_sql "SELECT ebs_run_begin('many')" >/dev/null
cluster_await "SELECT count(*) > 0 FROM ebs_waits('many')"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "300 backends are all counted" is "SELECT kind, round(average_active_sessions::numeric, 6) FROM ebs_waits('many')
  WHERE application_name = 'sleeper'" 'idle|300.000000'
# Two of them; a wake-up by a signal, as by an invalidation, counts for a second.
check "sessions that do nothing are none" \
  is "SELECT coalesce(sum(average_active_sessions), 0) < 1.9 FROM ebs_waits('many') WHERE application_name = 'idler'" t
signal KILL "$(cat "$CLUSTER/sleeper.pid")"
signal KILL "$(cat "$CLUSTER/idler.pid")"
wait

set_to track_database off track_role off track_application_name off track_query_id off wait_interval 1ms
cluster_sql "SELECT ebs_run_begin('plain')" >/dev/null
cluster_await "SELECT count(*) > 3 FROM ebs_waits('plain')"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "dimensions that are off are NULL" is \
  "SELECT count(*) > 3 AND count(coalesce(database, role, application_name)) + count(query_id) = 0 FROM ebs_waits('plain')" t
# Whatever each of them waits for, or works: every look sees it.
check "every background process is seen all the time" \
  is "SELECT string_agg(backend_type || ' ' || seen, ', ' ORDER BY backend_type)
  FROM (SELECT backend_type, round(sum(average_active_sessions)::numeric, 6) AS seen FROM ebs_waits('plain')
    WHERE backend_type IN ('checkpointer', 'background writer', 'walwriter') GROUP BY backend_type) s" \
  'background writer 1.000000, checkpointer 1.000000, walwriter 1.000000'
