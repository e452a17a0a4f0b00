-- Sampling as it goes on: what can be told without knowing the machine.
CREATE FUNCTION await(condition text, seconds int DEFAULT 20) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    met boolean;
BEGIN
    FOR i IN 1 .. seconds * 10 LOOP
        EXECUTE 'SELECT ' || condition INTO met;
        IF met THEN RETURN true; END IF;
        PERFORM pg_sleep(0.1);
    END LOOP;
    RETURN false;
END $$;
SELECT await($$ (SELECT ok FROM ebs_status() WHERE "check" = 'samples') $$) AS sampling;
SELECT "check", ok FROM ebs_status() WHERE "check" NOT IN ('device', 'instance', 'nvme', 'cost') ORDER BY "check" COLLATE "C";

-- A run of a few seconds: every second of it is counted the moment it ends.
SELECT ebs_run_begin('live') > 0 AS begun;
CREATE TABLE work AS SELECT i, repeat('x', 500) AS filler FROM generate_series(1, 20000) i;
CHECKPOINT;
DO $$ BEGIN WHILE clock_timestamp() < statement_timestamp() + interval '1.3 s' LOOP END LOOP; END $$;
SELECT pg_sleep(2.2);
SELECT ebs_run_end();
SELECT abs(sum(seconds) - extract(epoch FROM (SELECT duration FROM ebs.runs WHERE label = 'live'))) < 0.2 AS every_second_counted
FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('live')) s;
-- The checkpoint wrote the table: PostgreSQL says so, and WAL has a row of its own on every version.
SELECT sum(write_bytes) > 5000000 AS checkpointed FROM ebs_io_sources('live') WHERE object = 'relation';
SELECT sum(write_bytes) > 5000000 AS wal_written FROM ebs_io_sources('live') WHERE object = 'wal';
SELECT round(sum(share_pct)) AS percent, bool_and(stall_ms IS NOT NULL) AS timed FROM ebs_io_sources('live');
-- Somebody was idle; this session was busy and then slept.
SELECT kind, count(*) > 0 AS seen FROM ebs_waits('live') WHERE kind <> 'client' GROUP BY kind ORDER BY kind;
SELECT wait_event FROM ebs_waits('live') WHERE backend_type = 'client backend' AND wait_class = 'Timeout';
SELECT round(sum(db_time_pct)) AS percent FROM ebs_waits('live');
-- Our own processes are not in it.
SELECT count(*) AS own FROM ebs_waits('live') WHERE backend_type LIKE 'ebs_advisor%';

-- A marked phase is what answers rest on.
SELECT ebs_run_begin('phases') > 0 AS begun;
SELECT pg_sleep(1.2);
SELECT ebs_run_mark('measure');
SELECT pg_sleep(2.2);
SELECT ebs_run_mark('wind-down');
SELECT pg_sleep(1.2);
SELECT ebs_run_end();
SELECT abs(sum(seconds) - (SELECT extract(epoch FROM max(marked_at) - min(marked_at)) FROM ebs.run_mark JOIN ebs.runs USING (run_id)
    WHERE label = 'phases')) < 0.2 AS only_what_was_measured FROM ebs_device_samples('phases');

-- Without timing, stall time is not known rather than 0.
ALTER SYSTEM SET track_io_timing = off;
SELECT pg_reload_conf();
SELECT pg_sleep(1.5);
SELECT ebs_run_begin('untimed') > 0 AS begun;
DELETE FROM work;
CHECKPOINT;
SELECT pg_sleep(1.2);
SELECT ebs_run_end();
SELECT count(*) > 0 AS seen, bool_and(stall_ms IS NULL) AS not_known FROM ebs_io_sources('untimed') WHERE object = 'relation';
ALTER SYSTEM RESET track_io_timing;
SELECT pg_reload_conf();

-- A counter reset inside a run: that second is left out, and the report says so.
SELECT ebs_run_begin('reset') > 0 AS begun;
SELECT pg_sleep(1.2);
SELECT pg_stat_reset_shared('io');
SELECT pg_sleep(1.2);
SELECT ebs_run_end();
SELECT string_agg(line, ' ') ~ ' 1 counter +reset ' AS said FROM ebs_advise('reset') line;
SELECT count(*) AS negative FROM ebs_io_sources('reset') WHERE least(read_bytes, write_bytes, extend_bytes, fsyncs, stall_ms) < 0;

-- Devices that cannot be read: not known, with a reason; everything else goes on.
ALTER SYSTEM SET ebs_advisor.procfs_root = '/nonexistent';
SELECT pg_reload_conf();
SELECT pg_sleep(1.5);
SELECT ok, detail, hint FROM ebs_status() WHERE "check" = 'device';
SELECT ebs_run_begin('blind') > 0 AS begun;
SELECT pg_sleep(1.5);
SELECT ebs_run_end();
SELECT count(*) AS rows FROM ebs_io_mix('blind');
SELECT count(*) > 0 AS waits_still_seen FROM ebs_waits('blind');
SELECT reason FROM ebs_options('blind');
ALTER SYSTEM RESET ebs_advisor.procfs_root;
SELECT pg_reload_conf();
SELECT await($$ (SELECT bool_and(ok) FROM ebs_status() WHERE "check" = 'samples') $$) AS sampling;

SELECT count(*) AS dropped FROM (SELECT ebs_run_drop(label) FROM ebs.runs) d;
DROP TABLE work;
DROP FUNCTION await;
