# The sampler comes back after it was ended, after it was killed, and after the server crashed.
sampling </dev/null
cluster_sql "SELECT ebs_run_begin('kept')" >/dev/null
sleep 1.5
cluster_sql 'SELECT ebs_run_end()' >/dev/null
kept=$(cluster_sql "SELECT count(*) FROM ebs_device_samples('kept')")

first=$(sampler_pid)
cluster_sql "SELECT pg_terminate_backend($first)" >/dev/null
check "another sampler starts after pg_terminate_backend" cluster_await \
  "SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler' AND pid <> $first"
check "and samples" cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"

second=$(sampler_pid)
signal KILL "$second"
# By another sampler: until the server has noticed, the killed one seems to be at work.
check "the server recovers from a killed sampler, and sampling goes on" cluster_await \
  "SELECT ok AND EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler' AND pid <> $second)
   FROM ebs_status() WHERE \"check\" = 'samples'"
check "samples written before are still there" is "SELECT count(*) FROM ebs_device_samples('kept')" "$kept"
