-- Long inputs of every function, for cancel_everywhere.sh here and in tests/quiet: seconds in which IOPS and MiB/s peak apart,
-- and reports of others. Takes psql's variables seconds and lines.
CREATE TABLE input (name text, document text);
INSERT INTO input SELECT 'samples', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s', 'reads', r, 'writes', 50, 'read_ms', r / 2, 'write_ms', 20,
    'read_bytes', r * 8192 + CASE WHEN i % 89 = 0 THEN 419430400 ELSE 0 END, 'write_bytes', 409600) ORDER BY i)
  FROM (SELECT i, (2000 + i * 7919::bigint % 1000 + CASE WHEN i % 300 < 20 THEN 3000 ELSE 0 END
                  + CASE WHEN i % 97 = 0 THEN 9000 ELSE 0 END)::bigint AS r FROM generate_series(1, :seconds) i) demand;
INSERT INTO input SELECT 'iostat', E'Linux 6.1.0 (db1)\t11/21/26\t_x86_64_\t(2 CPU)\n\n' || string_agg(
    to_char(timestamp '2026-01-01' + i * interval '1 s', 'MM/DD/YY HH24:MI:SS')
    || E'\nDevice            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util\n'
    || E'vda             14.10    431.60     2.00  12.42    1.01    30.61  112.30   4672.40    15.10  11.85    0.79    41.61    0.11   1.24\n\n', '' ORDER BY i)
  FROM generate_series(1, :lines) i;
INSERT INTO input SELECT 'sar', E'Linux 6.1.0 (db1)\t11/21/26\t_x86_64_\t(2 CPU)\n\n' || string_agg(
    to_char(timestamp '2026-01-01' + i * interval '1 s', 'HH24:MI:SS')
    || E'          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n'
    || to_char(timestamp '2026-01-01' + (i + 1) * interval '1 s', 'HH24:MI:SS')
    || E'          vda    132.40    431.60   4672.40   2248.40     55.53      0.11      0.80      1.24\n\n', '' ORDER BY i)
  FROM generate_series(1, :lines) i;
INSERT INTO input SELECT 'cloudwatch', jsonb_build_object('MetricDataResults', (SELECT jsonb_agg(jsonb_build_object(
    'Id', 'm' || n, 'Label', 'vol-0data Volume' || metric, 'StatusCode', 'Complete', 'Timestamps', stamps, 'Values', figures) ORDER BY n)
    FROM unnest(ARRAY['ReadOps', 'WriteOps', 'ReadBytes', 'WriteBytes']) WITH ORDINALITY metrics (metric, n)))
  FROM (SELECT jsonb_agg(to_char(timestamp '2025-01-01' + i * interval '1 min', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') ORDER BY i) AS stamps,
               jsonb_agg(60000.0 * (1 + i % 7) ORDER BY i) AS figures FROM generate_series(1, :lines * 3 / 2) i) minutes;
INSERT INTO input SELECT 'rds os', string_agg('{"instanceID": "x", "timestamp": "' || to_char(timestamp '2026-01-01' + i * interval '1 s', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    || '", "physicalDeviceIO": [{"device": "nvme1n1", "readIOsPS": 100, "writeIOsPS": 5, "readKbPS": 800, "writeKbPS": 40, "await": 1}]}', E'\n' ORDER BY i)
  FROM generate_series(1, :lines) i;
INSERT INTO input SELECT 'rds waits', jsonb_build_object('MetricList', jsonb_build_array(jsonb_build_object('Key',
    '{"Metric": "db.load.avg", "Dimensions": {"db.wait_event.name": "IO:DataFileRead"}}'::jsonb, 'DataPoints',
    jsonb_agg(jsonb_build_object('Timestamp', 1767225600 + i, 'Value', 1.5) ORDER BY i)))) FROM generate_series(1, :lines * 2) i;
INSERT INTO input SELECT 'awr', jsonb_agg(jsonb_build_object('begin', timestamp '2020-01-01' + i * interval '1 min',
    'end', timestamp '2020-01-01' + (i + 1) * interval '1 min', 'read_requests', 100000 + i, 'write_requests', 100, 'read_bytes', 819200000,
    'write_bytes', 819200) ORDER BY i) FROM generate_series(1, :lines * 3 / 2) i;
INSERT INTO input SELECT 'fio', jsonb_build_object('fio version', 'fio-3.33', 'timestamp', 1,
    'jobs', jsonb_agg(jsonb_build_object('jobname', 'job ' || i))) FROM generate_series(1, 900) i;
INSERT INTO input SELECT 'fleet', jsonb_agg(jsonb_build_object('volume', 'vol-' || i, 'action', 'keep', 'usd_month_saved', 0, 'present',
    jsonb_build_object('volume_type', 'gp3', 'volumes', 1, 'size_gib', 500, 'usd_month', 40), 'tags', jsonb_build_object('Name', 'db ' || i)))
  FROM generate_series(1, 50000) i;
INSERT INTO input SELECT 'configuration', jsonb_build_object('Volumes', jsonb_agg(jsonb_build_object('VolumeId', 'vol-' || i, 'VolumeType', 'gp3',
    'Size', 500, 'Iops', 3000, 'Throughput', 125, 'AvailabilityZone', 'us-east-1a'))) FROM generate_series(1, 50000) i;
INSERT INTO input SELECT 'prices', jsonb_build_object('offer', 'AmazonEC2', 'version', '1', 'published', '2026-12-01', 'prices',
    jsonb_agg(jsonb_build_object('region', 'xx-made' || translate(i::text, '0123456789', 'abcdefghij') || '-1', 'volume_type', 'gp3', 'part', 'storage', 'usd', '0.07')))
  FROM generate_series(1, 19000) i;
SELECT ebs_import_samples('long', 'nvme1n1', document::jsonb) FROM input WHERE name = 'samples';
SELECT ebs_run_import(ebs_run_export('long')::text, 'long too');
INSERT INTO input SELECT 'runs', ebs_run_export('long')::text;
