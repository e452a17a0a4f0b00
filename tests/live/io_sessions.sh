# Whose I/O it was: sessions of two databases and two applications, each with the bytes that PostgreSQL says of it.
sampling <<CONF
shared_buffers = 2MB
max_parallel_workers_per_gather = 0
autovacuum = off
CONF
cluster_sql 'CREATE DATABASE sales'
cluster_sql 'CREATE DATABASE stock'
cluster_sql 'CREATE ROLE clerk LOGIN SUPERUSER'
# statements DATABASE APPLICATION ROLE: what comes on standard input, each in a transaction of its own, in one session.
statements() { cluster_run env PGAPPNAME="$2" "$PG_BIN/psql" -X -h "$CLUSTER" -U "$3" -d "$1" -qAt; }
set_to() {
  local name
  for name in database role application_name; do cluster_sql "ALTER SYSTEM SET ebs_advisor.track_$name = $1"; done
  cluster_sql 'SELECT pg_reload_conf()' >/dev/null
  sleep 2.2
}
begin() { cluster_sql "SELECT ebs_run_begin('$1')" >/dev/null; }
end() { cluster_sql 'SELECT ebs_run_end()' >/dev/null; }
version=$(cluster_sql "SELECT current_setting('server_version_num')::int / 10000")

begin off
sleep 1.2
end
if [ "$version" -lt 18 ]; then
  check "before 18 it is not known, and said so" matches "SELECT * FROM ebs_io_sessions('off')" \
    '^NOTICE:  I/O is counted by session from PostgreSQL 18 on$'
  set_to on
  check "whatever is set" matches "SELECT * FROM ebs_io_sessions(lookback => '1 hour')" \
    '^NOTICE:  I/O is counted by session from PostgreSQL 18 on$'
  skip "PostgreSQL $version does not count I/O by process"
  return
fi
check "where nobody asked it is not known, and said why" matches "SELECT * FROM ebs_io_sessions('off')" \
  '^NOTICE:  no I/O was told apart by session in run off: ebs_advisor.track_database, ebs_advisor.track_role and .* were off$'

# One that was connected before anybody looked: what it did until then is not of this run.
statements sales old clerk <<<"CREATE TABLE a AS SELECT i, repeat('x', 500) AS filler FROM generate_series(1, 40000) i; CHECKPOINT;"
mkfifo "$SCRATCH/talk"
chmod 666 "$SCRATCH/talk"
(statements sales early clerk <"$SCRATCH/talk" >"$SCRATCH/early" 2>&1) &
exec 7>"$SCRATCH/talk"
# answered LINES: waits until it has answered with so many, two for each pair of statements.
answered() {
  local tries
  for ((tries = 0; tries < 200; tries++)); do
    [ "$(wc -l <"$SCRATCH/early")" -lt "$1" ] || return 0
    sleep 0.1
  done
  cat "$SCRATCH/early"
  return 1
}
echo "SELECT count(*) FROM a; SELECT pg_stat_force_next_flush();" >&7
answered 2
set_to on
begin told
own="SELECT sum(read_bytes), sum(write_bytes), sum(extend_bytes) FROM pg_stat_get_backend_io(pg_backend_pid());"
# PostgreSQL forgets a session when it ends: until a sample has seen what it did, it stays.
done="SELECT pg_stat_force_next_flush(); $own SELECT pg_sleep(5);"
statements sales reports clerk <<<"SELECT count(*) FROM a \\; SELECT count(*) FROM a; $done" >"$SCRATCH/reports" &
reports=$!
statements stock loader postgres <<<"CREATE TABLE b AS SELECT i, repeat('y', 500) AS filler FROM generate_series(1, 20000) i; $done" \
  >"$SCRATCH/loader" &
loader=$!
wait $reports $loader
echo "SELECT count(*) FROM a WHERE i < 0; SELECT pg_stat_force_next_flush();" >&7
answered 4
end
exec 7>&-
wait

own_of() { awk -F'|' -v field="$2" 'NF == 3 { print $field }' "$SCRATCH/$1"; }
told() { cluster_sql "SELECT sum($2) FROM ebs_io_sessions('told') WHERE application_name = '$1' AND database = '$3' AND role = '$4'"; }
table=$(cluster_run "$PG_BIN/psql" -X -h "$CLUSTER" -U postgres -d sales -qAtc "SELECT pg_table_size('a')")
check "a reader reads its table twice" within 5 "$(told reports read_bytes sales clerk)" $((2 * table))
check "as PostgreSQL says of it" within 1 "$(told reports read_bytes sales clerk)" "$(own_of reports 1)"
check "a loader writes what PostgreSQL says of it" within 1 "$(told loader write_bytes stock postgres)" "$(own_of loader 2)"
check "and extends" within 1 "$(told loader extend_bytes stock postgres)" "$(own_of loader 3)"
check "of a session that was there before, what it did since counts" within 5 "$(told early read_bytes sales clerk)" "$table"
check "shares add up" is "SELECT round(sum(share_pct)) FROM ebs_io_sessions('told')" 100
check "sessions are no more than the server" is \
  "SELECT (SELECT sum(read_bytes) FROM ebs_io_sessions('told')) <= (SELECT sum(read_bytes) FROM ebs_io_sources('told'))" t
check "nothing to add about a whole run" test -z "$(cluster_sql "SELECT count(*) FROM ebs_io_sessions('told')" 2>&1 | grep NOTICE)"

# Parallel workers are processes of their own, which tell what they read as they end: these live for seconds.
begin parallel
statements sales gathers clerk <<SQL >/dev/null
SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0;
SET parallel_leader_participation = off;
SELECT count(*) FROM a WHERE i % 100 > 0 OR pg_sleep(0.01) IS NULL;
SELECT pg_stat_force_next_flush(); SELECT pg_sleep(5);
SQL
end
workers=$(cluster_sql "SELECT sum(read_bytes) FROM ebs_io_sources('parallel') WHERE backend_type = 'background worker' AND object = 'relation'")
check "parallel workers read the table" within 5 "$workers" "$table"
check "and are in no session: it is a lower bound" is "SELECT sum(read_bytes) < 1000000 FROM ebs_io_sessions('parallel')" t

# Counters that somebody resets, and dimensions that are off.
cluster_sql "ALTER SYSTEM SET ebs_advisor.track_database = off"
cluster_sql "ALTER SYSTEM SET ebs_advisor.track_role = off"
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
sleep 2.2
begin reset
statements sales resetter clerk <<<"SELECT count(*) FROM a; SELECT pg_stat_force_next_flush(); SELECT pg_sleep(5);
  SELECT pg_stat_reset_backend_stats(pg_backend_pid()); SELECT pg_sleep(5); SELECT count(*) FROM a; SELECT pg_stat_force_next_flush();
  SELECT pg_sleep(5)" >/dev/null
end
check "what was counted before a reset and after it counts" within 5 \
  "$(cluster_sql "SELECT sum(read_bytes) FROM ebs_io_sessions('reset') WHERE application_name = 'resetter'")" $((2 * table))
check "dimensions that are off are NULL" is "SELECT count(coalesce(database, role)) FROM ebs_io_sessions('reset')" 0
check "a part of the time is said to be one" matches "SELECT * FROM ebs_io_sessions(lookback => '1 hour')" \
  'NOTICE:  I/O was told apart by session for [0-9.]+ % of the time sampled in the last hour; else ebs_advisor.track_database, .* were off'
