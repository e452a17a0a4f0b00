# A run outlives its sampler and its server: what was written stays, the gap is said, nothing is counted twice or negative.
sampling <<<"$(own_disk_settings)"
samplers="SELECT pid FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"
working="SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"

# through LABEL NAME COMMAND…: a run during which the sampler ends that way, while the disk moves and nobody looks.
through() {
  local label=$1 name=$2 marked written before old again sides
  shift 2
  cluster_sql "SELECT ebs_run_begin('$label')" >/dev/null
  disk_reads 100
  # What the sampler writes is committed without waiting for the WAL. The mark's own commit is waited for, and what came before
  # it in the WAL is then written, too.
  cluster_sql "SELECT ebs_run_mark('before')" >/dev/null
  marked=$(cluster_sql 'SELECT max(marked_at) FROM ebs.run_mark')
  written="SELECT count(*) > 0, count(*), sum(ticks) FROM ebs.sample_block WHERE ended_at <= '$marked'"
  before=$(cluster_sql "$written")
  old=$(sampler_pid)
  "$@"
  # By another sampler, which has looked: until the server has noticed, the old one seems to be at work.
  check "$name: sampling goes on after recovery" cluster_await "$working AND ($samplers) <> $old"
  again=$(cluster_sql "SELECT backend_start FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'")
  disk_reads 7
  check "$name: what was written is there" test "t|${before#t|}" = "$(cluster_sql "$written")"
  check "$name: the run is still open" is "SELECT label FROM ebs.runs_detail WHERE ended_at IS NULL" "$label"
  check "$name: and can be ended" is 'SELECT ebs_run_end()' "$label"
  # Where the gap begins, at the last sample that was kept, and where it ends, at the new sampler's first.
  sides="(SELECT max(ended_at) FILTER (WHERE ended_at < '$again') AS last,
      min(ended_at - seconds * interval '1 s') FILTER (WHERE ended_at > '$again') AS first, sum(seconds) AS sampled
    FROM ebs_device_samples('$label')) s, (SELECT * FROM ebs.runs_detail WHERE label = '$label') r"
  check "$name: nothing that was written is lost from the run" is "SELECT last >= '$marked' FROM $sides" t
  # Seconds are by the monotonic clock, the run's length by the wall clock: they differ by next to nothing.
  check "$name: both sides of the gap are sampled, the gap is not" is \
    "SELECT abs(extract(epoch FROM last - started_at + (ended_at - first)) - sampled) < 0.2 AND first > last FROM $sides" t
  check "$name: and it is said" matches "$(report "'$label'")" \
    "$(cluster_sql "SELECT format('%s of %s s sampled', round(sampled), round(extract(epoch FROM duration))) FROM $sides")"
  check "$name: no interval reaches across the gap" is "SELECT count(*) FROM ebs_device_samples('$label')
    WHERE ended_at > '$again' AND ended_at - seconds * interval '1 s' < '$again'" 0
  check "$name: what the disk did while somebody looked is counted once, none is negative" is \
    "SELECT sum(reads), sum(writes), min(least(reads, writes, read_bytes, write_bytes, read_ms, write_ms))
     FROM ebs_device_samples('$label')" '107|0|0'
  # A server with nothing to do moves no gigabyte.
  check "$name: no count of PostgreSQL's is negative, none is a jump" is "SELECT count(*) FROM ebs_io_sources('$label')
    WHERE least(read_bytes, write_bytes, extend_bytes) < 0 OR greatest(read_bytes, write_bytes, extend_bytes) > 1e9" 0
}

kill_sampler() {
  local pid
  pid=$(sampler_pid)
  # Else it may take one more sample before it ends.
  stop_process "$pid"
  disk_reads 1000
  signal KILL "$pid"
}
crash() {
  cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode immediate --wait --timeout "$PATIENCE" stop >/dev/null
  disk_reads 1000
  cluster_start
}
through killed "sampler killed" kill_sampler
through crashed "server crashed" crash
check "one sampler at a time" is "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'" 1
check "no panic" not_logged 'PANIC|panicked'
