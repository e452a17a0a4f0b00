-- RDS Enhanced Monitoring: the messages are written here, in the form that AWS documents.
SET timezone = 'UTC';
CREATE SCHEMA rds_os;
SET search_path = rds_os, public;

CREATE FUNCTION device(name text, mount text, reads float8, writes float8) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_strip_nulls(jsonb_build_object('device', name, 'mountPoint', mount, 'readIOsPS', reads, 'writeIOsPS', writes,
        'tps', reads + writes, 'readKbPS', 8 * reads, 'writeKbPS', 16 * writes, 'readKb', NULL, 'await', 2.0,
        'avgQueueLen', round((reads + writes)::numeric / 500, 2), 'rrqmPS', 0.0, 'wrqmPS', 3.0, 'util', 1.5, 'avgReqSz', 20.1))
$$;
-- The message of a second, whose demand grows from second to second.
CREATE FUNCTION message(second int, instance text DEFAULT 'mydb', change jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_build_object('engine', 'POSTGRES', 'instanceID', instance, 'instanceResourceID', 'db-' || instance,
        'timestamp', to_char(timestamp '2026-11-20 09:00' + second * interval '1 s', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'version', 1,
        'uptime', '1 days, 00:00:00', 'numVCPUs', 4, 'cpuUtilization', '{"total": 30.5, "wait": 5.5, "idle": 69.5, "user": 25.0}'::jsonb,
        'diskIO', jsonb_build_array(device('rdsdev', NULL, 2000 + second, 600)),
        'physicalDeviceIO', jsonb_build_array(device('nvme1n1', NULL, 1000 + second, 250), device('nvme2n1', NULL, 1000, 250)),
        'fileSys', jsonb_build_array(jsonb_build_object('mountPoint', '/rdsdbdata', 'total', 104857600, 'used', 20971520 + 100 * second),
                                     jsonb_build_object('mountPoint', '/', 'total', 10230600, 'used', 5825720)),
        'processList', '[{"name": "postgres: \"user\" [idle]", "id": 1, "cpuUsedPc": 0.1}]'::jsonb) || change
$$;
CREATE FUNCTION event(second int, message jsonb) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_build_object('timestamp', (1795165200 + second) * 1000::bigint, 'message', message::text, 'ingestionTime', 1)
$$;
CREATE FUNCTION page(first int, last int) RETURNS text LANGUAGE sql AS $$
    SELECT jsonb_build_object('events', jsonb_agg(event(i, message(i)) ORDER BY i), 'nextForwardToken', 'f/1')::text FROM generate_series(first, last) i
$$;
CREATE FUNCTION shown(label text) RETURNS TABLE (samples bigint, began timestamptz, ended timestamptz, reads numeric, writes numeric, read_ms numeric, write_ms numeric)
LANGUAGE sql AS $$
    SELECT count(*), min(ended_at - seconds * interval '1 s'), max(ended_at), sum(d.reads), sum(d.writes), sum(d.read_ms), sum(d.write_ms)
    FROM ebs_device_samples(label) d
$$;

-- Every shape gives the same samples.
SELECT ebs_import_rds_os('page', page(0, 9));
SELECT ebs_import_rds_os('pages', page(0, 4) || page(5, 9));
SELECT ebs_import_rds_os('messages', (SELECT string_agg(message(i)::text, E'\n' ORDER BY i) FROM generate_series(0, 9) i));
SELECT ebs_import_rds_os('events', (SELECT string_agg((event(i, message(i)) || '{"logStreamName": "db-mydb"}')::text, E'\n' ORDER BY i) FROM generate_series(0, 9) i));
SELECT ebs_import_rds_os('export', (SELECT string_agg(
    to_char(timestamp '2026-11-20 09:00' + i * interval '1 s', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z "') || message(i), E'\n' ORDER BY i) FROM generate_series(0, 9) i));
-- Unordered and overlapping, as pages of several commands are.
SELECT ebs_import_rds_os('unordered', page(6, 9) || page(3, 7) || page(0, 4));
SELECT * FROM shown('page');
SELECT label, (SELECT shown(label)) = (SELECT shown('page')) AS same FROM unnest('{pages,messages,events,export,unordered}'::text[]) label;

-- The volumes are summed; the stripe, or one of them, can be named instead.
SELECT ended_at, seconds, volume, reads, writes, read_bytes, write_bytes, read_ms, write_ms FROM ebs_device_samples('page') LIMIT 2;
SELECT ebs_import_rds_os('stripe', page(0, 9), 'rdsdev');
SELECT ebs_import_rds_os('one volume', page(0, 9), device => 'nvme2n1');
SELECT label, (shown(label)).reads FROM unnest('{stripe, one volume}'::text[]) label;
SELECT ebs_import_rds_os('log volume', (SELECT string_agg(message(i, change => jsonb_build_object('physicalDeviceIO', jsonb_build_array(
    device('nvme1n1', '/rdsdbdata', 1000 + i, 20), device('nvme2n1', '/rdslogvolume', 0, 500), device('nvme0n1', '/', 7, 7))))::text, '') FROM generate_series(0, 9) i));
SELECT DISTINCT volume, reads > 0 AS reads, writes FROM ebs_device_samples('log volume') ORDER BY 1;
SELECT DISTINCT volume, role FROM ebs_io_mix('log volume') ORDER BY 1;

-- A gap is not counted, and neither is the minute before a second.
SELECT ebs_import_rds_os('gap', page(0, 9) || page(100, 109) || (SELECT string_agg(page(i * 60, i * 60), '') FROM generate_series(3, 5) i));
SELECT seconds, count(*), min(ended_at), max(ended_at) FROM ebs_device_samples('gap') GROUP BY 1 ORDER BY 3;

-- What the run knows beside: instance, space, CPU, limitations.
SELECT environment ->> 'imported_from' AS source, environment ->> 'db_instance' AS db_instance, environment ->> 'dbi_resource_id' AS dbi_resource_id,
       jsonb_pretty(environment -> 'doubts') AS doubts FROM ebs.run WHERE label = 'page';
SELECT metric, value, unit FROM ebs_workload('page') WHERE metric ~ 'CPU' AND value IS NOT NULL;
SELECT ebs_import_rds_os('minutes', page(0, 179));
SELECT volume_type, size_gib, iops, feasible FROM ebs_options('minutes', platform => 'rds') WHERE volume_type ~ '3|io';

-- What is refused imports nothing.
\set SHOW_CONTEXT never
SELECT ebs_import_rds_os('bad', NULL);
SELECT ebs_import_rds_os('bad', '{"events": [], "nextForwardToken": "f/1"}');
SELECT ebs_import_rds_os('bad', 'node_disk_reads_completed_total{device="rdsdev",instance="mydb"} 120');
SELECT ebs_import_rds_os('bad', left(page(0, 9), -400));
SELECT ebs_import_rds_os('bad', '{"events": [{"timestamp": 1795165200000, "message": "{\"engine\": \"POSTGRES\", \"instanceID\""}]}');
SELECT ebs_import_rds_os('bad', '{"events": [{"timestamp": 1795165200000, "message": 5}]}');
SELECT ebs_import_rds_os('bad', page(0, 9) || message(10, 'other')::text || page(11, 19));
SELECT ebs_import_rds_os('two', page(0, 9) || message(10, 'other')::text || page(11, 19), instance => 'mydb');
SELECT ebs_import_rds_os('bad', page(0, 9), instance => 'nobody');
SELECT ebs_import_rds_os('bad', page(0, 9), device => 'sdf');
SELECT ebs_import_rds_os('bad', page(0, 9), 'rdsdev', wal_device => 'rdsdev');
SELECT ebs_import_rds_os('bad', page(0, 9) || (SELECT string_agg(message(i, change => '{"numVCPUs": 8}')::text, '') FROM generate_series(0, 9) i));
SELECT ebs_import_rds_os('bad', message(0, change => '{"engine": "aurora-postgresql"}')::text);
SELECT ebs_import_rds_os('bad', message(0, change => '{"diskIO": [{"readLatency": 0.0, "writeLatency": 1.1, "diskQueueDepth": 0, "readIOsPS": 0, "writeIOsPS": 3}], "physicalDeviceIO": null}')::text);
SELECT ebs_import_rds_os('bad', message(0, change => '{"timestamp": "yesterday"}')::text);
SELECT ebs_import_rds_os('bad', message(0, change => '{"physicalDeviceIO": [{"device": "nvme1n1", "readIOsPS": -1}]}')::text);
SELECT ebs_import_rds_os('bad', message(0)::text);
SELECT ebs_import_rds_os('page', page(0, 9));
\set SHOW_CONTEXT errors
SELECT label FROM ebs.runs_detail WHERE label = 'bad';

-- Performance Insights: wait events beside the same run.
CREATE FUNCTION metric(first int, last int, value float8, name text DEFAULT NULL, class text DEFAULT NULL) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_build_object('Key', jsonb_build_object('Metric', 'db.load.avg') || CASE WHEN name IS NULL THEN '{}' ELSE jsonb_build_object('Dimensions',
        jsonb_strip_nulls(jsonb_build_object('db.wait_event.name', name, 'db.wait_event.type', class))) END,
        'DataPoints', jsonb_agg(jsonb_build_object('Timestamp', 1795165200 + i, 'Value', value) ORDER BY i)) FROM generate_series(first, last) i
$$;
CREATE FUNCTION metrics(first int, last int, identifier text DEFAULT 'db-mydb') RETURNS text LANGUAGE sql AS $$
    SELECT jsonb_build_object('Identifier', identifier, 'MetricList', jsonb_build_array(metric(first, last, 6), metric(first, last, 1, 'CPU', 'CPU'),
        metric(first, last, 4, 'IO:DataFileRead', 'IO'), metric(first, last, 0.5, 'WALWrite', 'LWLock')))::text
$$;
SELECT * FROM ebs_waits('page');
SELECT ebs_import_rds_waits('page', metrics(0, 9));
SELECT backend_type, wait_class, wait_event, average_active_sessions, db_time_pct FROM ebs_waits('page');
SELECT environment -> 'doubts' -> 2 AS samples, environment -> 'doubts' -> 3 AS idle, environment -> 'doubts' -> 4 AS part FROM ebs.run WHERE label = 'page';
SELECT ebs_import_rds_waits('minutes', metrics(0, 179));
SELECT size_gib, volumes, round(throughput_ratio::numeric, 2) AS ratio, bound_by FROM ebs_whatif('minutes', 'io2', 20000, platform => 'rds');
-- A part of the run, and what is outside; it replaces what was there. Pages follow one another.
SELECT ebs_import_rds_waits('page', metrics(5, 7) || metrics(8, 14));
SELECT wait_event, average_active_sessions FROM ebs_waits('page');
SELECT jsonb_array_length(environment -> 'doubts') AS doubts, environment -> 'doubts' -> 4 AS part FROM ebs.run WHERE label = 'page';
\set SHOW_CONTEXT never
SELECT ebs_import_rds_waits('nobody', metrics(0, 9));
SELECT ebs_import_rds_waits('page', NULL);
SELECT ebs_import_rds_waits('page', '{"MetricDataResults": []}');
SELECT ebs_import_rds_waits('page', left(metrics(0, 9), -40));
SELECT ebs_import_rds_waits('page', metrics(1000, 1009));
SELECT ebs_import_rds_waits('page', metrics(0, 9, 'db-other'));
SELECT ebs_import_rds_waits('page', metrics(0, 0));
SELECT ebs_import_rds_waits('page', metrics(0, 9), 60);
SELECT ebs_import_rds_waits('page', jsonb_build_object('MetricList', jsonb_build_array(metric(0, 9, 6)))::text);
SELECT ebs_import_rds_waits('page', jsonb_build_object('MetricList', jsonb_build_array(metric(0, 9, 1), metric(0, 9, 2, 'CPU')))::text);
SELECT ebs_run_begin('sampled'), ebs_run_end() \gset
SELECT ebs_import_rds_waits('sampled', metrics(0, 9));
SELECT ebs_run_drop('sampled');
\set SHOW_CONTEXT errors
-- What was refused has changed nothing.
SELECT wait_event, average_active_sessions FROM ebs_waits('page');

SELECT count(ebs_run_drop(label)) FROM ebs.run WHERE environment ->> 'imported_from' = 'RDS Enhanced Monitoring';
RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA rds_os CASCADE;
