-- Prints docs/reference.md: scripts/reference.sh runs it, with the variable subjects.
\pset format unaligned
\pset tuples_only on
SET search_path = pg_catalog, public, pg_temp;

CREATE TEMP TABLE subject AS SELECT split_part(line, E'\t', 1)::int AS number, split_part(line, E'\t', 2) AS about, split_part(line, E'\t', 3) AS name, place
    FROM regexp_split_to_table(:'subjects', E'\n') WITH ORDINALITY lines (line, place);
CREATE TEMP VIEW ours AS SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'ebs_advisor'
    WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e';

-- In a cell of a table, and beside it: what Markdown would take for its own.
CREATE FUNCTION pg_temp.text_of(text) RETURNS text LANGUAGE sql AS $$ SELECT replace(replace($1, '<', '&lt;'), '*', '\*') $$;
CREATE FUNCTION pg_temp.cell(text) RETURNS text LANGUAGE sql AS $$ SELECT replace(replace(pg_temp.text_of(coalesce($1, '')), '|', '\|'), E'\n', ' ') $$;

-- Arguments and columns of functions; a column's meaning is the line of the comment that names it.
CREATE TEMP VIEW argument AS
    SELECT p.oid, n, p.proargnames[n] AS name, format_type(coalesce(p.proallargtypes[n], p.proargtypes[n - 1]), NULL) AS type,
        coalesce(p.proargmodes[n], 'i') AS mode,
        regexp_replace(pg_get_function_arg_default(p.oid, n), '::[a-z ]+$', '') AS "default"
    FROM ours JOIN pg_proc p ON p.oid = objid AND classid = 'pg_proc'::regclass
    CROSS JOIN generate_series(1, coalesce(array_length(p.proallargtypes, 1), p.pronargs)) n;
CREATE TEMP VIEW meaning AS
    SELECT p.oid, name, line, substr(line, strpos(line, ': ') + 2) AS means
    FROM ours JOIN pg_proc p ON p.oid = objid AND classid = 'pg_proc'::regclass
    CROSS JOIN regexp_split_to_table(split_part(obj_description(p.oid, 'pg_proc'), E'\n\n', 2), E'\n') line
    CROSS JOIN regexp_split_to_table(split_part(line, ': ', 1), ', ') name WHERE line <> '';

CREATE FUNCTION pg_temp.page_of_function(f oid) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(E'\n\n', format('### %s', p.proname), pg_temp.text_of(split_part(obj_description(f, 'pg_proc'), E'\n\n', 1)),
        (SELECT E'| argument | type | default |\n|---|---|---|\n' || string_agg(format('| `%s` | %s | %s |', name, type, coalesce('`' || "default" || '`', '')), E'\n' ORDER BY n)
         FROM argument a WHERE a.oid = f AND mode = 'i'),
        coalesce((SELECT E'| column | type | |\n|---|---|---|\n' || string_agg(format('| %s | %s | %s |', names, types, pg_temp.cell(means)), E'\n' ORDER BY first)
                  FROM (SELECT string_agg('`' || a.name || '`', ', ' ORDER BY n) AS names, string_agg(DISTINCT type, ', ') AS types, means, min(n) AS first
                        FROM argument a LEFT JOIN meaning m USING (oid, name) WHERE a.oid = f AND mode <> 'i' GROUP BY line, means) described),
                 'Gives ' || CASE WHEN p.proretset THEN 'rows of ' ELSE '' END || CASE p.prorettype WHEN 'void'::regtype THEN 'nothing' ELSE p.prorettype::regtype::text END || '.'),
        'For ' || CASE WHEN p.prosecdef THEN 'superusers, and whom they grant it.' ELSE 'roles with `pg_monitor`.' END)
    FROM pg_proc p WHERE p.oid = f
$$;
CREATE FUNCTION pg_temp.page_of_relation(r oid) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(E'\n\n', format('### ebs.%s', relname), CASE relkind WHEN 'v' THEN 'View. ' ELSE 'Table. ' END || pg_temp.text_of(obj_description(r, 'pg_class')),
        (SELECT E'| column | type | |\n|---|---|---|\n' || string_agg(format('| `%s` | %s | %s |', attname, format_type(atttypid, NULL), pg_temp.cell(col_description(r, attnum))), E'\n' ORDER BY attnum)
         FROM pg_attribute WHERE attrelid = r AND attnum > 0 AND NOT attisdropped))
    FROM pg_class WHERE oid = r
$$;

\echo '# Reference'
\echo
\echo 'Every function, table, view and setting, from their own comments (`scripts/reference` writes this page, and a test compares it): what'
\echo '`\\df+ ebs_*`, `\\d+ ebs.*` and `pg_settings` say, too. Units are in the names or beside them. NULL is not known, and never 0.'
\echo
\echo 'Arguments are named and have defaults; `run` is a label, and left out it is the look-back. Functions are in the schema that the'
\echo 'extension was created in, tables and the view in schema `ebs`.'

WITH page AS (
    SELECT s.number, s.about, s.place, pg_temp.page_of_function(p.oid) AS text FROM subject s JOIN pg_proc p ON p.proname = s.name JOIN ours ON objid = p.oid AND classid = 'pg_proc'::regclass
    UNION ALL SELECT s.number, s.about, s.place, pg_temp.page_of_relation(c.oid) FROM subject s JOIN pg_class c ON c.relname = s.name JOIN ours ON objid = c.oid AND classid = 'pg_class'::regclass
)
SELECT E'\n## ' || upper(left(about, 1)) || substr(about, 2) || E'\n\n' || string_agg(text, E'\n\n' ORDER BY place) FROM page GROUP BY number, about ORDER BY number;

\echo
\echo '## Settings'
\echo
\echo 'In `postgresql.conf` or by `ALTER SYSTEM`; a reload is enough for all of them.'
\echo
\echo '| setting | default | range | |'
\echo '|---|---|---|---|'
SELECT format('| `%s` | %s | %s | %s |', name, CASE WHEN boot_val = '' THEN 'empty' ELSE boot_val || coalesce(' ' || unit, '') END,
    CASE WHEN min_val IS NOT NULL THEN min_val || ' to ' || max_val || coalesce(' ' || unit, '') ELSE vartype END, pg_temp.cell(short_desc || ' ' || extra_desc))
FROM pg_settings WHERE name LIKE 'ebs\_advisor.%' ORDER BY name COLLATE "C";
