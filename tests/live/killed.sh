# A run outlives its sampler and its server: what was written stays, the gap is said, nothing is counted twice or negative.
sampling </dev/null
samplers="SELECT pid FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"
working="SELECT ok AND detail ~ 'written' FROM ebs_status() WHERE \"check\" = 'samples'"
sampled() { echo "SELECT round(coalesce(sum(seconds), 0)) FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('$1')) s"; }

# through LABEL NAME GAP COMMAND…: a run during which the sampler ends that way, and nobody samples for that many seconds at least.
through() {
  local label=$1 name=$2 gap=$3 written before length old at outage again
  shift 3
  cluster_sql "SELECT ebs_run_begin('$label')" >/dev/null
  sleep 5
  # Committed without waiting for the WAL: what is younger than wal_writer_delay three times over may be lost.
  written="SELECT count(*) FROM ebs.sample_block WHERE ended_at < '$(cluster_sql "SELECT now() - interval '2 s'")'"
  before=$(cluster_sql "$written")
  old=$(sampler_pid)
  at=$EPOCHSECONDS
  "$@"
  # By another sampler: until the server has noticed, the old one seems to be at work.
  check "$name: sampling goes on after recovery" cluster_await "$working AND ($samplers) <> $old"
  outage=$((EPOCHSECONDS - at + 1))
  again=$(cluster_sql "SELECT backend_start FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'")
  sleep 5
  check "$name: what was written is there" is "$written" "$before"
  check "$name: the run is still open" is "SELECT label FROM ebs.runs WHERE ended_at IS NULL" "$label"
  check "$name: and can be ended" is 'SELECT ebs_run_end()' "$label"
  length=$(cluster_sql "SELECT round(extract(epoch FROM duration)) FROM ebs.runs WHERE label = '$label'")
  # What goes is the outage and, of the 5 s before it, what was not written or its commit lost: less than either side has.
  check "$name: both sides of the gap are sampled, the gap of $gap s is not" is \
    "SELECT ($(sampled "$label")) BETWEEN $length - $outage - 3 AND $length - $gap" t
  check "$name: and it is said" matches "SELECT string_agg(line, ' ') FROM ebs_advise('$label') line" \
    "$(cluster_sql "$(sampled "$label")") of $length s sampled"
  check "$name: no interval reaches across the gap" is "SELECT count(*) FROM ebs_device_samples('$label')
    WHERE ended_at > '$again' AND ended_at - seconds * interval '1 s' < '$again'" 0
  check "$name: no count is negative, none is a jump" is "SELECT count(*) FROM ebs_device_samples('$label')
    WHERE least(reads, writes, read_bytes, write_bytes, read_ms, write_ms) < 0 OR greatest(reads, writes) > 1e6" 0
  check "$name: nor of PostgreSQL's" is "SELECT count(*) FROM ebs_io_sources('$label')
    WHERE least(read_bytes, write_bytes, extend_bytes) < 0 OR greatest(read_bytes, write_bytes, extend_bytes) > 1e9" 0
}

kill_sampler() { signal KILL "$(sampler_pid)"; }
crash() {
  cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode immediate --wait stop >/dev/null
  sleep 2
  cluster_start
}
through killed "sampler killed" 0 kill_sampler
through crashed "server crashed" 2 crash
check "one sampler at a time" is "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'" 1
check "no panic" test "$(logged 'PANIC|panicked')" = 0
