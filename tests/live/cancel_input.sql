-- Long runs for cancel_everywhere.sh here and in tests/quiet: seconds in which IOPS and MiB/s peak apart. Takes psql's variable seconds.
CREATE TABLE input (name text, document text);
INSERT INTO input SELECT 'samples', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s', 'reads', r, 'writes', 50, 'read_ms', r / 2, 'write_ms', 20,
    'read_bytes', r * 8192 + CASE WHEN i % 89 = 0 THEN 419430400 ELSE 0 END, 'write_bytes', 409600) ORDER BY i)
  FROM (SELECT i, (2000 + i * 7919::bigint % 1000 + CASE WHEN i % 300 < 20 THEN 3000 ELSE 0 END
                  + CASE WHEN i % 97 = 0 THEN 9000 ELSE 0 END)::bigint AS r FROM generate_series(1, :seconds) i) demand;
INSERT INTO input SELECT 'prices', jsonb_build_object('offer', 'AmazonEC2', 'version', '1', 'published', '2026-12-01', 'prices',
    jsonb_agg(jsonb_build_object('region', 'xx-made' || translate(i::text, '0123456789', 'abcdefghij') || '-1', 'volume_type', 'gp3', 'part', 'storage', 'usd', '0.07')))
  FROM generate_series(1, 19000) i;
SELECT ebs_import_samples('long', 'nvme1n1', document::jsonb) FROM input WHERE name = 'samples';
SELECT ebs_run_import(ebs_run_export('long')::text, 'long too');
INSERT INTO input SELECT 'runs', ebs_run_export('long')::text;
