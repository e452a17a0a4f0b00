# ebs_balance: on a cold read, a WAL-heavy load and a cached read PostgreSQL's bytes and the device's agree, or the sheet
# says what lies between them. Others may use the same disk meanwhile, so loads are large, and are repeated if need be.
ROWS=300000 # of 1 KiB: some 330 MiB of table

# measured LABEL COMMAND…: runs it as a run and prints its sheet; what is asked below is asked of the last one.
measured() {
  RUN=$1
  shift
  cluster_sql "SELECT ebs_run_begin('$RUN')" >/dev/null
  "$@"
  sleep 1.5 # counters come with a process's end, or within a second
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  cluster_psql -d postgres -qX -c "SELECT line, side, round(read_bytes / 1048576.0, 1) AS read_mib, round(read_pct::numeric, 1) AS read_pct,
    round(write_bytes / 1048576.0, 1) AS write_mib, round(write_pct::numeric, 1) AS write_pct FROM ebs_balance('$RUN')" | sed 's/^/    /'
}
# sum WAY CONDITION: bytes, of the lines for which it holds.
sum() { cluster_sql "SELECT coalesce(sum($1_bytes), 0) FROM ebs_balance('$RUN') WHERE $2"; }
postgres() { sum "$1" "side = 'PostgreSQL'"; }
processes() { sum "$1" "side = 'PostgreSQL' OR line IN ('page cache', 'unattributed')"; }
device() { sum "$1" "side = 'device'"; }

all_known() { is "SELECT count(*), count(read_bytes), count(write_bytes) FROM ebs_balance('$RUN') WHERE side <> 'PostgreSQL'" '5|5|5'; }

# agreeing NAME WAY LOAD AGAIN: the two sides agree within 5 % in one of three attempts; AGAIN undoes what LOAD did. If
# PostgreSQL's side agrees with the kernel's count of its processes each time, it is others who moved the rest.
agreeing() {
  local attempt
  for attempt in 1 2 3; do
    [ "$attempt" = 1 ] || "$4"
    measured "$1 $attempt" "$3"
    check "$1 $attempt: all parts are known" all_known
    check "$1 $attempt: PostgreSQL's processes moved what it counts, within 5 %" within 5 "$(postgres "$2")" "$(processes "$2")"
    if within 5 "$(postgres "$2")" "$(device "$2")" >/dev/null; then
      check "$1: the two sides agree within 5 %" true
      check "$1: to the byte with what lies between them" is \
        "SELECT sum($2_bytes) FILTER (WHERE side <> 'device') = sum($2_bytes) FILTER (WHERE side = 'device') FROM ebs_balance('$RUN')" t
      return
    fi
  done
  if [ "$(device "$2")" -gt "$(processes "$2")" ]; then
    skip "$1: the device's side (others moved $(sum "$2" "line = 'others'") bytes at the same time, three times)"
  else
    check "$1: the two sides agree within 5 %" within 5 "$(postgres "$2")" "$(device "$2")"
  fi
}

bulk_insert() {
  local part
  for part in 1 2 3 4 5 6; do
    cluster_sql "INSERT INTO t SELECT i, repeat(chr(65 + i % 26), 1000) FROM generate_series(1, $ROWS / 6) i"
  done
  cluster_sql 'CHECKPOINT'
}
# Leaves the table's pages and the WAL's segments to be used again: new ones are written twice.
empty() {
  cluster_sql 'DELETE FROM t'
  cluster_sql 'VACUUM (TRUNCATE off) t'
  cluster_sql 'CHECKPOINT'
}
scan() { cluster_sql 'SELECT count(filler) FROM t' >/dev/null; }
# Nothing of the table in shared buffers or in the page cache.
cold() {
  local path
  cluster_stop
  for path in "$CLUSTER/data/$file"*; do dd if="$path" of=/dev/null iflag=nocache count=0 status=none; done
  cluster_start
  cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
}
# cached_reads: the page cache takes a second scan off. A kernel short of memory drops pages that were read once, so that a
# scan may go to the device in part: what is off in one attempt is told by the device, and is in the cache for the next.
cached_reads() {
  local attempt
  for attempt in 1 2 3; do
    measured "cached read $attempt" scan
    check "cached read $attempt: all parts are known" all_known
    check "cached read $attempt: PostgreSQL counts the table" within 5 "$(postgres read)" "$(cluster_sql "SELECT pg_relation_size('t')")"
    if within 5 "$((-$(sum read "line = 'page cache'")))" "$(postgres read)" >/dev/null; then
      check "cached read: the page cache takes it off" true
      return
    fi
  done
  if within 5 "$(processes read)" "$(device read)" >/dev/null; then
    skip "cached read: the page cache takes it off (the kernel kept $(sum read "side = 'device'") bytes of the table out of its cache, three times)"
  else
    check "cached read: the page cache takes it off" within 5 "$((-$(sum read "line = 'page cache'")))" "$(postgres read)"
  fi
}

sort_it() {
  cluster_sql "SET work_mem = '1MB'; SELECT max(filler) FROM (SELECT filler FROM t ORDER BY md5(filler || id) OFFSET 0) s" >/dev/null
}
# Random pages of a table that is in the page cache.
update_some() {
  cluster_sql "UPDATE t SET id = -id WHERE ctid IN (SELECT ctid FROM t TABLESAMPLE SYSTEM (15) REPEATABLE (7))"
  cluster_sql 'CHECKPOINT'
}
# Processes wrote what PostgreSQL counts, but for space that was only reserved: at least three quarters, at most 10 % more.
little_unattributed() {
  awk -v s="$(processes write)" -v p="$(postgres write)" 'BEGIN { print s, p; exit !(p > 0 && s >= 0.75 * p && s <= 1.1 * p) }'
}

sampling <<CONF
ebs_advisor.flush_interval = 10s # few blocks: a run's first one may hold a moment from before it
fsync = on
shared_buffers = 256MB
min_wal_size = 2GB
max_wal_size = 4GB
checkpoint_timeout = 1h
autovacuum = off
max_parallel_workers_per_gather = 0
CONF
measured nothing sleep 2.5
if ! whole_device >/dev/null; then
  skip "the device (the cache is on no block device)"
elif ! all_known; then
  skip "what the server's processes move (/proc/PID/io cannot be read)"
else
  cluster_sql 'CREATE TABLE t (id int, filler text)'
  cluster_sql 'ALTER TABLE t ALTER filler SET STORAGE PLAIN'
  bulk_insert
  empty
  agreeing "WAL-heavy load" write bulk_insert empty
  check "half of it is WAL" within 10 "$(sum write "line = 'WAL'")" $(($(postgres write) / 2))

  cluster_sql 'VACUUM (FREEZE) t'
  cluster_sql 'CHECKPOINT'
  file=$(cluster_sql "SELECT pg_relation_filepath('t')")
  cold
  agreeing "cold read" read scan cold
  check "client backends read it" within 5 "$(sum read "line = 'client backends'")" "$(postgres read)"

  cached_reads

  measured "sort on disk" sort_it
  check "temporary files are as large as what was sorted" within 25 "$(sum write "line = 'temporary files'")" \
    "$(cluster_sql "SELECT pg_relation_size('t')")"

  measured "random updates" update_some
  check "random updates: all parts are known" all_known
  check "random updates: a whole folio is not taken for what was written of it" little_unattributed

  # A procfs of our own: without the list of children, which not every kernel has, and then without the processes.
  proc=$CLUSTER/proc
  postmaster=$(head -n 1 "$CLUSTER/data/postmaster.pid")
  as_server mkdir "$proc"
  as_server ln -s /proc/diskstats /proc/self "$proc"
  for pid in "$postmaster" $(cat "/proc/$postmaster/task/$postmaster/children"); do
    as_server mkdir "$proc/$pid"
    as_server ln -s "/proc/$pid/io" "/proc/$pid/stat" "$proc/$pid"
  done
  cluster_sql "ALTER SYSTEM SET ebs_advisor.procfs_root = '$proc'"
  cluster_sql 'SELECT pg_reload_conf()' >/dev/null
  measured "settling" sleep 1
  measured "without lists of children" update_some
  check "without lists of children: all parts are known" all_known
  check "without lists of children: the same is counted" little_unattributed
  rm -rf "$proc/$postmaster"
  measured "settling again" sleep 1
  measured "without processes" update_some
  check "without processes: what lies between is one line" \
    is "SELECT count(*), count(write_bytes), min(line) FILTER (WHERE write_bytes IS NOT NULL) FROM ebs_balance('$RUN') WHERE side = 'kernel'" \
    '5|1|not told apart'
  check "without processes: to the byte all the same" is \
    "SELECT sum(write_bytes) FILTER (WHERE side <> 'device') = sum(write_bytes) FILTER (WHERE side = 'device') FROM ebs_balance('$RUN')" t
fi
