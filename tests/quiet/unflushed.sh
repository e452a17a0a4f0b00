# Answers do not wait for the sampler: who asks one that stands still waits for 10 s.
sampling <<<'ebs_advisor.wait_interval = 10s'
cluster_await 'SELECT count(*) > 0 FROM ebs_waits()'
pid=$(sampler_pid)
# Where it waits on its latch it holds no lock.
stopped_asleep() {
  stop_process "$pid"
  [ "$(cluster_sql "SELECT wait_event FROM pg_stat_activity WHERE pid = $pid")" != '' ] || { signal CONT "$pid"; return 1; }
}
await stopped_asleep
started=${EPOCHREALTIME/./}
check "all answers come while the sampler stands still" cluster_sql \
  'SELECT count(*) FROM ebs_device_samples(), ebs_io_mix(), ebs_io_sources(), ebs_waits(); SELECT ebs_advise()'
check "at once" test $((${EPOCHREALTIME/./} - started)) -lt 8000000
signal CONT "$pid"
