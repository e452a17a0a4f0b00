# A sampler that was held up counts what it missed, and no second of a run is lost or counted twice.
sampling <<<"$(own_disk_settings)
ebs_advisor.sample_interval = 100ms"
cluster_sql "SELECT ebs_run_begin('held-up')" >/dev/null
disk_reads 100
pid=$(sampler_pid)
stop_process "$pid"
# The server is not asked meanwhile: what was stopped may hold a lock.
stopped=$EPOCHREALTIME
disk_reads 10
passed() { awk -v from="$stopped" -v to="$EPOCHREALTIME" -v seconds="$1" 'BEGIN { exit !(to - from > seconds) }'; }
await passed 1.1
going_on=$EPOCHREALTIME
signal CONT "$pid"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
# Of 1.1 s that are sure to have passed, less the one that was still to come when it was stopped.
missed() { is "SELECT replace(substring(line FROM '([0-9,]+) $1'), ',', '')::int >= 9 FROM ($2) l (line)" t; }
check "missed ticks are counted" missed missed "SELECT detail FROM ebs_status() WHERE \"check\" = 'samples'"
check "and reported" missed "ticks missed" "$(report "'held-up'")"
check "one interval covers them" is "SELECT count(*) FROM ebs_device_samples('held-up')
  WHERE ended_at >= to_timestamp($going_on) AND ended_at - seconds * interval '1 s' <= to_timestamp($stopped) AND reads >= 10" 1
check "nothing is counted twice or lost" is "SELECT sum(reads), sum(read_bytes) FROM ebs_device_samples('held-up')" '110|901120'
# By the monotonic clock and by the wall clock, which are read one right after the other.
check "nor any time" is "SELECT abs(sum(seconds) - (SELECT extract(epoch FROM duration) FROM ebs.runs_detail)) < 0.2
  FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('held-up')) s" t
