# A database that does not exist is one warning, not a loop of failures.
fresh <<<"ebs_advisor.database = 'nowhere'
$(own_disk_settings)"
cluster_sql 'CREATE EXTENSION ebs_advisor'
warned() { logged 'ebs_advisor samples nothing: database "nowhere" of ebs_advisor.database does not exist'; }
has_warned() { [ "$(warned)" -gt 0 ]; }
await has_warned
launcher_looks
check "one warning" test "$(warned)" = 1
check "no failure" not_logged 'FATAL|PANIC|exited with exit code'
check "the status says where samples would be kept" matches \
  "SELECT detail, hint FROM ebs_status() WHERE \"check\" = 'database'" 'kept in "nowhere", this is "postgres"'
check "a run is sampled on demand all the same" cluster_sql "SELECT ebs_run_begin('here')"
check "second by second" cluster_await "SELECT count(*) >= 2 FROM ebs_device_samples('here')"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
