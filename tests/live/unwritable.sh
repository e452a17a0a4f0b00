# While samples cannot be written they are kept, the status says so, and nothing hangs.
sampling </dev/null
written="SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
cluster_sql "SELECT ebs_run_begin('locked')" >/dev/null
first=$(sampler_pid)
# Looked for by the session that locks, so that it holds the lock until then, and for some samples more.
check "a lock is no reason to stop sampling" cluster_sql "BEGIN; LOCK TABLE ebs.sample_block IN SHARE MODE; DO \$\$ BEGIN
    FOR i IN 1..100 LOOP
      PERFORM pg_sleep(0.2);
      IF EXISTS (SELECT FROM ebs_status() WHERE \"check\" = 'samples' AND hint LIKE '%lock timeout%') THEN
        PERFORM pg_sleep(2);
        RETURN;
      END IF;
    END LOOP;
    RAISE 'the status says nothing of a lock';
  END \$\$"
check "what was held back is written afterwards" cluster_await "$written"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "by the same sampler" test "$(sampler_pid)" = "$first"
check "and no second is lost" is "SELECT abs(sum(seconds) - (SELECT extract(epoch FROM duration) FROM ebs.runs)) < 0.2
  FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('locked')) s" t

cluster_sql 'ALTER TABLE ebs.sample_block ADD CONSTRAINT never CHECK (ticks < 0) NOT VALID'
check "the status names what keeps samples from being written" cluster_await \
  "SELECT hint ~ 'cannot be written: .*never' FROM ebs_status() WHERE \"check\" = 'samples'"
check "a run that cannot be kept warns" matches "SELECT ebs_run_begin('refused')" 'this run may lack samples'
check "with one warning in the log" test "$(logged 'could not write samples, and will try again: .*never')" -le 2
cluster_sql 'ALTER TABLE ebs.sample_block DROP CONSTRAINT never'
check "and all is well again" cluster_await "$written"
cluster_sql 'SELECT ebs_run_end()' >/dev/null

cluster_sql "ALTER DATABASE postgres SET default_transaction_read_only = on"
cluster_sql "SELECT pg_terminate_backend($first)" >/dev/null
check "a database that is read-only by default is written to" cluster_await \
  "SELECT ok AND detail ~ 'written' FROM ebs_status() WHERE \"check\" = 'samples'"

cluster_sql "SET default_transaction_read_only = off; ALTER SYSTEM SET synchronous_standby_names = 'nobody'" 2>/dev/null ||
  cluster_psql -d template1 -qAtX -c "ALTER SYSTEM SET synchronous_standby_names = 'nobody'"
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
sleep 3
# pg_ctl would wait for a minute.
started=$SECONDS
cluster_stop
check "the server stops although a synchronous standby is missing" test $((SECONDS - started)) -le 20
