# While samples cannot be written they are kept, the status says so, and nothing hangs.
sampling </dev/null
own_disk
cluster_sql "SELECT ebs_run_begin('locked')" >/dev/null
first=$(sampler_pid)
counted="SELECT sum(reads) FROM ebs_device_samples('locked')"
disk_reads 100
(cluster_sql "BEGIN; LOCK TABLE ebs.sample_block IN SHARE MODE; SET application_name = 'locks';
  SELECT pg_sleep(3600)" >/dev/null 2>&1) &
check "the status names a lock that keeps samples from being written" cluster_await \
  "SELECT hint LIKE '%lock timeout%' FROM ebs_status() WHERE \"check\" = 'samples'"
disk_reads 10
check "a lock is no reason to stop sampling" cluster_await "SELECT $SAMPLES_TAKEN >= $(cluster_sql "SELECT $SAMPLES_TAKEN") + 3"
cluster_sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'locks'" >/dev/null
check "what was held back is written afterwards" sampler_works
disk_reads 1
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "by the same sampler" test "$(sampler_pid)" = "$first"
check "and nothing is lost" is "$counted" 111

cluster_sql 'ALTER TABLE ebs.sample_block ADD CONSTRAINT never CHECK (ticks < 0) NOT VALID'
check "the status names what keeps samples from being written" cluster_await \
  "SELECT hint ~ 'cannot be written: .*never' FROM ebs_status() WHERE \"check\" = 'samples'"
check "a run that cannot be kept warns" matches "SELECT ebs_run_begin('refused')" 'this run may be missing samples'
# The sampler has tried many times by then.
cluster_await "SELECT $SAMPLES_TAKEN >= $(cluster_sql "SELECT $SAMPLES_TAKEN") + 3"
check "with one warning in the log" test "$(logged 'could not write samples, and will try again: .*never')" = 1
cluster_sql 'ALTER TABLE ebs.sample_block DROP CONSTRAINT never'
check "and all is well again" sampler_works
cluster_sql 'SELECT ebs_run_end()' >/dev/null

cluster_sql "ALTER DATABASE postgres SET default_transaction_read_only = on"
cluster_sql "SELECT pg_terminate_backend($first)" >/dev/null
check "another sampler comes" cluster_await \
  "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler' AND pid <> $first)"
blocks=$(cluster_sql 'SELECT max(block_id) FROM ebs.sample_block')
check "which writes to a database that is read-only by default" \
  cluster_await "SELECT max(block_id) > $blocks FROM ebs.sample_block"
check "and all is well" sampler_works

# A transaction that writes waits for the standby, so this one is over before.
cluster_psql -d template1 -qAtX -c "ALTER SYSTEM SET synchronous_standby_names = 'nobody'"
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
blocks=$(cluster_sql 'SELECT max(block_id) FROM ebs.sample_block')
check "it writes although a synchronous standby is missing" \
  cluster_await "SELECT max(block_id) > $blocks + 2 FROM ebs.sample_block"
check "and the server stops" cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode fast --wait --timeout "$PATIENCE" stop
