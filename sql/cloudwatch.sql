-- CloudWatch beyond the six metrics: what is missing is unknown, what was checked counts.
\set QUIET on
SET client_min_messages = warning;
\set QUIET off
-- Ten minutes of metrics, each a label and its values: two for the even and the odd minutes.
CREATE FUNCTION cloudwatch(metrics jsonb, minutes int DEFAULT 10) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_build_object('MetricDataResults', jsonb_agg(jsonb_build_object('Label', label, 'Timestamps', times, 'Values', "values")))
    FROM jsonb_each(metrics) AS metric(label, pair),
         LATERAL (SELECT jsonb_agg(1795168800 + 60 * i) AS times, jsonb_agg(pair -> (i % 2)) AS "values"
                  FROM generate_series(0, minutes - 1) i WHERE pair -> (i % 2) <> 'null') points
$$;
CREATE VIEW limitations AS SELECT label, limitation FROM ebs.runs_detail,
    LATERAL jsonb_array_elements_text(environment -> 'doubts') limitation ORDER BY 1, 2;
\set requests '"ReadIOPS": [1000, 1400], "WriteIOPS": [500, 500]'
\set bytes '"ReadThroughput": [8192000, 11468800], "WriteThroughput": [4096000, 4096000]'
\set latencies '"ReadLatency": [0.0008, 0.0008], "WriteLatency": [0.0010, 0.0010]'

-- With all metrics, with the queue in place of latencies, without latencies, without bytes.
SELECT ebs_import_cloudwatch('all', cloudwatch(('{' || :'requests' || ',' || :'bytes' || ',' || :'latencies' || ', "DiskQueueDepth": [1.3, 1.62]}')::jsonb));
SELECT ebs_import_cloudwatch('queue', cloudwatch(('{' || :'requests' || ',' || :'bytes' || ', "DiskQueueDepth": [1.3, 1.62]}')::jsonb));
SELECT ebs_import_cloudwatch('untimed', cloudwatch(('{' || :'requests' || ',' || :'bytes' || '}')::jsonb));
SELECT ebs_import_cloudwatch('unsized', cloudwatch(('{' || :'requests' || ',' || :'latencies' || ', "WriteThroughput": [1, 1]}')::jsonb));
SELECT * FROM limitations;
SELECT r.label, reads, writes, read_bytes, write_bytes, read_ms, write_ms
FROM ebs.runs_detail r, LATERAL (SELECT * FROM ebs_device_samples(r.label) ORDER BY ended_at LIMIT 1) s ORDER BY 1;
SELECT r.label, metric, round(mean::numeric, 2) AS mean
FROM ebs.runs_detail r, ebs_io_mix(r.label) WHERE metric IN ('throughput', 'request size', 'read latency', 'concurrency') ORDER BY 1, 2;
-- Only requests are indispensable.
SELECT ebs_import_cloudwatch('bad', cloudwatch(('{"ReadIOPS": [1, 1],' || :'bytes' || '}')::jsonb));
SELECT ebs_import_cloudwatch('bad', cloudwatch(('{' || :'requests' || ', "BurstBalance": [1000, 1000]}')::jsonb));

-- The ratio without waits, from the requests in flight; none without latencies. TPS, sessions and CPU are unknown.
SELECT r.label, w.volume_type, round(throughput_ratio::numeric, 2) AS ratio, round(throughput_ratio_low::numeric, 2) AS low,
       round(throughput_ratio_high::numeric, 2) AS high, w.tps, response_ms, active_sessions, cpu_pct, round(in_flight::numeric, 2) AS in_flight,
       round(device_iops::numeric) AS iops, round(device_mibps::numeric, 1) AS mibps, bound_by
FROM ebs.runs_detail r, (VALUES ('gp3', 3000), ('io2', 3000), ('io2', 1000)) t(type, iops),
     LATERAL ebs_whatif(r.label, t.type, iops => t.iops, size_gib => 100) w ORDER BY 1, 2, t.iops DESC;
SELECT note FROM ebs_whatif('queue', 'io2', iops => 3000, size_gib => 100);
SELECT note FROM ebs_whatif('untimed', 'io2', iops => 3000, size_gib => 100);
SELECT throughput_ratio, note FROM ebs_whatif('all', 'io2', iops => 3000, size_gib => 100, clients => 64);
SELECT volume_type, iops, feasible, round(throughput_ratio::numeric, 2) AS ratio, round(throughput_ratio_low::numeric, 2) AS low,
       round(throughput_ratio_high::numeric, 2) AS high FROM ebs_options_detail('all') WHERE volume_type IN ('gp3', 'io2') ORDER BY 1, 2;
SELECT o -> 'throughput_ratio' IS NOT NULL AS ratio, o ->> 'throughput_basis' AS basis
FROM jsonb_path_query(ebs_advise_json('all', min_size_gib => 100), '$.roles[*].options[0]') o;
SELECT line FROM ebs_advise('all', min_size_gib => 100) line WHERE line ~ 'Expect|today|^>|wait events|Confidence' ;
-- Without bytes, throughput is unknown and the confidence low.
SELECT line FROM ebs_advise('unsized', min_size_gib => 100) line WHERE line ~ 'MiB/s|Confidence|throughput unknown';

-- Checks of a volume and of its instance. Zero in each minute, the instance's limit is the upper end of the p99; absent it is not, nor with a
-- gap; exceeded, demand is at least what was observed.
\set volume '"vol-0a VolumeReadOps": [600000, 0], "vol-0a VolumeWriteOps": [60000, 60000], "vol-0a VolumeReadBytes": [4915200000, 0], "vol-0a VolumeWriteBytes": [491520000, 491520000]'
SELECT ebs_import_cloudwatch('absent', cloudwatch(('{' || :'volume' || '}')::jsonb));
SELECT ebs_import_cloudwatch('never', cloudwatch(('{' || :'volume' || ', "i-01 InstanceEBSIOPSExceededCheck": [0, 0]}')::jsonb));
SELECT ebs_import_cloudwatch('gap', cloudwatch(('{' || :'volume' || ', "i-01 InstanceEBSIOPSExceededCheck": [0, null]}')::jsonb));
SELECT ebs_import_cloudwatch('exceeded', cloudwatch(('{' || :'volume' || ', "i-01 InstanceEBSIOPSExceededCheck": [1, 0], "vol-0a VolumeIOPSExceededCheck": [0, 0]}')::jsonb));
SELECT label, environment -> 'checks' AS checks FROM ebs.runs_detail WHERE label IN ('absent', 'never', 'gap', 'exceeded') ORDER BY 1;
SELECT label, f ->> 'p99' AS p99, round((f ->> 'p99_high')::numeric) AS p99_high
FROM ebs.runs_detail, LATERAL jsonb_path_query(ebs_advise_json(label, instance => 't3.medium', min_size_gib => 100),
     '$.roles[*].demand[*] ? (@.metric == "requests")') f WHERE label IN ('absent', 'never', 'gap', 'exceeded') ORDER BY 1;
SELECT label, c ->> 'code' AS cause FROM ebs.runs_detail, LATERAL jsonb_path_query(ebs_advise_json(label, instance => 't3.medium',
     min_size_gib => 100), '$.confidence.causes[*]') c WHERE label IN ('never', 'exceeded') ORDER BY 1, 2;
SELECT limitation FROM jsonb_array_elements_text(ebs_advise_json('never', instance => 't3.medium', min_size_gib => 100) -> 'not_known') limitation
WHERE limitation ~ 'exceeded';
SELECT * FROM limitations WHERE label IN ('never', 'gap', 'exceeded');

-- Burst credits: spent, the instance is at its baseline, and that is said.
SELECT ebs_import_cloudwatch('spent', cloudwatch(('{' || :'requests' || ',' || :'bytes' || ',' || :'latencies' || ', "EBSIOBalance%": [0, 0], "EBSByteBalance%": [99, 98]}')::jsonb));
SELECT * FROM limitations WHERE label = 'spent';
-- An export keeps the checks.
SELECT ebs_run_export('spent') AS exported \gset
SELECT ebs_run_drop('spent');
SELECT ebs_run_import(:'exported') IS NOT NULL AS imported;
SELECT environment #> '{checks,0,io_balance}' AS io_balance FROM ebs.runs_detail WHERE label = 'spent';

SELECT count(ebs_run_drop(label)) AS dropped FROM ebs.runs_detail;
DROP VIEW limitations;
DROP FUNCTION cloudwatch;
