# Whose I/O it was: sessions of two databases and two applications, each with the bytes that PostgreSQL says of it.
# On every major: PostgreSQL counts I/O by process from 18 on.
sampling <<CONF
shared_buffers = 2MB
max_parallel_workers_per_gather = 0
autovacuum = off
CONF
cluster_sql 'CREATE DATABASE sales'
cluster_sql 'CREATE DATABASE stock'
cluster_sql 'CREATE ROLE clerk LOGIN SUPERUSER'
begin() { cluster_sql "SELECT ebs_run_begin('$1')" >/dev/null; }
mark() { cluster_sql "SELECT ebs_run_mark('$1')" >/dev/null; }
end() { cluster_sql 'SELECT ebs_run_end()' >/dev/null; }
version=$(cluster_sql "SELECT current_setting('server_version_num')::int / 10000")

begin off
end
if [ "$version" -lt 18 ]; then
  check "before 18 it is not known, and said so" matches "SELECT * FROM ebs_io_sessions('off')" \
    '^NOTICE:  I/O is counted by session from PostgreSQL 18 on$'
  set_to track_database on track_role on track_application_name on
  check "whatever is set" matches "SELECT * FROM ebs_io_sessions(lookback => '1 hour')" \
    '^NOTICE:  I/O is counted by session from PostgreSQL 18 on$'
  skip "PostgreSQL $version does not count I/O by process"
  return
fi
check "where nobody asked it is not known, and said why" matches "SELECT * FROM ebs_io_sessions('off')" \
  '^NOTICE:  no I/O was told apart by session in run off: ebs_advisor.track_database, ebs_advisor.track_role and .* were off$'

# PostgreSQL forgets a session when it ends, so these stay until they are told to go, and publish what they counted at each
# answer.
declare -A input
# connect APPLICATION DATABASE ROLE: such a session.
connect() {
  local descriptor
  mkfifo "$SCRATCH/$1"
  chmod 666 "$SCRATCH/$1"
  # Here, since what it says is looked for before it has opened that.
  : >"$SCRATCH/$1.out"
  (cluster_run env PGAPPNAME="$1" "$PG_BIN/psql" -X -h "$CLUSTER" -U "$3" -d "$2" -qAt <"$SCRATCH/$1" >"$SCRATCH/$1.out" 2>&1) &
  exec {descriptor}>"$SCRATCH/$1"
  input[$1]=$descriptor
}
# in_session APPLICATION STATEMENTS: returns when it has done them, and told PostgreSQL's statistics all of it.
in_session() {
  local before
  before=$(answered "$1")
  printf '%s;\nSELECT pg_stat_force_next_flush();\n\\echo answered\n' "$2" >&"${input[$1]}"
  await has_answered "$1" "$before"
}
answered() { grep -c '^answered$' "$SCRATCH/$1.out" || true; }
has_answered() { [ "$(answered "$1")" -gt "$2" ] || { cat "$SCRATCH/$1.out"; return 1; }; }
# leave_all: ends them.
leave_all() {
  local name
  for name in "${!input[@]}"; do printf '\\q\n' >&"${input[$name]}"; done
  wait
  input=()
}
# counted APPLICATION OPERATION: bytes that PostgreSQL has counted of it, and nothing is added while it waits for statements.
counted() {
  cluster_sql "SELECT coalesce(sum($2_bytes), 0) FROM pg_stat_activity a, pg_stat_get_backend_io(a.pid)
    WHERE application_name = '$1' AND a.backend_type = 'client backend'"
}
# told RUN APPLICATION OPERATION [DATABASE ROLE]: what we say of it; without a database and a role, where neither is known.
told() {
  cluster_sql "SELECT coalesce(sum($3_bytes), 0) FROM ebs_io_sessions('$1') WHERE application_name = '$2'
    AND coalesce(database, '') = '${4:-}' AND coalesce(role, '') = '${5:-}'"
}

connect old sales clerk
in_session old "CREATE TABLE a AS SELECT i, repeat('x', 500) AS filler FROM generate_series(1, 40000) i; CHECKPOINT"
table=$(cluster_sql "SELECT pg_relation_size('a')" sales)
# A scan finds of its table what is in shared buffers, which is no more than there is room for.
scan=$((table - 2 * 1024 * 1024))
# One that was connected before anybody looked: what it did until then is not of this run.
connect early sales clerk
in_session early 'SELECT count(*) FROM a'
set_to track_database on track_role on track_application_name on
before=$(counted early read)
begin told
connect reports sales clerk
in_session reports 'SELECT count(*) FROM a; SELECT count(*) FROM a'
connect loader stock postgres
in_session loader "CREATE TABLE b AS SELECT i, repeat('y', 500) AS filler FROM generate_series(1, 20000) i"
in_session early 'SELECT count(*) FROM a WHERE i < 0'
mark seen
check "a reader reads its table twice" test "$(counted reports read)" -ge $((2 * scan))
check "as PostgreSQL says of it" test "$(told told reports read sales clerk)" = "$(counted reports read)"
check "a loader writes what PostgreSQL says of it" test "$(told told loader write stock postgres)" = "$(counted loader write)"
check "and extends" test "$(told told loader extend stock postgres)" = "$(counted loader extend)"
check "which is its table at least" test "$(counted loader extend)" -ge "$(cluster_sql "SELECT pg_relation_size('b')" stock)"
check "of a session that was there before, what it did since counts" test \
  "$(told told early read sales clerk)" = $(($(counted early read) - before))
check "and it did read" test "$(told told early read sales clerk)" -ge "$scan"
# A look at sessions and the sample it belongs to are a moment apart, of which less and less is left as the run goes on.
quiet() {
  local said
  said=$(cluster_sql "SELECT count(*) FROM ebs_io_sessions('told')" 2>&1) || return 1
  ! grep NOTICE <<<"$said"
}
check "nothing to add about a whole run" await quiet
end
leave_all
check "nothing is lost as they go" test "$(told told reports read sales clerk)" -ge $((2 * scan))
check "shares add up" is "SELECT round(sum(share_pct)) FROM ebs_io_sessions('told')" 100
check "sessions are no more than the server" is \
  "SELECT (SELECT sum(read_bytes) FROM ebs_io_sessions('told')) <= (SELECT sum(read_bytes) FROM ebs_io_sources('told'))" t

# Parallel workers are processes of their own, which tell what they read as they end: nobody looks between that and their end,
# because no sample is due within a minute but those that are asked for.
set_to sample_interval 60s
connect gathers sales clerk
in_session gathers "SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0;
  SET parallel_leader_participation = off"
# Workers of the server, the sampler among them: counts only grow, so what is read before the run and after it is at least as far
# apart as what the run counted, and what is read within it is no further.
workers() {
  cluster_sql "SELECT sum(read_bytes) FROM pg_stat_io WHERE backend_type = 'background worker' AND object = 'relation'"
}
outer=$(workers)
begin parallel
inner=$(workers)
leader=$(counted gathers read)
in_session gathers 'SELECT count(*) FROM a'
inner=$(($(workers) - inner))
leader=$(($(counted gathers read) - leader))
end
outer=$(($(workers) - outer))
said=$(cluster_sql "SELECT sum(read_bytes) FROM ebs_io_sources('parallel')
  WHERE backend_type = 'background worker' AND object = 'relation'")
check "parallel workers read the table" test "$inner" -ge "$scan"
check "as PostgreSQL says of them" test "$said" -ge "$inner" -a "$said" -le "$outer"
check "and are in no session: it is a lower bound" test "$(told parallel gathers read sales clerk)" = "$leader"
check "nor in one of their own" is "SELECT count(*) FROM ebs_io_sessions('parallel') WHERE backend_type = 'parallel worker'" 0
leave_all

# Counters that somebody resets, and dimensions that are off.
set_to track_database off track_role off
begin reset
connect resetter sales clerk
in_session resetter 'SELECT count(*) FROM a'
first=$(counted resetter read)
mark first
cluster_sql "SELECT pg_stat_reset_backend_stats(pid) FROM pg_stat_activity WHERE application_name = 'resetter'" >/dev/null
check "a reset leaves nothing" test "$(counted resetter read)" = 0
mark reset
in_session resetter 'SELECT count(*) FROM a'
second=$(counted resetter read)
end
check "both scans read the table" test "$first" -ge "$scan" -a "$second" -ge "$scan"
check "what was counted before a reset and after it counts" test "$(told reset resetter read)" = $((first + second))
leave_all
check "dimensions that are off are NULL" is "SELECT count(coalesce(database, role)) FROM ebs_io_sessions('reset')" 0
set_to track_application_name off sample_interval 1s
# The part grows smaller for as long as nobody asks.
part() {
  local text='NOTICE:  I/O was told apart by session for [0-9.]+ % of the time sampled in the last hour; else'
  matches "SELECT * FROM ebs_io_sessions(lookback => '1 hour')" "$text ebs_advisor.track_database, .* were off"
}
check "a part of the time is said to be one" await part
