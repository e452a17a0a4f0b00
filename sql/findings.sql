-- What to put right before a volume is bought: the two minutes of sql/queries.sql, in which each second PostgreSQL reads 3,200 blocks,
-- 2,000 of them from the device, and the device does 2,500 requests of a block each.
\pset null -
SET timezone = 'UTC';
\set block `cat sql/reports/queries.hex`
SELECT ebs_import_samples('known', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) ORDER BY i)) FROM generate_series(1, 120) i;
-- Without samples of PostgreSQL and without readings there is no evidence.
SELECT count(*) AS findings FROM ebs_findings('known');
UPDATE ebs.sample_block b SET format = 3, samples = decode(:'block', 'hex') FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'known';
-- Without readings there is what the samples tell: 100 blocks a second of temporary files, of which 20 were removed before they were written; and
-- autovacuum, 200 blocks read, 125 of them from the device, and 20 written.
SELECT rank, finding, subject, round(demand_pct::numeric, 6) AS demand_pct, requests_s_saved_low AS low, requests_s_saved_high AS high FROM ebs_findings('known');

-- The readings: statement 11 reads 2,400 blocks a second, 22 reads 500 and writes 100 to temporary files in one execution a second; five checkpoints,
-- 200 buffers a second; of 1,000 updates a second 600 are heap-only and 350 find no room.
CREATE FUNCTION reading(at_s int, checkpoints jsonb, updates jsonb, statements jsonb) RETURNS void LANGUAGE sql AS $$
    INSERT INTO ebs.run_reading SELECT run_id, timestamptz '2026-01-01 00:00:00+00' + at_s * interval '1 s', jsonb_build_object(
        'read_us', 1767225600000000 + at_s * 1000000::bigint, 'block_size', 8192,
        'checkpoints', jsonb_build_object('reset_us', 5, 'counts', checkpoints),
        'tables', jsonb_build_object('database', 'shop', 'reset_us', null, 'tables', jsonb_build_object('1', jsonb_build_object(
            'name', 'public.orders', 'fillfactor', 100, 'indexes', 2, 'bytes', 1000000, 'counts', updates))),
        'statements', jsonb_build_object('Ok', jsonb_build_object(
            'reset_us', 5, 'evictions', 0, 'timed', true, 'hidden', 0, 'roles', '{"10": "App"}'::jsonb, 'databases', '{"5": "shop"}'::jsonb,
            'entries', jsonb_build_object(
            'columns', '["user_id", "database_id", "query_id", "top_level", "since_us", "calls", "rows", "blocks_hit", "blocks_read",
                "blocks_dirtied", "blocks_written", "local_blocks_read", "local_blocks_written", "temp_blocks_read", "temp_blocks_written",
                "read_us", "write_us", "exec_us", "wal_records", "wal_fpi", "wal_bytes"]'::jsonb, 'rows', statements))))
    FROM ebs.run WHERE label = 'known' ON CONFLICT (run_id, moment) DO UPDATE SET reading = EXCLUDED.reading
$$;
UPDATE ebs.run SET started_at = '2026-01-01 00:00:00+00', ended_at = '2026-01-01 00:02:00+00', environment = '{"server_version": "18.6", "settings": {
    "work_mem": "4MB", "max_wal_size": "64MB", "checkpoint_timeout": "5min", "checkpoint_completion_target": "0.9", "full_page_writes": "on",
    "wal_compression": "off"}}' WHERE label = 'known';
SELECT reading(0, '{"timed": 3, "requested": 10, "buffers_written": 1000}',
    '{"inserted": 5, "updated": 0, "hot_updated": 0, "newpage_updated": 0, "deleted": 0, "vacuums": 0}', '[]');
SELECT reading(120, '{"timed": 3, "requested": 15, "buffers_written": 25000}',
    '{"inserted": 5, "updated": 120000, "hot_updated": 72000, "newpage_updated": 42000, "deleted": 0, "vacuums": 0}', '[
    [10, 5, 11, 1, null, 1200, 1200, 0, 288000, 0, 0, 0, 0, 0, 0, 144000000, 0, 151200000, 0, 0, 0],
    [10, 5, 22, 1, null, 120, 120, 0, 60000, 0, 0, 0, 0, 12000, 12000, 600000, 0, 1200000, 0, 0, 0]]');
-- 11: 5/8 of its reads reach the device. Updates: 350 × (1 page + 2 of indexes), but no more than the 220 blocks of tables and indexes that were written. Temporary
-- files: 80 to 100 blocks written, none to 100 read. Checkpoints: 196.6 MB of WAL are 5.6 times 64 MiB / 1.9, 12.5 times as often as every five
-- minutes; 150 images and 200 buffers a second, of which 1 - 1/12.5 go at most.
SELECT rank, finding, subject, round(demand_pct::numeric, 6) AS demand_pct, requests_s_saved_low AS low, round(requests_s_saved_high::numeric, 6) AS high, usd_month_saved AS usd
FROM ebs_findings('known');
SELECT rank, measured FROM ebs_findings('known');
SELECT rank, reason FROM ebs_findings('known');
SELECT rank, remedy FROM ebs_findings('known');
-- In the report, and in the document.
SELECT line FROM (SELECT line, bool_or(line ~ '^Before you buy') OVER (ORDER BY n) AND NOT bool_or(line ~ '^What would change') OVER (ORDER BY n) AS shown
    FROM ebs_advise('known', min_size_gib => 300, show => 'all') WITH ORDINALITY report (line, n)) report WHERE shown;
SELECT jsonb_array_length(document -> 'findings') AS findings, jsonb_pretty(document #> '{findings,0}') AS first
FROM ebs_advise_json('known', min_size_gib => 300) document;
SELECT count(*) AS too_wide FROM ebs_advise('known', min_size_gib => 300, show => 'all') line WHERE length(line) > 110;

-- Checkpoints that somebody asked for are none that WAL forced, and counters that were reset are no evidence.
UPDATE ebs.run SET environment = jsonb_set(environment, '{settings,max_wal_size}', '"16GB"') WHERE label = 'known';
SELECT count(*) AS forced FROM ebs_findings('known') WHERE finding = 'checkpoints';
UPDATE ebs.run SET environment = jsonb_set(environment, '{settings,max_wal_size}', '"64MB"') WHERE label = 'known';
UPDATE ebs.run_reading SET reading = jsonb_set(reading, '{checkpoints,reset_us}', '6') WHERE moment > '2026-01-01 00:01:00+00';
SELECT count(*) AS forced FROM ebs_findings('known') WHERE finding = 'checkpoints';
-- Where statements were not to be had the rest is found, and what is missing is said.
UPDATE ebs.run_reading SET reading = jsonb_set(reading, '{statements}', '{"Err": "NotPreloaded"}');
SELECT rank, finding, subject FROM ebs_findings('known');
SELECT ebs_run_drop('known');
SELECT ebs_findings('no such run');
DROP FUNCTION reading;
