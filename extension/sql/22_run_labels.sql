-- runs found again: list, notes, tags

CREATE FUNCTION ebs_runs(pattern text DEFAULT '*', tag text DEFAULT NULL) RETURNS SETOF ebs.runs_detail
    LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
    AS $$
    SELECT * FROM ebs.runs_detail r
    WHERE (pattern IS NULL OR r.label = pattern
           OR r.label LIKE replace(replace(replace(replace(pattern, E'\\', E'\\\\'), '%', E'\\%'), '_', E'\\_'), '*', '%'))
      AND (tag IS NULL OR tag = ANY (r.tags))
    ORDER BY r.run_id
    $$;
COMMENT ON FUNCTION ebs_runs(text, text) IS
    'Runs of a label or pattern (* matches any characters) and a tag, as in view ebs.runs_detail, earliest first (docs/runs.md).';

CREATE FUNCTION ebs_run_note(label text, note jsonb) RETURNS jsonb
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_note_wrapper';
COMMENT ON FUNCTION ebs_run_note(text, jsonb) IS
    'Adds keys to the note of a run, replacing those of the same name, and returns the whole note (docs/runs.md).';

CREATE FUNCTION ebs_run_tag(label text, tag text) RETURNS text[]
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_tag_wrapper';
COMMENT ON FUNCTION ebs_run_tag(text, text) IS
    'Adds a tag to a run (1 to 63 printable characters, at most 50 tags) and returns its tags (docs/runs.md).';

CREATE FUNCTION ebs_run_untag(label text, tag text) RETURNS text[]
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_untag_wrapper';
COMMENT ON FUNCTION ebs_run_untag(text, text) IS
    'Removes a tag from a run and returns its tags; a tag that the run does not have is an error (docs/runs.md).';

CREATE FUNCTION ebs_run_rename(label text, new_label text) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_run_rename_wrapper';
COMMENT ON FUNCTION ebs_run_rename(text, text) IS
    'Changes the label of a run; a label that exists is an error (docs/runs.md).';
