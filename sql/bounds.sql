-- Bounds that no other test reaches: each is asked for one more than it lets through. docs/security.md says which test holds which.

-- Runs compared at once: 200 a side.
INSERT INTO ebs.run (label, started_at, ended_at) SELECT 'bound ' || i, '2026-01-01', '2026-01-01 00:00:01' FROM generate_series(1, 201) i;
SELECT * FROM ebs_compare('bound *', 'bound 1');
\echo :SQLSTATE
SELECT * FROM ebs_compare('bound 1', 'bound *');
\echo :SQLSTATE

-- Runs in one document: 1,000.
SELECT ebs_run_import(jsonb_build_object('document', 'ebs_advisor runs', 'schema_version', 1, 'runs', jsonb_agg('{}'::jsonb))::text) FROM generate_series(1, 1001);
\echo :SQLSTATE

-- Names that are imported: 63 characters of a device, 200 of a job of fio are kept.
SELECT ebs_import_samples('bound device', repeat('x', 64), '[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 8192, "write_bytes": 8192}, {"ts": "2026-01-01 00:00:01", "reads": 1, "writes": 1, "read_bytes": 8192, "write_bytes": 8192}]');
\echo :SQLSTATE
SELECT ebs_import_fio('bound fio', '{"fio version": "fio-3.33", "timestamp": 1, "jobs": [{"jobname": "' || repeat('y', 1000) || '"}]}') AS jobs;
SELECT max(length(kept[1])) AS letters FROM ebs.run_fio, regexp_matches(fio::text, '(y{100,})') kept;

-- Arguments beyond any sense: refused, and not multiplied out first.
SELECT * FROM ebs_chart('bound 1', width => 2147483647);
\echo :SQLSTATE
SELECT * FROM ebs_chart('bound 1', rows => 2147483647);
\echo :SQLSTATE
SELECT * FROM ebs_index_advice(max_plans => 2147483647);
\echo :SQLSTATE
SELECT * FROM ebs_options_detail('bound 1', max_volumes => 2147483647);
\echo :SQLSTATE
DELETE FROM ebs.run WHERE label LIKE 'bound %';
