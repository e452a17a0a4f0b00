-- What may be given to us is bounded, in size, depth and number: refused with 54000 before it is read or kept.
\set run 'ebs_import_samples(\'many\', \'sdf\', \'[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 8192, "write_bytes": 8192}, {"ts": "2026-01-01 00:00:01", "reads": 1, "writes": 1, "read_bytes": 8192, "write_bytes": 8192}]\')'
SELECT :run AS samples;

-- Notes and details: a MiB, a hundred levels, numbers that a program takes.
SELECT ebs_run_begin('noted', to_jsonb(repeat('x', 1048577)));
\echo :SQLSTATE
SELECT ebs_run_note('many', jsonb_build_object('deep', (repeat('[', 101) || repeat(']', 101))::jsonb));
\echo :SQLSTATE
SELECT ebs_run_note('many', jsonb_build_object('deep', (repeat('[', 200) || repeat(']', 200))::jsonb));
SELECT ebs_run_note('many', '{"huge": 1e400}');
SELECT ebs_run_result('many', tps => 1, details => to_jsonb(repeat('x', 1048577)));
SELECT ebs_run_result('many', tps => 'Infinity');
-- A note does not grow beyond it by and by.
SELECT length(ebs_run_note('many', jsonb_build_object('one', repeat('x', 600000)))::text);
SELECT ebs_run_note('many', jsonb_build_object('two', repeat('x', 600000)));
SELECT array_agg(key) AS kept FROM ebs.runs_detail, jsonb_object_keys(note) key WHERE label = 'many';

-- What is imported: 64 MiB, and it is not read first. A document of runs may be as long as one jsonb.
SELECT ebs_import_samples('large', 'sdf', jsonb_build_array(repeat(repeat('x', 65536), 1025)));
\echo :SQLSTATE
SELECT ebs_import_cloudwatch('large', to_jsonb(repeat(repeat('x', 65536), 1025)));
SELECT ebs_import_awr('large', to_jsonb(repeat(repeat('x', 65536), 1025)));
SELECT ebs_import_prices(to_jsonb(repeat(repeat('x', 65536), 1025)));
SELECT ebs_import_iostat('large', repeat(repeat('x', 65536), 1025));
SELECT ebs_import_sar('large', repeat(repeat('x', 65536), 1025));
SELECT ebs_import_fio('large', repeat(repeat('{', 65536), 1025));
SELECT ebs_run_import(repeat(repeat(' ', 65536), 4097));
SELECT ebs_run_import('{"runs": [' || repeat(repeat('[],', 1000), 5001) || '[]]}');
\echo :SQLSTATE
-- Parts of it: devices, lines, members, prices; names and labels before anything is read.
SELECT ebs_import_iostat('devices', (SELECT E'Device r/s w/s rkB/s wkB/s\n' || string_agg('sd' || i || ' 1 1 1 1', E'\n') FROM generate_series(1, 400000) i),
    started_at => '2026-01-01', interval_s => 1, since_boot => false);
\echo :SQLSTATE
SELECT ebs_import_sar('devices', (SELECT E'# h;i;t;DEV;tps;rkB/s;wkB/s\n' || string_agg('h;1;1700000000;sd' || i || ';1;1;1', E'\n') FROM generate_series(1, 400000) i));
SELECT ebs_import_iostat('line', 'Device r/s' || repeat(' x', 1000000));
SELECT ebs_import_cloudwatch('volumes', (SELECT jsonb_build_object('MetricDataResults', jsonb_agg(jsonb_build_object(
    'Label', 'vol-' || i || ' VolumeReadOps', 'Timestamps', '[0, 60]'::jsonb, 'Values', '[1, 1]'::jsonb))) FROM generate_series(1, 2000) i));
SELECT ebs_import_samples('members', 'sdf', (SELECT jsonb_build_array(jsonb_object_agg('k' || i, i)) FROM generate_series(1, 65) i));
\echo :SQLSTATE
SELECT ebs_import_prices((SELECT jsonb_build_object('offer', 'AmazonEC2', 'version', '1', 'published', '2026-10-15', 'prices',
    jsonb_agg('{"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": "0.08"}'::jsonb)) FROM generate_series(1, 20001)));
\echo :SQLSTATE
SELECT ebs_import_samples(repeat('x', 201), 'sdf', 'null');
\echo :SQLSTATE
SELECT ebs_import_cloudwatch(repeat('x', 201), 'null');
SELECT ebs_import_awr(repeat('x', 201), 'null');
SELECT ebs_import_fio(repeat('x', 201), '');
SELECT ebs_import_samples('device', repeat('x', 64), 'null');
SELECT ebs_import_iostat('device', '', device => repeat('x', 64));
SELECT ebs_import_sar('device', '', wal_device => repeat('x', 64));
SELECT ebs_import_sar('zone', '', time_zone => repeat('x', 1000));
SELECT ebs_run_import('', repeat('x', 201));
SELECT ebs_run_note(repeat('x', 1000), '{}');
\echo :SQLSTATE
SELECT ebs_run_export(repeat('x', 201) || '*');
SELECT ebs_run_untag('many', repeat('x', 1000));
SELECT ebs_instance_declare(repeat('x', 1000));
SELECT ebs_volume_declare(repeat('x', 1000), NULL, NULL);
SELECT * FROM ebs_prices(repeat('x', 1000));
-- Depth and numbers.
SELECT ebs_import_cloudwatch('deep', (repeat('[', 200) || repeat(']', 200))::jsonb);
SELECT ebs_import_fio('deep', repeat('[', 1000000));
SELECT ebs_import_fio('deep', '{"other": ' || repeat('[', 1000000));
SELECT ebs_run_import(repeat('[', 1000000));
SELECT ebs_import_samples('huge', 'sdf', '[{"ts": "2026-01-01", "reads": 1e308}, {"ts": "2026-01-01 00:00:01", "reads": 1e308, "writes": 1, "read_bytes": 1, "write_bytes": 1}]');
SELECT ebs_import_samples('nan', 'sdf', '[{"ts": "2026-01-01", "reads": "NaN"}, {"ts": "2026-01-01 00:00:01", "reads": "NaN", "writes": "Infinity", "read_bytes": 1, "write_bytes": 1}]');

-- A thousand marks, results and reports of fio of a run, also within one statement.
SELECT count(*) FROM (SELECT ebs_run_result('many', tps => i) FROM generate_series(1, 1001) i) results;
\echo :SQLSTATE
INSERT INTO ebs.run_result (run_id, tps, recorded_at) SELECT run_id, 1, '2026-01-01'::timestamptz + i * interval '1 s' FROM ebs.run, generate_series(1, 1000) i WHERE label = 'many';
SELECT ebs_run_result('many', tps => 1);
INSERT INTO ebs.run_fio (run_id, fio, recorded_at) SELECT run_id, '{}', '2026-01-01'::timestamptz + i * interval '1 s' FROM ebs.run, generate_series(1, 1000) i WHERE label = 'many';
\set fio `cat sql/reports/fio-3.33.json`
SELECT ebs_import_fio('many', :'fio');
SELECT ebs_run_begin('open') > 0 AS begun;
INSERT INTO ebs.run_mark (run_id, phase, marked_at) SELECT run_id, 'x', '2026-01-01'::timestamptz + i * interval '1 s' FROM ebs.run, generate_series(1, 1000) i WHERE label = 'open';
SELECT ebs_run_mark('one more');
SELECT ebs_run_end();
SELECT ebs_run_drop('open'), ebs_run_drop('many');

-- What is declared, and prices.
INSERT INTO ebs.instance_declared SELECT '2000-01-01'::timestamptz + i * interval '1 s', 'm5.large' FROM generate_series(1, 10000) i;
SELECT ebs_instance_declare('m5.large');
SELECT ebs_volume_declare('data', 'gp3', 100);
DELETE FROM ebs.instance_declared;
INSERT INTO ebs.price SELECT 'xx-made-' || i, 'ec2', 'gp3', 'storage', 1, 'made up', '2026-01-01' FROM generate_series(1, 20000) i;
SELECT ebs_import_prices('{"offer": "AmazonEC2", "version": "1", "published": "2026-10-15", "prices": [{"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": "0.08"}]}');
SELECT ebs_prices_reset();

-- Runs: as many, and as much of them, as the settings say.
ALTER SYSTEM SET ebs_advisor.max_runs = 1;
SELECT pg_reload_conf();
\connect -
SELECT :run AS samples;
SELECT ebs_run_begin('one more');
\echo :SQLSTATE
SELECT ebs_import_fio('one more', :'fio');
SELECT ebs_run_import(replace(ebs_run_export('many')::text, '"many"', '"one more"'));
-- Not by many in one statement either.
SELECT ebs_run_drop('many');
SELECT count(*) FROM (SELECT ebs_import_samples('many ' || i, 'sdf', '[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 8192, "write_bytes": 8192}, {"ts": "2026-01-01 00:00:01", "reads": 1, "writes": 1, "read_bytes": 8192, "write_bytes": 8192}]') FROM generate_series(1, 2) i) runs;
ALTER SYSTEM RESET ebs_advisor.max_runs;
ALTER SYSTEM SET ebs_advisor.run_storage_limit = '1MB';
SELECT pg_reload_conf();
\connect -
SELECT :run AS samples;
ALTER TABLE ebs.run ALTER note SET STORAGE EXTERNAL;
SELECT length(ebs_run_note('many', jsonb_build_object('one', repeat('x', 1000000)))::text);
SELECT ebs_run_result('many', tps => 1, details => to_jsonb(repeat('x', 100000)));
SELECT ebs_run_note('many', jsonb_build_object('one', repeat('y', 1047000))) IS NULL AS noted;
SELECT ebs_run_note('many', '{"three": 3}');
\echo :SQLSTATE
SELECT ebs_run_result('many', tps => 1);
SELECT ebs_run_begin('one more');
ALTER TABLE ebs.run ALTER note SET STORAGE EXTENDED;
SELECT ebs_run_drop('many');
ALTER SYSTEM RESET ebs_advisor.run_storage_limit;
SELECT pg_reload_conf();

-- Text of somebody's is text, wherever it is shown: nothing of it is SQL, HTML, an escape of the terminal's or one that turns letters.
SELECT ebs_import_samples(E'\u202E''); DROP TABLE ebs.run; --</script><img src=x onerror=alert(1)>', E'sd\u202Ef<b>', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s', 'reads', 100, 'writes', 1, 'read_bytes', 819200, 'write_bytes', 8192) ORDER BY i))
    FROM generate_series(1, 60) i;
SELECT label AS label FROM ebs.runs_detail WHERE label LIKE '%onerror%' \gset
SELECT ebs_import_samples(E'\u202E<b>baseline', 'sdf', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s', 'reads', 200, 'writes', 1, 'read_bytes', 819200, 'write_bytes', 8192) ORDER BY i))
    FROM generate_series(1, 60) i;
SELECT label AS baseline FROM ebs.runs_detail WHERE label LIKE '%baseline' \gset
SELECT bool_and(line !~ E'[\u202E\u2066]') AS upright, bool_or(line LIKE '%?''); DROP TABLE ebs.run; --%') AS shown FROM ebs_advise(:'label', show => 'all') line;
SELECT bool_and(line !~ E'[\u202E\u2066]') AS upright FROM ebs_chart(:'label') line;
SELECT page !~ E'[\u202E\u2066]' AS upright, page !~* '<img|<script|</script|<b>' AS escaped, page LIKE '%&lt;img src=x onerror=alert(1)&gt;%' AS shown
    FROM ebs_report_html(:'label', baseline => :'baseline') page;
SELECT ebs_run_note(:'label', '{"</script>": "<img onerror=x>"}') IS NOT NULL AS noted, ebs_run_tag(:'label', '<b>''"') AS tags;
SELECT count(*) AS runs FROM ebs_runs(tag => '<b>''"');
SELECT ebs_run_drop(:'label');
SELECT ebs_run_drop(:'baseline');
