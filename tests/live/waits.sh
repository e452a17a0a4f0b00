# Waits: what they agree with, what they are told apart by, and that each is counted for as long as it lasted.
sampling <<CONF
compute_query_id = on
ebs_advisor.track_database = on
ebs_advisor.track_role = on
ebs_advisor.track_application_name = on
ebs_advisor.track_query_id = on
CONF
cluster_sql 'CREATE DATABASE bench'
cluster_sql 'CREATE ROLE someone LOGIN SUPERUSER'
session() { (cluster_run env PGAPPNAME="$1" "$PG_BIN/psql" -X -h "$CLUSTER" -U "$2" -d bench -qAtc "$3" >/dev/null 2>&1) & }

cluster_sql "SELECT ebs_run_begin('told')" >/dev/null
# The holder sleeps for longer than the run and is ended after it.
session holder someone "SELECT pg_advisory_lock(7); SELECT pg_sleep(60)"
cluster_await "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted)"
session waiter postgres "SELECT pg_advisory_lock(7)"
cluster_await "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND waitstart IS NOT NULL)"
waited_from=$(cluster_sql "SELECT waitstart FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
session worker someone "SELECT count(*) FROM generate_series(1, 8000000) a, generate_series(1, 3) b"
sleep 5
cluster_sql 'SELECT ebs_run_end()' >/dev/null
cluster_sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holder'" >/dev/null
wait

row="FROM ebs_waits('told') WHERE application_name ="
check "a lock that was waited for is told apart, by whom and where" is \
  "SELECT wait_class, wait_event, kind, database, role $row 'waiter' AND wait_event = 'advisory'" 'Lock|advisory|active|bench|postgres'
check "for as long as it lasted, within a second" is \
  "SELECT abs(average_active_sessions * (SELECT extract(epoch FROM duration) FROM ebs.runs WHERE label = 'told')
     - (SELECT extract(epoch FROM ended_at - '$waited_from') FROM ebs.runs WHERE label = 'told')) < 1
   $row 'waiter' AND wait_event = 'advisory'" t
check "a sleep is idle and no database time" is \
  "SELECT kind, db_time_pct IS NULL $row 'holder' AND wait_event = 'PgSleep'" 'idle|t'
check "work without a wait event is CPU*" is "SELECT sum(average_active_sessions) > 0.05 $row 'worker' AND wait_event = 'CPU*'" t
check "statements are told apart" is "SELECT count(DISTINCT query_id) >= 1 $row 'waiter' AND query_id IS NOT NULL" t
check "our own workers are not counted" is "SELECT count(*) FROM ebs_waits('told') WHERE backend_type LIKE 'ebs_advisor%'" 0
check "shares of database time add up" is "SELECT round(sum(db_time_pct)) FROM ebs_waits('told')" 100

cluster_sql "SELECT ebs_run_begin('started')" >/dev/null
cluster_run "$PG_BIN/pgbench" -h "$CLUSTER" -U postgres -i -s 1 -q bench >/dev/null 2>&1
cluster_run "$PG_BIN/pgbench" -h "$CLUSTER" -U postgres -n -S -c 6 -T 3 bench >/dev/null 2>&1
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "sessions are told apart from their start on" is \
  "SELECT coalesce(sum(db_time_pct) FILTER (WHERE database IS NULL), 0) < 10 FROM ebs_waits('started') WHERE backend_type = 'client backend'" t

for setting in database role application_name query_id; do cluster_sql "ALTER SYSTEM SET ebs_advisor.track_$setting = off"; done
cluster_sql "ALTER SYSTEM SET ebs_advisor.wait_interval = '1ms'"
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
sleep 0.5
cluster_sql "SELECT ebs_run_begin('plain')" >/dev/null
cluster_sql 'SELECT pg_sleep(2)' >/dev/null
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "dimensions that are off are NULL" is \
  "SELECT count(*) > 3 AND count(coalesce(database, role, application_name)) + count(query_id) = 0 FROM ebs_waits('plain')" t
check "every background process is seen all the time" is \
  "SELECT average_active_sessions BETWEEN 0.8 AND 1.05 FROM ebs_waits('plain') WHERE wait_event = 'CheckpointerMain'" t

# 300 connected backends: no tick is missed, and each is counted; in one of three attempts, for a busy machine misses ticks too.
cluster_sql 'ALTER SYSTEM SET max_connections = 350'
cluster_sql "ALTER SYSTEM SET ebs_advisor.wait_interval = '10ms'"
cluster_stop
cluster_start
cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
echo '\sleep 30 s' >"$CLUSTER/sleep.sql"
(cluster_run "$PG_BIN/pgbench" -h "$CLUSTER" -U postgres -n -c 300 -j 1 -T 8 -f "$CLUSTER/sleep.sql" postgres >/dev/null 2>&1) &
cluster_await "SELECT count(*) >= 300 FROM pg_stat_activity WHERE application_name = 'pgbench'"
all_counted() {
  is "SELECT sum(average_active_sessions) BETWEEN 299.5 AND 303 FROM ebs_waits('many $attempt') WHERE kind = 'client'" t
}
none_missed() { is "SELECT count(*) FROM ebs_advise('many $attempt') line WHERE line LIKE '%missed%'" 0; }
for attempt in 1 2 3; do
  cluster_sql "SELECT ebs_run_begin('many $attempt')" >/dev/null
  sleep 3
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  if all_counted >/dev/null && none_missed >/dev/null; then break; fi
done
check "300 backends are all counted" all_counted
check "and no tick is missed" none_missed
wait
