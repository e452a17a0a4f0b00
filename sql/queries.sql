-- Which statements cause the I/O: readings written by hand around two minutes whose figures are known
-- (crates/fixtures/src/statements.rs): of 3,200 blocks a second that PostgreSQL reads 2,000 reach the device, in as many of its 2,500 requests.
\pset null -
SET timezone = 'UTC';
-- What is missing, and how to get it: this server has not preloaded pg_stat_statements.
SELECT count(*) AS statements FROM ebs_queries();
SELECT ebs_run_begin('without') > 0 AS begun;
SELECT ebs_run_mark('measure');
SELECT ebs_run_end();
SELECT count(*) AS statements FROM ebs_queries('without');
-- It was read all the same, at its beginning, its mark and its end: what there was.
SELECT reading #> '{statements,Err}' AS statements, (reading ->> 'block_size')::int AS block_size, jsonb_typeof(reading -> 'checkpoints') AS checkpoints,
    reading #>> '{tables,database}' AS database FROM ebs.run_reading;
SELECT count(*) AS moments FROM ebs.run_reading;
SELECT ebs_run_drop('without');
SELECT count(*) AS left FROM ebs.run_reading;

\set block `cat sql/reports/queries.hex`
SELECT ebs_import_samples('known', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) ORDER BY i)) FROM generate_series(1, 120) i;
UPDATE ebs.sample_block b SET format = 3, samples = decode(:'block', 'hex') FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'known';
-- Nothing was read with it.
SELECT count(*) AS statements FROM ebs_queries('known');

-- reading(moment, since the last reset, evictions, rows of user, database, query, top level, counted since, counts)
CREATE FUNCTION reading(moment timestamptz, reset_at timestamptz, evictions int, statements jsonb) RETURNS void LANGUAGE sql AS $$
    INSERT INTO ebs.run_reading SELECT run_id, moment, jsonb_build_object('read_us', (extract(epoch FROM moment) * 1000000)::bigint,
        'block_size', 8192, 'statements', jsonb_build_object('Ok', jsonb_build_object(
            'reset_us', (extract(epoch FROM reset_at) * 1000000)::bigint, 'evictions', evictions, 'timed', true, 'hidden', 0,
            'roles', '{"10": "app"}'::jsonb, 'databases', '{"5": "shop"}'::jsonb, 'entries', jsonb_build_object(
            'columns', '["user_id", "database_id", "query_id", "top_level", "since_us", "calls", "rows", "blocks_hit", "blocks_read",
                "blocks_dirtied", "blocks_written", "local_blocks_read", "local_blocks_written", "temp_blocks_read", "temp_blocks_written",
                "read_us", "write_us", "exec_us", "wal_records", "wal_fpi", "wal_bytes"]'::jsonb, 'rows', statements))))
    FROM ebs.run WHERE label = 'known' ON CONFLICT (run_id, moment) DO UPDATE SET reading = EXCLUDED.reading
$$;
\set began '''2026-01-01 00:00:00+00'''
\set ended '''2026-01-01 00:02:00+00'''
\set reset '''2025-12-31 00:00:00+00'''
UPDATE ebs.run SET started_at = :began, ended_at = :ended WHERE label = 'known';
SELECT reading(:began, :reset, 7, '[
    [10, 5, 11, 1, null, 1000, 1000, 5000, 10000, 0, 0, 0, 0, 0, 0, 5000000, 0, 9000000, 0, 0, 0],
    [10, 5, 22, 1, null, 50, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [10, 5, 44, 1, null, 5, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]');
-- 11: 1,200 calls, 240 blocks each, 2,400 a second: 5/8 of them, 1,500 requests a second of 2,500; at least the 1,100 that are left when
-- all 1,200 that were cached and the 100 of temporary files are taken off. 144 s of reading.
-- 22: 120 calls, 500 blocks each: 312.5 of them reach the device; 100 blocks a second of temporary files.
-- 33: came up in between; 160 blocks of WAL a second, of 200. 44: did nothing.
SELECT reading(:ended, :reset, 7, '[
    [10, 5, 11, 1, null, 2200, 2200, 293000, 298000, 0, 0, 0, 0, 0, 0, 149000000, 0, 160200000, 0, 0, 0],
    [10, 5, 22, 1, null, 170, 170, 0, 60000, 0, 0, 0, 0, 12000, 12000, 600000, 0, 1200000, 0, 0, 0],
    [10, 5, 33, 0, null, 60000, 60000, 600000, 0, 24000, 0, 0, 0, 0, 0, 0, 0, 30000000, 240000, 18000, 157286400],
    [10, 5, 44, 1, null, 5, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]');
SELECT query_id, role, database, top_level AS top, calls, calls_s, blocks_read AS blocks, blocks_read_s AS blocks_s, blocks_read_per_call AS per_call,
    device_reads_s AS device_s, device_reads_s_low AS low, device_reads_s_high AS high, demand_pct FROM ebs_queries('known');
SELECT query_id, read_ms, read_ms_per_call, temp_blocks_read AS temp_read, temp_blocks_written AS temp_written, temp_blocks_per_call AS temp_per_call,
    exec_ms_per_call AS exec, rows_per_call AS rows, hit_pct::numeric(5, 2) FROM ebs_queries('known');
SELECT query_id, blocks_dirtied AS dirtied, blocks_dirtied_per_call AS per_call, wal_bytes, wal_bytes_s AS wal_s, wal_bytes_per_call AS wal_per_call,
    wal_pct, wal_fpi FROM ebs_queries('known');
-- The whole of the device's reads; no text of a run from elsewhere.
SELECT sum(device_reads_s) AS device_s, sum(demand_pct) AS demand_pct, count(statement) AS texts FROM ebs_queries('known');
SELECT note FROM ebs_queries('known') WHERE query_id IS NULL;

-- The phase that was marked: its own reading counts. From 00:01:00 on 11 did half of it.
INSERT INTO ebs.run_mark SELECT run_id, 'measure', '2026-01-01 00:01:00+00' FROM ebs.run WHERE label = 'known';
SELECT reading('2026-01-01 00:01:00+00', :reset, 7, '[
    [10, 5, 11, 1, null, 1600, 1600, 149000, 154000, 0, 0, 0, 0, 0, 0, 5000000, 0, 9000000, 0, 0, 0]]');
SELECT query_id, calls, calls_s, blocks_read_s FROM ebs_queries('known') WHERE query_id = 11;
DELETE FROM ebs.run_mark WHERE phase = 'measure';

-- Evicted in between: 44 is gone, 22 is counted anew, and of 33 nobody knows.
SELECT reading(:ended, :reset, 10, '[
    [10, 5, 11, 1, null, 2200, 2200, 293000, 298000, 0, 0, 0, 0, 0, 0, 5000000, 0, 9000000, 0, 0, 0],
    [10, 5, 22, 1, null, 20, 20, 0, 6000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [10, 5, 33, 0, null, 60000, 60000, 600000, 0, 24000, 0, 0, 0, 0, 0, 0, 0, 30000000, 240000, 18000, 157286400]]');
SELECT query_id, calls, blocks_read, note FROM ebs_queries('known');
-- Reset in between, thirty seconds before the end; what was there then counts from then on.
SELECT reading(:ended, '2026-01-01 00:01:30+00', 0, '[
    [10, 5, 11, 1, null, 300, 300, 72000, 72000, 0, 0, 0, 0, 0, 0, 5000000, 0, 9000000, 0, 0, 0]]');
SELECT query_id, calls, calls_s, blocks_read_s, note FROM ebs_queries('known') WHERE query_id = 11;
-- Since when a statement is counted, PostgreSQL 17 and later say: 22 was evicted and came back with more than it had.
SELECT reading(:began, :reset, 7, '[[10, 5, 22, 1, 1767139200000000, 50, 50, 0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]');
SELECT reading(:ended, :reset, 8, '[[10, 5, 22, 1, 1767225660000000, 120, 120, 0, 6000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]');
SELECT query_id, calls, calls_s, blocks_read_s, note FROM ebs_queries('known') WHERE query_id = 22;

-- Exported and imported: the same, and what is damaged is refused.
CREATE TEMP TABLE origin AS SELECT ebs_run_export('known') AS document, (SELECT array_agg(q::text) FROM ebs_queries('known') q) AS answer;
SELECT ebs_run_drop('known');
SELECT ebs_run_import(document::text) FROM origin;
SELECT count(*) AS moments FROM ebs.run_reading;
SELECT (SELECT array_agg(q::text) FROM ebs_queries('known') q) = answer AS the_same FROM origin;
SELECT ebs_run_import(jsonb_set(jsonb_set(document, '{runs,0,label}', '"bad"'),
    '{runs,0,readings,0,reading,statements,Ok,entries,rows,0,5}', '-1')::text) FROM origin;
SELECT ebs_run_import(jsonb_set(jsonb_set(document, '{runs,0,label}', '"bad"'), '{runs,0,readings,0,moment_us}', '-1')::text) FROM origin;
SELECT ebs_run_drop('known');
-- What was written by hand and cannot be read.
SELECT ebs_queries('no such run');
DROP FUNCTION reading;
