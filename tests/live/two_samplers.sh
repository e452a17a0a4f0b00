# A database is sampled once: a sampler on demand gives way when the preloaded one comes (back).
sampling </dev/null
reload() { cluster_sql "ALTER SYSTEM SET $1"; cluster_sql 'SELECT pg_reload_conf()' >/dev/null; }
samplers="SELECT string_agg(backend_type, ', ' ORDER BY backend_type) FROM pg_stat_activity WHERE backend_type LIKE '%sampler'"
# For printf: the least seconds, and the run. Two samplers at once would have more seconds than there were from the first to
# the last; between one and the other may be a gap of some seconds. The first may begin before the run, where no sampler was
# there to begin a new one with it, so the run's duration is no limit.
once="SELECT sum(seconds) >= %s AND sum(seconds) <= 1.02 * extract(epoch FROM max(ended_at) - min(ended_at - make_interval(secs => seconds)))
  FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('%s')) d"

reload "ebs_advisor.enabled = off"
cluster_await "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler')"
cluster_sql "SELECT ebs_run_begin('handed-over')" >/dev/null
check "with the sampler off a run has one of its own" is "$samplers" 'ebs_advisor on-demand sampler'
sleep 5
reload "ebs_advisor.enabled = on"
check "which leaves when the other is back" cluster_await "SELECT ($samplers) = 'ebs_advisor sampler'"
sleep 5
cluster_sql 'SELECT ebs_run_end()' >/dev/null
# More than one of the two can have sampled alone.
check "no second is counted twice" is "$(printf "$once" 6.5 handed-over)" t

gone=$(sampler_pid)
cluster_psql -d postgres -qAtX -c "SELECT pg_terminate_backend($gone)" -c "SELECT ebs_run_begin('restarted')" >/dev/null 2>&1
check "a run that begins while the sampler restarts has one in the end" \
  cluster_await "SELECT ($samplers) = 'ebs_advisor sampler' AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $gone)"
sleep 3
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "and counts once" is "$(printf "$once" 2 restarted)" t

# The one that takes the place of another must not answer what that one was asked: it has sampled nothing yet.
for again in 1 2 3; do
  cluster_psql -d postgres -qAtX -c "SELECT pg_terminate_backend($(sampler_pid))" -c "SELECT ebs_run_begin('again-$again')" >/dev/null 2>&1
  cluster_await "SELECT ($samplers) = 'ebs_advisor sampler'"
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
done
check "whoever answers, a run begins now" is "SELECT bool_and(duration < '1 min') FROM ebs.runs WHERE label LIKE 'again-%'" t

# In REPEATABLE READ a run on demand is begun and ended without seeing what was written meanwhile.
reload "ebs_advisor.enabled = off"
cluster_await "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler')"
started=$SECONDS
cluster_psql -d postgres -qAtX -c 'BEGIN ISOLATION LEVEL REPEATABLE READ' -c 'SELECT 1' -c "SELECT ebs_run_begin('frozen')" -c COMMIT >/dev/null 2>&1
# Who waits for what it cannot see waits for 10 s.
check "REPEATABLE READ waits for nothing it cannot see" test $((SECONDS - started)) -le 8
cluster_sql 'SELECT ebs_run_end()' >/dev/null
