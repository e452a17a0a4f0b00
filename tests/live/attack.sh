# A hostile role against every function of ours (tests/attack), on the PostgreSQL that is tested. Index advice takes pg_stat_statements
# and hypopg: where one is missing, what needs it is skipped. tests/packaged/attack.sh has both.
. "$ROOT/tests/attack/body.sh"
. "$ROOT/tests/attack/waves.sh"
extensions=$("$PG_BIN/pg_config" --sharedir)/extension
sampling <<CONF
$(cat "$ATTACK/server.conf")
$([ ! -e "$extensions/pg_stat_statements.control" ] || cat "$ATTACK/statements.conf")
CONF
SERVER_LOG=$CLUSTER/server.log
attack_psql() {
  local role=$1
  shift
  cluster_run timeout --kill-after 5 "$PATIENCE" "$PG_BIN/psql" --no-psqlrc --host "$CLUSTER" -U "$role" -d postgres "$@"
}
attack_quit() { signal QUIT "$1"; }
for extension in pg_stat_statements hypopg; do
  [ ! -e "$extensions/$extension.control" ] || cluster_sql "CREATE EXTENSION $extension"
done
attack
