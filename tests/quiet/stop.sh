# A server that is told to stop does not wait for the sampler: not where it sleeps for as long as it ever does, 10 s, and not where a
# synchronous standby is missing, for which others would wait.
stops() {
  local started=$SECONDS
  cluster_stop
  test $((SECONDS - started)) -le 5 && test ! -e "$CLUSTER/data/postmaster.pid"
}
sampling </dev/null
set_to sample_interval 60s wait_interval 10s
check "the server stops without waiting for the sampler" stops

sampling </dev/null
blocks=$(cluster_sql 'SELECT max(block_id) FROM ebs.sample_block')
cluster_sql "ALTER SYSTEM SET synchronous_standby_names = 'nobody'"
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
cluster_await "SELECT max(block_id) > $blocks + 2 FROM ebs.sample_block"
check "the server stops although a synchronous standby is missing" stops
