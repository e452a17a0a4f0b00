-- runs

CREATE FUNCTION ebs_run_begin(label text, note jsonb DEFAULT NULL) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_begin_wrapper';
COMMENT ON FUNCTION ebs_run_begin(text, jsonb) IS
    'Begins a run and returns its number; a label that exists and a second open run are errors (docs/runs.md).';

CREATE FUNCTION ebs_run_mark(phase text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_mark_wrapper';
COMMENT ON FUNCTION ebs_run_mark(text) IS
    'Marks the beginning of a phase of the open run; answers use the phase measure, up to the next mark, if it is marked (docs/runs.md).';

CREATE FUNCTION ebs_run_result(label text, tps float8 DEFAULT NULL, latency_ms float8 DEFAULT NULL,
                               nopm float8 DEFAULT NULL, tpm float8 DEFAULT NULL, details jsonb DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_result_wrapper';
COMMENT ON FUNCTION ebs_run_result(text, float8, float8, float8, float8, jsonb) IS
    'Records the result of a run''s load driver: transactions per second, mean latency in milliseconds, NOPM, TPM, other details as jsonb (docs/runs.md).';

CREATE FUNCTION ebs_run_end() RETURNS text
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_end_wrapper';
COMMENT ON FUNCTION ebs_run_end() IS
    'Ends the open run, writes its samples and returns its label (docs/runs.md).';

CREATE FUNCTION ebs_run_drop(label text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_drop_wrapper';
COMMENT ON FUNCTION ebs_run_drop(text) IS
    'Removes a run with its marks, results and imported samples; samples taken here stay until ebs_advisor.retention (docs/runs.md).';

CREATE VIEW ebs.runs_detail AS
    SELECT r.run_id, r.label, r.started_at, r.ended_at, r.ended_at - r.started_at AS duration,
           result.tps, result.latency_ms, result.nopm, result.tpm,
           marks.phases, r.note, r.environment, r.imported, r.started_by, r.tags
    FROM ebs.run r
    LEFT JOIN LATERAL (SELECT tps, latency_ms, nopm, tpm FROM ebs.run_result x
                       WHERE x.run_id = r.run_id ORDER BY recorded_at DESC LIMIT 1) result ON true
    LEFT JOIN LATERAL (SELECT pg_catalog.jsonb_object_agg(m.phase, m.marked_at) AS phases FROM ebs.run_mark m
                       WHERE m.run_id = r.run_id) marks ON true;
COMMENT ON VIEW ebs.runs_detail IS 'Runs with their latest results, phases, notes, environment and tags (docs/runs.md).';
COMMENT ON COLUMN ebs.runs_detail.run_id IS 'Number of the run.';
COMMENT ON COLUMN ebs.runs_detail.label IS 'Label of the run, which the argument run of every answer takes.';
COMMENT ON COLUMN ebs.runs_detail.started_at IS 'Start of the run.';
COMMENT ON COLUMN ebs.runs_detail.ended_at IS 'End of the run; NULL while it is open.';
COMMENT ON COLUMN ebs.runs_detail.duration IS 'Length of the run.';
COMMENT ON COLUMN ebs.runs_detail.tps IS 'Transactions per second, as last recorded.';
COMMENT ON COLUMN ebs.runs_detail.latency_ms IS 'Mean latency of a transaction in milliseconds, as last recorded.';
COMMENT ON COLUMN ebs.runs_detail.nopm IS 'New orders per minute, as last recorded.';
COMMENT ON COLUMN ebs.runs_detail.tpm IS 'Transactions per minute, as last recorded.';
COMMENT ON COLUMN ebs.runs_detail.phases IS 'Marked phases with the start of each.';
COMMENT ON COLUMN ebs.runs_detail.note IS 'Note that the user gave.';
COMMENT ON COLUMN ebs.runs_detail.environment IS 'Server version and settings at the start of the run.';
COMMENT ON COLUMN ebs.runs_detail.imported IS 'True if the samples were taken on another server.';
COMMENT ON COLUMN ebs.runs_detail.started_by IS 'Role that began or imported the run.';
COMMENT ON COLUMN ebs.runs_detail.tags IS 'Tags of the run.';

CREATE VIEW ebs.runs AS
    SELECT run_id, label, pg_catalog.date_trunc('second', started_at) AS started_at,
           pg_catalog.date_trunc('second', duration) AS duration, pg_catalog.round(tps::numeric, 1) AS tps,
           pg_catalog.round(latency_ms::numeric, 2) AS latency_ms, pg_catalog.round(nopm::numeric) AS nopm
    FROM ebs.runs_detail;
COMMENT ON VIEW ebs.runs IS 'Runs with their latest results, rounded; every column is in ebs.runs_detail (docs/runs.md).';
COMMENT ON COLUMN ebs.runs.run_id IS 'Number of the run.';
COMMENT ON COLUMN ebs.runs.label IS 'Label of the run, which the argument run of every answer takes.';
COMMENT ON COLUMN ebs.runs.started_at IS 'Start of the run, to the second.';
COMMENT ON COLUMN ebs.runs.duration IS 'Length of the run, to the second; NULL while it is open.';
COMMENT ON COLUMN ebs.runs.tps IS 'Transactions per second, as last recorded.';
COMMENT ON COLUMN ebs.runs.latency_ms IS 'Mean latency of a transaction in milliseconds, as last recorded.';
COMMENT ON COLUMN ebs.runs.nopm IS 'New orders per minute, as last recorded.';
