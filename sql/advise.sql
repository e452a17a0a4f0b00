-- The report, on samples that are known. ebs_advise reads them as it reads its own.
SELECT ebs_import_samples('report', 'nvme1n1', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01 09:20:00+00' + i * interval '1 s',
    'reads', r, 'writes', w, 'read_bytes', r * 8192, 'write_bytes', w * 16384, 'read_ms', r / 2, 'write_ms', w / 2) ORDER BY i))
FROM (SELECT i, 6000 + 500 * (i % 7) AS r, 2500 + 300 * (i % 11) AS w FROM generate_series(1, 1200) i) demand;
SELECT ebs_advise('report', min_size_gib => 500);
SELECT ebs_advise('report', min_size_gib => 500, instance => 'r6i.4xlarge', region => 'eu-west-1', max_volumes => 4);
-- Nothing fits a small instance.
SELECT ebs_advise('report', min_size_gib => 500, instance => 't3.medium');
-- No line is wider than 110 columns.
SELECT count(*) AS too_wide FROM ebs_advise('report') line WHERE length(line) > 110;
SELECT ebs_run_drop('report');

-- Too little is an answer.
SELECT ebs_import_samples('short', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 09:20:00+00' + i * interval '1 s',
    'reads', 10, 'writes', 10, 'read_bytes', 81920, 'write_bytes', 81920) ORDER BY i)) FROM generate_series(1, 20) i;
SELECT ebs_advise('short');
SELECT feasible, reason FROM ebs_options('short');
SELECT ebs_run_drop('short');
