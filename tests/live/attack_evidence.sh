# A role that may begin runs and import can store no more than the limits, have the sampler write little more than it does by itself, and
# keep no other session waiting without end. Counts are bounds that hold by construction, however slow the machine.
sampling <<CONF
ebs_advisor.flush_interval = 300s
max_prepared_transactions = 2
max_connections = 40
log_min_messages = debug1
CONF
# Requests that are answered at once, as in crates/samples/src/schedule/request_budget.rs.
BURST=5
FIO='{"fio version": "fio-3.33", "timestamp": 1, "jobs": [{"jobname": "one"}]}'

cluster_sql 'CREATE ROLE mallory LOGIN'
cluster_sql 'CREATE DATABASE elsewhere'
cluster_sql 'CREATE EXTENSION ebs_advisor' elsewhere
for database in postgres elsewhere; do
  cluster_sql "SELECT format('GRANT EXECUTE ON FUNCTION %s TO mallory;', oid::regprocedure) FROM pg_proc
    WHERE prosecdef AND proname LIKE 'ebs%'" "$database" | cluster_psql -d "$database" -q -v ON_ERROR_STOP=1 -f -
done
# mallory DATABASE STATEMENT…: each in a transaction of its own.
mallory() {
  local database=$1 statement arguments=()
  shift
  for statement in "$@"; do arguments+=(-c "$statement"); done
  cluster_run "$PG_BIN/psql" --no-psqlrc --host "$CLUSTER" --username mallory -d "$database" -qAtX -v VERBOSITY=verbose \
    -v ON_ERROR_STOP=1 "${arguments[@]}"
}
# rolled_back TIMES CALL: a statement that calls it so often, each time in a subtransaction that is rolled back.
rolled_back() {
  echo "SET client_min_messages = error; DO \$\$ BEGIN FOR i IN 1 .. $1 LOOP
    BEGIN PERFORM $2; RAISE EXCEPTION 'undo'; EXCEPTION WHEN raise_exception THEN NULL; END;
  END LOOP; END \$\$"
}
# few_blocks DATABASE BLOCKS COMMAND…: meanwhile no more blocks are stored than the burst, so many in each interval that has begun, and
# one at each end.
few_blocks() {
  local database=$1 blocks=$2 count='SELECT coalesce(max(block_id), 0) FROM ebs.sample_block' before made most began
  shift 2
  before=$(cluster_sql "$count" "$database")
  began=$(date +%s)
  "$@" || return 1
  made=$(($(cluster_sql "$count" "$database") - before))
  most=$((BURST + blocks * ($(date +%s) - began + 1) + 2))
  [ "$made" -le "$most" ] || { echo "$made blocks, and $most at most could be"; return 1; }
}
check "2,000 beginnings that are rolled back make few blocks" \
  few_blocks postgres 1 mallory postgres "$(rolled_back 2000 "ebs_run_begin('flood')")"
check "and no run" is 'SELECT count(*) FROM ebs.run' 0
# once_each DATABASE TIMES: transactions of their own, which are rolled back: each waits for its sample.
once_each() {
  local statements=() _
  for _ in $(seq "$2"); do statements+=(BEGIN "SELECT ebs_run_begin('flood')" ROLLBACK); done
  mallory "$1" "${statements[@]}"
}
check "beginnings in transactions of their own make few blocks" few_blocks postgres 1 once_each postgres 12
check "a run begins right after them" mallory postgres "SELECT ebs_run_begin('after')"
check "on a sample" is \
  "SELECT count(*) FROM ebs.run r WHERE EXISTS (SELECT FROM ebs.sample_block b WHERE b.ended_at = r.started_at)" 1
check "marks that are rolled back make few blocks" \
  few_blocks postgres 1 mallory postgres "$(rolled_back 12 "ebs_run_mark('flood')")"
check "ends that are rolled back make few blocks" few_blocks postgres 1 mallory postgres "$(rolled_back 12 'ebs_run_end()')"
# marks SESSIONS: three marks of each session, all at once: one sample may answer many of them.
marks() {
  local session sessions=()
  for session in $(seq "$1"); do
    mallory postgres "SELECT ebs_run_mark('$session')" "SELECT ebs_run_mark('$session')" "SELECT ebs_run_mark('$session')" \
      >"$SCRATCH/marks$session" 2>&1 &
    sessions+=($!)
  done
  wait "${sessions[@]}"
}
check "marks of eight sessions at once make few blocks" few_blocks postgres 1 marks 8
check "and all of them are stored" is 'SELECT count(*) FROM ebs.run_mark' 24
check "each on a sample" is "SELECT count(*) FROM ebs.run_mark m WHERE NOT EXISTS (SELECT FROM ebs.sample_block b
  WHERE m.marked_at - b.ended_at BETWEEN interval '0' AND interval '0.1 ms')" 0
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "the run ends on a later one" is "SELECT ended_at > (SELECT max(marked_at) FROM ebs.run_mark)
  AND EXISTS (SELECT FROM ebs.sample_block b WHERE b.ended_at = r.ended_at) FROM ebs.run r" t
cluster_sql "SELECT ebs_run_drop('after')" >/dev/null

# A database that the preloaded sampler does not sample: one on demand writes once an interval by itself.
check "beginnings that are rolled back make few blocks on demand" \
  few_blocks elsewhere 2 mallory elsewhere "$(rolled_back 200 "ebs_run_begin('flood')")"
check "so do those in transactions of their own" few_blocks elsewhere 2 once_each elsewhere 20
check "and start one sampler" test "$(logged 'starting background worker process "ebs_advisor on-demand sampler"')" = 1
check "which leaves" cluster_await "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'ebs_advisor on-demand sampler')"

open_session
session=$SESSION_PID
# Limits. at_once SESSIONS BEGIN STATEMENT: statement, N being its number, in so many sessions at once, each after BEGIN.
at_once() {
  local session sessions=()
  send 'SELECT pg_advisory_lock(7);'
  receive
  for session in $(seq "$1"); do
    mallory postgres "$2" 'SELECT FROM pg_advisory_xact_lock_shared(7)' "${3//N/$session}" COMMIT >"$SCRATCH/at_once$session" 2>&1 &
    sessions+=($!)
  done
  cluster_await "SELECT count(*) = $1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
  send 'SELECT pg_advisory_unlock_all();'
  receive
  wait "${sessions[@]}" || true
}
setting() { cluster_sql "ALTER SYSTEM SET ebs_advisor.$1 = '$2'"; cluster_sql 'SELECT pg_reload_conf()' >/dev/null; }
drop_runs() { cluster_sql 'SELECT ebs_run_drop(label) FROM ebs.runs_detail' >/dev/null; }
cluster_sql "CREATE TABLE document AS SELECT jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01' + i * interval '1 s',
    'reads', i * 7919::bigint % 99991, 'writes', i * 7907::bigint % 99989, 'read_bytes', i * 7919::bigint % 99991 * 4096,
    'write_bytes', i * 7907::bigint % 99989 * 4096, 'read_ms', i * 7901::bigint % 997, 'write_ms', i * 7883::bigint % 991)) AS d
  FROM generate_series(1, 50000) i; GRANT SELECT ON document TO mallory"
stored='SELECT coalesce(sum(pg_column_size(samples)), 0) FROM ebs.sample_block WHERE run_id IS NOT NULL'
cluster_sql "SELECT ebs_import_samples('one', 'sdf', d) FROM document" >/dev/null
one=$(cluster_sql "$stored")
drop_runs
setting run_storage_limit 1MB
# As many as fit, and two: without a lock all of them would count before the first is committed.
sessions=$((1048576 / one + 3))
for isolation in 'READ COMMITTED' 'REPEATABLE READ'; do
  at_once "$sessions" "BEGIN ISOLATION LEVEL $isolation; SELECT FROM pg_class LIMIT 0" "SELECT ebs_import_samples('N', 'sdf', d) FROM document"
  check "imports at once, in $isolation, exceed the limit by one at most" is "SELECT ($stored) BETWEEN 1048576 - $one AND 1048576 + $one" t
  check "and the others are refused, in $isolation" grep -l 'runs keep too much' "$SCRATCH"/at_once*
  drop_runs
done
setting max_runs 3
for isolation in 'READ COMMITTED' 'REPEATABLE READ' 'SERIALIZABLE'; do
  at_once 8 "BEGIN ISOLATION LEVEL $isolation; SELECT FROM pg_class LIMIT 0" "SELECT ebs_import_fio('N', '$FIO')"
  check "nor are there more runs than there may be, in $isolation" is 'SELECT count(*) BETWEEN 1 AND 3 FROM ebs.run' t
  drop_runs
done

# Waiting. A call of each controlling function, but for those that need more; imports of monitoring are one family.
calls="ebs_run_begin('other')
ebs_run_drop('kept')
ebs_run_note('kept', '{}')
ebs_run_tag('kept', 'tag')
ebs_run_untag('kept', 'tag')
ebs_run_rename('kept', 'renamed')
ebs_run_result('kept', 1)
ebs_run_import(pg_read_file('runs.json'))
ebs_import_fio('imported', '$FIO')
ebs_import_samples('imported', 'sdf', d) FROM document
ebs_import_prices('{\"offer\": \"AmazonEC2\", \"version\": \"1\", \"published\": \"2026-12-01\", \"prices\": [{\"region\": \"us-east-1\", \"volume_type\": \"gp3\", \"part\": \"storage\", \"usd\": \"0.07\"}]}')
ebs_prices_reset()
ebs_volume_declare('data', 'gp3', 500)
ebs_instance_declare('m5.large')
ebs_import_fleet('{\"volume\": \"vol-0a\", \"action\": \"keep\", \"usd_month_saved\": 0}', '2026-01-01')
ebs_fleet_forget(now())
ebs_import_configuration('{\"Volumes\": [{\"VolumeId\": \"vol-0a\", \"Size\": 500}]}')
ebs_configuration_reset()"
# each_refused PATTERN: each of them, as a role that may call it, ends with that detail or hint.
each_refused() {
  local call said
  while read -r call; do
    ! said=$(mallory postgres "SET lock_timeout = '100ms'" "SELECT $call" 2>&1) || { echo "$call went on"; return 1; }
    grep -q 'ERROR:  55P03: could not lock runs and imports of ebs_advisor within 100 ms' <<<"$said" && grep -qE "$1" <<<"$said" ||
      { echo "$call: $said"; return 1; }
  done <<<"$calls"
}
refused_in_time() { matches "SET statement_timeout = '${PATIENCE}s'; $1" 'could not lock runs and imports of ebs_advisor within 5000 ms'; }
setting max_runs 100
cluster_sql "SELECT ebs_import_fio('kept', '$FIO')" >/dev/null
cluster_sql "GRANT pg_read_server_files TO mallory; GRANT EXECUTE ON FUNCTION pg_read_file(text) TO mallory"
cluster_psql -d postgres -qAtX -c "SELECT ebs_run_export('kept')" | sed 's/"kept"/"other"/' | cluster_run tee data/runs.json >/dev/null
blocked="SELECT count(*) FROM pg_locks WHERE NOT granted"
mallory postgres BEGIN "SELECT ebs_run_begin('prepared')" "PREPARE TRANSACTION 'it''s \"mine\"'" >/dev/null
check "what finds a prepared transaction in its way names it" each_refused 'Prepared transaction "it.s "mine"" of role "mallory"'
check "and the command that ends it" each_refused "ROLLBACK PREPARED 'it''s \"mine\"'"
check "also where nobody has set a timeout" refused_in_time "SELECT ebs_run_begin('other')"
check "answers do not wait for it" is "SET lock_timeout = '1ms'; SELECT count(*) FROM ebs.runs_detail, ebs_status() s WHERE s.check = 'version'" 1
check "nor does pg_dump" cluster_run "$PG_BIN/pg_dump" --host "$CLUSTER" --username postgres --lock-wait-timeout=100 -f dump.sql postgres
check "nor does the sampler" cluster_await "SELECT $SAMPLES_TAKEN > $(cluster_sql "SELECT $SAMPLES_TAKEN")"
check "and it writes" cluster_await "SELECT count(*) > 0 FROM ebs.sample_block"
send '\q'
wait "$session" || true
cluster_stop
cluster_start
check "it has the same name after a restart" each_refused 'Prepared transaction "it.s "mine"" of role "mallory"'
cluster_sql "ROLLBACK PREPARED 'it''s \"mine\"'"
check "then all goes on" mallory postgres "SELECT ebs_run_tag('kept', 'tag')"

open_session
for change in "ebs_run_begin('idle')" "ebs_run_tag('kept', 'other')" "ebs_prices_reset()"; do
  send 'BEGIN;' "SELECT $change;"
  receive
  check "what finds an idle transaction in its way names it, after $change" each_refused "Session $pid of role \"postgres\""
  send 'ROLLBACK;'
  receive
done
# Locks that the owner of the tables takes by hand.
for table in run run_result sample_block price fleet_answer; do
  send 'BEGIN;' "LOCK TABLE ebs.$table IN SHARE ROW EXCLUSIVE MODE;" 'SELECT 1;'
  receive
  for call in "ebs_run_result('kept', 1)" "ebs_import_samples('held $table', 'sdf', d) FROM document" "ebs_prices_reset()" "ebs_fleet_forget(now())"; do
    cluster_sql "SET lock_timeout = '100ms'; SET statement_timeout = '${PATIENCE}s'; SELECT $call" >>"$SCRATCH/by_hand" 2>&1 || true
  done
  send 'ROLLBACK;'
  receive
done
check "what waits for any other of the tables ends too" test "$(grep -c 'lock timeout\|could not lock runs' "$SCRATCH/by_hand")" = 8
check "a statement's lock_timeout is as before" is "SET lock_timeout = '0'; SELECT ebs_run_tag('kept', 'last')::text; SHOW lock_timeout" '{last,tag}
0'
check "and nothing waits" is "$blocked" 0
