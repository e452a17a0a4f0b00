-- ebs_help names each function once, and its examples are statements that PostgreSQL can analyse. Narrow rows fit 120 columns.
SELECT proname AS unnamed FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ebs_advisor')
  AND (SELECT count(*) FROM ebs_help() WHERE function = proname) <> 1;
SELECT function AS unknown FROM ebs_help() WHERE NOT EXISTS (SELECT FROM pg_proc WHERE proname = function);
DO $$
DECLARE
    entry record;
BEGIN
    FOR entry IN SELECT * FROM ebs_help() LOOP
        EXECUTE 'PREPARE example AS ' || entry.example;
        DEALLOCATE example;
        IF strpos(entry.example, entry.function || '(') = 0 THEN
            RAISE EXCEPTION 'the example of % calls another function', entry.function;
        END IF;
    END LOOP;
END $$;
-- psql pads each column by two and separates them by one: at most 120.
SELECT max(length(task)) + max(length(function)) + max(length(example)) + 8 <= 120 AS fits FROM ebs_help();
-- Tasks stand together: as many changes of task as tasks.
SELECT count(*) FILTER (WHERE task IS DISTINCT FROM before) = count(DISTINCT task) AS together
FROM (SELECT task, lag(task) OVER () AS before FROM ebs_help()) h;

-- Comments of functions: one sentence of at most 200 characters before the lines of columns, with its page in docs/.
SELECT p.oid::regproc AS wordy
FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e',
     split_part(obj_description(p.oid, 'pg_proc'), E'\n\n', 1) AS sentence
WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ebs_advisor')
  AND (length(sentence) > 200 OR sentence ~ '\.\s' OR sentence !~ '\(docs/[a-z-]+\.md\)\.$');

-- The narrow options are columns of the detailed ones, the narrow runs are those of the detailed ones.
SELECT ebs_import_samples('narrow', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 4000 + i % 100, 'writes', 500, 'read_bytes', (4000 + i % 100) * 8192, 'write_bytes', 500 * 16384) ORDER BY i)) > 0 AS imported
FROM generate_series(1, 600) i;
SELECT count(*) > 3 AS several, count(*) FILTER (WHERE o IS DISTINCT FROM d) AS differ
FROM (SELECT row_number() OVER () AS line, row(rank, role, volume_type, volumes, size_gib, iops, throughput_mibps, usd_month, feasible)::text AS o
      FROM ebs_options('narrow', min_size_gib => 100)) narrow
FULL JOIN (SELECT row_number() OVER () AS line, row(rank, role, volume_type, volumes, size_gib, iops, throughput_mibps, usd_month, feasible)::text AS d
           FROM ebs_options_detail('narrow', min_size_gib => 100)) detailed USING (line);
-- Figures are rounded: 1 decimal of tps, 2 of milliseconds, whole orders.
SELECT ebs_run_result('narrow', tps => 2985.1234, latency_ms => 5.4321, nopm => 20753.4);
SELECT label, started_at AT TIME ZONE 'UTC' AS started_at, duration, tps, latency_ms, nopm FROM ebs.runs WHERE label = 'narrow';
-- Widths of psql's columns: the longer of heading and value.
SELECT sum(width) + 3 * count(*) - 1 <= 120 AS fits
FROM (SELECT key, greatest(length(key), max(length(value))) AS width FROM ebs_options('narrow', min_size_gib => 100) o, jsonb_each_text(to_jsonb(o)) GROUP BY key) columns;
SELECT sum(width) + 3 * count(*) - 1 <= 120 AS fits
FROM (SELECT key, greatest(length(key), max(length(value))) AS width FROM ebs.runs r, jsonb_each_text(to_jsonb(r)) GROUP BY key) columns;
SELECT ebs_run_drop('narrow');
