# Samples older than the retention go when the sampler looks, first when it starts; what a run covers stays.
sampling </dev/null
# It begins and ends on a sample each: there is one interval at least.
cluster_sql "SELECT ebs_run_begin('kept')" >/dev/null
cluster_sql 'SELECT ebs_run_end()' >/dev/null
# The run and its samples 30 days back, copies of these another year: the retention is 14 days.
cluster_sql "UPDATE ebs.run SET started_at = started_at - interval '30 days', ended_at = ended_at - interval '30 days'"
cluster_sql "UPDATE ebs.sample_block SET started_at = started_at - interval '30 days', ended_at = ended_at - interval '30 days'"
cluster_sql "INSERT INTO ebs.sample_block (started_at, ended_at, span_s, ticks, format, samples) SELECT started_at - interval '1 year',
  ended_at - interval '1 year', span_s, ticks, format, samples FROM ebs.sample_block"
kept="SELECT count(*) FROM ebs.sample_block b JOIN ebs.run r ON b.ended_at >= r.started_at AND b.started_at <= r.ended_at"
before=$(cluster_sql "$kept")
cluster_sql "SELECT pg_terminate_backend($(sampler_pid))" >/dev/null
check "samples older than the retention are removed" cluster_await \
  "SELECT count(*) = 0 FROM ebs.sample_block WHERE ended_at < now() - interval '90 days'"
check "those of a run stay" is "$kept" "$before"
check "and there were some" test "$before" -ge 1
