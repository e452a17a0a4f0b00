# What the tests with packaged PostgreSQL share. Each file is sourced inside the namespace, with the cluster up and TEST its
# name. check, is, matches, within and skip are those of the live tests.

SCRATCH=$CHROOT$PLACE
cluster_sql() { packaged_sql "$1"; }

sql_file() { packaged_run psql --no-psqlrc -qX -v ON_ERROR_STOP=1 -f - >/dev/null; }

# transactions NUMBER [OPTION…]: the pgbench script on standard input that often, the same each time it is asked for.
transactions() {
  local number=$1 log=$SCRATCH/$TEST.log
  shift
  cat >"$SCRATCH/$TEST.pgbench"
  packaged_run env PGOPTIONS='-c synchronous_commit=off' pgbench --no-vacuum --protocol prepared --random-seed 7 --client 1 \
    --transactions "$number" --file "$PLACE/$TEST.pgbench" "$@" >"$log" 2>&1 || { cat "$log"; return 1; }
}

# vacuumed: the SQL on standard input, then the tables of the test's schema vacuumed and with statistics.
vacuumed() {
  packaged_sql "SET client_min_messages = warning; DROP SCHEMA IF EXISTS $TEST CASCADE"
  sql_file
  packaged_sql "SELECT format('VACUUM (ANALYZE) %s;', oid::regclass) FROM pg_class
    WHERE relnamespace = '$TEST'::regnamespace AND relkind = 'r'" | sql_file
}

# cold: nothing in shared buffers. Direct I/O keeps the page cache empty.
cold() {
  packaged_stop
  packaged_start
  packaged_await 20 "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
}

# measured LABEL COMMAND…: runs it on a cold cache as run LABEL, and keeps what it read and wrote in table measured.
measured() {
  local run=$1
  shift
  cold
  packaged_sql "SELECT pg_stat_statements_reset(); CHECKPOINT;
    CREATE TABLE measured_before AS SELECT * FROM counted; SELECT ebs_run_begin('$run')" >/dev/null
  "$@"
  packaged_sql 'CHECKPOINT'
  sleep 1.2 # counters come with a process's end, or within a second
  packaged_sql "SELECT ebs_run_end();
    INSERT INTO measured SELECT '$run', c.reads - b.reads, c.writes - b.writes, c.wal_bytes - b.wal_bytes, s.blocks_read, s.calls, d.mib
      FROM counted c, measured_before b, stated s,
        (SELECT sum(read_bytes) / 1048576.0 AS mib FROM ebs_balance('$run') WHERE side = 'PostgreSQL' OR line IN ('page cache', 'unattributed')) d;
    DROP TABLE measured_before" >/dev/null
}

# advised RUN [ARGUMENTS]: what is advised on it, kept in table advice.
advised() { packaged_sql "INSERT INTO advice SELECT '$TEST', * FROM ebs_index_advice('$1'${2:-})"; }

# no_nonsense: of what is advised. The indexes are created to see it.
no_nonsense() {
  check "no index is advised that another begins with, on a small table, or that saves nothing" \
    is "SELECT string_agg(nonsense, '; ') FROM nonsense('$TEST')" ''
}

. "$ROOT/tests/packaged/index_case.sh"
