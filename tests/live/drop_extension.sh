# The extension is dropped in the middle of a run, and created again: the sampler waits for it.
# Whoever holds the lock for half a second is waited for in vain, and autovacuum gives way: neither is what is looked for.
sampling <<<'autovacuum = off'
no_complaint() { ! grep -v 'lock timeout' "$CLUSTER/server.log" | grep -E -A4 'WARNING|ERROR|FATAL|PANIC'; }
cluster_sql "SELECT ebs_run_begin('dropped')" >/dev/null
sleep 1.5
first=$(sampler_pid)
check "DROP EXTENSION works while it samples" cluster_sql 'DROP EXTENSION ebs_advisor'
sleep 3.5
check "the sampler lives on" test "$(sampler_pid)" = "$first"
cluster_sql 'CREATE EXTENSION ebs_advisor'
check "nothing of before is left" is "SELECT count(*) FROM ebs.run" 0
check "and writes once it is there again" cluster_await \
  "SELECT ok AND detail ~ 'written' AND EXISTS (SELECT FROM ebs.sample_block) FROM ebs_status() WHERE \"check\" = 'samples'"
cluster_sql "SELECT ebs_run_begin('again')" >/dev/null
sleep 2.2
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "a new run has its samples" is "SELECT count(*) >= 2 FROM ebs_device_samples('again')" t
check "by the same sampler" test "$(sampler_pid)" = "$first"
check "nobody complained" no_complaint
# Dropped at several times between two writes, some of these find the sampler waiting to write, and then without the table that
# it waited for.
for since_written in 0 0.3 0.5 0.6 0.7 0.8; do
  sleep "$since_written"
  cluster_sql "BEGIN; DROP EXTENSION ebs_advisor; SELECT pg_sleep(0.4); COMMIT" >/dev/null
  # Until it has seen that there is none.
  sleep 0.3
  cluster_sql 'CREATE EXTENSION ebs_advisor'
  cluster_await "SELECT EXISTS (SELECT FROM ebs.sample_block)"
done
check "nor where it is dropped while samples are written" no_complaint
cluster_sql "CREATE DATABASE other"
cluster_sql "CREATE EXTENSION ebs_advisor" other
cluster_sql "SELECT ebs_run_begin('elsewhere')" other >/dev/null
# Until its sampler has seen the run: one that never sees it waits a minute for it to be committed.
sleep 1.5
workers="SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'ebs_advisor on-demand sampler'"
check "on demand too" cluster_sql 'DROP EXTENSION ebs_advisor' other
check "and then leaves" cluster_await "SELECT ($workers) = 0"
check "without a complaint" no_complaint
