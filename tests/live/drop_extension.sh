# The extension is dropped in the middle of a run, and created again: the sampler waits for it.
# Whoever holds the lock for half a second is waited for in vain, and autovacuum gives way: neither is what is looked for.
sampling <<CONF
autovacuum = off
$(disk_settings)
CONF
no_complaint() { ! server_log -v 'lock timeout' | grep -E -A4 'WARNING|ERROR|FATAL|PANIC'; }
cluster_sql "CREATE DATABASE other"
cluster_sql "CREATE EXTENSION ebs_advisor" other
# How many samples it has taken is seen from another database too. It writes each of them: as often as it samples.
cluster_sql "SELECT ebs_run_begin('dropped')" >/dev/null
cluster_sql "SELECT ebs_run_mark('sampled')"
first=$(sampler_pid)
check "DROP EXTENSION works while it samples" cluster_sql 'DROP EXTENSION ebs_advisor'
check "sampling goes on" cluster_await "SELECT $SAMPLES_TAKEN >= $(cluster_sql "SELECT $SAMPLES_TAKEN" other) + 3" other
check "the sampler lives on" test "$(sampler_pid)" = "$first"
cluster_sql 'CREATE EXTENSION ebs_advisor'
check "nothing of before is left" is "SELECT count(*) FROM ebs.run" 0
check "and writes once it is there again" cluster_await \
  "SELECT ok AND detail ~ 'written' AND EXISTS (SELECT FROM ebs.sample_block) FROM ebs_status() WHERE \"check\" = 'samples'"
cluster_sql "SELECT ebs_run_begin('again')" >/dev/null
check "a new run has its samples" seconds_sampled again 2
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "by the same sampler" test "$(sampler_pid)" = "$first"
check "nobody complained" no_complaint

# Dropped while the sampler waits to write: it finds no table where it waited for one. It waits for half a second at most, and a
# busy machine may take that long to commit: until it did not.
dropped_meanwhile() {
  local timeouts
  timeouts=$(logged 'lock timeout')
  cluster_sql "BEGIN; DROP EXTENSION ebs_advisor;
    $(until_true "EXISTS (SELECT FROM pg_locks WHERE pid = $first AND NOT granted)") COMMIT" >/dev/null || return 1
  # What it does next it does after it has met that.
  cluster_await "SELECT $SAMPLES_TAKEN >= $(cluster_sql "SELECT $SAMPLES_TAKEN" other) + 1" other || return 1
  cluster_sql 'CREATE EXTENSION ebs_advisor' || return 1
  cluster_await "SELECT EXISTS (SELECT FROM ebs.sample_block)" || return 1
  [ "$(logged 'lock timeout')" = "$timeouts" ]
}
check "it is dropped while samples are written" await dropped_meanwhile
check "nor does anybody then" no_complaint
check "and it is still the same sampler" test "$(sampler_pid)" = "$first"

cluster_sql "SELECT ebs_run_begin('elsewhere')" other >/dev/null
workers="SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'ebs_advisor on-demand sampler'"
check "a sampler on demand is there" is "$workers" 1
check "on demand too" cluster_sql 'DROP EXTENSION ebs_advisor' other
check "and then leaves" cluster_await "SELECT ($workers) = 0"
check "without a complaint" no_complaint
