# Settings can be changed while it runs.
sampling </dev/null
reload() { cluster_sql "ALTER SYSTEM SET $1"; cluster_sql 'SELECT pg_reload_conf()' >/dev/null; }
running="SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"

reload "ebs_advisor.sample_interval = '100ms'"
sleep 0.5
cluster_sql "SELECT ebs_run_begin('fast')" >/dev/null
sleep 4
cluster_sql 'SELECT ebs_run_end()' >/dev/null
# A sample each second would be 6 or so.
check "a shorter interval gives more samples" is "SELECT sum(ticks) >= 15 FROM ebs.sample_block b, ebs.run r WHERE b.ended_at >= r.started_at" t

reload "ebs_advisor.sample_interval = '1s'"
sleep 0.3
# A reload that changes nothing of ours leaves the grid alone: begun anew each time, there would be no sample until the end.
cluster_sql "SELECT ebs_run_begin('steady')" >/dev/null
for _ in {1..10}; do
  sleep 0.7
  cluster_sql 'SELECT pg_reload_conf()' >/dev/null
done
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "reloads make no sample late" is "SELECT count(DISTINCT ended_at) >= 3 FROM ebs_device_samples('steady')" t

# What was sampled before keeps its own interval. Ticks at 100 ms may have been missed by a busy machine: none more are.
samples="SELECT count(*) FROM ebs_device_samples('fast')"
before=$(cluster_sql "$samples")
missed="SELECT coalesce(substring(string_agg(line, ' ') FROM '[0-9,]+ +ticks +missed'), 'none') FROM ebs_advise('fast') line"
missed_before=$(cluster_sql "$missed")
reload "ebs_advisor.sample_interval = '5s'"
sleep 1
check "earlier samples stay as fine as they were" is "$samples" "$before"
check "and no more of them are called missed" is "$missed" "$missed_before"
reload "ebs_advisor.sample_interval = '1s'"

reload "ebs_advisor.enabled = off"
check "the sampler leaves when it is switched off" cluster_await "SELECT NOT ($running)"
check "the status says so" matches "SELECT detail FROM ebs_status() WHERE \"check\" = 'sampler'" 'ebs_advisor.enabled is off'
reload "ebs_advisor.enabled = on"
check "and comes back" cluster_await "$running"

cluster_sql 'CREATE DATABASE other'
cluster_sql 'CREATE EXTENSION ebs_advisor' other
cluster_sql "SELECT ebs_run_begin('elsewhere')" other >/dev/null
sleep 1.5
cluster_sql 'SELECT ebs_run_end()' other >/dev/null
check "a run in another database is sampled on demand" test \
  "$(cluster_sql "SELECT count(*) > 0 FROM ebs_device_samples('elsewhere')" other 2>/dev/null)" = t
reload "ebs_advisor.database = 'other'"
check "it moves to another database" cluster_await "SELECT datname = 'other' FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"
reload "ebs_advisor.flush_interval = '1s'"
newest="SELECT coalesce(max(ended_at), '-infinity') FROM ebs.sample_block"
before=$(cluster_sql "$newest" other)
check "and writes there" cluster_await "SELECT ($newest) > '$before'" other

# pg_ctl would wait for a minute.
started=$SECONDS
cluster_stop
check "the server stops without waiting for it" test $((SECONDS - started)) -le 20
