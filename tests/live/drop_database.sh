# The sampler leaves a database that is dropped, and comes back when it is there again.
# An autovacuum worker that DROP DATABASE ends would be logged as FATAL.
fresh <<<"ebs_advisor.database = 'watched'
autovacuum = off"
cluster_sql 'CREATE DATABASE watched'
cluster_sql 'CREATE EXTENSION ebs_advisor' watched
check "sampling begins once the database is there" cluster_await \
  "SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler' AND datname = 'watched'"
started=$SECONDS
check "DROP DATABASE works although the sampler was connected" cluster_sql 'DROP DATABASE watched'
# PostgreSQL itself waits 5 s for others to leave, and then refuses.
check "and need not wait for it long" test $((SECONDS - started)) -le 10
sleep 4
check "no sampler is started for a database that is gone" is \
  "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'" 0
cluster_sql 'CREATE DATABASE watched'
cluster_sql 'CREATE EXTENSION ebs_advisor' watched
check "sampling begins again when it is created again" cluster_await \
  "SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"
check "nobody failed" test "$(logged 'FATAL|PANIC')" = 0
