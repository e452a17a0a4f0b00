# A hostile role against every function of ours (tests/attack), with pg_stat_statements and hypopg as Debian packages them. On a cluster
# of its own: the other tests' stands still meanwhile.
. "$ROOT/tests/attack/body.sh"
. "$ROOT/tests/attack/waves.sh"
packaged_stop
others=$PLACE
PLACE=$others/attack
SCRATCH=$CHROOT$PLACE
ended() {
  packaged_stop immediate 2>/dev/null || true
  PLACE=$others
  packaged_start
}
trap ended EXIT
install -d -m 700 "$SCRATCH"
chroot "$CHROOT" chown postgres:postgres "$PLACE"
packaged_create <<CONF
shared_preload_libraries = 'ebs_advisor'
fsync = off
ebs_advisor.flush_interval = 1s
$(cat "$ATTACK/server.conf" "$ATTACK/statements.conf")
CONF
packaged_start
SERVER_LOG=$SCRATCH/server.log
attack_psql() {
  local role=$1
  shift
  packaged_run timeout --kill-after 5 "$PATIENCE" psql --no-psqlrc -U "$role" "$@"
}
attack_quit() { packaged_run bash -c "kill -QUIT $1"; }
packaged_sql 'CREATE EXTENSION ebs_advisor; CREATE EXTENSION pg_stat_statements; CREATE EXTENSION hypopg'
packaged_await 20 "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
attack
