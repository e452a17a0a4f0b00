-- The report, on samples that are known. ebs_advise reads them as it reads its own.
SELECT ebs_import_samples('report', 'nvme1n1', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01 09:20:00+00' + i * interval '1 s',
    'reads', r, 'writes', w, 'read_bytes', r * 8192, 'write_bytes', w * 16384, 'read_ms', r / 2, 'write_ms', w / 2) ORDER BY i))
FROM (SELECT i, 6000 + 500 * (i % 7) AS r, 2500 + 300 * (i % 11) AS w FROM generate_series(1, 1200) i) demand;
SELECT ebs_advise('report', min_size_gib => 500, show => 'all');
SELECT ebs_advise('report', min_size_gib => 500, instance => 'r6i.4xlarge', region => 'eu-west-1', max_volumes => 4, show => 'all');
-- Nothing fits a small instance.
SELECT ebs_advise('report', min_size_gib => 500, instance => 't3.medium', show => 'all');
-- No line is wider than 110 columns.
SELECT count(*) AS too_wide FROM ebs_advise('report', show => 'all') line WHERE length(line) > 110;
SELECT ebs_run_drop('report');

-- Too little is an answer.
SELECT ebs_import_samples('short', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 09:20:00+00' + i * interval '1 s',
    'reads', 10, 'writes', 10, 'read_bytes', 81920, 'write_bytes', 81920) ORDER BY i)) FROM generate_series(1, 20) i;
SELECT ebs_advise('short', show => 'all');
SELECT feasible, reason FROM ebs_options_detail('short');
SELECT ebs_run_drop('short');

-- The same as one document: what a program needs is under its own name, and agrees with the rows.
SELECT ebs_import_samples('json', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 09:20:00+00' + i * interval '1 s',
    'reads', 5000, 'writes', 1000, 'read_bytes', 5000 * 8192, 'write_bytes', 1000 * 16384, 'read_ms', 2500, 'write_ms', 500) ORDER BY i))
FROM generate_series(1, 900) i;
SELECT ebs_advise_json('json', min_size_gib => 500) AS document \gset
SELECT jsonb_object_keys(:'document'::jsonb) AS key ORDER BY 1;
SELECT jsonb_pretty(jsonb_path_query_first(:'document', '$.roles[0].options[0] ? (@.feasible == true)') - 'replay' - 'reason') AS best;
SELECT count(*) AS differences FROM (
    SELECT (option ->> 'volume_type'), (option ->> 'size_gib')::bigint, (option -> 'price' ->> 'usd_month')::numeric, (option ->> 'feasible')::boolean,
           option ->> 'reason'
    FROM jsonb_path_query(:'document', '$.roles[*].options[*]') option
    EXCEPT SELECT volume_type, size_gib, usd_month, feasible, reason FROM ebs_options_detail('json', min_size_gib => 500)) d;
SELECT ebs_advise_json('json', min_size_gib => 500) = :'document'::jsonb AS the_same_again;
SELECT jsonb_path_query_array(:'document', '$.roles[0].decision[*].question') AS decision;
SELECT ebs_run_drop('json');
