# The sampler comes back after it was ended, after it was killed, and after the server crashed.
sampling </dev/null
own_disk
cluster_sql "SELECT ebs_run_begin('kept')" >/dev/null
disk_reads 7
cluster_sql 'SELECT ebs_run_end()' >/dev/null
kept="SELECT sum(reads) FROM ebs_device_samples('kept')"
check "there are samples" is "$kept" 7

first=$(sampler_pid)
cluster_sql "SELECT pg_terminate_backend($first)" >/dev/null
check "another sampler starts after pg_terminate_backend" cluster_await \
  "SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler' AND pid <> $first"
check "and samples" sampler_works

second=$(sampler_pid)
signal KILL "$second"
# By another sampler: until the server has noticed, the killed one seems to be at work.
check "the server recovers from a killed sampler, and sampling goes on" cluster_await \
  "SELECT ok AND EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler' AND pid <> $second)
   FROM ebs_status() WHERE \"check\" = 'samples'"
check "samples written before are still there" is "$kept" 7
