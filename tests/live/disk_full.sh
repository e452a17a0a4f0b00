# The disk that samples are written to is full: they are kept, then given up and counted; users notice nothing.
if [ "$(id -u)" != 0 ] || ! unshare --mount true 2>/dev/null; then
  skip "a full disk (takes root, to mount a small filesystem)"
  return
fi
fresh <<<"autovacuum = off"
cluster_stop
cluster_run mkdir "$CLUSTER/small"
# Mounted where the server alone sees it: it is gone with the server's last process.
as_account=$(declare -f as_server)
unshare --mount -- bash -c "set -eu
  mount -t tmpfs -o size=4m,mode=0700,uid=$(id -u "$SERVER_ACCOUNT") tmpfs '$CLUSTER/small'
  SERVER_ACCOUNT=$SERVER_ACCOUNT; $as_account
  cd '$CLUSTER'; as_server '$PG_BIN/pg_ctl' --pgdata data --log server.log --wait start >/dev/null 9>&-"
cluster_sql 'CREATE EXTENSION ebs_advisor'
cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
cluster_sql "CREATE TABLESPACE small LOCATION '$CLUSTER/small'"
# Nearly every block then takes a page of its own.
cluster_sql 'ALTER TABLE ebs.sample_block SET (fillfactor = 10)'
cluster_sql 'ALTER TABLE ebs.sample_block SET TABLESPACE small'
cluster_sql 'CREATE TABLE filler (x text) TABLESPACE small'
cluster_sql 'CREATE TABLE users (x text)'
first=$(sampler_pid)
cluster_sql "SELECT ebs_run_begin('full')" >/dev/null
sleep 1.2
for rows in 10000 1000 100 10 1; do
  while cluster_sql "INSERT INTO filler SELECT repeat('x', 700) FROM generate_series(1, $rows)" 2>/dev/null; do :; done
done
sleep 4
check "the status says why" matches "SELECT ok, hint FROM ebs_status() WHERE \"check\" = 'samples'" 'f\|They cannot be written: .*No space left'
check "in the log once" test "$(logged 'WARNING:  ebs_advisor could not write samples, and will try again: .*No space left')" = 1
check "users' tables can be written" cluster_sql "INSERT INTO users SELECT repeat('x', 1000) FROM generate_series(1, 1000)"
seconds=$(cluster_sql "SELECT floor(extract(epoch FROM now() - started_at)) FROM ebs.runs")
cluster_sql 'DROP TABLE filler'
check "once there is room all is written" cluster_await "SELECT ok AND detail !~ 'lost' FROM ebs_status() WHERE \"check\" = 'samples'"
check "and no second is lost" is "SELECT sum(seconds) >= $seconds - 1 FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('full')) s" t
filling=$(cluster_sql 'SELECT clock_timestamp()')
cluster_sql 'CREATE TABLE filler (x text) TABLESPACE small'
for rows in 10000 1000 100 10 1; do
  while cluster_sql "INSERT INTO filler SELECT repeat('x', 700) FROM generate_series(1, $rows)" 2>/dev/null; do :; done
done
# Each mark ends a block: more of them than are kept.
for i in $(seq 130); do echo "SELECT ebs_run_mark('m$i');"; done >"$CLUSTER/marks.sql"
cluster_psql -d postgres -qAtX -f "$CLUSTER/marks.sql" >/dev/null 2>&1
lost="SELECT substring(detail FROM ' ([0-9]+) lost')::int FROM ebs_status() WHERE \"check\" = 'samples'"
# The marks that are more than are kept, and a block for each second since the disk filled up.
check "what is given up is counted" is "SELECT ($lost) BETWEEN 1 AND 12 + extract(epoch FROM clock_timestamp() - '$filling')" t
check "by the same sampler" test "$(sampler_pid)" = "$first"
cluster_sql 'DROP TABLE filler'
cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
check "the rest is written" is "SELECT count(*) >= 120 FROM ebs.sample_block" t
check "the run ends" is 'SELECT ebs_run_end()' full
check "nobody failed" test "$(logged 'FATAL|PANIC')" = 0
