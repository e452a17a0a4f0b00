# How long DROP DATABASE waits for the sampler.
fresh <<<"ebs_advisor.database = 'watched'
autovacuum = off"
cluster_sql 'CREATE DATABASE watched'
cluster_sql 'CREATE EXTENSION ebs_advisor' watched
cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'" watched
started=$SECONDS
# PostgreSQL itself waits 5 s for others to leave, and then refuses.
check "DROP DATABASE works at the first attempt although the sampler is connected" cluster_sql 'DROP DATABASE watched'
check "and need not wait for it long" test $((SECONDS - started)) -le 10
