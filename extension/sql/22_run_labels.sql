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
    'Runs, earliest first, as view ebs.runs_detail has them: of this label or pattern (* stands for anything), with this tag.';

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
