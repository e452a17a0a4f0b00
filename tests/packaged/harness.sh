# What the tests with packaged PostgreSQL share, besides the live tests' harness: each is a live test whose server runs in the
# chroot. Sourced first by each of them.
. "$ROOT/scripts/packaged.sh"
packaged_live

# server [BUFFERS]: a cluster with all three extensions, and with what keeps what is measured. Tables are small, and so are its
# buffers: what is asked for has to be read.
server() {
  fresh <<CONF
shared_preload_libraries = 'pg_stat_statements, ebs_advisor'
shared_buffers = ${1:-4MB}
debug_io_direct = data   # no page cache: what the server reads the device reads, and after a restart nothing is cached
track_io_timing = on
autovacuum = off         # it would read and write when it likes
jit = off                # compiling what is wide takes most of a minute
checkpoint_timeout = 1h
max_wal_size = 4GB
default_statistics_target = 1400   # 420,000 rows, more than any table has: plans are the same each time
CONF
  cluster_psql -d postgres -qX -v ON_ERROR_STOP=1 -f - <"$ROOT/tests/packaged/tables.sql" >/dev/null
  sampler_works
}

# client COMMAND…: runs it in the chroot, as a client of the cluster.
client() { cluster_run env PGHOST="$CLUSTER" PGUSER=postgres PGDATABASE=postgres "$@"; }
sql_file() { cluster_psql -d postgres -qX -v ON_ERROR_STOP=1 -f - >/dev/null; }

# transactions NUMBER: the pgbench script on standard input that often, the same each time it is asked for.
transactions() {
  cat >"$SCRATCH/pgbench.sql"
  client env PGOPTIONS='-c synchronous_commit=off' pgbench --no-vacuum --protocol prepared --random-seed 7 --client 1 \
    --transactions "$1" --file "$SCRATCH/pgbench.sql" >"$SCRATCH/pgbench.log" 2>&1 || { cat "$SCRATCH/pgbench.log"; return 1; }
}

# vacuumed: the SQL on standard input, then the tables of the test's schema vacuumed and with statistics.
vacuumed() {
  cluster_sql "SET client_min_messages = warning; DROP SCHEMA IF EXISTS $TEST CASCADE"
  sql_file
  cluster_sql "SELECT format('VACUUM (ANALYZE) %s;', oid::regclass) FROM pg_class
    WHERE relnamespace = '$TEST'::regnamespace AND relkind = 'r'" | sql_file
}

# cold: nothing in shared buffers. Direct I/O keeps the page cache empty.
cold() {
  cluster_stop
  cluster_start
  sampler_works
}

# measured LABEL COMMAND…: runs it on a cold cache as run LABEL, and keeps what it read and wrote in table measured. What clients
# did is counted when they are gone, what a checkpoint wrote before the next begins.
measured() {
  local run=$1
  shift
  cold
  cluster_sql "SELECT pg_stat_statements_reset(); CHECKPOINT; CHECKPOINT;
    CREATE TABLE measured_before AS SELECT * FROM counted; SELECT ebs_run_begin('$run')" >/dev/null
  "$@"
  cluster_sql "SET pg_stat_statements.track_utility = off; $(alone)"
  cluster_sql 'CHECKPOINT; CHECKPOINT'
  cluster_sql "SELECT ebs_run_end();
    INSERT INTO measured SELECT '$run', c.reads - b.reads, c.writes - b.writes, c.wal_bytes - b.wal_bytes, s.blocks_read, s.calls, d.mib
      FROM counted c, measured_before b, stated s,
        (SELECT sum(read_bytes) / 1048576.0 AS mib FROM ebs_balance('$run') WHERE side = 'PostgreSQL' OR line IN ('page cache', 'unattributed')) d;
    DROP TABLE measured_before" >/dev/null
}

# advised RUN [ARGUMENTS]: what is advised on it, kept in table advice.
advised() { cluster_sql "INSERT INTO advice SELECT '$TEST', * FROM ebs_index_advice('$1'${2:-})"; }

# no_nonsense: of what is advised. The indexes are created to see it.
no_nonsense() {
  check "no index is advised that another begins with, on a small table, or that saves nothing" \
    is "SELECT string_agg(nonsense, '; ') FROM nonsense('$TEST')" ''
}

. "$ROOT/tests/packaged/index_case.sh"
