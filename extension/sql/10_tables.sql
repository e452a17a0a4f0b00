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
    declared    jsonb,
    index_findings jsonb
);
-- one open run at a time, of all roles
CREATE UNIQUE INDEX run_open ON ebs.run ((true)) WHERE ended_at IS NULL;
COMMENT ON TABLE ebs.run IS 'Runs: named periods whose samples are kept and for which every answer can be computed.';
COMMENT ON COLUMN ebs.run.run_id IS 'Number of the run, in order of creation.';
COMMENT ON COLUMN ebs.run.label IS 'Label of the run, as given to ebs_run_begin.';
COMMENT ON COLUMN ebs.run.started_at IS 'Start of the run.';
COMMENT ON COLUMN ebs.run.ended_at IS 'End of the run; NULL while it is open.';
COMMENT ON COLUMN ebs.run.note IS 'Note that the user gave.';
COMMENT ON COLUMN ebs.run.environment IS 'Server version and the settings that affect the amount of I/O, at the start of the run; for an imported run its source and the limitations of that, NULL if not given.';
COMMENT ON COLUMN ebs.run.imported IS 'True if the samples were taken on another server.';
COMMENT ON COLUMN ebs.run.started_by IS 'Role that began or imported the run.';
COMMENT ON COLUMN ebs.run.tags IS 'Tags of the run, sorted.';
COMMENT ON COLUMN ebs.run.declared IS 'Declarations of volumes and instance on the server of an imported run; NULL if not given.';
COMMENT ON COLUMN ebs.run.index_findings IS 'Index advice of the planner of the watched server; NULL if it was not asked (docs/index-advice.md).';

CREATE TABLE ebs.run_mark (
    run_id    bigint      NOT NULL REFERENCES ebs.run ON DELETE CASCADE,
    phase     text        NOT NULL,
    marked_at timestamptz NOT NULL,
    PRIMARY KEY (run_id, marked_at)
);
COMMENT ON TABLE ebs.run_mark IS 'Phases of runs; if a phase measure is marked, answers use that phase alone.';
COMMENT ON COLUMN ebs.run_mark.run_id IS 'Number of the run.';
COMMENT ON COLUMN ebs.run_mark.phase IS 'Name of the phase.';
COMMENT ON COLUMN ebs.run_mark.marked_at IS 'Start of the phase, which lasts until the next mark or the end of the run.';

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
COMMENT ON TABLE ebs.run_result IS 'Results of the load drivers of runs.';
COMMENT ON COLUMN ebs.run_result.run_id IS 'Number of the run.';
COMMENT ON COLUMN ebs.run_result.recorded_at IS 'Time at which the result was recorded.';
COMMENT ON COLUMN ebs.run_result.tps IS 'Transactions per second.';
COMMENT ON COLUMN ebs.run_result.latency_ms IS 'Mean latency of a transaction, milliseconds.';
COMMENT ON COLUMN ebs.run_result.nopm IS 'New orders per minute (TPROC-C).';
COMMENT ON COLUMN ebs.run_result.tpm IS 'Transactions per minute as HammerDB counts them.';
COMMENT ON COLUMN ebs.run_result.details IS 'Other figures of the driver.';

CREATE TABLE ebs.sample_block (
    block_id   bigint      GENERATED ALWAYS AS IDENTITY,
    started_at timestamptz NOT NULL,
    ended_at   timestamptz NOT NULL,
    span_s     integer     NOT NULL,
    ticks      integer     NOT NULL,
    format     smallint    NOT NULL,
    samples    bytea       NOT NULL,
    run_id     bigint      REFERENCES ebs.run ON DELETE CASCADE,
    damaged    boolean     NOT NULL DEFAULT false,
    -- one index for both: every block written costs WAL in each
    PRIMARY KEY (ended_at, block_id)
);
CREATE INDEX sample_block_run_id ON ebs.sample_block (run_id) WHERE run_id IS NOT NULL;
COMMENT ON TABLE ebs.sample_block IS 'Samples in a compact encoding, a few seconds per row (an hour after downsampling), which ebs_device_samples, ebs_io_sources, ebs_waits and others read.';
COMMENT ON COLUMN ebs.sample_block.block_id IS 'Number of the block.';
COMMENT ON COLUMN ebs.sample_block.started_at IS 'Start of the first interval.';
COMMENT ON COLUMN ebs.sample_block.ended_at IS 'End of the last interval.';
COMMENT ON COLUMN ebs.sample_block.span_s IS 'Resolution after downsampling, in seconds: 60 or 3600; 0 if not downsampled.';
COMMENT ON COLUMN ebs.sample_block.ticks IS 'Number of intervals; in a downsampled block, of groups of similar seconds.';
COMMENT ON COLUMN ebs.sample_block.format IS 'Version of the layout of samples.';
COMMENT ON COLUMN ebs.sample_block.samples IS 'The samples (postcard; see evidence/codec.rs).';
COMMENT ON COLUMN ebs.sample_block.run_id IS 'Imported run of the samples; NULL for samples taken on this server, which belong to every run that covers them.';
COMMENT ON COLUMN ebs.sample_block.damaged IS 'True if the samples could not be read to downsample them: the block then stays as it is until ebs_advisor.retention, and answers leave it out.';

-- pg_dump keeps the rows of all of them
SELECT pg_catalog.pg_extension_config_dump('ebs.run', '');
SELECT pg_catalog.pg_extension_config_dump('ebs.run_mark', '');
SELECT pg_catalog.pg_extension_config_dump('ebs.run_result', '');
SELECT pg_catalog.pg_extension_config_dump('ebs.sample_block', '');
SELECT pg_catalog.pg_extension_config_dump(pg_catalog.pg_get_serial_sequence('ebs.run', 'run_id')::regclass, '');
SELECT pg_catalog.pg_extension_config_dump(pg_catalog.pg_get_serial_sequence('ebs.sample_block', 'block_id')::regclass, '');
