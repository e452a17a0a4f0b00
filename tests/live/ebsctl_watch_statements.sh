# Statements of a watched run: those of the workload, and none of the watch itself, though the same role executes both.
# On every major: query ids and columns of pg_stat_statements.
if [ ! -e "$("$PG_BIN/pg_config" --sharedir)/extension/pg_stat_statements.control" ]; then
  skip "statements of a watched run: this PostgreSQL has no pg_stat_statements"
  return
fi
sampling <<<"shared_preload_libraries = 'ebs_advisor, pg_stat_statements'"
cluster_sql 'CREATE EXTENSION pg_stat_statements; CREATE ROLE watcher LOGIN; GRANT pg_monitor TO watcher'
as_watcher() { cluster_psql -d postgres -U watcher -qAtX -v ON_ERROR_STOP=1 -c "$1" >/dev/null; }
watching watcher statements --for 1h
as_watcher 'SELECT count(*) FROM pg_class WHERE relname = $$users$$'
cluster_sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ebsctl'" >/dev/null
check "a connection that is ended is opened again" await grep -q '^connected again' "$SCRATCH/statements.log"
watched_twice
check "the watch ends" watch_ends
check "pg_stat_statements counts its queries" is "SELECT count(*) > 2 FROM pg_stat_statements s WHERE s.userid = 'watcher'::regrole
  AND s.query LIKE '%pg_stat_get_activity%'" t
check "the run lists none of them, and the user's own of the same role" is \
  "SELECT DISTINCT statement FROM ebs_queries('statements') WHERE role = 'watcher'" 'SELECT count(*) FROM pg_class WHERE relname = $1'
check "other roles' statements are listed" is "SELECT count(*) > 0 FROM ebs_queries('statements') WHERE role = 'postgres'" t
