# Without shared_preload_libraries runs are sampled on demand, answers say so, and what needs no samples works.
fresh <<<"shared_preload_libraries = ''
max_worker_processes = 3
$(own_disk_settings)"
cluster_sql 'CREATE ROLE dba; CREATE ROLE reader'
check "a superuser creates the extension" matches 'SET ROLE dba; CREATE EXTENSION ebs_advisor' 'permission denied to create extension "ebs_advisor"'
cluster_sql 'CREATE EXTENSION ebs_advisor'
check "others begin no run" matches "SET ROLE dba; SELECT ebs_run_begin('brief')" 'permission denied for function ebs_run_begin'
check "until the grants of docs/install.md" cluster_psql -d postgres -qX -v ON_ERROR_STOP=1 -c "$(page_block docs/install.md 'GRANT EXECUTE')"
cluster_sql 'GRANT EXECUTE ON FUNCTION ebs_advise TO reader'
check "a role without pg_monitor gets no answer" matches 'SET ROLE reader; SELECT ebs_advise()' 'permission denied for schema ebs'
check "the status says what to do" matches "SELECT ok, hint FROM ebs_status() WHERE \"check\" = 'preload'" \
  '^f\|Add ebs_advisor to shared_preload_libraries'
check "prices need no samples" is "SELECT usd_month FROM ebs_price('gp3', 1024, 16000, 1000)" 181.92
check "advice is insufficient data" matches "$(report)" 'Insufficient data'
# Two readings, the second of which waits until a second has passed.
check "ebs_sample() looks now" is 'SELECT count(*) >= 1 AND min(seconds) >= 1 FROM ebs_sample()' t

workers="SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'ebs_advisor on-demand sampler'"
check "a run starts a sampler of its own" cluster_sql "SET ROLE dba; SELECT ebs_run_begin('brief')"
check "which is one" is "$workers" 1
cluster_sql 'CREATE TABLE t AS SELECT generate_series(1, 200000) i'
cluster_await "SELECT count(DISTINCT ended_at) >= 2 FROM ebs_device_samples('brief')"
check "and its waits and its I/O are seen" cluster_await \
  "SELECT (SELECT count(*) > 0 FROM ebs_waits('brief')) AND (SELECT count(*) > 0 FROM ebs_io_sources('brief'))"
cluster_sql 'SET ROLE dba; SELECT ebs_run_end()' >/dev/null
# By the monotonic clock and by the wall clock, which are read one right after the other.
check "the run has its seconds, to its end" is \
  "SELECT abs(sum(seconds) - (SELECT extract(epoch FROM duration) FROM ebs.runs_detail)) < 0.2
  FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('brief')) s" t
check "and its waits and its I/O when it has ended" is \
  "SELECT (SELECT count(*) > 0 FROM ebs_waits('brief')) AND (SELECT count(*) > 0 FROM ebs_io_sources('brief'))" t
check "answers name the tier" matches "SELECT count(*) FROM ebs_io_mix('brief')" 'run brief was sampled on demand, for this run only'
check "the report too" matches "SET ROLE dba; $(report "'brief'")" 'Evidence: .* sampled on demand'
check "the sampler leaves with the run" cluster_await "SELECT ($workers) = 0"
check "its seconds are in the histogram of demand" is \
  "SELECT abs((SELECT max(seconds) FROM ebs_demand_histogram()) - sum(seconds)) < 0.000001 FROM ebs_device_samples(lookback => '1 day')" t
cluster_psql -d postgres -qAtX -c "BEGIN; SELECT ebs_run_begin('undone'); ROLLBACK" >/dev/null
check "a second run finds it again or starts another" cluster_sql "SELECT ebs_run_begin('second')"
check "never two" is "$workers" 1
seconds_sampled second 1
# The sampler has seen the second run, and does not see the third before it is committed.
check "a run that begins right after another keeps its sampler" cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - <<SQL
SELECT ebs_run_end();
BEGIN;
SELECT ebs_run_begin('third');
$(until_true "(SELECT count(*) >= 3 FROM ebs.sample_block
  WHERE started_at >= (SELECT started_at FROM ebs.run WHERE label = 'third'))")
COMMIT;
SQL
check "and is sampled when it has begun" seconds_sampled third 5
cluster_sql 'SELECT ebs_run_end()' >/dev/null

cluster_sql "ALTER SYSTEM SET max_worker_processes = 1"
cluster_stop
cluster_start
check "where no worker is free the run warns" matches "SELECT ebs_run_begin('blind')" 'this run may be missing samples'
check "and ends" is 'SELECT ebs_run_end()' blind
cluster_sql "SELECT ebs_import_samples('elsewhere', 'sdf', jsonb_agg(jsonb_build_object('ts', now() + i * interval '1 s',
  'reads', 100, 'writes', 100, 'read_bytes', 819200, 'write_bytes', 819200))) FROM generate_series(1, 60) i" >/dev/null
check "imported samples are advised on" matches "$(report "'elsewhere', min_size_gib => 100")" 'Recommended gp3, 1 × 100 GiB, 3,000 IOPS'
