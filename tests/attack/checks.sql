-- Is a command that is advised one command, of the kind that it has to be, on that table, of the system's own parts? It is parsed by the
-- server, and then executed by a role that owns the table and has no other right, and rolled back. Everything here gives what is
-- wrong, or no row.
SET client_min_messages = warning;

-- The kind of the one command that a text is: a cursor can be opened for none of them, and the refusal names it.
CREATE FUNCTION attack.command(text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    c refcursor;
BEGIN
    OPEN c FOR EXECUTE $1;
    RETURN 'a query';
EXCEPTION WHEN OTHERS THEN
    RETURN coalesce(substring(SQLERRM FROM '^cannot open (CREATE INDEX|DROP INDEX|CREATE EXTENSION|ALTER SYSTEM) query as cursor$'), SQLERRM);
END $$;

-- A text without what stands in quotes.
CREATE FUNCTION attack.unquoted(text) RETURNS text LANGUAGE sql AS
    $$ SELECT regexp_replace($1, $r$"(?:[^"]|"")*"|\mE'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'$r$, '_', 'g') $$;

-- What an index depends on that is neither its table, nor the system's, nor an enumeration.
CREATE FUNCTION attack.foreign_parts(index_oid oid, table_oid oid) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(pg_describe_object(refclassid, refobjid, refobjsubid), ', ') FROM pg_depend d
    WHERE classid = 'pg_class'::regclass AND objid = index_oid AND refobjid >= 16384
      AND (refclassid <> 'pg_class'::regclass OR refobjid <> table_oid
           OR (SELECT attname FROM pg_attribute WHERE attrelid = refobjid AND attnum = refobjsubid) = 'lure')
      AND NOT (refclassid = 'pg_type'::regclass AND (SELECT typtype FROM pg_type WHERE oid = refobjid) = 'e') $$;

CREATE FUNCTION attack.executed(ddl text, relation regclass, is_new boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    before oid[] := (SELECT array_agg(indexrelid) FROM pg_index);
    changed oid[];
    problem text;
BEGIN
    EXECUTE format('ALTER TABLE %s OWNER TO sandbox', relation);
    EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %s TO sandbox', (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = relation));
    PERFORM set_config('role', 'sandbox', true);
    EXECUTE regexp_replace(ddl, '^(CREATE INDEX|DROP INDEX) CONCURRENTLY ', '\1 ');
    problem := CASE WHEN current_user <> 'sandbox' THEN 'it changed the role' END;
    PERFORM set_config('role', 'none', true);
    changed := CASE WHEN is_new THEN ARRAY(SELECT indexrelid FROM pg_index WHERE indexrelid <> ALL (before))
                    ELSE ARRAY(SELECT b FROM unnest(before) b WHERE b NOT IN (SELECT indexrelid FROM pg_index)) END;
    IF cardinality(changed) <> 1 THEN problem := cardinality(changed) || ' indexes changed'; END IF;
    IF is_new THEN
        SELECT coalesce(problem, CASE WHEN indrelid <> relation THEN 'it is on ' || indrelid::regclass WHEN indexprs IS NOT NULL THEN 'it has expressions'
            ELSE 'it depends on ' || attack.foreign_parts(indexrelid, indrelid) END) INTO problem FROM pg_index WHERE indexrelid = changed[1];
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'AT000', MESSAGE = coalesce(problem, '');
EXCEPTION
    WHEN SQLSTATE 'AT000' THEN RETURN nullif(SQLERRM, '');
    WHEN OTHERS THEN RETURN 'not executed: ' || SQLERRM;
END $$;

CREATE FUNCTION attack.problem(kind text, relation text, ddl text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    expected text := CASE kind WHEN 'index' THEN 'CREATE INDEX' WHEN 'duplicate' THEN 'DROP INDEX' WHEN 'unused' THEN 'DROP INDEX' END;
    command text := attack.command(ddl);
BEGIN
    IF command <> expected OR command !~ '^(CREATE|DROP|ALTER) [A-Z]+$' THEN RETURN 'not one command of its kind: ' || command; END IF;
    IF attack.unquoted(ddl) ~* '[;\\$]|--|/\*|superuser|\mlure\M' THEN RETURN 'more than a command: ' || attack.unquoted(ddl); END IF;
    RETURN CASE WHEN expected IS NOT NULL THEN attack.executed(ddl, relation::regclass, expected = 'CREATE INDEX') END;
EXCEPTION WHEN OTHERS THEN
    RETURN 'not looked at: ' || SQLERRM;
END $$;

CREATE VIEW attack.bad_commands AS
    SELECT problem, kind, relation, ddl, run FROM
        (SELECT kind, relation, ddl, string_agg(DISTINCT run || ' for ' || who, ', ') AS run FROM attack.advised WHERE ddl IS NOT NULL GROUP BY 1, 2, 3) a,
        attack.problem(kind, relation, ddl) problem
    WHERE problem IS NOT NULL;
-- Runs of whose statements hardly anything is said: the attack did not reach what it is aimed at.
CREATE VIEW attack.passed_over AS
    SELECT run, count(*) FILTER (WHERE kind IN ('index', 'statement')) AS statements FROM attack.advised WHERE who = 'asker' GROUP BY run
    HAVING count(*) FILTER (WHERE kind IN ('index', 'statement')) < 6
    UNION ALL SELECT label, NULL FROM ebs.run WHERE ended_at IS NOT NULL AND NOT EXISTS (SELECT FROM attack.advised WHERE run = label AND who = 'asker') AND label IN
        ('names', 'views', 'literals', 'joins', 'orders', 'constants', 'traps by mallory', 'traps by clerk', 'traps by dba', 'shapes', 'flat', 'deep', 'deeper', 'crowd');
-- The remedies of findings that are commands.
CREATE VIEW attack.bad_remedies AS
    SELECT DISTINCT attack.command(line) AS problem, line FROM attack.said WHERE source = 'remedy' AND line ~ '^(CREATE|DROP) INDEX'
      AND (attack.command(line) !~ '^(CREATE|DROP) INDEX$' OR attack.unquoted(line) ~* '[;\\$]|--|/\*|superuser|\mlure\M');
-- Letters that command a terminal, or that hide or turn what follows; markup of others on the page; a line that is two.
CREATE VIEW attack.bad_lines AS
    SELECT DISTINCT source, left(line, 300) AS line FROM attack.said, regexp_split_to_table(line, '\n') part
    WHERE source IN ('ebs_advise', 'ebs_report_html') AND (part ~ '[\x01-\x08\x0b-\x1f\x7f]' OR part ~ U&'[\200B\200E\200F\202A-\202E\2066-\2069]'
        OR source = 'ebs_report_html' AND part ~* '<(script|img)' OR source = 'ebs_advise' AND line ~ E'[\n\r]');
