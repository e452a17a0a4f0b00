# What ebs_io_mix says of a pgbench run agrees with /proc/diskstats read by hand over the same time, within 2 %. The two look at
# the disk some milliseconds apart, in which others may write: in one of three attempts.
diskstats_of() { awk -v device="$1" '$3 == device { print $4, $6, $8, $10; exit }' /proc/diskstats; }
mean() { cluster_sql "SELECT mean FROM ebs_io_mix('$RUN') WHERE metric = '$1' AND role LIKE '%data%'"; }
per_second() { awk -v n="$1" -v ns=$((ended - started)) 'BEGIN { print n * 1e9 / ns }'; }

# measured RUN: pgbench as a run, with the counts by hand around it.
measured() {
  RUN=$1
  cluster_sql "SELECT ebs_run_begin('$RUN')" >/dev/null
  read -r reads0 sectors_read0 writes0 sectors_written0 < <(diskstats_of "$device")
  started=$(date +%s%N)
  "${pgbench[@]}" -n -c 4 -T 20 bench >/dev/null 2>&1
  read -r reads1 sectors_read1 writes1 sectors_written1 < <(diskstats_of "$device")
  ended=$(date +%s%N)
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  requests=$((reads1 - reads0 + writes1 - writes0))
  sectors=$((sectors_read1 - sectors_read0 + sectors_written1 - sectors_written0))
}
same_requests() { within 2 "$(awk -v r="$(mean reads)" -v w="$(mean writes)" 'BEGIN { print r + w }')" "$(per_second $requests)"; }
same_bytes() { within 2 "$(mean throughput)" "$(per_second "$(awk -v s=$sectors 'BEGIN { print s / 2048 }')")"; }
# Without direct I/O there are few reads or none: shares are compared as percentages of all requests.
same_share() {
  awk -v a="$(mean 'read share')" -v r=$((reads1 - reads0)) -v n="$requests" 'BEGIN { b = 100 * r / n; print a, b; exit !(a - b <= 2 && b - a <= 2) }'
}

sampling <<CONF
fsync = on
shared_buffers = 32MB
checkpoint_timeout = 30s
CONF
if ! device=$(whole_device); then
  skip "agreement with diskstats (the cache is on no block device)"
else
  pgbench=(cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres)
  cluster_sql 'CREATE DATABASE bench'
  "${pgbench[@]}" -i -s 5 -q bench >/dev/null 2>&1
  for attempt in 1 2 3; do
    measured "agreement $attempt"
    if same_requests >/dev/null && same_bytes >/dev/null && same_share >/dev/null; then break; fi
  done
  check "requests per second within 2 % of diskstats" same_requests
  check "MiB per second within 2 % of diskstats" same_bytes
  check "read share within 2 points of diskstats" same_share
fi
