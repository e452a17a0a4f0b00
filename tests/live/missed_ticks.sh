# A sampler that was held up counts what it missed, and no second of a run is lost or counted twice.
sampling </dev/null
cluster_sql "SELECT ebs_run_begin('held-up')" >/dev/null
pid=$(sampler_pid)
signal STOP "$pid"
sleep 3.5
signal CONT "$pid"
sleep 1.5
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "missed ticks are counted" matches "SELECT detail FROM ebs_status() WHERE \"check\" = 'samples'" ' ([2-9]|[1-9][0-9]) missed'
check "and reported" matches "SELECT ebs_advise('held-up')" '([2-9]|[1-9][0-9]) ticks missed'
check "the interval covers them" is "SELECT abs(sum(seconds) - (SELECT extract(epoch FROM duration) FROM ebs.runs)) < 0.2
  FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('held-up')) s" t
