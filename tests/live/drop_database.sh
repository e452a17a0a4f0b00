# The sampler leaves a database that is dropped, and comes back when it is there again.
# An autovacuum worker that DROP DATABASE ends would be logged as FATAL.
fresh <<<"ebs_advisor.database = 'watched'
autovacuum = off"
cluster_sql 'CREATE DATABASE watched'
cluster_sql 'CREATE EXTENSION ebs_advisor' watched
check "sampling begins once the database is there" cluster_await \
  "SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler' AND datname = 'watched'"
# PostgreSQL itself waits 5 s for others to leave, and then refuses. On a machine that is too busy for that the next attempt finds
# nobody connected, unless the sampler stays or comes back.
dropping=$SECONDS
check "DROP DATABASE works although the sampler was connected" await cluster_sql 'DROP DATABASE watched'
took=$((SECONDS - dropping))
# The launcher starts none until it is sure that the database was dropped, and says so when it looks again.
check "the launcher finds that it is gone" await \
  server_log -q 'WARNING:  ebs_advisor samples nothing: database "watched".*does not exist'
check "no sampler is started for a database that is gone" is \
  "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'" 0
cluster_sql 'CREATE DATABASE watched'
cluster_sql 'CREATE EXTENSION ebs_advisor' watched
check "sampling begins again when it is created again" cluster_await \
  "SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"
# None is started for 10 s (HOLD_OFF_US, extension/src/sampler/leave_database.rs): where DROP DATABASE took longer one may have come to a
# database that is just being dropped.
failed='FATAL|PANIC'
[ "$took" -lt 9 ] || failed='FATAL:  (database "watched" does not exist)@!|PANIC'
check "nobody failed" not_logged "$failed"
