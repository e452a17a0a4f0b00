# Settings can be changed while it runs.
sampling </dev/null
# without_a_look NAME VALUE: for settings after which no sampler may be there to look.
without_a_look() { cluster_sql "ALTER SYSTEM SET ebs_advisor.$1 = '$2'"; cluster_sql 'SELECT pg_reload_conf()' >/dev/null; }
running="SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"
# Samples in blocks of a run that are written; the last of them is its end's.
sampled="SELECT coalesce(sum(ticks), 0) AS ticks FROM ebs.sample_block b JOIN ebs.run r ON b.ended_at > r.started_at"

set_to sample_interval 60s
cluster_sql "SELECT ebs_run_begin('slow')" >/dev/null
# Those of a second would be in it. Where a machine stands still for minutes, one a minute may be.
meanwhile 2.5
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "a longer interval gives fewer samples" is \
  "SELECT ticks <= 1 + extract(epoch FROM duration) / 60 + 1
   FROM ($sampled WHERE label = 'slow') s, ebs.runs_detail WHERE label = 'slow'" t

set_to sample_interval 100ms
own_disk
cluster_sql "SELECT ebs_run_begin('fast')" >/dev/null
# At the interval of before there would be one a minute: this would never be so.
check "a shorter interval gives more samples" cluster_await "SELECT ticks >= 15 FROM ($sampled WHERE label = 'fast') s"
cluster_sql 'SELECT ebs_run_end()' >/dev/null

set_to sample_interval 1s
# A reload that changes nothing of ours leaves the grid alone: begun anew each time, there would be no sample until the end.
cluster_sql "SELECT ebs_run_begin('steady')" >/dev/null
check "reloads make no sample late" cluster_sql "SET statement_timeout = '${PATIENCE}s'; DO \$\$ BEGIN
  WHILE (SELECT ticks < 3 FROM ($sampled WHERE label = 'steady') s) LOOP
    PERFORM pg_reload_conf(), pg_sleep(0.1);
  END LOOP; END \$\$"
cluster_sql 'SELECT ebs_run_end()' >/dev/null

# What was sampled before keeps its own interval. Ticks at 100 ms may have been missed by a busy machine: none more are.
samples="SELECT count(*) FROM ebs_device_samples('fast')"
before=$(cluster_sql "$samples")
missed="SELECT coalesce(substring(($(report "'fast'")) FROM '[0-9,]+ ticks missed'), 'none')"
missed_before=$(cluster_sql "$missed")
set_to sample_interval 5s
check "earlier samples stay as fine as they were" is "$samples" "$before"
check "of which there are many" test "$before" -gt 0
check "and no more of them are called missed" is "$missed" "$missed_before"
set_to sample_interval 1s

without_a_look enabled off
check "the sampler leaves when it is switched off" cluster_await "SELECT NOT ($running)"
check "the status says so" matches "SELECT detail FROM ebs_status() WHERE \"check\" = 'sampler'" 'ebs_advisor.enabled is off'
without_a_look enabled on
check "and comes back" cluster_await "$running"

cluster_sql 'CREATE DATABASE other'
cluster_sql 'CREATE EXTENSION ebs_advisor' other
cluster_sql "SELECT ebs_run_begin('elsewhere')" other >/dev/null
check "a run in another database is sampled on demand" cluster_await \
  "SELECT count(*) > 0 FROM ebs_device_samples('elsewhere')" other
cluster_sql 'SELECT ebs_run_end()' other >/dev/null
without_a_look database other
check "it moves to another database" cluster_await "SELECT datname = 'other' FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"
newest="SELECT coalesce(max(ended_at), '-infinity') FROM ebs.sample_block"
before=$(cluster_sql "$newest" other)
check "and writes there" cluster_await "SELECT ($newest) > '$before'" other

check "the server stops, and the sampler with it" \
  cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode fast --wait --timeout "$PATIENCE" stop
