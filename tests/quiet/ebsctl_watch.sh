# ebsctl watch beside a preloaded sampler of the same minute: requests, bytes and latency within 2 %, waits within 3 points, the same
# volume type. The two read the disk at different moments of a second, so that a burst at an end counts for one alone: in one of three
# attempts.
sampling <<CONF
fsync = on
shared_buffers = 32MB
track_io_timing = on
checkpoint_timeout = 30s
CONF
if ! device=$(whole_device); then
  skip "agreement of a watched server (the cache is on no block device)"
  return
fi
pgbench=(cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres)
cluster_sql 'CREATE DATABASE bench'
"${pgbench[@]}" -i -s 20 -q bench >/dev/null 2>&1

# measured N: runs "sampled N" and "watched N" of the same load; the watch begins before the run and ends after it.
measured() {
  "${pgbench[@]}" -n -c 4 -T 75 bench >/dev/null 2>&1 &
  local load=$!
  watching postgres "watched $1" --for 66s --device "$device"
  cluster_sql "SELECT ebs_run_begin('sampled $1')" >/dev/null
  sleep 60
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  wait "$watcher" "$load"
}
# mean LABEL EXPRESSION: of the samples within the sampled run.
mean() {
  cluster_sql "SELECT ($2)::float8 FROM ebs_device_samples('$1') s, ebs.runs_detail r
    WHERE r.label = 'sampled $attempt' AND s.ended_at - s.seconds * interval '1 s' >= r.started_at - interval '0.5 s'
      AND s.ended_at <= r.ended_at + interval '0.5 s'"
}
same_mean() { within 2 "$(mean "watched $attempt" "$1")" "$(mean "sampled $attempt" "$1")"; }
# Shares of wait events of more than a point, in points of database time.
waits_apart() {
  cluster_sql "SELECT coalesce(max(abs(coalesce(a.db_time_pct, 0) - coalesce(b.db_time_pct, 0))), 0)
    FROM (SELECT * FROM ebs_waits('watched $attempt') WHERE backend_type = 'client backend') a
    FULL JOIN (SELECT * FROM ebs_waits('sampled $attempt') WHERE backend_type = 'client backend') b USING (wait_class, wait_event)"
}
same_waits() { awk -v apart="$(waits_apart)" 'BEGIN { print "waits apart by " apart " points"; exit !(apart <= 3) }'; }
best() { cluster_sql "SELECT volume_type, volumes FROM ebs_options('$1', min_size_gib => 100) WHERE rank = 1"; }
same_best() { [ "$(best "watched $attempt")" = "$(best "sampled $attempt")" ]; }
REQUESTS='sum(reads + writes) / sum(seconds)'
BYTES='sum(read_bytes + write_bytes) / sum(seconds)'
LATENCY='sum(read_ms + write_ms) / sum(reads + writes)'
for attempt in 1 2 3; do
  measured "$attempt"
  if same_mean "$REQUESTS" && same_mean "$BYTES" && same_mean "$LATENCY" && same_waits && same_best; then break; fi
done
check "requests a second within 2 %" same_mean "$REQUESTS"
check "bytes a second within 2 %" same_mean "$BYTES"
check "latency within 2 %" same_mean "$LATENCY"
check "waits within 3 points" same_waits
check "the same volume" same_best
check "no gap" bash -c '! grep -E "gap|warning" "$1"' _ "$SCRATCH/watched $attempt.log"
check "watching takes less than 2 % of a CPU at the server" matches "$(report "'watched $attempt'")" 'Sampling cost: [01]\.[0-9]+ % of one core'
