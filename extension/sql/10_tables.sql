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
-- one open run at a time, of all roles
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
