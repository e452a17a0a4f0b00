# The disk that samples are written to is full: they are kept, then given up and counted; users notice nothing.
if [ "$(id -u)" != 0 ] || ! unshare --mount true 2>/dev/null; then
  skip "a full disk (takes root, to mount a small filesystem)"
  return
fi
# The table is there before the sampler is: so it has written all that it has taken, but for the first sample, which has none
# before it.
fresh <<<"autovacuum = off
ebs_advisor.enabled = off"
cluster_sql 'CREATE EXTENSION ebs_advisor'
cluster_stop
cluster_run mkdir "$CLUSTER/small"
cluster_run tee -a data/postgresql.conf <<<'ebs_advisor.enabled = on' >/dev/null
# Mounted where the server alone sees it: it is gone with the server's last process.
as_account=$(declare -p AS_SERVER; declare -f as_server)
unshare --mount -- bash -c "set -eu
  mount -t tmpfs -o size=4m,mode=0700,uid=$(id -u "$SERVER_ACCOUNT") tmpfs '$CLUSTER/small'
  $as_account
  cd '$CLUSTER'; as_server '$PG_BIN/pg_ctl' --pgdata data --log server.log --wait --timeout $PATIENCE start >/dev/null 9>&-"
sampler_works
samples="FROM ebs_status() WHERE \"check\" = 'samples'"
taken="(SELECT replace(substring(detail FROM '^[0-9,]+'), ',', '')::int $samples)"
lost="(SELECT coalesce(replace(substring(detail FROM ' ([0-9,]+) lost'), ',', ''), '0')::int $samples)"
written="(SELECT sum(ticks) FROM ebs.sample_block)"
none_missing="SELECT $taken = 1 + $written + $lost"
cluster_sql "CREATE TABLESPACE small LOCATION '$CLUSTER/small'"
# Nearly every block then takes a page of its own.
cluster_sql 'ALTER TABLE ebs.sample_block SET (fillfactor = 10)'
cluster_sql 'ALTER TABLE ebs.sample_block SET TABLESPACE small'
cluster_sql 'CREATE TABLE filler (x text) TABLESPACE small'
cluster_sql 'CREATE TABLE users (x text)'
first=$(sampler_pid)
cluster_sql "SELECT ebs_run_begin('full')" >/dev/null
fill() {
  local rows
  for rows in 10000 1000 100 10 1; do
    while cluster_sql "INSERT INTO filler SELECT repeat('x', 700) FROM generate_series(1, $rows)" 2>/dev/null; do :; done
  done
}
fill
# The page that is begun may have room for some.
check "the status says why" cluster_await "SELECT NOT ok AND hint ~ 'They cannot be written: .*No space left' $samples"
# It tries again with each sample.
cluster_await "SELECT $taken >= $(cluster_sql "SELECT $taken") + 2"
check "in the log once" test "$(logged 'WARNING:  ebs_advisor could not write samples, and will try again: .*No space left')" = 1
check "users' tables can be written" cluster_sql "INSERT INTO users SELECT repeat('x', 1000) FROM generate_series(1, 1000)"
cluster_sql 'DROP TABLE filler'
check "once there is room all is written" cluster_await "SELECT ok AND detail !~ 'lost' $samples"
check "and no sample is lost" cluster_await "$none_missing AND $lost = 0"

cluster_sql 'CREATE TABLE filler (x text) TABLESPACE small'
fill
cluster_await "SELECT NOT ok $samples"
# Each mark ends a block: more of them than are kept. All but the first five wait for a sample, so there are many.
cluster_sql "ALTER SYSTEM SET ebs_advisor.sample_interval = '100ms'"
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
for i in $(seq 130); do echo "SELECT ebs_run_mark('m$i');"; done >"$CLUSTER/marks.sql"
cluster_psql -d postgres -qAtX -f "$CLUSTER/marks.sql" >/dev/null 2>&1
check "what is given up is counted" cluster_await "SELECT $lost >= 10"
check "by the same sampler" test "$(sampler_pid)" = "$first"
cluster_sql 'DROP TABLE filler'
cluster_await "SELECT ok $samples"
check "the rest is written" is "SELECT count(*) >= 120 FROM ebs.sample_block" t
check "and nothing but what was counted is lost" cluster_await "$none_missing"
check "the run ends" is 'SELECT ebs_run_end()' full
check "nobody failed" not_logged 'FATAL|PANIC'
