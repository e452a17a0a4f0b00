-- Runs as documents: what is imported answers as it did where it comes from, and what is damaged imports nothing.
SET timezone = 'UTC';
\pset null -
\set full `sed -n 's/^full //p' sql/reports/held.hex`
\set fio `cat sql/reports/fio-3.33-plus.json`
-- Two minutes as if they had been sampled here, on a volume that was declared then (sql/truncated.sql has the same).
SELECT ebs_import_samples('run-a', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) ORDER BY i)) FROM generate_series(1, 120) i;
UPDATE ebs.sample_block b SET format = 5, samples = decode(:'full', 'hex'), run_id = NULL FROM ebs.run r
    WHERE r.run_id = b.run_id AND r.label = 'run-a';
UPDATE ebs.run SET imported = false, environment = '{"server_version": "18.6", "settings": {"block_size": "8192"}}' WHERE label = 'run-a';
INSERT INTO ebs.run_mark SELECT run_id, phase, at FROM ebs.run,
    (VALUES ('measure', timestamptz '2026-01-01 00:00:10+00'), ('over', '2026-01-01 00:01:50+00')) m (phase, at) WHERE label = 'run-a';
INSERT INTO ebs.volume_declared (volume, volume_type, size_gib, iops, throughput_mibps, volumes, declared_at)
    VALUES ('data', 'gp3', 300, 3000, 125, 1, '2025-12-01 00:00:00+00');
INSERT INTO ebs.instance_declared VALUES ('2025-12-01 00:00:00+00', 'm6g.large');
SELECT ebs_run_result('run-a', tps => 1234.567890123, latency_ms => 0.1, nopm => 1e22, tpm => 1::float8 / 3, details => '{"driver": "pgbench"}');
SELECT ebs_import_fio('run-a', :'fio');
SELECT ebs_run_note('run-a', '{"scale": 100, "host": "one"}');
SELECT ebs_run_tag('run-a', 'gp3'), ebs_run_tag('run-a', 'aged');

-- Every answer as one text, without the label.
CREATE FUNCTION answers(run text) RETURNS text LANGUAGE sql AS $$
    SELECT replace(string_agg(line, E'\n'), run, 'LABEL') FROM (
        SELECT x::text FROM ebs_io_mix(run) x UNION ALL SELECT x::text FROM ebs_io_sources(run) x
        UNION ALL SELECT x::text FROM ebs_io_sessions(run) x UNION ALL SELECT x::text FROM ebs_balance(run) x
        UNION ALL SELECT x::text FROM ebs_waits(run) x UNION ALL SELECT x::text FROM ebs_workload(run) x
        UNION ALL SELECT x::text FROM ebs_nvme(run) x UNION ALL SELECT x::text FROM ebs_device_samples(run) x
        UNION ALL SELECT x::text FROM ebs_options_detail(run) x UNION ALL SELECT x FROM ebs_advise(run, show => 'all') x
        UNION ALL SELECT ebs_advise_json(run)::text UNION ALL SELECT x::text FROM ebs_whatif(run, 'io2', 20000) x
        UNION ALL SELECT x::text FROM ebs_frontier(run) x UNION ALL SELECT x::text FROM ebs_report_card(run) x
        UNION ALL SELECT x::text FROM ebs_latency_histogram(run) x
        UNION ALL SELECT concat(tps, '|', latency_ms, '|', nopm, '|', tpm, '|', note, '|', environment, '|', phases, '|', tags, '|', started_at, '|', ended_at)
                  FROM ebs.runs_detail WHERE label = run) answers (line)
$$;
SET client_min_messages = warning; -- there is nothing of EBS's own statistics in it
CREATE TEMP TABLE origin AS SELECT answers('run-a') AS answers, ebs_run_export('run-a') AS document;
SELECT length(answers) > 20000 AS much, answers ~ 'declared gp3' AS declared, answers ~ 'm6g.large' AS instance FROM origin;

-- The document.
SELECT document - 'runs' AS head, jsonb_pretty(document #> '{runs,0}' #- '{samples,0,data}' #- '{results,0,recorded_us}' #- '{fio}') AS run FROM origin;
SELECT jsonb_array_length(document #> '{runs,0,fio}') AS fio FROM origin;

-- Dropped, with its samples and what was declared, and imported again; and under another label, and once more from there.
SELECT ebs_run_drop('run-a');
DELETE FROM ebs.sample_block WHERE ended_at < '2026-01-02';
DELETE FROM ebs.volume_declared WHERE declared_at = '2025-12-01 00:00:00+00';
DELETE FROM ebs.instance_declared WHERE declared_at = '2025-12-01 00:00:00+00';
SELECT ebs_run_import(document::text) FROM origin;
SELECT ebs_run_import(document::text, 'run-b') FROM origin;
SELECT ebs_run_import(ebs_run_export('run-b')::text, 'run-c');
SELECT label, answers(label) = answers AS the_same FROM ebs_runs(), origin ORDER BY run_id;
SELECT label, imported, started_by = current_user AS mine, tags, tps FROM ebs_runs();
SELECT document #- '{runs,0,label}' = ebs_run_export('run-c') #- '{runs,0,label}' AS the_same_document FROM origin;
-- Reports that say what they rest on.
SELECT answers ~ 'PostgreSQL 18.6' AS server FROM origin;

-- Several at once.
SELECT jsonb_array_length(ebs_run_export('*') -> 'runs') AS runs, jsonb_array_length(ebs_run_export('run-c*') -> 'runs') AS some;
CREATE TEMP TABLE three AS SELECT ebs_run_export('*') AS document;
SELECT ebs_run_import(document::text) FROM three;
SELECT ebs_run_import(document::text, 'x') FROM three;
SELECT ebs_run_drop('run-a'), ebs_run_drop('run-b'), ebs_run_drop('run-c');
SELECT ebs_run_import(document::text) FROM three;
SELECT count(*) AS runs, (SELECT count(*) FROM ebs.sample_block WHERE run_id IS NOT NULL) AS blocks FROM ebs.runs_detail;

-- What is refused imports nothing.
CREATE FUNCTION with_value(path text[], value jsonb) RETURNS text LANGUAGE sql AS $$
    SELECT jsonb_set(jsonb_set(document, '{runs,0,label}', '"bad"'), path, value)::text FROM origin
$$;
SELECT ebs_run_import(NULL);
SELECT ebs_run_import('{}');
SELECT ebs_run_import('[1, 2]');
SELECT ebs_run_import('hello');
SELECT ebs_run_import(left(document::text, 1000)) FROM origin;
SELECT ebs_run_import(document::text) FROM origin;
SELECT ebs_run_import(with_value('{schema_version}', '2'));
SELECT ebs_run_import(with_value('{runs}', '[]'));
SELECT ebs_run_import(with_value('{runs,0,label}', '""'));
SELECT ebs_run_import(with_value('{runs,0,label}', '7'));
SELECT ebs_run_import(with_value('{runs,0,started_us}', '9e18'));
SELECT ebs_run_import(with_value('{runs,0,ended_us}', '1e30'));
SELECT ebs_run_import(with_value('{runs,0,ended_us}', '0'));
SELECT ebs_run_import(with_value('{runs,0,note}', '{"scale": 1e400}'));
SELECT ebs_run_import(with_value('{runs,0,tags}', '["two\nlines"]'));
SELECT ebs_run_import(with_value('{runs,0,marks,0,marked_us}', '-1'));
SELECT ebs_run_import(with_value('{runs,0,results,0,tps}', '-1'));
SELECT ebs_run_import(with_value('{runs,0,declared,volumes,0,iops}', '18446744073709551615'));
SELECT ebs_run_import(with_value('{runs,0,environment}', '[]'));
SELECT ebs_run_import(with_value('{runs,0,fio,0,fio,jobs}', '[]'));
SELECT ebs_run_import(with_value('{runs,0,samples,0,layout}', '6'));
SELECT ebs_run_import(with_value('{runs,0,samples,0,crc32}', '4'));
SELECT ebs_run_import(with_value('{runs,0,samples,0,data}', '"not base64"'));
SELECT ebs_run_import(with_value('{runs,0,samples,0,data}', to_jsonb(left(document #>> '{runs,0,samples,0,data}', 100)))) FROM origin;
SELECT ebs_run_import(with_value('{runs,0,samples,0,data}', to_jsonb(repeat('A', 90 << 20))));
SELECT ebs_run_import(with_value('{runs}', jsonb_build_array(document #> '{runs,0}', document #> '{runs,0}'))) FROM origin;
SELECT ebs_run_export('nobody');
SELECT ebs_run_export('nobody*');
SELECT ebs_run_export(NULL);
SELECT ebs_run_begin('open') > 0 AS begun;
SELECT ebs_run_export('open');
SELECT ebs_run_end();
\set VERBOSITY sqlstate
SELECT ebs_run_import(document::text) FROM origin;
SELECT ebs_run_import(with_value('{schema_version}', '2'));
SELECT ebs_run_import(with_value('{runs,0,samples,0,crc32}', '4'));
SELECT ebs_run_import(with_value('{runs,0,samples,0,data}', to_jsonb(repeat('A', 90 << 20))));
\set VERBOSITY default
SELECT count(*) AS runs, (SELECT count(*) FROM ebs.sample_block WHERE run_id IS NOT NULL) AS blocks FROM ebs.runs_detail WHERE label <> 'open';

-- Reading is pg_monitor's, importing whose it is granted to.
CREATE ROLE ebs_carrier IN ROLE pg_monitor;
SET ROLE ebs_carrier;
SELECT ebs_run_export('run-a') -> 'schema_version' AS exported;
SELECT ebs_run_import('{}');
RESET ROLE;
DROP ROLE ebs_carrier;
RESET client_min_messages;
DO $$ BEGIN PERFORM ebs_run_drop(label) FROM ebs.runs_detail; END $$;
DROP FUNCTION answers, with_value;
