# The names of tablespaces cannot be read: sampling goes on, and the answer says what is not known.
sampling </dev/null
cluster_run mkdir "$CLUSTER/fast"
cluster_sql "CREATE TABLESPACE fast LOCATION '$CLUSTER/fast'"
cluster_sql "SELECT ebs_run_begin('locked')" >/dev/null
# Asked by the session that locks: another would wait for the lock itself, to plan its statement.
check "a tablespace whose name is not known goes by its number" cluster_sql "BEGIN; LOCK TABLE pg_tablespace IN ACCESS EXCLUSIVE MODE;
  DO \$\$ BEGIN
    FOR i IN 1..100 LOOP
      PERFORM pg_sleep(0.2);
      IF EXISTS (SELECT FROM ebs_advise('locked') line
        WHERE line ~ 'tablespace [0-9]+: its name could not be read: .*lock timeout') THEN RETURN; END IF;
    END LOOP;
    RAISE 'the answer does not say so';
  END \$\$"
cluster_await "SELECT NOT EXISTS (SELECT FROM ebs_advise('locked') line WHERE line LIKE '%could not be read%')"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "until it can be read again" test "$(cluster_sql "SELECT ebs_advise('locked')" | grep -c 'could not be read')" = 0
check "and every second was sampled" is \
  "SELECT (SELECT sum(seconds) FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('locked')) s)
     > 0.95 * extract(epoch FROM duration) FROM ebs.runs" t
