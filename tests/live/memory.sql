-- Inputs of tests/live/memory.sh, and a call of each function with each kind of them, in the order in which they are made.
CREATE TABLE input (name text PRIMARY KEY, body text);

INSERT INTO input SELECT 'samples ' || most, jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01' + i * interval '1 s',
    'reads', r, 'writes', i % 50, 'read_bytes', r * 8192 + CASE WHEN i % 89 = 0 THEN 419430400 ELSE 0 END, 'write_bytes', i % 50 * 8192) ORDER BY i)
  FROM (VALUES (100000), (20000)) sizes (most),
       LATERAL (SELECT i, 2000 + i * 7919 % 1000 + CASE WHEN i % 300 < 20 THEN 3000 ELSE 0 END AS r FROM generate_series(1, most) i) demand
  GROUP BY most;
-- The shortest lines there are, of which each makes a report.
INSERT INTO input SELECT 'iostat short', repeat(E'Device tps\nsda 1\n', 400000);
INSERT INTO input SELECT 'fio', jsonb_build_object('fio version', 'fio-3.33', 'timestamp', 1,
    'jobs', jsonb_agg(jsonb_build_object('jobname', 'job ' || i, 'elapsed', 60))) FROM generate_series(1, 500) i;
INSERT INTO input SELECT 'modification', jsonb_build_object('VolumesModifications', jsonb_build_array(jsonb_build_object('VolumeId', 'vol-1',
    'ModificationState', 'completed', 'OriginalVolumeType', 'gp2', 'TargetVolumeType', 'gp3', 'StartTime', '2026-01-01T01:00:00Z', 'EndTime', '2026-01-01T01:10:00Z')));
INSERT INTO input VALUES ('prices', '{"offer": "AmazonEC2", "version": "1", "published": "2026-12-01", "prices": [
    {"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": "0.07"}]}');
-- JSON that takes the most memory for its length: objects of one member, nested.
INSERT INTO input SELECT 'objects', '[' || repeat(repeat('{"":{"":{"":{"":0}}}},', 1000), 17) || '0]';
INSERT INTO input SELECT 'note', jsonb_build_object('objects', (SELECT body::jsonb FROM input WHERE name = 'objects'))::text;
INSERT INTO input SELECT 'large objects', '[' || repeat(repeat('{"":{"":{"":{"":0}}}},', 1000), 800) || '0]';
-- As attackers sent it: arrays that double.
INSERT INTO input SELECT 'zeros', '{"runs": [' || repeat(repeat('0,', 1000), 7900) || '0]}';
INSERT INTO input SELECT 'few zeros', '{"runs": [' || repeat(repeat('0,', 1000), 500) || '0]}';
-- Cut off, and not refused before the end is reached.
INSERT INTO input SELECT 'cut off', left(body, length(body) - 10) FROM input WHERE name = 'samples 20000';

CREATE FUNCTION body(wanted text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT i.body FROM input i WHERE i.name = wanted
    UNION ALL (SELECT m.body FROM made m WHERE m.format = wanted AND NOT hostile ORDER BY number LIMIT 1) LIMIT 1 $$;
SELECT ebs_import_samples('long', 'sdf', body('samples 100000')::jsonb);
SELECT ebs_import_samples('short', 'sdf', body('samples 20000')::jsonb), ebs_import_samples('other', 'sdf', body('samples 20000')::jsonb);
SELECT ebs_import_fio('short', body('fio'));
INSERT INTO input VALUES ('document', ebs_run_export('*')::text);

-- What a call ends with where memory is not short: an answer unless it says otherwise.
CREATE TABLE call (place int GENERATED ALWAYS AS IDENTITY, statement text, ends_with text DEFAULT '00000');
-- Of every import its documents: each ends as it does here.
CREATE FUNCTION state_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT ' || statement;
    RAISE EXCEPTION USING ERRCODE = 'EB000', MESSAGE = 'it is undone';
EXCEPTION WHEN OTHERS THEN
    RETURN CASE SQLSTATE WHEN 'EB000' THEN '00000' ELSE SQLSTATE END;
END $$;
INSERT INTO call (statement, ends_with) SELECT statement, state_of(statement)
  FROM (SELECT call || ' FROM made WHERE number = ' || number AS statement FROM made WHERE call IS NOT NULL AND NOT hostile ORDER BY number) m;
INSERT INTO call (statement, ends_with) VALUES
    ($$ebs_run_import(body('zeros'))$$, '53200'),
    ($$ebs_run_import(body('few zeros'))$$, '22023'),
    ($$ebs_import_cloudwatch('refused', body('large objects')::jsonb)$$, '53200'),
    ($$ebs_import_cloudwatch('refused', body('objects')::jsonb)$$, '22P02'),
    ($$ebs_import_samples('refused', 'sdf', body('large objects')::jsonb)$$, '42704'),
    ($$ebs_import_samples('refused', 'sdf', body('few zeros')::jsonb)$$, '22023'),
    ($$ebs_import_iostat('refused', body('iostat short'), started_at => '2026-01-01', interval_s => 1)$$, '53200'),
    ($$ebs_import_fio('refused', body('zeros'))$$, '22P02'),
    ($$ebs_run_import(body('cut off'))$$, '22P02'),
    ($$ebs_index_advice('short')$$, '55000');
INSERT INTO call (statement) VALUES
    ($$ebs_options_detail('long', min_size_gib => 500)$$),
    ($$ebs_run_import(replace(body('document'), '"label": "', '"label": "again '))$$),
    ($$ebs_run_export('*')$$),
    ($$ebs_aurora(body('aurora')::jsonb, 2.076)$$),
    ($$ebs_import_configuration(body('configuration'))$$),
    ($$ebs_import_configuration(body('modification'))$$),
    ($$ebs_compare_change('short', at => '2026-01-01 02:00')$$),
    ($$ebs_import_fleet(body('fleet'), '2026-01-01')$$),
    ($$ebs_fleet_forget('2026-01-02')$$),
    ($$ebs_demand_histogram()$$),
    ($$ebs_demand_metrics()$$),
    ($$ebs_configuration_reset()$$),
    ($$ebs_import_prices(body('prices')::jsonb)$$),
    ($$ebs_prices_reset()$$),
    ($$ebs_run_begin('noted', body('note')::jsonb)$$),
    ($$ebs_run_mark('measure')$$),
    ($$ebs_run_end()$$),
    ($$ebs_run_result('noted', tps => 1, details => body('note')::jsonb)$$),
    ($$ebs_run_note('noted', '{"one": 1}')$$),
    ($$ebs_run_tag('noted', 'one')$$),
    ($$ebs_run_untag('noted', 'one')$$),
    ($$ebs_run_export('noted')$$),
    ($$ebs_compare('short', 'other')$$),
    ($$ebs_report_html('short', baseline => 'other')$$),
    ($$ebs_advise('short')$$),
    ($$ebs_advise('noted')$$),
    ($$ebs_advise_json('short')$$),
    ($$ebs_balance('short')$$),
    ($$ebs_chart('short')$$),
    ($$ebs_device_samples('short')$$),
    ($$ebs_findings('short')$$),
    ($$ebs_options('short', min_size_gib => 500)$$),
    ($$ebs_frontier('short')$$),
    ($$ebs_help()$$),
    ($$ebs_io_mix('short')$$),
    ($$ebs_io_sessions()$$),
    ($$ebs_io_sources()$$),
    ($$ebs_latency_histogram('short')$$),
    ($$ebs_nvme()$$),
    ($$ebs_nvme_histogram()$$),
    ($$ebs_queries('noted')$$),
    ($$ebs_report_card('short')$$),
    ($$ebs_runs()$$),
    ($$ebs_status()$$),
    ($$ebs_waits()$$),
    ($$ebs_workload()$$),
    ($$ebs_whatif('short', 'io2', 20000)$$),
    ($$ebs_price('gp3', 100)$$),
    ($$ebs_restore_time(size_gib => 100)$$),
    ($$ebs_prices()$$),
    ($$ebs_sample()$$),
    ($$ebs_volume_declare('data', 'gp3', 500)$$),
    ($$ebs_instance_declare('m5.large')$$),
    ($$ebs_run_rename('noted', 'renamed')$$),
    ($$ebs_run_drop('renamed')$$);
