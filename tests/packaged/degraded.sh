# Without hypopg, without pg_stat_statements: the answer says what is missing and how to get it, and gives what it can.
. "$ROOT/tests/packaged/harness.sh"
server
says() { matches "SELECT string_agg(concat_ws(' ', kind, reason, ddl), '; ') FROM ebs_index_advice()" "$1"; }
advises_no_index() { is "SELECT count(*) FROM ebs_index_advice() WHERE advised AND kind = 'index'" 0; }

# hidden EXTENSION: as on a machine on which it is not installed, until seen. The directory's other files stay.
hidden() {
  local extensions=$CHROOT/usr/share/postgresql/$PACKAGED_MAJOR/extension
  mkdir "$SCRATCH/extension"
  cp "$extensions"/* "$SCRATCH/extension/"
  rm "$SCRATCH/extension/$1"*
  mount --bind "$SCRATCH/extension" "$extensions"
}
seen() {
  umount "$CHROOT/usr/share/postgresql/$PACKAGED_MAJOR/extension"
  rm -r "$SCRATCH/extension"
}

unplannable() { cluster_sql 'SELECT count(*) FROM degraded.t WHERE i > 5 - 3' >/dev/null; }
vacuumed <<<'CREATE SCHEMA degraded; CREATE TABLE degraded.t AS SELECT i FROM generate_series(1, 100000) i'
measured "$TEST" unplannable
check "a statement that cannot be planned is a row that says so" \
  is "SELECT count(*) FROM ebs_index_advice('$TEST') WHERE statement ~ 'degraded.t' AND NOT advised AND reason ~ '^not planned'" 1

cluster_sql 'DROP EXTENSION hypopg'
check "hypopg not in this database: how to get it" says 'CREATE EXTENSION hypopg'
check "hypopg not in this database: no index is advised" advises_no_index
hidden hypopg
check "hypopg not on this machine: how to get it" says 'hypopg.*(package|install)|install.*hypopg'
check "hypopg not on this machine: no index is advised" advises_no_index
seen
cluster_sql 'CREATE EXTENSION hypopg'

cluster_sql 'DROP EXTENSION pg_stat_statements CASCADE' 2>/dev/null
check "pg_stat_statements not in this database: how to get it" says 'CREATE EXTENSION pg_stat_statements'
check "pg_stat_statements not in this database: no index is advised" advises_no_index
cluster_sql "ALTER SYSTEM SET shared_preload_libraries = 'ebs_advisor'"
cluster_stop
cluster_start
cluster_sql 'CREATE EXTENSION pg_stat_statements'
check "pg_stat_statements not preloaded: how to get it" says 'shared_preload_libraries.*pg_stat_statements|pg_stat_statements.*shared_preload_libraries'
check "pg_stat_statements not preloaded: no index is advised" advises_no_index
