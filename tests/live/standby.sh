# A standby answers on the primary's samples, samples nothing and says why; once it is promoted it samples.
# On every major: recovery, and which writes it refuses by which words.
sampling <<<"wal_level = replica"
own_disk
primary=$CLUSTER
cluster_sql "SELECT ebs_run_begin('primary')" >/dev/null
seconds_sampled primary 2
cluster_sql 'SELECT ebs_run_end()' >/dev/null
cluster_sql "SELECT ebs_import_samples('imported', 'sdf', jsonb_agg(jsonb_build_object('ts', now() + i * interval '1 s',
  'reads', 100, 'writes', 100, 'read_bytes', 819200, 'write_bytes', 819200))) FROM generate_series(1, 60) i" >/dev/null
cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 500)" >/dev/null
answer="SELECT md5(string_agg(o::text, '|')) FROM ebs_options_detail('imported', min_size_gib => 100) o"
told=$(cluster_sql "$answer")

CLUSTER=$SCRATCH/standby
mkdir "$CLUSTER"
[ "$(id -un)" = "$SERVER_ACCOUNT" ] || chown "$SERVER_ACCOUNT" "$CLUSTER"
cluster_run "$PG_BIN/pg_basebackup" -h "$primary" -U postgres -D data --checkpoint=fast --write-recovery-conf --wal-method=stream
echo "unix_socket_directories = '$CLUSTER'" | cluster_run tee -a data/postgresql.conf >/dev/null
cluster_start
check "the status says that it is a standby, and what to do" matches \
  "SELECT ok, detail, hint FROM ebs_status() WHERE \"check\" = 'sampler'" "^f\|not running: this is a standby.*\|Sample on the primary"
check "and all the rest" is 'SELECT count(*) >= 8 FROM ebs_status()' t
check "a run of the primary's is advised on" is "$answer" "$told"
check "and reported" \
  matches "$(report "'primary'")" \
  'EBS advice for run primary .*[1-9][0-9]* of [1-9][0-9]* s sampled by the background sampler'
for function in io_mix io_sources waits balance device_samples; do
  check "ebs_$function answers" cluster_sql "SELECT count(*) FROM ebs_$function('primary')"
done
check "histograms of demand are the primary's alone" is 'SELECT count(*) FROM ebs_demand_histogram()' 0
check "the look-back too" matches "$(report)" 'EBS advice for the last 14 days'
check "a run that is not there is named with those that are" matches "SELECT ebs_advise('none')" 'The latest runs are imported, primary'
# It looks twice, a second of its own clock apart.
check "it can be watched now" is 'SELECT count(*) >= 1 AND min(seconds) > 0.9 FROM ebs_sample()' t
for call in "run_begin('here')" "run_end()" "run_drop('primary')" "run_result('primary', tps => 1)" "instance_declare('m5.large')"; do
  check "ebs_${call%%(*} is refused as every write is" matches "SELECT ebs_$call" \
    "cannot execute ebs_${call%%(*}\(\) (in a read-only transaction|during recovery)"
done
# A launcher would have started a sampler, or said why it cannot.
meanwhile 2
check "no worker of ours is there" is "SELECT count(*) FROM pg_stat_activity WHERE backend_type LIKE 'ebs_advisor%'" 0
check "and none says anything in the log" not_logged 'WARNING:|FATAL:|PANIC:|ebs_advisor '
cluster_sql 'SELECT pg_promote()' >/dev/null
check "promoted it samples" sampler_works
cluster_sql "SELECT ebs_run_begin('promoted')" >/dev/null
check "and runs" seconds_sampled promoted 2
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "the primary's runs are still answered" is "$answer" "$told"
