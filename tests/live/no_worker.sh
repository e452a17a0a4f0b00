# Where no background worker is free for the sampler: one warning, not one every two seconds. (PostgreSQL's own launcher of
# logical replication takes the other.)
fresh <<<'max_worker_processes = 2'
cluster_sql 'CREATE EXTENSION ebs_advisor'
sleep 6
check "one warning names the setting" test "$(logged 'ebs_advisor samples nothing: no background worker is free')" = 1
check "the status too" matches "SELECT hint FROM ebs_status() WHERE \"check\" = 'sampler'" 'two of max_worker_processes'
