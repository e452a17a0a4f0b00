# Without shared_preload_libraries nothing is sampled, everything says so, and what needs no samples works.
fresh <<<"shared_preload_libraries = ''"
cluster_sql 'CREATE EXTENSION ebs_advisor'
check "the status says what to do" matches "SELECT ok, hint FROM ebs_status() WHERE \"check\" = 'preload'" \
  '^f\|Add ebs_advisor to shared_preload_libraries'
check "a run warns" matches "SELECT ebs_run_begin('blind')" 'this run may lack samples'
check "prices need no samples" is "SELECT usd_month FROM ebs_price('gp3', 1024, 16000, 1000)" 181.92
check "advice is insufficient data" matches 'SELECT ebs_advise()' 'Insufficient data'
cluster_sql "SELECT ebs_import_samples('elsewhere', 'sdf', jsonb_agg(jsonb_build_object('ts', now() + i * interval '1 s',
  'reads', 100, 'writes', 100, 'read_bytes', 819200, 'write_bytes', 819200))) FROM generate_series(1, 60) i" >/dev/null
check "imported samples are advised on" matches "SELECT ebs_advise('elsewhere', min_size_gib => 100)" 'Recommended +gp3, 1 × 100 GiB, 3,000 IOPS'
