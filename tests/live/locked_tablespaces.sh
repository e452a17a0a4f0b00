# The names of tablespaces cannot be read: sampling goes on, and the answer says what is not known.
sampling </dev/null
cluster_run mkdir "$CLUSTER/fast"
cluster_sql "CREATE TABLESPACE fast LOCATION '$CLUSTER/fast'"
cluster_sql "SELECT ebs_run_begin('locked')" >/dev/null
cluster_sql "BEGIN; LOCK TABLE pg_tablespace IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(5)" >/dev/null &
locker=$!
sleep 4
check "a tablespace whose name is not known goes by its number" matches "SELECT ebs_advise('locked')" \
  'tablespace [0-9]+: its name could not be read: .*lock timeout'
wait "$locker"
sleep 2.5
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "until it can be read again" test "$(cluster_sql "SELECT ebs_advise('locked')" | grep -c 'could not be read')" = 0
check "and every second was sampled" is \
  "SELECT (SELECT sum(seconds) FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('locked')) s)
     > 0.95 * extract(epoch FROM duration) FROM ebs.runs" t
