# Runs right after each other in a database that the preloaded sampler does not sample: each is sampled, also where one worker is left
# for their samplers. What is not sampled, ebsctl does not drive.
EBSCTL=$(program ebsctl)
# Launcher, sampler, PostgreSQL's launcher of logical replication, and one sampler on demand.
sampling <<<'max_worker_processes = 4'
cluster_sql 'CREATE DATABASE elsewhere'
cluster_sql 'CREATE EXTENSION ebs_advisor' elsewhere
# sampled LABEL: psql waits until the run has two intervals; gives up where a sampler has been lost.
sampled() { until_true "(SELECT count(DISTINCT ended_at) >= 2 FROM ebs_device_samples('$1'))"; }
back_to_back() {
  for run in first second third; do
    echo "SELECT FROM ebs_run_begin('$run');"
    sampled "$run"
    echo "SELECT FROM ebs_run_end();"
  done | cluster_psql -d elsewhere -qAtX -v ON_ERROR_STOP=1 -f - 2>&1 | grep 'WARNING\|ERROR' >"$SCRATCH/warnings"
  [ ! -s "$SCRATCH/warnings" ] || { cat "$SCRATCH/warnings"; return 1; }
}
check "three runs right after each other are sampled" back_to_back
# The sampler of a run that has ended leaves after its next flush: a run that begins while it does gets another.
leaving="SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'ebs_advisor on-demand sampler' AND application_name NOT LIKE 'ending%')"
check "its sampler leaves" cluster_await "$leaving"
check "a run that begins while it leaves is sampled" test -z "$(cluster_sql "SELECT FROM ebs_run_begin('after')" elsewhere 2>&1)"
cluster_sql 'SELECT ebs_run_end()' elsewhere >/dev/null

cluster_sql 'ALTER SYSTEM SET max_worker_processes = 3'
cluster_stop
cluster_start
sampler_works
refused() {
  local status=0
  PGHOST=$CLUSTER PGUSER=postgres PGDATABASE=elsewhere "$EBSCTL" run --label blind -- touch "$SCRATCH/driven" \
    >"$SCRATCH/said" 2>&1 </dev/null || status=$?
  [ "$status" = 125 ] && [ ! -e "$SCRATCH/driven" ] && grep -q 'run "blind" is not sampled, and the command was not started' "$SCRATCH/said" ||
    { echo "exit status $status"; cat "$SCRATCH/said"; return 1; }
}
check "where no worker is free ebsctl does not start the command" refused
check "and leaves no run" test "$(cluster_sql "SELECT count(*) FROM ebs.runs_detail WHERE label = 'blind'" elsewhere)" = 0
