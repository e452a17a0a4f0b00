# ebs_balance and ebs_io_mix to the byte, on /proc/diskstats and /proc/PID/io of our own, and PostgreSQL's own counts.
# On every major: what pg_stat_io and pg_stat_wal count, and in which columns.
sampling <<<"autovacuum = off
max_parallel_workers_per_gather = 0 # what client backends read, they read themselves
shared_buffers = 1MB # a table of 16 MiB is read anew each time"
cp -a "$ROOT/tests/trees/nitro" "$SCRATCH/tree"
proc=$SCRATCH/tree/proc
# The postmaster is 4711, the sampler 4712, a session 4713; 4714 is another's child.
mkdir -p "$proc/4711/task/4711" "$proc/4712" "$proc/4713" "$proc/4714"
rm -r "$proc/self"
ln -s 4712 "$proc/self"
printf '%s\n' "20 1 259:1 / / rw - ext4 /dev/nvme0n1p1 rw" >"$proc/4712/mountinfo"
printf '4712 4713\n' >"$proc/4711/task/4711/children"
rest='1 1 0 -1 4194560 1 1 0 0 3 4 5 6 20 0 1 0 100 1000 10 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 0 0'
for child in 4711:1 4712:4711 4713:4711 4714:1; do
  echo "${child%:*} (x) S ${child#*:} $rest 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0" >"$proc/${child%:*}/stat"
done
echo 'cpu  100 20 30 9999 777 4 5 600 50 0' >"$proc/stat"
# put FILE: replaces it at once, for the kernel's are never seen half written.
put() { cat >"$1.new" && mv "$1.new" "$1"; }
# moved PID READ WRITTEN CANCELLED HANDED: what the process has moved so far.
moved() {
  printf '%s\n' 'rchar: 1' "wchar: $5" 'syscr: 1' 'syscw: 1' "read_bytes: $2" "write_bytes: $3" "cancelled_write_bytes: $4" |
    put "$proc/$1/io"
}
# More than what the sampler has read so far, of /proc itself: what is below that has missed a process, it thinks.
so_far=(1000000000000 1000000000000 1000000000000 1000000000000)
# processes READ WRITTEN CANCELLED HANDED: so much more, a third of it by what has ended, which is with the postmaster. What is no
# process of the server moves much too.
processes() {
  local i rest=()
  for i in 0 1 2 3; do so_far[i]=$((so_far[i] + $1)) rest[i]=$((so_far[i] - so_far[i] / 3)) && shift; done
  moved 4713 "${rest[@]}"
  moved 4711 $((so_far[0] / 3)) $((so_far[1] / 3)) $((so_far[2] / 3)) $((so_far[3] / 3))
  moved 4714 $((so_far[0] * 9)) $((so_far[1] * 9)) 0 $((so_far[3] * 9))
}
# device READS READ WRITES WRITTEN: so many more requests, and bytes.
device() {
  awk -v r="$1" -v rb="$2" -v w="$3" -v wb="$4" '$3 == "nvme0n1" { $4 += r; $6 += rb / 512; $8 += w; $10 += wb / 512 }
    { print }' "$proc/diskstats" | put "$proc/diskstats"
}
moved 4712 0 0 0 0
processes 0 0 0 0
# The account of the server may not be able to read this clone.
chmod -R a+rX "$SCRATCH/tree"
set_to procfs_root "$proc" sysfs_root "$SCRATCH/tree/sys"

# What PostgreSQL counts, by line: NULL is what it does not count.
cluster_psql -d postgres -qX -v ON_ERROR_STOP=1 -f - <<'SQL'
CREATE VIEW io AS SELECT j->>'backend_type' AS process, j->>'object' AS object, j->>'context' AS context,
    coalesce((j->>'read_bytes')::numeric, (j->>'reads')::numeric * (j->>'op_bytes')::numeric, 0) AS r,
    coalesce((j->>'write_bytes')::numeric, (j->>'writes')::numeric * (j->>'op_bytes')::numeric, 0) AS w,
    coalesce((j->>'extend_bytes')::numeric, (j->>'extends')::numeric * (j->>'op_bytes')::numeric, 0) AS e
  FROM (SELECT to_jsonb(s) AS j FROM pg_stat_io s) rows;
CREATE VIEW counted (line, r, w) AS
  SELECT 'client backends', sum(r), sum(w) FROM io
    WHERE process = 'client backend' AND object = 'relation' AND context <> 'vacuum'
  UNION ALL SELECT 'vacuum', sum(r), sum(w) FROM io
    WHERE object = 'relation' AND (process = 'autovacuum worker' OR context = 'vacuum')
  UNION ALL SELECT 'checkpointer', sum(r), sum(w) FROM io WHERE process = 'checkpointer' AND object = 'relation'
  UNION ALL SELECT 'background writer', sum(r), sum(w) FROM io WHERE process = 'background writer' AND object = 'relation'
  UNION ALL SELECT 'extends', 0, sum(e) FROM io WHERE object = 'relation'
  UNION ALL SELECT 'temporary tables', sum(r), sum(w + e) FROM io WHERE object = 'temp relation'
  UNION ALL SELECT 'temporary files', NULL, sum(temp_bytes) FROM pg_stat_database;
SELECT current_setting('server_version_num')::int >= 180000 AS all_of_wal \gset
\if :all_of_wal
  CREATE VIEW counted_wal (line, r, w) AS SELECT 'WAL', sum(r), sum(w) FROM io WHERE object = 'wal' AND context <> 'init'
    UNION ALL SELECT 'new WAL segments', sum(r), sum(w) FROM io WHERE object = 'wal' AND context = 'init';
\else
  CREATE VIEW counted_wal (line, r, w) AS SELECT 'WAL', NULL::numeric, wal_bytes FROM pg_stat_wal
    UNION ALL SELECT 'new WAL segments', NULL, NULL;
\endif
CREATE VIEW everything AS TABLE counted UNION ALL TABLE counted_wal;
CREATE TABLE moment (n int, line text, r numeric, w numeric);
CREATE TABLE t (id int, filler text);
ALTER TABLE t ALTER filler SET STORAGE PLAIN;
SQL
moment() { cluster_sql "INSERT INTO moment SELECT $1, * FROM everything"; }
# shown LINE WAY BYTES: waits until PostgreSQL shows that much since the run began: what a session counts comes with its end.
shown() { cluster_await "SELECT c.$2 - m.$2 >= $3 FROM everything c JOIN moment m USING (line) WHERE n = 1 AND line = '$1'"; }
load() {
  cluster_sql "INSERT INTO t SELECT i, repeat(chr(65 + i % 26), 1000) FROM generate_series(1, 15000) i; CHECKPOINT"
  cluster_sql "SET work_mem = '64kB';
    SELECT max(filler) FROM (SELECT filler FROM t ORDER BY md5(filler || id) OFFSET 0) s" >/dev/null
  shown 'client backends' r 15000000
  shown extends w 15000000
  shown WAL w 15000000
  shown 'temporary files' w 15000000
}
all_known() {
  is "SELECT count(*), count(read_bytes), count(write_bytes) FROM ebs_balance('$RUN') WHERE side <> 'PostgreSQL'" '5|5|5'
}
# What is known for less than 95 % of the time is not compared. The processes are read a little after the rest, which on a busy
# machine may be more than that: then once more.
attempt=0
measured_once() {
  cluster_sql "TRUNCATE moment"
  [ "$attempt" = 0 ] || cluster_sql "SELECT ebs_run_drop('$RUN')"
  attempt=1
  moment 0
  cluster_sql "SELECT ebs_run_begin('$RUN')" >/dev/null
  moment 1
  load
  processes $MOVED
  device $DEVICE
  seconds_sampled "$RUN" 2
  moment 2
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  moment 3
  "$1"
}
# measured RUN UNTIL: what MOVED and DEVICE say happens in it.
measured() {
  local tries
  RUN=$1 attempt=0
  for tries in $(seq 10); do
    ! measured_once "$2" >"$SCRATCH/measured" || return 0
  done
  cat "$SCRATCH/measured"
  return 1
}
# Its counts lie between those that SQL shows just inside and just outside of the run, and are unknown where there are none.
counted() {
  is "SELECT count(*),
      bool_and(CASE WHEN m2.r IS NULL THEN read_bytes IS NULL ELSE read_bytes BETWEEN m2.r - m1.r AND m3.r - m0.r END),
      bool_and(CASE WHEN m2.w IS NULL THEN write_bytes IS NULL ELSE write_bytes BETWEEN m2.w - m1.w AND m3.w - m0.w END)
    FROM ebs_balance('$RUN') b JOIN moment m0 USING (line) JOIN moment m1 USING (line) JOIN moment m2 USING (line)
      JOIN moment m3 USING (line) WHERE (m0.n, m1.n, m2.n, m3.n) = (0, 1, 2, 3)" '9|t|t'
}
# to_the_byte WAY SERVER DEVICE: what the server's processes and the device moved, and what lies between.
to_the_byte() {
  is "SELECT sum(bytes) FILTER (WHERE line = 'page cache') = least($2 - p, 0),
      sum(bytes) FILTER (WHERE line = 'unattributed') = greatest($2 - p, 0),
      sum(bytes) FILTER (WHERE line = 'others'), sum(bytes) FILTER (WHERE line = 'residual'),
      sum(bytes) FILTER (WHERE side = 'device'), p + sum(bytes) FILTER (WHERE side = 'kernel') = $3
    FROM (SELECT line, side, $1_bytes AS bytes, sum($1_bytes) FILTER (WHERE side = 'PostgreSQL') OVER () AS p
          FROM ebs_balance('$RUN')) s GROUP BY p" \
    "t|t|$(($3 > $2 ? $3 - $2 : 0))|$(($3 < $2 ? $3 - $2 : 0))|$3|t"
}
# sign LINE WAY: whether it is below or above nothing.
sign() { is "SELECT sign($2_bytes) FROM ebs_balance('$RUN') WHERE line = '$1'" "$3"; }

# More than PostgreSQL counts, and more still on the device. Of what was written and what was handed over the lower counts, less what
# was cancelled.
MOVED='8000000000 9000000000 1000000000 7000000000' DEVICE='1000 8192000000 3000 6144000000'
check "much: all parts are known" measured much all_known
check "much: PostgreSQL's lines are what it counts" counted
check "much: read, to the byte" to_the_byte read 8000000000 8192000000
check "much: written, to the byte" to_the_byte write 6000000000 6144000000
check "much: read beyond what it counts" sign unattributed read 1
check "much: written beyond what it counts" sign unattributed write 1
# The mix of the same run: the device's counts, by the seconds sampled.
mix() {
  is "SELECT abs(mean - $2) <= 1e-6 * abs($2) FROM ebs_io_mix('much') WHERE metric = '$1' AND role LIKE '%data%'" t
}
seconds="(SELECT sum(seconds) FROM ebs_device_samples('much'))"
check "the mix has the requests of the device" is \
  "SELECT sum(reads), sum(read_bytes), sum(writes), sum(write_bytes) FROM ebs_device_samples('much')" '1000|8192000000|3000|6144000000'
check "reads a second" mix reads "1000 / $seconds"
check "writes a second" mix writes "3000 / $seconds"
check "MiB a second" mix throughput "(8192000000 + 6144000000) / 1048576.0 / $seconds"
check "read share" mix 'read share' 25

MOVED='4096 1024000 0 512000' DEVICE='0 0 10 102400'
check "little: all parts are known" measured little all_known
check "little: PostgreSQL's lines are what it counts" counted
check "little: read, to the byte" to_the_byte read 4096 0
check "little: written, to the byte" to_the_byte write 512000 102400
check "little: the page cache takes reads off" sign 'page cache' read -1
check "little: and writes" sign 'page cache' write -1

# Without the list of children, which not every kernel has.
rm -r "$proc/4711/task"
look
MOVED='8000000000 9000000000 1000000000 7000000000' DEVICE='1000 8192000000 3000 6144000000'
check "without lists of children: all parts are known" measured listless all_known
check "without lists of children: the same is read" to_the_byte read 8000000000 8192000000
check "without lists of children: the same is written" to_the_byte write 6000000000 6144000000
# Without the processes.
mv "$proc/4711" "$SCRATCH/postmaster"
mkdir "$proc/4711"
look
apart() {
  is "SELECT count(*), count(write_bytes), min(line) FILTER (WHERE write_bytes IS NOT NULL)
    FROM ebs_balance('$RUN') WHERE side = 'kernel'" '5|1|not told apart'
}
processes() { :; }
check "without processes: what lies between is one line" measured blind apart
check "without processes: to the byte all the same" is "SELECT sum(read_bytes) FILTER (WHERE side <> 'device'),
  sum(read_bytes) FILTER (WHERE side = 'device'), sum(write_bytes) FILTER (WHERE side <> 'device'),
  sum(write_bytes) FILTER (WHERE side = 'device') FROM ebs_balance('blind')" '8192000000|8192000000|6144000000|6144000000'
