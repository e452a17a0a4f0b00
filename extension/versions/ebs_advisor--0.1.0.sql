-- ebs_advisor 0.1.0, frozen: never edited again. SHA256SUMS beside it says so, and scripts/check-house looks. Databases that were
-- created with it go on from exactly this; what changed since is in the scripts of later versions.
--
-- ebs_advisor: which EBS volume should this PostgreSQL run on, and how do you know?
--
-- Put together from extension/sql/ in the order of the file names. Functions go where the extension is created; tables
-- and views go to schema ebs. Every function's SQL names its C symbol: `make test` checks that each exists in the
-- library and that none is left undeclared. Each function that runs SQL has its own search_path: an operator in a schema
-- of the caller's must not be taken for PostgreSQL's. This script runs as a superuser and looks names up in the schema
-- that the extension is created in, too: where a function or an operator of others could fit the arguments better than
-- PostgreSQL's, it says pg_catalog (tests/live/hostile_schema.sh).

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION ebs_advisor" to load this file. \quit

-- reports are written in UTF-8
DO $$
BEGIN
    IF pg_catalog.current_setting('server_encoding') NOT IN ('UTF8', 'SQL_ASCII') THEN
        RAISE EXCEPTION 'ebs_advisor needs a database with encoding UTF8, not %', current_setting('server_encoding')
            USING ERRCODE = 'feature_not_supported',
                  HINT = 'Create it in another database and set ebs_advisor.database to that: one watches the whole server.';
    END IF;
END $$;
-- tables

CREATE SCHEMA ebs;
COMMENT ON SCHEMA ebs IS 'Samples and runs of the extension ebs_advisor.';

CREATE TABLE ebs.run (
    run_id      bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    label       text        NOT NULL UNIQUE,
    started_at  timestamptz NOT NULL,
    ended_at    timestamptz CHECK (ended_at >= started_at),
    note        jsonb,
    environment jsonb,
    imported    boolean     NOT NULL DEFAULT false,
    started_by  name        NOT NULL DEFAULT session_user,
    tags        text[]      NOT NULL DEFAULT '{}',
    declared    jsonb
);
-- one open run at a time, whoever begins it
CREATE UNIQUE INDEX run_open ON ebs.run ((true)) WHERE ended_at IS NULL;
COMMENT ON TABLE ebs.run IS 'Runs: stretches of time with a name, on which every answer can be asked for.';
COMMENT ON COLUMN ebs.run.run_id IS 'Number of the run, in the order of their beginning.';
COMMENT ON COLUMN ebs.run.label IS 'Name of the run, as given to ebs_run_begin.';
COMMENT ON COLUMN ebs.run.started_at IS 'When the run began.';
COMMENT ON COLUMN ebs.run.ended_at IS 'When it ended; NULL while it is open.';
COMMENT ON COLUMN ebs.run.note IS 'Whatever the user noted at its beginning.';
COMMENT ON COLUMN ebs.run.environment IS 'Server version and the settings that change how much I/O a workload makes, at its beginning; of an imported run what it was imported from and what that could not tell, NULL where nobody said.';
COMMENT ON COLUMN ebs.run.imported IS 'Whether its samples were taken elsewhere.';
COMMENT ON COLUMN ebs.run.started_by IS 'Who began it, or imported it.';
COMMENT ON COLUMN ebs.run.tags IS 'Its tags, in order.';
COMMENT ON COLUMN ebs.run.declared IS 'What was declared of volumes and instance where an imported run comes from; NULL where nobody said.';

CREATE TABLE ebs.run_mark (
    run_id    bigint      NOT NULL REFERENCES ebs.run ON DELETE CASCADE,
    phase     text        NOT NULL,
    marked_at timestamptz NOT NULL,
    PRIMARY KEY (run_id, marked_at)
);
COMMENT ON TABLE ebs.run_mark IS 'Phases of runs. Where a phase named measure was marked, answers rest on that phase alone.';
COMMENT ON COLUMN ebs.run_mark.run_id IS 'The run.';
COMMENT ON COLUMN ebs.run_mark.phase IS 'The phase that began.';
COMMENT ON COLUMN ebs.run_mark.marked_at IS 'When it began; it lasts until the next mark or the end of the run.';

CREATE TABLE ebs.run_result (
    run_id      bigint      NOT NULL REFERENCES ebs.run ON DELETE CASCADE,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    tps         float8,
    latency_ms  float8,
    nopm        float8,
    tpm         float8,
    details     jsonb,
    PRIMARY KEY (run_id, recorded_at)
);
COMMENT ON TABLE ebs.run_result IS 'What the load drivers of runs reported.';
COMMENT ON COLUMN ebs.run_result.run_id IS 'The run.';
COMMENT ON COLUMN ebs.run_result.recorded_at IS 'When the result was recorded.';
COMMENT ON COLUMN ebs.run_result.tps IS 'Transactions per second.';
COMMENT ON COLUMN ebs.run_result.latency_ms IS 'Mean latency of a transaction, milliseconds.';
COMMENT ON COLUMN ebs.run_result.nopm IS 'New orders per minute (TPROC-C).';
COMMENT ON COLUMN ebs.run_result.tpm IS 'Transactions per minute as HammerDB counts them.';
COMMENT ON COLUMN ebs.run_result.details IS 'Anything else, as the driver gave it.';

CREATE TABLE ebs.sample_block (
    block_id   bigint      GENERATED ALWAYS AS IDENTITY,
    started_at timestamptz NOT NULL,
    ended_at   timestamptz NOT NULL,
    span_s     integer     NOT NULL,
    ticks      integer     NOT NULL,
    format     smallint    NOT NULL,
    samples    bytea       NOT NULL,
    run_id     bigint      REFERENCES ebs.run ON DELETE CASCADE,
    -- one index for both: every block written costs WAL in each
    PRIMARY KEY (ended_at, block_id)
);
CREATE INDEX sample_block_run_id ON ebs.sample_block (run_id) WHERE run_id IS NOT NULL;
COMMENT ON TABLE ebs.sample_block IS 'Samples, a few seconds a row (an hour once aged), in a compact encoding: ebs_device_samples, ebs_io_sources, ebs_waits and others read them.';
COMMENT ON COLUMN ebs.sample_block.block_id IS 'Number of the block.';
COMMENT ON COLUMN ebs.sample_block.started_at IS 'Beginning of its first interval.';
COMMENT ON COLUMN ebs.sample_block.ended_at IS 'End of its last interval.';
COMMENT ON COLUMN ebs.sample_block.span_s IS 'Seconds of the spans it was aged to: 60 or 3600; 0 as it was sampled.';
COMMENT ON COLUMN ebs.sample_block.ticks IS 'Intervals in it; in an aged block, groups of like seconds.';
COMMENT ON COLUMN ebs.sample_block.format IS 'Layout of samples.';
COMMENT ON COLUMN ebs.sample_block.samples IS 'The samples (postcard; see evidence/codec.rs).';
COMMENT ON COLUMN ebs.sample_block.run_id IS 'The imported run it belongs to; NULL for samples taken here, which belong to every run that spans them.';

-- pg_dump keeps the rows of all of them
SELECT pg_catalog.pg_extension_config_dump('ebs.run', '');
SELECT pg_catalog.pg_extension_config_dump('ebs.run_mark', '');
SELECT pg_catalog.pg_extension_config_dump('ebs.run_result', '');
SELECT pg_catalog.pg_extension_config_dump('ebs.sample_block', '');
SELECT pg_catalog.pg_extension_config_dump(pg_catalog.pg_get_serial_sequence('ebs.run', 'run_id')::regclass, '');
SELECT pg_catalog.pg_extension_config_dump(pg_catalog.pg_get_serial_sequence('ebs.sample_block', 'block_id')::regclass, '');
-- prices that users brought from AWS's price lists

CREATE TABLE ebs.price (
    region      text        NOT NULL,
    platform    text        NOT NULL CHECK (platform IN ('ec2', 'rds')),
    volume_type text        NOT NULL,
    part        text        NOT NULL,
    usd         numeric     NOT NULL CHECK (usd OPERATOR(pg_catalog.>) 0),
    basis       text        NOT NULL,
    published   date        NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    imported_by name        NOT NULL DEFAULT session_user,
    PRIMARY KEY (region, platform, volume_type, part)
);
COMMENT ON TABLE ebs.price IS 'Prices that were imported from AWS''s price lists. Of each the later publication counts: this one or the one built in.';
COMMENT ON COLUMN ebs.price.region IS 'AWS region.';
COMMENT ON COLUMN ebs.price.platform IS 'ec2 or rds; RDS in several zones is billed as copies of rds.';
COMMENT ON COLUMN ebs.price.volume_type IS 'Volume type, as of ebs_price.';
COMMENT ON COLUMN ebs.price.part IS 'What of it: storage, iops, iops above 32000, iops above 64000 or throughput.';
COMMENT ON COLUMN ebs.price.usd IS 'US dollars a month for a GiB, an IOPS or a MiB/s.';
COMMENT ON COLUMN ebs.price.basis IS 'AWS''s offer code and the version of its list.';
COMMENT ON COLUMN ebs.price.published IS 'When AWS published that list.';
COMMENT ON COLUMN ebs.price.imported_at IS 'When it was imported.';
COMMENT ON COLUMN ebs.price.imported_by IS 'Who imported it.';

SELECT pg_catalog.pg_extension_config_dump('ebs.price', '');

CREATE FUNCTION ebs_import_prices(prices jsonb) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_prices_wrapper';
COMMENT ON FUNCTION ebs_import_prices(jsonb) IS
    'Takes prices of AWS''s price lists, as "ebsctl prices" makes them from offer files, and gives how many were taken. An item''s price is replaced unless the list it came from is later. All are taken or, where one is wrong, none.';

CREATE FUNCTION ebs_prices_reset() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_prices_reset_wrapper';
COMMENT ON FUNCTION ebs_prices_reset() IS
    'Goes back to the built-in prices: removes all that were imported, and gives how many.';

CREATE FUNCTION ebs_prices(region text DEFAULT 'us-east-1', platform text DEFAULT 'ec2',
    OUT volume_type text, OUT part text, OUT unit text, OUT usd numeric, OUT status text, OUT basis text,
    OUT published date) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE ROWS 20 SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_prices_wrapper';
COMMENT ON FUNCTION ebs_prices(text, text) IS
    'The prices that count in a region: US dollars a month for one unit above what the type includes, on rds-multi-az and rds-cluster for all copies that are billed. status: imported by a user, listed by AWS when this version was made, derived as basis says, or unverified. What is not sold there or not known has no row.';
-- runs

CREATE FUNCTION ebs_run_begin(label text, note jsonb DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_begin_wrapper';
COMMENT ON FUNCTION ebs_run_begin(text, jsonb) IS
    'Begins a run now and gives its number. Refuses a label that exists, and a second run while one is open.';

CREATE FUNCTION ebs_run_mark(phase text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_mark_wrapper';
COMMENT ON FUNCTION ebs_run_mark(text) IS
    'Marks the beginning of a phase of the open run. Mark measure when ramp-up is over, and anything else when measuring is: answers rest on that stretch alone.';

CREATE FUNCTION ebs_run_result(label text, tps float8 DEFAULT NULL, latency_ms float8 DEFAULT NULL,
                               nopm float8 DEFAULT NULL, tpm float8 DEFAULT NULL, details jsonb DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_result_wrapper';
COMMENT ON FUNCTION ebs_run_result(text, float8, float8, float8, float8, jsonb) IS
    'Keeps what the load driver of a run reported: transactions per second, mean latency in milliseconds, NOPM, TPM, anything else as jsonb.';

CREATE FUNCTION ebs_run_end() RETURNS text
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_end_wrapper';
COMMENT ON FUNCTION ebs_run_end() IS
    'Ends the open run now, writes what the sampler still holds of it, and gives its label.';

CREATE FUNCTION ebs_run_drop(label text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_drop_wrapper';
COMMENT ON FUNCTION ebs_run_drop(text) IS
    'Removes a run with its marks, results and imported samples. Samples taken here stay until ebs_advisor.retention.';

CREATE VIEW ebs.runs AS
    SELECT r.run_id, r.label, r.started_at, r.ended_at, r.ended_at - r.started_at AS duration,
           result.tps, result.latency_ms, result.nopm, result.tpm,
           marks.phases, r.note, r.environment, r.imported, r.started_by, r.tags
    FROM ebs.run r
    LEFT JOIN LATERAL (SELECT tps, latency_ms, nopm, tpm FROM ebs.run_result x
                       WHERE x.run_id = r.run_id ORDER BY recorded_at DESC LIMIT 1) result ON true
    LEFT JOIN LATERAL (SELECT pg_catalog.jsonb_object_agg(m.phase, m.marked_at) AS phases FROM ebs.run_mark m
                       WHERE m.run_id = r.run_id) marks ON true;
COMMENT ON VIEW ebs.runs IS 'Runs with their latest results.';
COMMENT ON COLUMN ebs.runs.run_id IS 'Number of the run.';
COMMENT ON COLUMN ebs.runs.label IS 'Name of the run: what the argument run of every answer takes.';
COMMENT ON COLUMN ebs.runs.started_at IS 'When it began.';
COMMENT ON COLUMN ebs.runs.ended_at IS 'When it ended; NULL while it is open.';
COMMENT ON COLUMN ebs.runs.duration IS 'How long it lasted.';
COMMENT ON COLUMN ebs.runs.tps IS 'Transactions per second, as last recorded.';
COMMENT ON COLUMN ebs.runs.latency_ms IS 'Mean latency of a transaction in milliseconds, as last recorded.';
COMMENT ON COLUMN ebs.runs.nopm IS 'New orders per minute, as last recorded.';
COMMENT ON COLUMN ebs.runs.tpm IS 'Transactions per minute, as last recorded.';
COMMENT ON COLUMN ebs.runs.phases IS 'Phases marked, and when each began.';
COMMENT ON COLUMN ebs.runs.note IS 'What the user noted.';
COMMENT ON COLUMN ebs.runs.environment IS 'Server version and settings at its beginning.';
COMMENT ON COLUMN ebs.runs.imported IS 'Whether its samples were taken elsewhere.';
COMMENT ON COLUMN ebs.runs.started_by IS 'Who began it, or imported it.';
COMMENT ON COLUMN ebs.runs.tags IS 'Its tags.';
-- runs found again: list, notes, tags

CREATE FUNCTION ebs_runs(pattern text DEFAULT '*', tag text DEFAULT NULL) RETURNS SETOF ebs.runs
    LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
    AS $$
    SELECT * FROM ebs.runs r
    WHERE (pattern IS NULL OR r.label = pattern
           OR r.label LIKE replace(replace(replace(replace(pattern, E'\\', E'\\\\'), '%', E'\\%'), '_', E'\\_'), '*', '%'))
      AND (tag IS NULL OR tag = ANY (r.tags))
    ORDER BY r.run_id
    $$;
COMMENT ON FUNCTION ebs_runs(text, text) IS
    'Runs, earliest first, as view ebs.runs has them: of this label or pattern (* stands for anything), with this tag.';

CREATE FUNCTION ebs_run_note(label text, note jsonb) RETURNS jsonb
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_note_wrapper';
COMMENT ON FUNCTION ebs_run_note(text, jsonb) IS
    'Adds keys to the note of a run, an object, in place of those of the same name, and gives the note as it is then.';

CREATE FUNCTION ebs_run_tag(label text, tag text) RETURNS text[]
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_tag_wrapper';
COMMENT ON FUNCTION ebs_run_tag(text, text) IS
    'Tags a run (1 to 63 printable characters, at most 50 tags), and gives its tags. ebs_runs(tag => ...) finds it again.';

CREATE FUNCTION ebs_run_untag(label text, tag text) RETURNS text[]
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_untag_wrapper';
COMMENT ON FUNCTION ebs_run_untag(text, text) IS
    'Takes a tag away from a run, and gives its tags. Refuses a tag that it does not have.';

CREATE FUNCTION ebs_run_rename(label text, new_label text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_rename_wrapper';
COMMENT ON FUNCTION ebs_run_rename(text, text) IS
    'Gives a run another label. Refuses one that exists.';
-- runs moved between servers

CREATE FUNCTION ebs_run_export(label text) RETURNS jsonb
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_export_wrapper';
COMMENT ON FUNCTION ebs_run_export(text) IS
    'A run, or all of a pattern (* stands for anything), as one document: marks, results, environment, note, tags, what was declared, reports of fio, and the samples as they are stored, in base64 with a checksum. At most 64 MiB of samples. Refuses a run that is open.';

CREATE FUNCTION ebs_run_import(document text, label text DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_import_wrapper';
COMMENT ON FUNCTION ebs_run_import(text, text) IS
    'Makes runs of the text of a document that ebs_run_export wrote, here or on another server of the same major or another, and gives how many. Every answer on them is the one it was there, at the prices of here. label names the run where there is one. All are imported or, where something is wrong, none.';
-- what nothing that a server may read tells: types, provisioned IOPS and throughput, the instance

CREATE TABLE ebs.volume_declared (
    declared_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    volume           text        NOT NULL,
    volume_type      text,
    size_gib         bigint,
    iops             bigint,
    throughput_mibps bigint,
    volumes          integer,
    PRIMARY KEY (volume, declared_at),
    CHECK (pg_catalog.num_nulls(volume_type, size_gib, iops, throughput_mibps, volumes) IN (0, 5))
);
COMMENT ON TABLE ebs.volume_declared IS 'What the cluster''s volumes were declared to be, and from when. The latest row of a name holds; one without a type withdraws what was said.';
COMMENT ON COLUMN ebs.volume_declared.declared_at IS 'From when it holds; the first of a name holds for the time before, too.';
COMMENT ON COLUMN ebs.volume_declared.volume IS 'EBS volume id, device, or role (data, wal, tablespace and its name, temp).';
COMMENT ON COLUMN ebs.volume_declared.volume_type IS 'gp2, gp3, io1, io2, st1, sc1 or standard.';
COMMENT ON COLUMN ebs.volume_declared.size_gib IS 'Size of each volume, GiB.';
COMMENT ON COLUMN ebs.volume_declared.iops IS 'IOPS of each volume: provisioned, or what the type included when it was declared.';
COMMENT ON COLUMN ebs.volume_declared.throughput_mibps IS 'MiB/s of each volume, likewise.';
COMMENT ON COLUMN ebs.volume_declared.volumes IS 'Equal volumes that act as one.';

CREATE TABLE ebs.instance_declared (
    declared_at timestamptz NOT NULL DEFAULT clock_timestamp() PRIMARY KEY,
    instance    text
);
COMMENT ON TABLE ebs.instance_declared IS 'What the server''s EC2 instance was declared to be, and from when. The latest row holds.';
COMMENT ON COLUMN ebs.instance_declared.declared_at IS 'From when it holds; the first holds for the time before, too.';
COMMENT ON COLUMN ebs.instance_declared.instance IS 'EC2 instance type; NULL withdraws what was said.';

SELECT pg_catalog.pg_extension_config_dump('ebs.volume_declared', '');
SELECT pg_catalog.pg_extension_config_dump('ebs.instance_declared', '');

CREATE FUNCTION ebs_volume_declare(volume text, volume_type text, size_gib bigint, iops bigint DEFAULT NULL,
                                   throughput_mibps bigint DEFAULT NULL, volumes integer DEFAULT 1) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_volume_declare_wrapper';
COMMENT ON FUNCTION ebs_volume_declare(text, text, bigint, bigint, bigint, integer) IS
    'Says what a volume of the cluster is: which by EBS volume id, device or role (ebs_status shows them), size, IOPS and throughput as of ebs_price, each volume''s. A volume type of NULL withdraws what was said. Refuses what EBS does not sell, and volumes that the cluster is not on.';

CREATE FUNCTION ebs_instance_declare(instance text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_instance_declare_wrapper';
COMMENT ON FUNCTION ebs_instance_declare(text) IS
    'Says which EC2 instance type the server runs on, where the firmware does not. NULL withdraws what was said.';
-- demand from elsewhere

CREATE FUNCTION ebs_import_samples(label text, device text, samples jsonb) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_samples_wrapper';
COMMENT ON FUNCTION ebs_import_samples(text, text, jsonb) IS
    'Makes a run of samples taken elsewhere and gives their number: an array of {ts, reads, writes, read_bytes, write_bytes, read_ms, write_ms}, counts per interval, ts its end; read_ms and write_ms may be left out. A malformed array imports nothing.';

CREATE FUNCTION ebs_import_iostat(label text, report text, device text DEFAULT NULL, wal_device text DEFAULT NULL,
    started_at timestamptz DEFAULT NULL, interval_s float8 DEFAULT NULL, time_zone text DEFAULT NULL,
    since_boot boolean DEFAULT true) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_iostat_wrapper';
COMMENT ON FUNCTION ebs_import_iostat(text, text, text, text, timestamptz, float8, text, boolean) IS
    'Makes a run of what iostat -xt printed elsewhere (text or -o JSON, sysstat 10 to 12) and gives the number of its intervals. The device is named unless there is one; with wal_device data and WAL are two volumes. Without times (-t) say when iostat began (started_at) and its interval in seconds (interval_s). Times without an offset are of time_zone, or the session''s TimeZone; DateStyle says which of 11/12/26 is the day. The first report is since boot and left out unless since_boot is false (-y). A report that cannot be read imports nothing.';

CREATE FUNCTION ebs_import_sar(label text, report text, device text DEFAULT NULL, wal_device text DEFAULT NULL,
    time_zone text DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_sar_wrapper';
COMMENT ON FUNCTION ebs_import_sar(text, text, text, text, text) IS
    'Makes a run of what sar -d, sadf -d or sadf -j printed elsewhere (sysstat 10 to 12) and gives the number of its intervals. sar counts reads and writes together: they are told apart by their bytes, and the report says so. Devices and times as of ebs_import_iostat. A report that cannot be read imports nothing.';

CREATE FUNCTION ebs_import_cloudwatch(label text, data jsonb, device text DEFAULT NULL, wal_device text DEFAULT NULL,
    period_s integer DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_cloudwatch_wrapper';
COMMENT ON FUNCTION ebs_import_cloudwatch(text, jsonb, text, text, integer) IS
    'Makes a run of what aws cloudwatch get-metric-data gave and gives the number of its periods. Of EBS: VolumeReadOps, VolumeWriteOps, VolumeReadBytes, VolumeWriteBytes and, if there, VolumeTotalReadTime, VolumeTotalWriteTime, each the Sum. Of RDS: ReadIOPS, WriteIOPS, ReadThroughput, WriteThroughput and, if there, ReadLatency, WriteLatency, each the Average. A metric is known by its Label or Id, a device by what else stands there. period_s is read off the timestamps where it is NULL. Missing points are gaps. An answer that is not complete imports nothing.';

CREATE FUNCTION ebs_import_awr(label text, reports jsonb, per_second boolean DEFAULT false,
    redo_apart boolean DEFAULT false) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_awr_wrapper';
COMMENT ON FUNCTION ebs_import_awr(text, jsonb, boolean, boolean) IS
    'Makes a run of the totals of reports over half hours or hours, such as Oracle''s AWR, and gives their number: an array of {begin, end, read_requests, write_requests, read_bytes, write_bytes, redo_writes, redo_bytes}, totals of the report or with per_second rates; writes without redo, the two of redo may be left out. With redo_apart it is a volume of its own. A malformed array imports nothing.';
-- what fio measured

CREATE TABLE ebs.run_fio (
    run_id      bigint      NOT NULL REFERENCES ebs.run ON DELETE CASCADE,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    fio         jsonb       NOT NULL,
    PRIMARY KEY (run_id, recorded_at)
);
COMMENT ON TABLE ebs.run_fio IS 'Reports of fio that were imported with runs; ebs_report_card grades them.';
COMMENT ON COLUMN ebs.run_fio.run_id IS 'The run.';
COMMENT ON COLUMN ebs.run_fio.recorded_at IS 'When it was imported.';
COMMENT ON COLUMN ebs.run_fio.fio IS 'Version, time and device, and of each job what it did: kind, size, numjobs, iodepth, and of reads and writes the rates, latencies in microseconds, percentiles and, from json+, requests by latency.';

SELECT pg_catalog.pg_extension_config_dump('ebs.run_fio', '');

CREATE FUNCTION ebs_import_fio(label text, report text) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_fio_wrapper';
COMMENT ON FUNCTION ebs_import_fio(text, text) IS
    'Keeps what fio 3 printed (--output-format=json or json+) with a run, and gives the number of its jobs; numjobs of one section are one. A label that does not exist becomes a run without samples, from the report''s own times. Text before the document is skipped. A report that cannot be read imports nothing.';
-- what was seen

CREATE FUNCTION ebs_io_mix(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT volume text, OUT role text, OUT metric text, OUT unit text,
    OUT mean float8, OUT p50 float8, OUT p95 float8, OUT p99 float8, OUT max float8,
    OUT p99_low float8, OUT p99_high float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_io_mix_wrapper';
COMMENT ON FUNCTION ebs_io_mix(text, interval) IS
    'What was asked of each volume, per second: requests as EBS counts them (one per 256 KiB), reads, writes, MiB/s, KiB a request, read share, latency, concurrency. Means are totals over totals, percentiles are over time, p99_low and p99_high the 95 % interval of p99. NULL is not known.';

CREATE FUNCTION ebs_io_sources(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT backend_type text, OUT object text, OUT context text,
    OUT read_bytes bigint, OUT write_bytes bigint, OUT extend_bytes bigint, OUT fsyncs bigint, OUT hits bigint,
    OUT stall_ms float8, OUT share_pct float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_io_sources_wrapper';
COMMENT ON FUNCTION ebs_io_sources(text, interval) IS
    'pg_stat_io over the window, most bytes first: bytes handed to or taken from the kernel (its page cache or the device), stall time in ms (NULL where timing was off), share of all bytes. On 16 and 17 WAL is one row of backend type any, from pg_stat_wal.';

CREATE FUNCTION ebs_io_sessions(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT backend_type text, OUT database text, OUT role text, OUT application_name text,
    OUT read_bytes bigint, OUT write_bytes bigint, OUT extend_bytes bigint, OUT share_pct float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_io_sessions_wrapper';
COMMENT ON FUNCTION ebs_io_sessions(text, interval) IS
    'Whose I/O it was, most bytes first, on PostgreSQL 18 while ebs_advisor.track_database, track_role or track_application_name was on: bytes read, written (WAL too) and extended, and their share of all rows here. A lower bound: the last second of a process that ended is lost, parallel workers (which tell what they did as they end) are lost altogether, and checkpointer, background writer and io workers are not among them. Columns of settings that were off are NULL; what exceeds 2,000 sessions is one row of backend type other.';

CREATE FUNCTION ebs_balance(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT line text, OUT side text, OUT read_bytes bigint, OUT write_bytes bigint,
    OUT read_pct float8, OUT write_pct float8, OUT note text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_balance_wrapper';
COMMENT ON FUNCTION ebs_balance(text, interval) IS
    'PostgreSQL''s bytes by source (side PostgreSQL), the device''s by volume (side device), and between them what the page cache took off, what the server''s processes moved without PostgreSQL counting it, what others moved, and a residual (side kernel). Where all is known, lines of the first and the kernel''s side add up to the device''s. Percentages are of the device''s bytes; NULL is not known.';

CREATE FUNCTION ebs_waits(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT backend_type text, OUT wait_class text, OUT wait_event text, OUT kind text,
    OUT average_active_sessions float8, OUT db_time_pct float8,
    OUT database text, OUT role text, OUT application_name text, OUT query_id bigint) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_waits_wrapper';
COMMENT ON FUNCTION ebs_waits(text, interval) IS
    'What processes were seen waiting for: average active sessions, and percentage of database time for waits of kind active (kinds client and idle are none). CPU* is no wait event: on a CPU, or in code that reports none. The last four columns are NULL unless ebs_advisor.track_database and its neighbours were on.';

CREATE FUNCTION ebs_workload(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT metric text, OUT value float8, OUT unit text, OUT detail text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_workload_wrapper';
COMMENT ON FUNCTION ebs_workload(text, interval) IS
    'What the database did, on average over the time in which each figure is known: transactions a second, sessions and what they waited for, CPU cores used by client backends, by the server and by the machine, WAL, and its flushes. NULL is not known; detail says what a figure is, and for how much of the time it is known where that is not all.';

CREATE FUNCTION ebs_device_samples(run text DEFAULT NULL, lookback interval DEFAULT '1 hour',
    OUT ended_at timestamptz, OUT seconds float8, OUT volume text, OUT reads bigint, OUT writes bigint,
    OUT read_bytes bigint, OUT write_bytes bigint, OUT read_ms bigint, OUT write_ms bigint) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_device_samples_wrapper';
COMMENT ON FUNCTION ebs_device_samples(text, interval) IS
    'The device samples themselves: what each volume counted in each interval. Intervals without a row are not known.';

CREATE FUNCTION ebs_sample(
    OUT volume text, OUT role text, OUT seconds float8, OUT requests float8, OUT reads float8, OUT writes float8,
    OUT throughput_mibps float8, OUT request_kib float8, OUT read_ms float8, OUT write_ms float8,
    OUT concurrency float8) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_sample_wrapper';
COMMENT ON FUNCTION ebs_sample() IS
    'What was asked of each volume since the last call in this session (the first call looks for one second): requests as EBS counts them, reads, writes a second, MiB/s, KiB a request, latency in ms, requests in flight. For \watch; needs no preloading, works on a standby, stores nothing.';
-- what EBS counts itself

CREATE FUNCTION ebs_nvme(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT volume text, OUT metric text, OUT unit text, OUT value float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_nvme_wrapper';
COMMENT ON FUNCTION ebs_nvme(text, interval) IS
    'What EBS counted of each volume while ebs-nvme-stats published it (docs/nvme.md): reads and writes a second, MiB/s, latency in ms, for how much of the time more was asked for than the volume or the instance gives (requests or throughput), and requests waiting at the moments they were looked at, once a flush. NULL is not known.';

CREATE FUNCTION ebs_nvme_histogram(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT volume text, OUT operation text, OUT lower_us bigint, OUT upper_us bigint,
    OUT requests bigint, OUT share_pct float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_nvme_histogram_wrapper';
COMMENT ON FUNCTION ebs_nvme_histogram(text, interval) IS
    'Reads and writes of each volume by latency as EBS measured it: requests between two bounds in microseconds (upper_us NULL: no upper bound) and their share of all reads or writes. Bins without requests have no row; a stretch in which a bin started again from 0 is left out.';
-- which statements cause the I/O

CREATE TABLE ebs.run_reading (
    run_id  bigint      NOT NULL REFERENCES ebs.run ON DELETE CASCADE,
    moment  timestamptz NOT NULL,
    reading jsonb       NOT NULL,
    PRIMARY KEY (run_id, moment)
);
COMMENT ON TABLE ebs.run_reading IS 'What was read when runs began, at their marks and when they ended: cumulative counters of statements (pg_stat_statements, without their texts), of checkpoints, and of the tables of the database that the run was begun in. ebs_queries and ebs_findings compare two of them.';
COMMENT ON COLUMN ebs.run_reading.run_id IS 'The run.';
COMMENT ON COLUMN ebs.run_reading.moment IS 'Its beginning, a mark, or its end.';
COMMENT ON COLUMN ebs.run_reading.reading IS 'What was read, with when, or why not (docs/queries.md).';

SELECT pg_catalog.pg_extension_config_dump('ebs.run_reading', '');

CREATE FUNCTION ebs_queries(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT query_id bigint, OUT role text, OUT database text, OUT top_level boolean, OUT calls bigint, OUT calls_s float8,
    OUT blocks_read bigint, OUT blocks_read_s float8, OUT blocks_read_per_call float8, OUT device_reads_s float8,
    OUT device_reads_s_low float8, OUT device_reads_s_high float8, OUT demand_pct float8, OUT read_ms float8,
    OUT read_ms_per_call float8, OUT temp_blocks_read bigint, OUT temp_blocks_written bigint,
    OUT temp_blocks_per_call float8, OUT blocks_dirtied bigint, OUT blocks_dirtied_per_call float8, OUT wal_bytes bigint,
    OUT wal_bytes_s float8, OUT wal_bytes_per_call float8, OUT wal_pct float8, OUT wal_fpi bigint,
    OUT exec_ms_per_call float8, OUT rows_per_call float8, OUT hit_pct float8, OUT statement text, OUT note text)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_queries_wrapper';
COMMENT ON FUNCTION ebs_queries(text, interval) IS
    'Statements of a run, those that read most first: what pg_stat_statements counted from its beginning (or its mark measure) to its end. blocks_read is what PostgreSQL asked of the kernel; device_reads_s is the read requests a second of it that reached the device, the page cache''s share taken off as ebs_balance shows it: as if it had the same share of each statement''s reads, with the least and the most that it can have been (_low, _high). demand_pct is their share of all the device''s requests, reads and writes, wal_pct the share of all WAL. Last comes a row without query_id: reads that no statement accounts for. Texts are shown to those who may read them in pg_stat_statements, of runs that were not imported. Of a look-back, what pg_stat_statements holds now. note says what was evicted or reset in between; NULL is not known. See docs/queries.md.';
-- what to order

CREATE FUNCTION ebs_options(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1', instance text DEFAULT NULL,
    percentile float8 DEFAULT 99, headroom float8 DEFAULT 0.2, max_throttled_pct float8 DEFAULT 1,
    min_throughput_ratio float8 DEFAULT NULL, latency_target_ms float8 DEFAULT NULL,
    durability_pct float8 DEFAULT NULL, budget_usd numeric DEFAULT NULL, max_volumes integer DEFAULT NULL,
    min_size_gib bigint DEFAULT NULL,
    OUT rank integer, OUT role text, OUT volume_type text, OUT volumes integer, OUT size_gib bigint, OUT iops bigint,
    OUT throughput_mibps bigint, OUT usd_month numeric, OUT usd_month_saved numeric, OUT throttled_pct float8,
    OUT read_ms float8, OUT write_ms float8, OUT throughput_ratio float8, OUT throughput_ratio_low float8,
    OUT throughput_ratio_high float8, OUT risk text, OUT bound_by text, OUT feasible boolean, OUT reason text,
    OUT usd_storage numeric, OUT usd_iops numeric, OUT usd_throughput numeric, OUT price_doubt text,
    OUT throttled_pct_high float8, OUT added_ms_p99 float8, OUT credits_last_s float8, OUT missed_by_pct float8)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_options_wrapper';
COMMENT ON FUNCTION ebs_options(text, interval, text, text, text, float8, float8, float8, float8, float8, float8, numeric, integer, bigint) IS
    'Volumes that would carry the demand of a run or a look-back, cheapest first, near-misses below with feasible = false, the limit each broke (bound_by) and by how many per cent (missed_by_pct). Sized for the upper end of the interval of the percentile (per cent) of one-second demand, times 1 + headroom, and replayed over the recorded intervals: no more than max_throttled_pct per cent of the time may be throttled, at the upper end of its interval (throttled_pct_high). Size, IOPS and throughput are each volume''s, dollars are of all, a month; usd_month_saved is against what ebs_volume_declare said, by the same prices. read_ms and write_ms are predicted, waiting for the limit included; without a prediction they are published means of the type, one random 16 KiB request at a time. latency_target_ms is compared with their mean as reads and writes were mixed. throughput_ratio is the database''s throughput compared with now, predicted from the sessions'' waits; NULL where the evidence has none, and then min_throughput_ratio rules nothing out. platform is ec2, outposts, rds, rds-multi-az or rds-cluster; instance defaults to what ebs_instance_declare said or the machine tells, its baseline counts. budget_usd is for all roles together, min_size_gib is of each; max_volumes defaults to as many as the volumes are made of now, else 1. Where roles are on several volumes, rows for all of them on one volume follow; on RDS there are only these, and where WAL is on its own volume a row for the dedicated log volume. NULL for an argument is its default.';

CREATE FUNCTION ebs_advise(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1', instance text DEFAULT NULL,
    percentile float8 DEFAULT 99, headroom float8 DEFAULT 0.2, max_throttled_pct float8 DEFAULT 1,
    min_throughput_ratio float8 DEFAULT NULL, latency_target_ms float8 DEFAULT NULL,
    durability_pct float8 DEFAULT NULL, budget_usd numeric DEFAULT NULL, max_volumes integer DEFAULT NULL,
    min_size_gib bigint DEFAULT NULL) RETURNS SETOF text
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_advise_wrapper';
COMMENT ON FUNCTION ebs_advise(text, interval, text, text, text, float8, float8, float8, float8, float8, float8, numeric, integer, bigint) IS
    'The report: which EBS volume, at what price, why, and with how much doubt. Arguments as of ebs_options. At most 110 columns wide.';

CREATE FUNCTION ebs_advise_json(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1', instance text DEFAULT NULL,
    percentile float8 DEFAULT 99, headroom float8 DEFAULT 0.2, max_throttled_pct float8 DEFAULT 1,
    min_throughput_ratio float8 DEFAULT NULL, latency_target_ms float8 DEFAULT NULL,
    durability_pct float8 DEFAULT NULL, budget_usd numeric DEFAULT NULL, max_volumes integer DEFAULT NULL,
    min_size_gib bigint DEFAULT NULL) RETURNS jsonb
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_advise_json_wrapper';
COMMENT ON FUNCTION ebs_advise_json(text, interval, text, text, text, float8, float8, float8, float8, float8, float8, numeric, integer, bigint) IS
    'The report of ebs_advise as one document: schema_version (grows when a key changes its meaning or goes), request, instance, evidence, sources, waits, roles with demand, need, size, options, variations, decision and procedure, all of it on one volume, findings as of ebs_findings, what would change the answer, what is not known. Arguments as of ebs_options, units in the names, null for what is not known.';

CREATE FUNCTION ebs_price(volume_type text, size_gib bigint, iops bigint DEFAULT NULL,
    throughput_mibps bigint DEFAULT NULL, volumes integer DEFAULT 1, platform text DEFAULT 'ec2',
    region text DEFAULT 'us-east-1',
    OUT usd_month numeric, OUT usd_storage numeric, OUT usd_iops numeric, OUT usd_throughput numeric,
    OUT price_date date, OUT price_status text, OUT price_doubt text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE ROWS 1 SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_price_wrapper';
COMMENT ON FUNCTION ebs_price(text, bigint, bigint, bigint, integer, text, text) IS
    'One row: what these volumes cost a month in US dollars, the date of the oldest price list used, how sure its least sure price is (price_status, as of ebs_prices), and what of it is not straight from AWS''s list (price_doubt). Size, IOPS and throughput are each volume''s; left out they are what the type includes. Refuses what EBS does not sell.';
-- what to put right before a volume is bought

CREATE FUNCTION ebs_findings(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT rank integer, OUT finding text, OUT subject text, OUT measured text, OUT demand_pct float8,
    OUT requests_s_saved_low float8, OUT requests_s_saved_high float8, OUT usd_month_saved numeric, OUT reason text,
    OUT remedy text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_findings_wrapper';
COMMENT ON FUNCTION ebs_findings(text, interval) IS
    'Causes of I/O that the run itself shows, those that may save most first: statements that read much, temporary files that work_mem would do without, checkpoints forced by WAL, updates that find no room on their page, autovacuum. demand_pct is the share of all the device''s requests, requests_s_saved_low and _high what would be gone at least and at most, estimated; NULL is not known, or nothing can be saved. What is below 1 % of demand is left out. Of a look-back there is what samples tell. See docs/queries.md.';
-- which index would spare reads, and what it would save

CREATE FUNCTION ebs_index_advice(run text DEFAULT NULL, platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1',
    instance text DEFAULT NULL, max_plans integer DEFAULT 2000, lookback interval DEFAULT '14 days',
    search_path text DEFAULT pg_catalog.current_setting('search_path'),
    OUT rank integer, OUT kind text, OUT advised boolean, OUT relation text, OUT ddl text, OUT query_id bigint,
    OUT statement text, OUT cost_before float8, OUT cost_after float8, OUT blocks_before float8, OUT blocks_after float8,
    OUT reads_s float8, OUT reads_s_saved float8, OUT writes_s_added float8, OUT wal_bytes_s_added float8,
    OUT net_reads_s_saved float8, OUT size_bytes bigint, OUT volume_type text, OUT volumes integer, OUT size_gib bigint,
    OUT iops bigint, OUT throughput_mibps bigint, OUT usd_month numeric, OUT usd_month_saved numeric, OUT reason text)
    RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_index_advice_wrapper';
COMMENT ON FUNCTION ebs_index_advice(text, text, text, text, integer, interval, text) IS
    'Which indexes would spare reads (kind index, advised or not), which statements were looked at in vain (statement), which indexes serve nothing (duplicate, unused), and what is missing in order to tell (missing). Nothing is created, and no statement is executed: each is planned with its parameters left open, by EXPLAIN (GENERIC_PLAN), as the role that executed it, at most max_plans times in all, with hypothetical indexes of hypopg. Names without a schema are looked up in search_path. cost and blocks are the planner''s estimates for one call of the statement that gains most, without and with all advised indexes; reads_s are its measured reads a second. reads_s_saved is an estimate over all statements, writes_s_added what the index itself would cost in reads and writes a second, wal_bytes_s_added its WAL; less than nothing where an index is dropped. The volume is the one that would be recommended for the demand of the run with those reads taken out of each second, usd_month_saved against the one recommended without. What is not known is NULL. Needs pg_stat_statements and hypopg; without them it says what is missing, and still names indexes to drop.';
-- what would be on another volume

CREATE FUNCTION ebs_whatif(run text DEFAULT NULL, volume_type text DEFAULT 'gp3', iops bigint DEFAULT NULL,
    throughput_mibps bigint DEFAULT NULL, size_gib bigint DEFAULT NULL, volumes integer DEFAULT 1,
    platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1', instance text DEFAULT NULL,
    clients float8 DEFAULT NULL, read_ms float8 DEFAULT NULL, write_ms float8 DEFAULT NULL,
    lookback interval DEFAULT '14 days',
    OUT role text, OUT volume_type text, OUT volumes integer, OUT size_gib bigint, OUT iops bigint,
    OUT throughput_mibps bigint, OUT throughput_ratio float8, OUT throughput_ratio_low float8,
    OUT throughput_ratio_high float8, OUT tps float8, OUT tps_low float8, OUT tps_high float8, OUT response_ms float8,
    OUT response_ms_low float8, OUT response_ms_high float8, OUT read_ms float8, OUT read_ms_low float8,
    OUT read_ms_high float8, OUT write_ms float8, OUT write_ms_low float8, OUT write_ms_high float8,
    OUT active_sessions float8, OUT in_flight float8, OUT device_iops float8, OUT device_mibps float8,
    OUT cpu_pct float8, OUT bound_by text, OUT throttled_pct float8, OUT added_ms_p99 float8, OUT usd_month numeric,
    OUT basis text, OUT note text)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_whatif_wrapper';
COMMENT ON FUNCTION ebs_whatif(text, text, bigint, bigint, bigint, integer, text, text, text, float8, float8, float8, interval) IS
    'What a run, or a look-back, would do on such volumes: a row for each volume that the cluster is on now, and for all of it on one where there are several. Size, IOPS and throughput are each volume''s; left out they are what is needed and what the type includes. tps is NULL where transactions were not counted, throughput_ratio is of what there was; intervals hold nine times in ten. read_ms and write_ms are the mean service times of that volume as measured elsewhere; left out they are those measured in this run, where it was on volumes declared to be of that type and not at their limit, or else published ones: basis says which. clients are sessions. bound_by is what would hold the database back. throttled_pct and added_ms_p99 are of the recorded intervals run through the volume''s limits. Where there is no prediction its figures are NULL, and note says why; it also says what is doubtful. Refuses what EBS does not sell.';

CREATE FUNCTION ebs_frontier(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1', instance text DEFAULT NULL,
    clients float8 DEFAULT NULL, max_volumes integer DEFAULT NULL, min_size_gib bigint DEFAULT NULL,
    OUT role text, OUT rank integer, OUT volume_type text, OUT volumes integer, OUT size_gib bigint, OUT iops bigint,
    OUT throughput_mibps bigint, OUT usd_month numeric, OUT usd_month_more numeric, OUT throughput_ratio float8,
    OUT throughput_ratio_low float8, OUT throughput_ratio_high float8, OUT read_ms float8, OUT write_ms float8,
    OUT bound_by text, OUT recommended boolean, OUT note text)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_frontier_wrapper';
COMMENT ON FUNCTION ebs_frontier(text, interval, text, text, text, float8, integer, bigint) IS
    'The frontier of price against predicted throughput: volumes of which none that costs no more is predicted to do as much (by a thousandth), cheapest first, at most 20 for each volume that the cluster is on now, and for all of it on one. usd_month_more is what the next row costs more. Arguments and figures as of ebs_options and ebs_whatif; recommended marks what ebs_options recommends for the same arguments, which also asks for headroom and so may cost more than what the frontier has for as much. Where nothing is predicted there is one row, and note says why.';
-- grades

CREATE FUNCTION ebs_report_card(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT test text, OUT device text, OUT measured float8, OUT unit text, OUT grade text, OUT thresholds text,
    OUT basis text, OUT source text, OUT note text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_report_card_wrapper';
COMMENT ON FUNCTION ebs_report_card(text, interval) IS
    'Letter grades, A+ to D: of the 95th percentile of latency (ms) in four tests, and of how it grows with more users. basis fio: jobs of an imported report that are that test by kind, size and numjobs. basis live evidence, with ~ before the grade: the 95th percentile of one-second means, where requests were of that size; an approximation. NULL is not measured, and note says why. Two last tests point out two latency modes and a slow start. source says where the thresholds come from.';

CREATE FUNCTION ebs_latency_histogram(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT source text, OUT device text, OUT kind text, OUT from_us bigint, OUT to_us bigint, OUT requests bigint,
    OUT share_pct float8, OUT bar text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_latency_histogram_wrapper';
COMMENT ON FUNCTION ebs_latency_histogram(text, interval) IS
    'Requests by latency, each bucket twice as wide as the one before: of EBS''s own statistics (docs/nvme.md) by volume, and of jobs of fio that were imported from json+, reads and writes apart. Microseconds from from_us up to to_us (NULL: no upper bound), requests, their share, and a bar. Buckets without requests have no row.';
-- is all well?

CREATE FUNCTION ebs_status(OUT "check" text, OUT ok boolean, OUT detail text, OUT hint text) RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_status_wrapper';
COMMENT ON FUNCTION ebs_status() IS
    'What works and what does not, with a hint where something can be done: the version, preloading, the sampler, missed samples and its own cost, disks and EBS volumes found, statistics of EBS, the instance, history kept, timing settings, statements, catalogue.';
-- what two sets of runs differ by

CREATE FUNCTION ebs_compare(a text, b text, margin_pct float8 DEFAULT 5, noise_pct float8 DEFAULT 3.5,
    OUT metric text, OUT unit text, OUT a float8, OUT b float8, OUT ratio float8, OUT ratio_low float8,
    OUT ratio_high float8, OUT verdict text, OUT note text, OUT section text, OUT runs_a integer, OUT runs_b integer,
    OUT detectable_pct float8, OUT p_value float8, OUT p_adjusted float8, OUT p_permutation float8)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_compare_wrapper';
COMMENT ON FUNCTION ebs_compare(text, text, float8, float8) IS
    'What run b differs by from run a, or set from set: ''gp3-*'' is every run whose label begins so. Rows of section gate come first: whether the runs can be compared (same, differs, not known). Then each figure of either side: ratio is b over a with its 95 % interval, verdict is better, worse (higher, lower where neither is better), equivalent (the interval lies within margin_pct) or inconclusive. One run a side does not tell by how much runs of the same thing differ: noise_pct (standard deviation of throughput, per cent) is taken for it. detectable_pct is the least difference that such runs would find four times in five; p_adjusted is corrected for the number of figures, the primary one''s verdict is not; p_permutation deals the runs out in every way. Ramp-up is cut off where no phase measure was marked. NULL is not known. See docs/compare.md.';
-- reading: pg_monitor; controlling: whoever is granted it
--
-- An upgrade runs this, too. Objects of which the extension has said before who may use them have initial privileges, and
-- are left alone: what was granted or revoked since stays, and pg_dump goes on to take it for the user's.

-- Nothing is created any more: names are PostgreSQL's alone.
SET LOCAL search_path TO pg_catalog, pg_temp;

DO $$
DECLARE
    extension CONSTANT oid := (SELECT oid FROM pg_extension WHERE extname = 'ebs_advisor');
    f regprocedure;
    r regclass;
BEGIN
    FOR f IN SELECT objid::regprocedure FROM pg_depend
             WHERE refclassid = 'pg_extension'::regclass AND refobjid = extension AND deptype = 'e' AND classid = 'pg_proc'::regclass
               AND NOT EXISTS (SELECT FROM pg_init_privs WHERE objoid = objid AND classoid = classid)
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
        IF (SELECT NOT prosecdef FROM pg_proc WHERE oid = f) THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO pg_monitor', f);
        END IF;
    END LOOP;
    FOREACH r IN ARRAY '{ebs.run, ebs.run_mark, ebs.run_result, ebs.run_fio, ebs.run_reading, ebs.sample_block, ebs.volume_declared,
                         ebs.instance_declared, ebs.price, ebs.runs}'::regclass[]
    LOOP
        IF NOT EXISTS (SELECT FROM pg_init_privs WHERE objoid = r AND classoid = 'pg_class'::regclass) THEN
            EXECUTE format('GRANT SELECT ON %s TO pg_monitor', r);
        END IF;
    END LOOP;
    IF NOT EXISTS (SELECT FROM pg_init_privs WHERE objoid = 'ebs'::regnamespace AND classoid = 'pg_namespace'::regclass) THEN
        GRANT USAGE ON SCHEMA ebs TO pg_monitor;
    END IF;
END $$;
