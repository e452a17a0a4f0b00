-- Sampling as it goes on: what can be told without knowing the machine.
SELECT await($$ (SELECT ok FROM ebs_status() WHERE "check" = 'samples') $$) AS sampling;
SELECT "check", ok FROM ebs_status() WHERE "check" NOT IN ('samples', 'device', 'instance', 'nvme', 'cost') ORDER BY "check" COLLATE "C";

-- A run in which something happens: every second of it is counted the moment it ends.
SELECT ebs_run_begin('live') > 0 AS begun;
CREATE TABLE work AS SELECT i, repeat('x', 500) AS filler FROM generate_series(1, 20000) i;
-- What the first wrote is counted when the second begins.
CHECKPOINT;
CHECKPOINT;
SELECT pg_stat_force_next_flush();
-- Until the writers of WAL have told what they wrote; meanwhile this session is busy and sleeps.
SELECT await($$ (SELECT sum(write_bytes) > 5000000 FROM ebs_io_sources('live') WHERE object = 'wal')
    AND (SELECT bool_or(kind = 'active') AND bool_or(kind = 'idle') AND bool_or(backend_type = 'client backend' AND wait_event = 'PgSleep')
         FROM ebs_waits('live')) $$) AS happened;
SELECT ebs_run_end();
SET client_min_messages = warning; -- that there is no block device
SELECT no_device() OR abs(sum(seconds) - extract(epoch FROM (SELECT duration FROM ebs.runs_detail WHERE label = 'live'))) < 0.2
    AS every_second_counted
FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('live')) s;
RESET client_min_messages;
-- The checkpoint wrote the table: PostgreSQL says so, and WAL has a row of its own on every version.
SELECT sum(write_bytes) > 5000000 AS checkpointed FROM ebs_io_sources('live') WHERE object = 'relation';
SELECT sum(write_bytes) > 5000000 AS wal_written FROM ebs_io_sources('live') WHERE object = 'wal';
SELECT round(sum(share_pct)) AS percent, bool_and(stall_ms IS NOT NULL) AS timed FROM ebs_io_sources('live');
-- Somebody was idle; this session was busy and slept.
SELECT kind, count(*) > 0 AS seen FROM ebs_waits('live') WHERE kind <> 'client' GROUP BY kind ORDER BY kind;
SELECT wait_event FROM ebs_waits('live') WHERE backend_type = 'client backend' AND wait_event = 'PgSleep';
SELECT round(sum(db_time_pct)) AS percent FROM ebs_waits('live');
-- Our own processes are not in it.
SELECT count(*) AS own FROM ebs_waits('live') WHERE backend_type LIKE 'ebs_advisor%';

-- A marked phase is what answers rest on: a mark is a sample, and three tenths before and after it are left out.
SELECT ebs_run_begin('phases') > 0 AS begun;
SELECT pg_sleep(0.3);
SELECT ebs_run_mark('measure');
SELECT pg_sleep(0.3);
SELECT ebs_run_mark('wind-down');
SELECT pg_sleep(0.3);
SELECT ebs_run_end();
SET client_min_messages = warning; -- that there is no block device
SELECT no_device() OR abs(sum(seconds) - (SELECT extract(epoch FROM max(marked_at) - min(marked_at)) FROM ebs.run_mark
    JOIN ebs.runs_detail USING (run_id) WHERE label = 'phases')) < 0.2 AS only_what_was_measured FROM ebs_device_samples('phases');
RESET client_min_messages;

-- Without timing, stall time is not known rather than 0.
ALTER SYSTEM SET track_io_timing = off;
SELECT pg_reload_conf();
\connect -
CALL look();
SELECT ebs_run_begin('untimed') > 0 AS begun;
DELETE FROM work;
CHECKPOINT;
CHECKPOINT;
SELECT ebs_run_end();
SELECT count(*) > 0 AS seen, bool_and(stall_ms IS NULL) AS not_known FROM ebs_io_sources('untimed') WHERE object = 'relation';
ALTER SYSTEM RESET track_io_timing;
SELECT pg_reload_conf();

-- A counter reset inside a run: that second is left out, and the report says so.
SELECT ebs_run_begin('reset') > 0 AS begun;
SELECT await($$ (SELECT count(*) > 0 FROM ebs_io_sources('reset')) $$) AS sampled_before;
SELECT pg_stat_reset_shared('io');
SELECT await($$ (SELECT string_agg(line, ' ') ~ ' 1 counter +reset ' FROM ebs_advise('reset', show => 'all') line) $$) AS seen;
INSERT INTO work SELECT i, repeat('x', 500) FROM generate_series(1, 4000) i;
CHECKPOINT;
CHECKPOINT;
SELECT ebs_run_end();
SELECT string_agg(line, ' ') ~ ' 1 counter +reset ' AS said FROM ebs_advise('reset', show => 'all') line;
SELECT count(*) AS negative FROM ebs_io_sources('reset') WHERE least(read_bytes, write_bytes, extend_bytes, fsyncs, stall_ms) < 0;
SELECT sum(write_bytes) > 1000000 AS counted_after_it FROM ebs_io_sources('reset') WHERE object = 'relation';

-- Devices that cannot be read: not known, with a reason; everything else goes on.
ALTER SYSTEM SET ebs_advisor.procfs_root = '/nonexistent';
SELECT pg_reload_conf();
\connect -
CALL look();
SELECT ok, detail, hint FROM ebs_status() WHERE "check" = 'device';
SELECT ebs_run_begin('blind') > 0 AS begun;
SELECT await($$ (SELECT count(*) > 0 FROM ebs_waits('blind')) $$) AS waited;
SELECT ebs_run_end();
SELECT count(*) AS rows FROM ebs_io_mix('blind');
SELECT count(*) > 0 AS waits_still_seen FROM ebs_waits('blind');
SELECT reason FROM ebs_options_detail('blind');
ALTER SYSTEM RESET ebs_advisor.procfs_root;
SELECT pg_reload_conf();
SELECT await($$ (SELECT bool_and(ok) FROM ebs_status() WHERE "check" = 'samples') $$) AS sampling;

SELECT count(*) AS dropped FROM (SELECT ebs_run_drop(label) FROM ebs.runs_detail) d;
DROP TABLE work;
