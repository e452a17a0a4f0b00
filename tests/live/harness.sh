# Functions of the live tests. scripts/live-test sources each test file on its own, with PG_BIN, TEST and SCRATCH set; it prints a line
# for each check: ok, not ok, or skipped with the reason. A test waits for a condition, never for a time: with cluster_await, await,
# look and reload, none of which gives up before a defect is the only reason left. Tests of speed, duration or load are in tests/quiet.

# fresh [DIRECTORY]: a fresh cluster that samples into database postgres; more settings come on standard input.
fresh() {
  CLUSTER=${1:-$SCRATCH/cluster}
  { printf '%s\n' "fsync = off" "ebs_advisor.flush_interval = 1s"; cat; } | cluster_create
  cluster_start
}

# sampling [DIRECTORY]: a fresh cluster with the extension, on which the sampler runs.
sampling() {
  fresh "$@"
  cluster_sql 'CREATE EXTENSION ebs_advisor'
  sampler_works
}

# sampler_works: waits until it samples, and nothing keeps it from writing.
sampler_works() { cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"; }

# look [DATABASE]: two samples now, both written, by a run that begins and ends: with the first the sampler finds the volumes, with the
# second it reads them. No run may be open; within one, `SELECT ebs_run_mark('…')` is one sample now.
look() {
  cluster_sql "SELECT ebs_run_begin('look')" "${1:-postgres}" >/dev/null
  cluster_sql "SELECT ebs_run_end(); SELECT ebs_run_drop('look')" "${1:-postgres}" >/dev/null
}

# upkeep_again: has samples aged now. Ageing is looked for when a sampler writes for the first time, and then once an hour. Each write
# ages one hour at least, as long as there is one, before it is answered: these four writes are enough for four hours.
upkeep_again() {
  local old
  old=$(sampler_pid)
  cluster_sql "SELECT pg_terminate_backend($old)" >/dev/null
  # It says so as soon as it can be asked.
  cluster_await "SELECT pid <> $old AND query = 'sampling' FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"
  look
  look
}

# reload: has the sampler use the present settings. The postmaster signals all processes before it accepts the next session, and the
# sampler reads the settings before it answers the second sample.
reload() {
  cluster_sql 'SELECT pg_reload_conf()' >/dev/null
  look
}

# set_to NAME VALUE…: sets ebs_advisor.NAME, and has the sampler use it.
set_to() {
  while [ $# -gt 0 ]; do cluster_sql "ALTER SYSTEM SET ebs_advisor.$1 = '$2'"; shift 2; done
  reload
}

# seconds_sampled LABEL NUMBER: waits until the open run has this many intervals.
seconds_sampled() { cluster_await "SELECT count(DISTINCT ended_at) >= $2 FROM ebs_device_samples('$1')"; }

# history: rows in each table of the extension; run "kept" is imported, run "live" was sampled, and a block that began after its end is
# written.
history() {
  cluster_sql "SELECT ebs_import_samples('kept', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01' + i * interval '1 s',
    'reads', 5000 + i, 'writes', 100, 'read_bytes', 40960000, 'write_bytes', 819200))) FROM generate_series(1, 60) i" >/dev/null
  cluster_sql "SELECT ebs_run_result('kept', tps => 42)"
  cluster_sql "SELECT ebs_run_begin('live')" >/dev/null
  cluster_sql "SELECT ebs_run_mark('measure')" >/dev/null
  cluster_await "SELECT count(*) > 0 FROM ebs_waits('live')"
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 500); SELECT ebs_instance_declare('m5.large')" >/dev/null
  cluster_sql "SELECT count(*) FROM ebs_import_configuration('{\"Volumes\": [{\"VolumeId\": \"vol-0a\", \"Size\": 500}]}')" >/dev/null
  cluster_sql "SELECT ebs_import_fleet('{\"volume\": \"vol-0a\", \"action\": \"keep\", \"usd_month_saved\": 0}', '2026-01-01')" >/dev/null
  cluster_sql "SELECT ebs_import_prices('{\"offer\": \"AmazonEC2\", \"version\": \"1\", \"published\": \"2026-12-01\", \"prices\": [
    {\"region\": \"us-east-1\", \"volume_type\": \"gp3\", \"part\": \"storage\", \"usd\": \"0.07\"}]}')" >/dev/null
  cluster_sql "SELECT ebs_run_tag('kept', 'final')" >/dev/null
  cluster_sql "SELECT ebs_import_fio('kept', '{\"fio version\": \"fio-3.33\", \"timestamp\": 1, \"jobs\": [{\"jobname\": \"kept by fio\"}]}')" >/dev/null
  cluster_await "SELECT EXISTS (SELECT FROM ebs.sample_block b WHERE b.run_id IS NULL AND started_at > (SELECT max(ended_at) FROM ebs.run))"
}

# without_rows [DATABASE]: prints the tables of the extension that have no rows.
without_rows() {
  cluster_psql -d "${1:-postgres}" -qAtX -v ON_ERROR_STOP=1 -f - <<'SQL'
SELECT format('SELECT %L WHERE NOT EXISTS (SELECT FROM %s)', kept, kept)
FROM (SELECT unnest(extconfig)::regclass AS kept FROM pg_extension WHERE extname = 'ebs_advisor') t
JOIN pg_class c ON c.oid = kept AND relkind = 'r' \gexec
SQL
}

# answers [DATABASE]: prints the answers on the runs of history, and all that is stored of them.
answers() {
  cluster_psql -d "${1:-postgres}" -qAtX -v ON_ERROR_STOP=1 -f - <<'SQL'
SELECT ebs_advise('kept');
SELECT ebs_advise('kept', show => 'all');
SELECT ebs_advise('kept', show => 'commands');
SELECT ebs_advise('live');
SELECT * FROM ebs_options_detail('kept', min_size_gib => 100);
SELECT * FROM ebs_whatif('kept', 'io2', 20000);
SELECT * FROM ebs_io_mix('live');
SELECT * FROM ebs_io_sources('live');
SELECT * FROM ebs_balance('live');
SELECT * FROM ebs_waits('live');
SELECT * FROM ebs_workload('live');
SELECT * FROM ebs_device_samples('live');
SELECT * FROM ebs_price('gp3', 100);
SELECT * FROM ebs.runs_detail ORDER BY run_id;
SELECT * FROM ebs.run_mark ORDER BY run_id, marked_at;
SELECT * FROM ebs.fleet_answer ORDER BY volume, advised_at;
SELECT ebs_run_export('*');
SQL
}

# result STATUS "what holds": a line of TAP. Counted in a file, since checks may run in subshells.
result() {
  printf . >>"$SCRATCH/checks"
  echo "$1 - $TEST: $2"
}

# check "what holds" COMMAND…: ok if the command succeeds; otherwise its output is printed.
check() {
  local name=$1
  shift
  if "$@" >"$SCRATCH/output" 2>&1; then
    result ok "$name"
  else
    result "not ok" "$name"
    sed 's/^/#   /' "$SCRATCH/output"
  fi
}

# skip "what, and why".
skip() { result ok "$1 # SKIP"; }

# is "statement" VALUE: the statement gives the value.
is() {
  local got
  got=$(cluster_sql "$1") || return 1
  [ "$got" = "$2" ] || { printf '%s\ngave: %s\nnot:  %s\n' "$1" "$got" "$2"; return 1; }
}

# same_in DATABASE "statement": the statement gives the same there as in database postgres, and is not empty.
same_in() {
  local here there
  here=$(cluster_sql "$2") && there=$(cluster_sql "$2" "$1") || return 1
  [ -n "$here" ] && [ "$here" = "$there" ] || { printf '%s\nhere:  %s\nthere: %s\n' "$2" "$here" "$there"; return 1; }
}

# prints_nothing COMMAND…: the command succeeds and prints nothing.
prints_nothing() {
  local got
  got=$("$@") || return 1
  [ -z "$got" ] || { echo "$got"; return 1; }
}

# matches "statement" PATTERN: what the statement gives matches.
matches() {
  local got
  got=$(cluster_sql "$1" 2>&1) || true
  grep -qE "$2" <<<"$got" || { printf '%s\ngave: %s\nwithout: %s\n' "$1" "$got" "$2"; return 1; }
}

# report [ARGUMENTS]: the statement that gives the report in one line, each gap one space. Where its lines break depends on how long
# the figures in them are, so what is looked for in it may not.
report() { echo "SELECT regexp_replace(string_agg(line, ' '), '\\s+', ' ', 'g') FROM ebs_advise(${1:+$1, }show => 'all') line"; }

# within PERCENT A B: the two differ by no more than that of the second.
within() { awk -v p="$1" -v a="$2" -v b="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; print a, b; exit !(d <= p / 100 * b) }'; }

# page_block PAGE PATTERN: prints the first block between fences of that page that has a line with the pattern.
page_block() {
  awk -v pattern="$2" '
    /^```/ { if (inside && found) { printf "%s", text; exit } inside = !inside; text = ""; found = 0; next }
    inside { text = text $0 "\n"; if ($0 ~ pattern) found = 1 }
  ' "$ROOT/$1" | grep .
}

# program NAME: prints the path of a program of this project. scripts/test has built it; if it is missing, one test builds it, and others
# wait for that.
program() { built "$1" -p "$1"; }
# history_generator: prints the path of the program that writes history as the sampler would have, which `cargo test` builds.
history_generator() { built examples/generate_history -p ebs_samples --example generate_history; }
# fleet_generator: prints the path of the program that makes up fleets, which `cargo test` builds.
fleet_generator() { built examples/generate_fleet -p ebs_fixtures --example generate_fleet; }
# made_documents BYTES: creates the table of documents for every import in the database postgres (fuzz/examples/made.rs).
made_documents() {
  "$(built examples/made -p ebs_advisor_fuzz --example made)" "$1" | cluster_psql -d postgres -qX -v ON_ERROR_STOP=1 -f - >/dev/null
}
# cancel_calls: a call of every function that takes it long, as tests/live/cancel_calls.txt has them, and of the import of every format its
# first document.
cancel_calls() {
  cat "$ROOT/tests/live/cancel_calls.txt"
  cluster_sql "SELECT DISTINCT ON (function) '!' || function || '|SELECT ' || call || ' FROM made WHERE number = ' || number
    FROM made WHERE call IS NOT NULL AND NOT hostile ORDER BY function, number"
}
built() {
  local path=$BUILT/$1
  shift
  command -v cargo >/dev/null || PATH=$HOME/.cargo/bin:$PATH
  mkdir -p "$TARGET_DIR"
  [ -x "$path" ] || CARGO_TARGET_DIR=$TARGET_DIR flock "$TARGET_DIR" \
    cargo build --locked --quiet --profile "$EBS_ADVISOR_PROFILE" --manifest-path "$ROOT/Cargo.toml" "$@" >&2
  echo "$path"
}

# loops_left: detaches the loop devices of emulated volumes whose test was killed, which do not end with a namespace. The kernel shows
# the file of a mount in another namespace as "/"; a device whose mount is gone cannot be read.
loops_left() {
  local device file status
  while read -r device file; do
    [ "$file" = / ] || continue
    status=0
    timeout 10 dd if="$device" of=/dev/null bs=4k count=1 iflag=direct status=none 2>/dev/null || status=$?
    [ "$status" != 1 ] || losetup --detach "$device" || true
  done < <(losetup --list --noheadings --output NAME,BACK-FILE 2>/dev/null)
}

# The shell's own kill: a minimal machine has no other.
signal() { as_server bash -c "kill -$1 $2"; }
sampler_pid() { cluster_sql "SELECT pid FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"; }
# stop_process PID: stops it until it gets SIGCONT.
stop_process() {
  signal STOP "$1"
  await grep -q '^State:.T' "/proc/$1/status"
}
# launcher_looks: has the launcher check three times that the sampler runs. When it is woken, it checks before it sleeps again.
launcher_looks() {
  local pid slept _
  pid=$(cluster_sql "SELECT pid FROM pg_stat_activity WHERE backend_type = 'ebs_advisor launcher'")
  for _ in 1 2 3; do
    slept=$(times_slept "$pid")
    signal USR1 "$pid"
    await has_slept "$pid" "$slept"
  done
}
times_slept() { awk '/^voluntary_ctxt_switches/ { print $2 }' "/proc/$1/status"; }
has_slept() { [ "$(times_slept "$1")" -gt "$2" ]; }
# server_log ARGUMENT…: runs grep on the server's log, without the line that says that the tree of own_disk_settings has no processes.
server_log() { grep "$@" < <(grep -vF "$SCRATCH/tree/proc/self" "$CLUSTER/server.log"); }
# logged PATTERN: prints the number of such lines.
logged() { server_log -cE "$1" || true; }
# not_logged [OPTION…] PATTERN: fails where there are such lines, and prints them.
not_logged() { ! server_log -E "$@" | head -n 100 | grep .; }

# until_true CONDITION: a statement that waits until it holds, within the session and the transaction that run it.
until_true() {
  echo "DO \$\$ BEGIN
    FOR i IN 1 .. $((PATIENCE * 50)) LOOP
      IF $1 THEN RETURN; END IF;
      PERFORM pg_sleep(0.02), pg_stat_clear_snapshot();
    END LOOP;
    RAISE 'what is waited for did not come';
  END \$\$;"
}
# alone [APPLICATION]: statements that wait until no other session (but that) is connected: the counters of earlier ones are then
# complete. FLUSHED, after everything else that is to be counted, publishes this session's own counters at once. PostgreSQL publishes
# commits only with other counters, which may just have been published: so it scans a table.
alone() {
  echo "SET client_min_messages = warning;"
  until_true "NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      AND application_name <> '${1:-none but that}')"
}
FLUSHED='SELECT FROM pg_stat_force_next_flush(), (SELECT FROM pg_database LIMIT 1) d;'
# Number of samples that the sampler has taken, from any database.
SAMPLES_TAKEN="(SELECT replace(substring(detail FROM '^[0-9,]+'), ',', '')::int FROM ebs_status() WHERE \"check\" = 'samples')"

# meanwhile SECONDS: waits a time in which something must not happen: a longer one proves more, a shorter one never fails.
meanwhile() { sleep "$1"; }

# open_session: a psql that runs the statements that send writes, and whose answers receive reads; its process id is in pid. It shows
# no notices.
open_session() {
  coproc SESSION { cluster_psql -d postgres -qAtX 2>"$SCRATCH/session.log"; }
  session_in=${SESSION[1]} session_out=${SESSION[0]}
  send 'SET client_min_messages = error;' 'SELECT pg_backend_pid();'
  receive
  pid=$reply
}
send() { printf '%s\n' "$@" '\echo .' >&"$session_in"; }
# receive: sets reply to the last line of an answer; "nothing" where a defect is the only reason left.
receive() {
  local line
  reply=
  while read -r -t "$PATIENCE" line <&"$session_out"; do
    [ "$line" != . ] || return 0
    reply=$line
  done
  reply=nothing
}

# watch ROLE LABEL [ARGUMENT…]: ebsctl, as a program that the server's account may run, watches the cluster as this role, and keeps the
# run in database postgres. Its process id is in a file.
watch() {
  local role=$1 label=$2
  shift 2
  [ -x "$SCRATCH/ebsctl" ] || install -m 755 "$(program ebsctl)" "$SCRATCH/ebsctl"
  cluster_run sh -c 'echo $$ >ebsctl.pid; exec "$@"' sh "$SCRATCH/ebsctl" watch "host=$CLUSTER user=$role dbname=postgres" \
    --label "$label" -d "host=$CLUSTER user=postgres dbname=postgres" "$@"
}
# watching ROLE LABEL [ARGUMENT…]: the same in the background, until a reading has followed another; its output is in $SCRATCH/LABEL.log.
watching() {
  label=$2
  watch "$@" >"$SCRATCH/$label.log" 2>&1 &
  watcher=$!
  watched_twice
}
# watched_twice: waits until two more readings have begun. By their times as texts, since the clock may be set.
WATCH="FROM pg_stat_activity WHERE application_name = 'ebsctl' AND query LIKE '%arrived_us%'"
watched_twice() {
  local before
  for _ in 1 2; do
    before=$(cluster_sql "SELECT coalesce(max(query_start)::text, '') $WATCH")
    cluster_await "SELECT query_start::text <> '$before' $WATCH"
  done
}
# watch_ends: interrupts the watch, waits for it, prints what it said, and has its exit status.
watch_ends() {
  signal INT "$(cat "$CLUSTER/ebsctl.pid")"
  local status=0
  wait "$watcher" || status=$?
  sed 's/^/# /' "$SCRATCH/$label.log"
  return "$status"
}

# peaks_apart SECONDS: makes run "long", in which IOPS and MiB/s peak at different times, so that stripes take long to search.
peaks_apart() {
  cluster_sql "SELECT ebs_import_samples('long', 'nvme1n1', jsonb_agg(jsonb_build_object(
      'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s', 'reads', r, 'writes', 0,
      'read_bytes', r * 8192 + CASE WHEN i % 89 = 0 THEN 419430400 ELSE 0 END, 'write_bytes', 0) ORDER BY i))
    FROM (SELECT i, (2000 + i * 7919::bigint % 1000 + CASE WHEN i % 300 < 20 THEN 3000 ELSE 0 END
                    + CASE WHEN i % 97 = 0 THEN 9000 ELSE 0 END)::bigint AS r FROM generate_series(1, $1) i) demand" >/dev/null
}

# without_room: makes a table whose updates find no room in their pages, as its column is indexed.
without_room() {
  cluster_sql "CREATE TABLE narrow (id int PRIMARY KEY, n int, filler text); CREATE INDEX ON narrow (filler);
    INSERT INTO narrow SELECT i, 0, repeat('x', 80) || i FROM generate_series(1, 40000) i"
  cluster_sql 'VACUUM ANALYZE narrow'
}
# causes_found RUN: checks the findings of a run with such updates and with checkpoints forced by WAL.
causes_found() {
  check "updates without room name their table" \
    is "SELECT subject FROM ebs_findings('$1') WHERE finding = 'fillfactor'" public.narrow
  check "checkpoints forced by WAL are named" \
    matches "SELECT measured FROM ebs_findings('$1') WHERE finding = 'checkpoints'" '^[1-9][0-9]* checkpoints in'
  # The columns are rounded, so that equal ones say nothing about the order.
  check "ranked by what they may save" is "WITH f AS (SELECT rank, coalesce(requests_s_saved_low + requests_s_saved_high, 0) AS saved
    FROM ebs_findings('$1')) SELECT count(*) FROM f a JOIN f b ON a.rank < b.rank WHERE a.saved < 0.99 * b.saved - 0.2" 0
  check "no more is saved than was asked for" is "SELECT count(*) FROM ebs_findings('$1') WHERE NOT demand_pct BETWEEN 1 AND 100.001
    OR requests_s_saved_low > requests_s_saved_high" 0
}

# own_disk: has the sampler see a disk of the test's own, nvme0n1, with the whole cluster on it, in trees that stand for /proc and /sys.
own_disk() {
  own_disk_settings >"$SCRATCH/tree.conf"
  set_to procfs_root "$SCRATCH/tree/proc" sysfs_root "$SCRATCH/tree/sys"
  # An interval in which it was not known yet may be joined with a short one after it: not with what comes after this.
  cluster_await 'SELECT count(*) > 0 FROM ebs_device_samples()'
}
# own_disk_settings: prints the settings for that, of a cluster that is to be made.
own_disk_settings() {
  cp -a "$ROOT/tests/trees/nitro" "$SCRATCH/tree"
  # The account of the server may not be able to read this clone.
  chmod -R a+rX "$SCRATCH/tree"
  echo '20 1 259:1 / / rw - ext4 /dev/nvme0n1p1 rw' >"$SCRATCH/tree/proc/self/mountinfo"
  printf "ebs_advisor.%s_root = '$SCRATCH/tree/%s'\n" procfs proc sysfs sys
}

# disk_reads READS [WRITES]: adds requests of 8 KiB to the counters of that disk, in one step: the kernel's file is never half written.
disk_reads() {
  local stats=$SCRATCH/tree/proc/diskstats
  awk -v n="$1" -v w="${2:-0}" '$3 == "nvme0n1" { $4 += n; $6 += 16 * n; $8 += w; $10 += 16 * w } { print }' "$stats" >"$stats.new"
  mv "$stats.new" "$stats"
}

# disk_settings: prints settings with which there is a disk to sample: none if there is one, or those of own_disk_settings, as on the
# overlay of a container.
disk_settings() { whole_device "$SCRATCH" >/dev/null || own_disk_settings; }

# whole_device [DIRECTORY]: prints the name of the disk that holds the cluster, or that directory; fails if it is on none.
whole_device() {
  local number
  number=$(stat --format '%Hd:%Ld' "${1:-$CLUSTER}")
  [[ $number != 0:* ]] || return 1
  local path=/sys/dev/block/$number
  [ -e "$path" ] || return 1
  [ ! -e "$path/partition" ] || path=$path/..
  basename "$(readlink -f "$path")"
}
