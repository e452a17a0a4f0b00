# Where no background worker is free for the sampler: one warning, not one at each look of the launcher. (PostgreSQL's own
# launcher of logical replication takes the other.)
fresh <<<'max_worker_processes = 2'
cluster_sql 'CREATE EXTENSION ebs_advisor'
warned() { logged 'ebs_advisor samples nothing: no background worker is free'; }
has_warned() { [ "$(warned)" -gt 0 ]; }
await has_warned
launcher_looks
check "one warning names the setting" test "$(warned)" = 1
check "the status too" matches "SELECT hint FROM ebs_status() WHERE \"check\" = 'sampler'" 'two of max_worker_processes'
