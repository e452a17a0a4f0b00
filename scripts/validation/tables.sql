-- What was measured, in the database that it was measured in: counters as read, conclusions as views.

CREATE SCHEMA validation;

CREATE TABLE validation.machine (cpus integer NOT NULL, description text NOT NULL);
COMMENT ON TABLE validation.machine IS 'Where it was measured.';

CREATE TABLE validation.service_time (
    nominal_ms       float8 PRIMARY KEY,
    nominal_write_ms float8 NOT NULL,
    read_ms          float8 NOT NULL,
    write_ms         float8 NOT NULL
);
COMMENT ON TABLE validation.service_time IS
    'Means that fio measured on the idle volume, one request of 8 KiB at a time: what a user would measure of a volume to come.';

CREATE TABLE validation.run (
    run_id      integer PRIMARY KEY,
    label       text NOT NULL UNIQUE,
    part        text NOT NULL,
    workload    text NOT NULL,
    clients     integer NOT NULL,
    nominal_ms  float8 NOT NULL,
    limit_name  text,
    cap_iops    bigint,
    cap_mibps   bigint,
    instance    text,
    burst_ms    float8 NOT NULL DEFAULT 10,
    rate        float8,
    cycles      integer NOT NULL,
    pair        integer,
    attempt     integer NOT NULL,
    steady      boolean,
    window_s    float8,
    tps         float8,
    latency_ms  float8,
    p99_ms      float8,
    driver_cpu_s float8,
    emulator_cpu_s float8,
    emulator    jsonb,
    refused     text
);
COMMENT ON TABLE validation.run IS 'Runs: the setting, and what the load driver said of the window. A run that is refused counts nowhere.';
COMMENT ON COLUMN validation.run.label IS 'Its name, the label of the run that the sampler recorded.';
COMMENT ON COLUMN validation.run.part IS 'What it is for: grid, or half (the test of the advice).';
COMMENT ON COLUMN validation.run.nominal_ms IS 'Mean time of a read that the volume was set to.';
COMMENT ON COLUMN validation.run.cap_iops IS 'IOPS that the volume was set to; NULL is unlimited.';
COMMENT ON COLUMN validation.run.limit_name IS 'The limit as the setting names it (limit.sh); NULL in what an earlier version recorded.';
COMMENT ON COLUMN validation.run.cap_mibps IS 'MiB/s that the volume was set to; NULL is unlimited.';
COMMENT ON COLUMN validation.run.instance IS 'EC2 instance type whose limits these are; NULL: the volume''s.';
COMMENT ON COLUMN validation.run.burst_ms IS 'How much time of the cap may be saved up and used at once.';
COMMENT ON COLUMN validation.run.rate IS 'Transactions per second that came, whether or not the server was done with those before; NULL: closed loop.';
COMMENT ON COLUMN validation.run.cycles IS 'Checkpoints in the window; more than one where it is predicted from.';
COMMENT ON COLUMN validation.run.pair IS 'Which of the interleaved rounds of a sizing it belongs to; NULL elsewhere.';
COMMENT ON COLUMN validation.run.steady IS 'Whether reads per transaction had settled before the window.';
COMMENT ON COLUMN validation.run.p99_ms IS '99th percentile of transactions, from when each was due.';

CREATE TABLE validation.reading (
    run_id            integer NOT NULL REFERENCES validation.run ON DELETE CASCADE,
    edge              text NOT NULL,
    at                timestamptz NOT NULL,
    reads             float8, sectors_read    float8, read_ms  float8,
    writes            float8, sectors_written float8, write_ms float8,
    transactions      float8,
    pg_reads          float8, pg_read_ms      float8,
    client_writes     float8, bgwriter_writes float8, checkpointer_writes float8,
    wal_writes        float8, wal_write_ms    float8, wal_fsyncs float8, wal_fsync_ms float8,
    full_page_images  float8, wal_bytes       float8,
    cpu_postgres_s    float8, cpu_machine_s   float8,
    PRIMARY KEY (run_id, edge)
);
COMMENT ON TABLE validation.reading IS 'Counters of the server, of the device and of the CPUs where a window begins and ends.';

CREATE FUNCTION validation.cpu_seconds(file text) RETURNS float8
    LANGUAGE sql AS
$$ SELECT CASE WHEN file LIKE '%/cpuacct.usage' THEN pg_read_file(file)::float8 / 1e9
               WHEN file LIKE '%/cpu.stat' THEN substring(pg_read_file(file) FROM 'usage_usec (\d+)')::float8 / 1e6
               ELSE (SELECT sum(ticks::float8) / 100 FROM regexp_split_to_table(
                        substring(pg_read_file('/proc/stat') FROM '^cpu +(\d+ \d+ \d+)'), ' ') ticks) END $$;
COMMENT ON FUNCTION validation.cpu_seconds(text) IS 'CPU time in a file of a control group, or where there is none, of the machine, from /proc/stat.';

CREATE FUNCTION validation.read_counters(run integer, edge text, database text, device text, cpu_postgres text, cpu_machine text)
    RETURNS void LANGUAGE sql AS
$$
    INSERT INTO validation.reading
    SELECT run, edge, clock_timestamp(), d[1]::float8, d[3]::float8, d[4]::float8, d[5]::float8, d[7]::float8, d[8]::float8,
           (SELECT xact_commit FROM pg_stat_database WHERE datname = database),
           io.pg_reads, io.pg_read_ms, io.client_writes, io.bgwriter_writes, io.checkpointer_writes,
           io.wal_writes, io.wal_write_ms, io.wal_fsyncs, io.wal_fsync_ms, wal.wal_fpi, wal.wal_bytes,
           CASE WHEN cpu_postgres <> '-' THEN validation.cpu_seconds(cpu_postgres) END, validation.cpu_seconds(cpu_machine)
    FROM (SELECT regexp_split_to_array(substring(pg_read_file('/proc/diskstats') FROM device || ' +\S+ +([0-9 ]+)'), ' ') AS d) disk,
         (SELECT sum(reads) FILTER (WHERE client AND object = 'relation') AS pg_reads,
                 sum(read_time) FILTER (WHERE client AND object = 'relation') AS pg_read_ms,
                 sum(write_bytes) FILTER (WHERE client AND object = 'relation') / 8192 AS client_writes,
                 sum(write_bytes) FILTER (WHERE backend_type = 'background writer' AND object = 'relation') / 8192 AS bgwriter_writes,
                 sum(write_bytes) FILTER (WHERE backend_type = 'checkpointer' AND object = 'relation') / 8192 AS checkpointer_writes,
                 sum(writes) FILTER (WHERE client AND object = 'wal') AS wal_writes,
                 sum(write_time) FILTER (WHERE client AND object = 'wal') AS wal_write_ms,
                 sum(fsyncs) FILTER (WHERE client AND object = 'wal') AS wal_fsyncs,
                 sum(fsync_time) FILTER (WHERE client AND object = 'wal') AS wal_fsync_ms
          FROM (SELECT *, backend_type = 'client backend' AS client FROM pg_stat_io) s) io,
         pg_stat_wal wal
$$;
COMMENT ON FUNCTION validation.read_counters(integer, text, text, text, text, text) IS
    'Reads all counters once: of the run''s database, of the device (major and minor number as a pattern), of the files of the control groups.';

CREATE VIEW validation.counted AS
    SELECT run_id, extract(epoch FROM b.at - a.at)::float8 AS seconds, b.reads - a.reads AS reads,
           b.sectors_read - a.sectors_read AS sectors_read, b.read_ms - a.read_ms AS read_ms, b.writes - a.writes AS writes,
           b.sectors_written - a.sectors_written AS sectors_written, b.write_ms - a.write_ms AS write_ms,
           b.transactions - a.transactions AS transactions, b.pg_reads - a.pg_reads AS pg_reads,
           b.pg_read_ms - a.pg_read_ms AS pg_read_ms, b.client_writes - a.client_writes AS client_writes,
           b.bgwriter_writes - a.bgwriter_writes AS bgwriter_writes,
           b.checkpointer_writes - a.checkpointer_writes AS checkpointer_writes, b.wal_writes - a.wal_writes AS wal_writes,
           b.wal_write_ms - a.wal_write_ms AS wal_write_ms, b.wal_fsyncs - a.wal_fsyncs AS wal_fsyncs,
           b.wal_fsync_ms - a.wal_fsync_ms AS wal_fsync_ms, b.full_page_images - a.full_page_images AS full_page_images,
           b.wal_bytes - a.wal_bytes AS wal_bytes, b.cpu_postgres_s - a.cpu_postgres_s AS cpu_postgres_s,
           b.cpu_machine_s - a.cpu_machine_s AS cpu_machine_s
    FROM validation.reading a JOIN validation.reading b USING (run_id)
    WHERE a.edge = 'begin' AND b.edge = 'end';
COMMENT ON VIEW validation.counted IS 'What was counted within each window.';

CREATE FUNCTION validation.strangers(run integer) RETURNS float8 LANGUAGE sql STABLE AS
$$
    SELECT coalesce((c.cpu_machine_s - c.cpu_postgres_s - r.driver_cpu_s - r.emulator_cpu_s) / c.seconds / m.cpus, 0)
    FROM validation.run r JOIN validation.counted c USING (run_id) CROSS JOIN validation.machine m WHERE r.run_id = strangers.run
$$;
COMMENT ON FUNCTION validation.strangers(integer) IS
    'Share of the CPUs that neither server, driver nor emulator used during a run: the kernel''s work for them, and what does not belong here.';

CREATE TABLE validation.waited (
    run_id integer NOT NULL REFERENCES validation.run ON DELETE CASCADE,
    station text NOT NULL,
    sessions float8 NOT NULL,
    PRIMARY KEY (run_id, station)
);
COMMENT ON TABLE validation.waited IS 'Average sessions of clients at each station, as sampled: cpu, read, wal, lock, write, other, client (within a transaction).';

CREATE FUNCTION validation.keep_waits(run integer, label text) RETURNS void LANGUAGE sql AS
$$
    INSERT INTO validation.waited
    SELECT run, CASE WHEN wait_event = 'CPU*' THEN 'cpu'
                     WHEN wait_event IN ('DataFileRead', 'AioIoCompletion') THEN 'read'
                     WHEN wait_event IN ('WalSync', 'WalWrite', 'WALSync', 'WALWrite', 'WALWriteLock') THEN 'wal'
                     WHEN wait_class = 'Lock' OR wait_event IN ('BufferContent', 'WALInsert', 'BufferExclusive', 'BufferShared') THEN 'lock'
                     WHEN wait_event IN ('DataFileWrite', 'DataFileExtend') THEN 'write'
                     WHEN wait_event = 'ClientRead' THEN 'client'
                     ELSE 'other' END, sum(average_active_sessions)
    FROM ebs_waits(label) WHERE backend_type = 'client backend' GROUP BY 2
$$;
COMMENT ON FUNCTION validation.keep_waits(integer, text) IS 'Keeps what the sampler saw the clients'' sessions do in a run.';

CREATE VIEW validation.counts AS
    SELECT *, coalesce(limit_name, cap_iops::text, 'unlimited') AS limit_set, coalesce(cap_iops, cap_mibps) IS NOT NULL AS limited
    FROM validation.run WHERE refused IS NULL AND tps IS NOT NULL;
COMMENT ON VIEW validation.counts IS 'The runs that count.';

-- One row a run with every input of a prediction, per transaction where it says so, in seconds.
CREATE VIEW validation.exported AS
    SELECT run_id AS run, label, part, workload, clients, current_setting('io_method') AS io_method, rate,
           nominal_ms / 1e3 AS nominal_read_s, nominal_write_ms / 1e3 AS nominal_write_s,
           t.read_ms / 1e3 AS measured_read_s, t.write_ms / 1e3 AS measured_write_s, coalesce(cap_iops, 0) AS cap_iops,
           coalesce(cap_mibps, 0) * 1048576 AS cap_bytes_per_s, window_s, tps, coalesce(latency_ms / 1e3, clients / tps) AS response_s, p99_ms / 1e3 AS response_p99_s,
           c.reads / n AS device_reads_per_tx, c.writes / n AS device_writes_per_tx,
           512 * c.sectors_read / nullif(c.reads, 0) AS bytes_per_read, 512 * c.sectors_written / nullif(c.writes, 0) AS bytes_per_write,
           c.read_ms / 1e3 / nullif(c.reads, 0) AS read_await_s, c.write_ms / 1e3 / nullif(c.writes, 0) AS write_await_s,
           (c.reads + c.writes) / seconds AS device_iops, 512 * (sectors_read + sectors_written) / seconds AS device_bytes_per_s,
           pg_reads / pn AS pg_reads_per_tx, pg_read_ms / 1e3 / pn AS read_stall_s_per_tx,
           CASE WHEN split_part(workload, '@', 1) IN ('S', 'RANGE', 'SCAN') THEN 0 ELSE 1 END AS flushing_commits_per_tx,
           wal_fsyncs / pn AS wal_flushes_per_tx, (wal_fsync_ms + wal_write_ms) / 1e3 / nullif(wal_fsyncs, 0) AS wal_flush_s,
           w.read / tps AS sampled_read_wait_s_per_tx, w.wal / tps AS sampled_wal_wait_s_per_tx,
           w.lock / tps AS sampled_lock_wait_s_per_tx, w.cpu / tps AS sampled_cpu_s_per_tx,
           w.client / tps AS sampled_client_wait_s_per_tx, w.write / tps AS sampled_write_wait_s_per_tx,
           w.other / tps AS sampled_other_wait_s_per_tx,
           client_writes / n AS client_page_writes_per_tx, bgwriter_writes / n AS bgwriter_page_writes_per_tx,
           checkpointer_writes / n AS checkpointer_page_writes_per_tx, full_page_images / n AS full_page_images_per_tx,
           wal_bytes / n AS wal_bytes_per_tx, cpu_postgres_s / n AS cpu_postgres_s_per_tx, driver_cpu_s / n AS cpu_driver_s_per_tx,
           emulator_cpu_s / n AS cpu_emulator_s_per_tx,
           cpu_machine_s / n AS cpu_all_s_per_tx, cpu_machine_s / seconds / machine.cpus AS host_cpu_util, steady
    FROM validation.counts
    JOIN validation.service_time t USING (nominal_ms)
    JOIN validation.counted c USING (run_id)
    CROSS JOIN LATERAL (SELECT tps * seconds AS n, nullif(c.transactions, 0) AS pn) per
    CROSS JOIN LATERAL (SELECT sum(sessions) FILTER (WHERE station = 'read') AS read, sum(sessions) FILTER (WHERE station = 'wal') AS wal,
                               sum(sessions) FILTER (WHERE station = 'lock') AS lock, sum(sessions) FILTER (WHERE station = 'cpu') AS cpu,
                               sum(sessions) FILTER (WHERE station = 'client') AS client,
                               sum(sessions) FILTER (WHERE station = 'write') AS write,
                               sum(sessions) FILTER (WHERE station = 'other') AS other
                        FROM validation.waited WHERE waited.run_id = counts.run_id) w
    CROSS JOIN validation.machine;
COMMENT ON VIEW validation.exported IS 'Each run that counts with every input of a prediction; measured times are those of fio on the idle volume.';

CREATE TABLE validation.advised (
    run_id integer PRIMARY KEY REFERENCES validation.run ON DELETE CASCADE,
    iops   bigint NOT NULL,
    mibps  bigint
);
COMMENT ON TABLE validation.advised IS 'The volume that was advised for a recorded run; its MiB/s NULL where they follow from the IOPS.';
