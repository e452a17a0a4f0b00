-- Executed by mallory: everything known to have code of one's own run while somebody else plans. Each attack has a label; its trap
-- notes the label in the server's log with the session's role and the role that it ran as. A statement is executed over a harmless
-- view, which is replaced by the hostile one before advice is asked for: what executing it shows says nothing about planning it.
SET client_min_messages = warning;
SET search_path = mallory;
SET check_function_bodies = off;
CREATE TABLE attack (number integer GENERATED ALWAYS AS IDENTITY, label text PRIMARY KEY, statement text, bait text, hostile text, problem text);

-- Each trap logs by itself, and calls no other function: of one that is called a barrier would see the second call, when the first runs already.
CREATE FUNCTION canary(trap text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    -- Preparing is no attack.
    IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', trap, session_user, current_user; END IF;
    RETURN true;
END $$;
CREATE FUNCTION f(trap text, value integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', trap, session_user, current_user; END IF;
    RETURN value;
END $$;
-- With an argument that no constant folding knows.
CREATE FUNCTION saw(trap text, value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', trap, session_user, current_user; END IF;
    RETURN true;
END $$;
SET mallory.prepares = 'yes';

CREATE TABLE plain AS SELECT i AS id, i % 1000 AS amount, ('k' || i % 50)::varchar AS kind, repeat('p', 200) AS pad FROM generate_series(1, 6000) i;
CREATE TABLE few AS SELECT 5 AS amount, 'k5'::varchar AS kind FROM generate_series(1, 100) i;

-- view(LABEL, REST): a view over the table with this rest of its query, in which %D is a domain whose check is the trap, %C a row
-- type of it, %P a call of domain_in that finds the domain by its number, and %F(number) a call of a function.
CREATE PROCEDURE domains(label text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE DOMAIN mallory.d_%s AS text CHECK (mallory.saw(%L, VALUE))', label, label);
    EXECUTE format('CREATE TYPE mallory.c_%s AS (v mallory.d_%s)', label, label);
END $$;
CREATE FUNCTION filled(label text, query text) RETURNS text LANGUAGE sql AS $$
    SELECT replace(replace(replace(replace(query, '%P', 'pg_catalog.domain_in(''t5''::cstring, ''%D''::regtype::oid, -1)'),
        '%F(', 'mallory.f(''' || label || ''', '), '%D', 'mallory.d_' || label), '%C', 'mallory.c_' || label) $$;
CREATE PROCEDURE view(label text, rest text) LANGUAGE plpgsql AS $$
BEGIN
    CALL mallory.domains(label);
    INSERT INTO mallory.attack (label, statement, bait, hostile) VALUES (label, format('SELECT count(pad) FROM mallory.p_%s', label),
        format('CREATE VIEW mallory.p_%s AS SELECT id, amount, kind, pad FROM mallory.plain', label),
        format('CREATE OR REPLACE VIEW mallory.p_%s AS ', label) || mallory.filled(label,
            CASE WHEN rest ~ '^(SELECT|WITH)' THEN rest ELSE 'SELECT plain.id, plain.amount, plain.kind, plain.pad FROM mallory.plain ' || rest END));
END $$;
-- statement(LABEL, STATEMENT, PREPARATION): a statement over objects that are there already, or that are changed before advice.
CREATE PROCEDURE statement(label text, statement text, bait text, hostile text) LANGUAGE plpgsql AS $$
BEGIN
    CALL mallory.domains(label);
    INSERT INTO mallory.attack (label, statement, bait, hostile)
        VALUES (label, mallory.filled(label, statement), mallory.filled(label, bait), mallory.filled(label, hostile));
END $$;

-- 1. A built-in function that finds a type by its number, wherever an expression may stand.
CALL view('compared', 'WHERE amount = 5 + (%P IS NULL)::integer');
CALL view('limit', 'LIMIT 5 + (%P IS NULL)::integer');
CALL view('offset', 'OFFSET (%P IS NULL)::integer');
CALL view('tablesample', 'TABLESAMPLE SYSTEM (50 + (%P IS NULL)::integer)');
CALL view('repeatable', 'TABLESAMPLE SYSTEM (50) REPEATABLE ((%P IS NULL)::integer)');
CALL view('variadic', 'WHERE amount = 5 + num_nulls(%P, 1)');
CALL view('format', 'WHERE amount = length(format(''%%s'', (%P)::text))');
CALL view('joined', 'JOIN mallory.few f ON plain.amount = f.amount + (%P IS NULL)::integer');
CALL view('grouped', 'WHERE amount > 5 + (%P IS NULL)::integer GROUP BY 1, 2, 3, 4 HAVING count(*) > 1 + (%P IS NULL)::integer');
CALL view('ordered', 'WHERE amount < 900 - (%P IS NULL)::integer ORDER BY amount + (%P IS NULL)::integer');
CALL view('in_case', 'WHERE CASE WHEN amount < 5 + (%P IS NULL)::integer THEN true ELSE kind = ''k5'' END');
CALL view('array', 'WHERE amount = ANY (ARRAY[5, 6 + (%P IS NULL)::integer])');
CALL view('frame', 'SELECT id, amount, kind, max(pad) OVER (ORDER BY id ROWS BETWEEN 1 + (%P IS NULL)::integer PRECEDING AND CURRENT ROW) AS pad FROM mallory.plain WHERE amount < 5 + (%P IS NULL)::integer');
CALL view('generated_rows', 'WHERE amount IN (SELECT generate_series(1, 5 + (%P IS NULL)::integer))');
CALL view('unnested', 'WHERE amount IN (SELECT unnest(ARRAY[5, (%P IS NULL)::integer]))');
CALL view('lateral', ', LATERAL (SELECT amount + (%P IS NULL)::integer AS more WHERE amount < 5 + (%P IS NULL)::integer) l');
CALL view('between', 'WHERE amount BETWEEN 5 AND 9 + (%P IS NULL)::integer');
CALL view('nullif', 'WHERE NULLIF(amount, 5 + (%P IS NULL)::integer) IS NULL');
CALL view('coalesced', 'WHERE amount = COALESCE((%P IS NULL)::integer, 5)');
CALL view('rows_compared', 'WHERE (amount, id) < (5 + (%P IS NULL)::integer, 5)');
CALL view('like', 'WHERE pad LIKE (%P)::text || ''%%''');
-- 2. Other input functions, and what else finds code by a type, a number or a text.
CALL view('record_in', 'WHERE amount = 5 + (pg_catalog.domain_in(''(t5)''::cstring, ''mallory.row_domain''::regtype::oid, -1) IS NULL)::integer');
CREATE DOMAIN row_domain AS c_record_in CHECK (VALUE IS NOT NULL);
CALL view('record_in_row', 'WHERE amount = 5 + num_nulls(pg_catalog.record_in(''(t5)''::cstring, ''%C''::regtype::oid, -1), 1)');
CALL view('array_in', 'WHERE amount = 5 + (pg_catalog.array_in(''{t5}''::cstring, ''%D''::regtype::oid, -1) IS NULL)::integer');
CALL view('io_cast', 'WHERE amount = array_length((''{t5}''::text)::%D[], 1)');
CALL view('json_record', 'WHERE amount = length((jsonb_populate_record(NULL::%C, ''{"v": "t5"}'')).v)');
CALL view('input_valid', 'WHERE amount = pg_input_is_valid(''t5'', ''%D'')::integer');
CALL view('input_error', 'WHERE amount = 5 AND (pg_input_error_info(''t5'', ''%D'')).message IS NULL');
CALL view('input_operator', 'WHERE kind OPERATOR(mallory.???) ''%D''::text');
CREATE OPERATOR ??? (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_input_is_valid, RESTRICT = eqsel);
CREATE DOMAIN d_range AS text CHECK (saw('range_in', VALUE));
CREATE TYPE r_range AS RANGE (SUBTYPE = d_range, SUBTYPE_OPCLASS = text_ops);
CALL view('range_in', 'WHERE amount = 5 + (pg_catalog.range_in(''[t5,t6]''::cstring, ''mallory.r_range''::regtype::oid, -1) IS NULL)::integer');
CALL view('multirange_in', 'WHERE amount = 5 + (pg_catalog.multirange_in(''{[t5,t6]}''::cstring, ''mallory.r_multirange''::regtype::oid, -1) IS NULL)::integer');
CREATE TYPE mood AS ENUM ('sad', 'glad');
CALL view('enum_in', 'WHERE amount = 5 + (pg_catalog.enum_in(''sad''::cstring, ''mallory.mood''::regtype::oid) IS NULL)::integer');
CREATE TABLE hashed (id integer) PARTITION BY HASH ((id + f('hash_partition', 0)));
CALL view('hash_partition', 'WHERE amount = 5 AND satisfies_hash_partition(''mallory.hashed''::regclass::oid, 4, 0, 5)');
CREATE FUNCTION literal_body() RETURNS integer LANGUAGE sql AS $$ SELECT array_length('{t5}'::mallory.d_sql_validator[], 1) $$;
CALL view('sql_validator', 'WHERE amount = length(pg_catalog.fmgr_sql_validator(''mallory.literal_body()''::regprocedure::oid)::text)');
CREATE FUNCTION literal_block() RETURNS integer LANGUAGE plpgsql AS $$ DECLARE x mallory.d_plpgsql_validator := 't5'; BEGIN RETURN 1; END $$;
CALL view('plpgsql_validator', 'WHERE amount = length(plpgsql_validator(''mallory.literal_block()''::regprocedure::oid)::text)');
CREATE FUNCTION mood_json(mood) RETURNS json LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'json_cast', session_user, current_user; END IF; RETURN '"five"'; END $$;
CREATE CAST (mood AS json) WITH FUNCTION mood_json(mood);
CALL view('json_cast', 'WHERE amount = length(to_json(''sad''::mallory.mood)::text)');
CALL view('json_cast_row', 'WHERE amount = length(row_to_json(row(''sad''::mallory.mood))::text)');
CALL view('json_cast_object', 'WHERE amount = length(jsonb_build_object(''a'', ''sad''::mallory.mood)::text)');
CALL view('json_cast_array', 'WHERE amount = length(to_jsonb(ARRAY[''sad''::mallory.mood])::text)');
-- 3. Queries below planning, over a view that would leave something behind.
CREATE SEQUENCE steps;
CREATE SCHEMA mallory_side;
CREATE VIEW mallory_side.effects AS SELECT mallory.canary('query_below') AS seen, nextval('mallory.steps') AS step, lo_from_bytea(0, 'x') AS made,
    lo_create(0) AS created, set_config('mallory.remains', 'yes', false) AS setting, pg_try_advisory_lock(7, 7) AS locked, pg_notify('mallory', 'x')::text AS notified;
GRANT USAGE ON SCHEMA mallory_side TO PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA mallory_side TO PUBLIC;
CALL view('table_to_xml', 'WHERE amount = length(table_to_xml(''mallory_side.effects''::regclass, true, false, '''')::text)');
CALL view('table_to_xmlschema', 'WHERE amount = length(table_to_xmlschema(''mallory_side.effects''::regclass, true, false, '''')::text)');
CALL view('table_to_xml_and_xmlschema', 'WHERE amount = length(table_to_xml_and_xmlschema(''mallory_side.effects''::regclass, true, false, '''')::text)');
CALL view('schema_to_xml', 'WHERE amount = length(schema_to_xml(''mallory_side'', true, false, '''')::text)');
CALL view('query_to_xml', 'WHERE amount = length(query_to_xml(''SELECT * FROM mallory_side.effects'', true, false, '''')::text)');
CALL view('cursor_to_xml', 'WHERE amount = length(cursor_to_xml(''c'', 1, true, false, '''')::text)');
CALL view('ts_stat', 'WHERE amount IN (SELECT ndoc FROM ts_stat(''SELECT to_tsvector(canary::text) FROM mallory.canary(''''ts_stat'''') canary''))');
CALL view('view_definition', 'WHERE amount = length(pg_get_viewdef(''mallory_side.effects''::regclass))');
-- 4. Functions.
CALL view('function', 'WHERE amount = %F(5)');
CALL view('function_ordered', 'WHERE amount < 900 ORDER BY amount + %F(5)');
CREATE FUNCTION inlined() RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT mallory.f('inlined', 5) $$;
CALL view('inlined', 'WHERE amount = mallory.inlined()');
CREATE FUNCTION atomic() RETURNS integer LANGUAGE sql IMMUTABLE RETURN mallory.f('atomic', 5);
CALL view('atomic', 'WHERE amount = mallory.atomic()');
CREATE FUNCTION some_rows() RETURNS SETOF plain LANGUAGE sql STABLE AS $$ SELECT * FROM mallory.plain WHERE amount = mallory.f('set_returning', 5) $$;
CALL view('set_returning', 'SELECT id, amount, kind, pad FROM mallory.some_rows()');
CREATE FUNCTION definer() RETURNS integer LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'definer', session_user, current_user; END IF; RETURN 5; END $$;
CALL view('definer', 'WHERE amount = mallory.definer()');
CREATE FUNCTION with_setting() RETURNS integer LANGUAGE plpgsql IMMUTABLE SET work_mem = '1MB' AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'with_setting', session_user, current_user; END IF; RETURN 5; END $$;
CALL view('with_setting', 'WHERE amount = mallory.with_setting()');
CREATE FUNCTION stable_one() RETURNS integer LANGUAGE plpgsql STABLE AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'stable', session_user, current_user; END IF; RETURN 5; END $$;
CALL view('stable', 'WHERE amount = mallory.stable_one()');
-- It catches what would cancel it, for five seconds here: it must not begin.
CREATE FUNCTION deaf() RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF current_setting('mallory.prepares', true) = 'yes' THEN RETURN 5; END IF;
    RAISE LOG 'canary: deaf for % as %', session_user, current_user;
    FOR i IN 1 .. 10 LOOP
        BEGIN PERFORM pg_sleep(0.1); EXCEPTION WHEN query_canceled THEN NULL; END;
    END LOOP;
    RETURN 5;
END $$;
CALL view('deaf', 'WHERE amount = mallory.deaf()');
CREATE DOMAIN summed AS text CHECK (saw('aggregate', VALUE));
CREATE FUNCTION step(summed[], text) RETURNS summed[] LANGUAGE sql IMMUTABLE AS $$ SELECT $1 $$;
CREATE AGGREGATE total(text) (SFUNC = step, STYPE = summed[], INITCOND = '{start}');
CALL view('aggregate', 'SELECT id, amount, kind, (mallory.total(pad))::text AS pad FROM mallory.plain GROUP BY 1, 2, 3');
CREATE DOMAIN windowed AS text CHECK (saw('window', VALUE));
CREATE FUNCTION step(windowed[], text) RETURNS windowed[] LANGUAGE sql IMMUTABLE AS $$ SELECT $1 $$;
CREATE AGGREGATE running(text) (SFUNC = step, STYPE = windowed[], INITCOND = '{start}');
CALL view('window', 'SELECT id, amount, kind, (mallory.running(pad) OVER (ORDER BY id))::text AS pad FROM mallory.plain');
CREATE DOMAIN sorted AS text CHECK (saw('ordered_set', VALUE));
CREATE FUNCTION step(sorted[], text) RETURNS sorted[] LANGUAGE sql IMMUTABLE AS $$ SELECT $1 $$;
CREATE FUNCTION last(sorted[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'x' $$;
CREATE AGGREGATE among(ORDER BY text) (SFUNC = step, STYPE = sorted[], FINALFUNC = last, INITCOND = '{start}');
CALL view('ordered_set', 'SELECT id, amount, kind, mallory.among() WITHIN GROUP (ORDER BY pad) AS pad FROM mallory.plain GROUP BY 1, 2, 3');
-- 5. Operators: estimators call their functions with statistics, the built-in ones and volatile ones, too.
CREATE FUNCTION equal(integer, integer) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'operator', session_user, current_user; END IF; RETURN $1 = $2; END $$;
CREATE OPERATOR === (LEFTARG = integer, RIGHTARG = integer, FUNCTION = equal, RESTRICT = eqsel, JOIN = eqjoinsel);
CALL view('operator', 'WHERE amount OPERATOR(mallory.===) 5');
CALL view('operator_join', 'JOIN mallory.few f ON plain.amount OPERATOR(mallory.===) f.amount');
CALL view('operator_any', 'WHERE amount OPERATOR(mallory.===) ANY (''{5,7}''::integer[])');
CREATE FUNCTION less(integer, integer) RETURNS boolean LANGUAGE plpgsql STABLE AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'operator_scalarlt', session_user, current_user; END IF; RETURN $1 < $2; END $$;
CREATE OPERATOR <<< (LEFTARG = integer, RIGHTARG = integer, FUNCTION = less, RESTRICT = scalarltsel);
CALL view('operator_scalarlt', 'WHERE amount OPERATOR(mallory.<<<) 5');
CREATE FUNCTION matches(integer, integer) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'operator_matching', session_user, current_user; END IF; RETURN $1 < $2; END $$;
CREATE OPERATOR ~~~ (LEFTARG = integer, RIGHTARG = integer, FUNCTION = matches, RESTRICT = matchingsel);
CALL view('operator_matching', 'WHERE amount OPERATOR(mallory.~~~) 5');
CREATE FUNCTION holds(integer, integer) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'operator_cont', session_user, current_user; END IF; RETURN $1 < $2; END $$;
CREATE OPERATOR @@@ (LEFTARG = integer, RIGHTARG = integer, FUNCTION = holds, RESTRICT = contsel);
CALL view('operator_cont', 'WHERE amount OPERATOR(mallory.@@@) 5');
CREATE OPERATOR ### (LEFTARG = integer, RIGHTARG = integer, FUNCTION = pg_try_advisory_lock, RESTRICT = eqsel, JOIN = eqjoinsel);
CALL view('operator_lock', 'WHERE amount OPERATOR(mallory.###) 4711');
CALL view('operator_lock_join', 'JOIN mallory.few f ON plain.amount OPERATOR(mallory.###) f.amount');
CALL view('operator_lock_any', 'WHERE amount OPERATOR(mallory.###) ANY (''{4711,4712}''::integer[])');
CREATE OPERATOR #!# (LEFTARG = integer, RIGHTARG = bigint, FUNCTION = pg_terminate_backend, RESTRICT = eqsel);
CREATE TABLE pids (id integer, amount integer, kind varchar, pad text);
INSERT INTO pids SELECT i, 1, 'k', repeat('p', 200) FROM generate_series(1, 3000) i;
CALL view('operator_terminate', 'SELECT id, amount, kind, pad FROM mallory.pids WHERE amount OPERATOR(mallory.#!#) 0::bigint');
-- 6. Types. subtype_diff runs over statistics, and the type cache keeps how to call it.
CREATE FUNCTION difference(float8, float8) RETURNS float8 LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'subtype_diff', session_user, current_user; END IF; RETURN $1 - $2; END $$;
CREATE TYPE span AS RANGE (SUBTYPE = float8, SUBTYPE_DIFF = difference, MULTIRANGE_TYPE_NAME = spans);
CREATE DOMAIN span_domain AS span;
CREATE TABLE spanned AS SELECT i AS id, i % 1000 AS amount, 'k'::varchar AS kind, span(i, i + 10) AS s, ARRAY[span(i, i + 10)] AS a, spans(span(i, i + 10)) AS m,
    span(i, i + 10)::span_domain AS d, repeat('p', 200) AS pad FROM generate_series(1, 1000) i;
CALL view('subtype_diff', 'SELECT id, amount, kind, pad FROM mallory.spanned WHERE s && mallory.span(5, 50)');
CALL view('subtype_diff_array', 'SELECT id, amount, kind, pad FROM mallory.spanned WHERE a && ARRAY[mallory.span(5, 50)] AND a[1] && mallory.span(5, 50)');
CALL view('subtype_diff_domain', 'SELECT id, amount, kind, pad FROM mallory.spanned WHERE d && mallory.span(5, 50)');
CALL view('subtype_diff_multirange', 'SELECT id, amount, kind, pad FROM mallory.spanned WHERE m && mallory.spans(mallory.span(5, 50))');
CALL view('subtype_diff_join', 'SELECT x.id, x.amount, x.kind, x.pad FROM mallory.spanned x JOIN mallory.spanned y ON x.s && y.s WHERE x.s << mallory.span(20, 50)');
CREATE TYPE pair AS (v integer);
CREATE FUNCTION to_integer(pair) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'cast', session_user, current_user; END IF; RETURN ($1).v; END $$;
CREATE CAST (pair AS integer) WITH FUNCTION to_integer(pair);
CALL view('cast', 'WHERE amount = (''(5)''::mallory.pair)::integer');
-- 7. What hangs on a table.
CREATE TABLE indexed AS SELECT * FROM plain;
CREATE INDEX ON indexed ((amount + f('index_expression', 0)));
CALL statement('index_expression', 'SELECT count(pad) FROM mallory.indexed WHERE amount = id', NULL, NULL);
CREATE TABLE partly AS SELECT * FROM plain;
CREATE INDEX ON partly (amount) WHERE amount > f('index_predicate', 7);
CALL statement('index_predicate', 'SELECT count(pad) FROM mallory.partly WHERE amount = id', NULL, NULL);
CREATE TABLE analysed AS SELECT * FROM plain;
CREATE STATISTICS expressions ON (amount + f('statistics', 0)), id FROM analysed;
CALL statement('statistics', 'SELECT count(pad) FROM mallory.analysed WHERE amount = id', NULL, NULL);
CREATE TABLE parent (id integer, amount integer, kind varchar, pad text);
CREATE TABLE child (CHECK (amount < f('check', 2000))) INHERITS (parent);
INSERT INTO child SELECT * FROM plain;
CALL statement('check', 'SELECT count(pad) FROM mallory.parent WHERE amount = id', NULL, NULL);
CREATE TABLE parted (id integer, amount integer, kind varchar, pad text) PARTITION BY RANGE ((amount + f('partition_key', 0)));
CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (500);
CREATE TABLE parted_high PARTITION OF parted FOR VALUES FROM (500) TO (1000);
INSERT INTO parted SELECT * FROM plain;
CALL statement('partition_key', 'SELECT count(pad) FROM mallory.parted WHERE amount = id', NULL, NULL);
CREATE TABLE guarded AS SELECT * FROM plain;
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY guard ON guarded USING (amount < f('policy', 2000));
CALL statement('policy', 'SELECT count(pad) FROM mallory.guarded WHERE amount = id', NULL, NULL);
CREATE TABLE defaulted (id integer, mark integer DEFAULT f('default', 1));
CALL statement('default', 'INSERT INTO mallory.defaulted (id) SELECT id FROM mallory.plain WHERE amount = id', NULL, NULL);
CREATE TABLE computed (id integer, amount integer, twice integer GENERATED ALWAYS AS (amount + f('generated', 0)) STORED, pad text);
INSERT INTO computed (id, amount, pad) SELECT id, amount, pad FROM plain;
CALL statement('generated', 'UPDATE mallory.computed SET amount = id WHERE amount = id', NULL, NULL);
CREATE TABLE conflicting (id integer, amount integer);
CREATE UNIQUE INDEX ON conflicting (id) WHERE id > f('on_conflict', 0);
CALL statement('on_conflict', 'INSERT INTO mallory.conflicting SELECT id, amount FROM mallory.plain WHERE amount = id ON CONFLICT (id) WHERE id > 0 DO NOTHING', NULL, NULL);
CREATE TABLE merged (id integer, amount integer, mark integer DEFAULT f('merge_default', 1));
CALL statement('merge_default', 'MERGE INTO mallory.merged m USING mallory.plain p ON m.id = p.id WHEN MATCHED THEN UPDATE SET amount = p.amount WHEN NOT MATCHED THEN INSERT (id, amount) VALUES (p.id, p.amount)', NULL, NULL);
CALL statement('merge_condition', 'MERGE INTO mallory.merged m USING mallory.p_merge_condition p ON m.id = p.id WHEN MATCHED AND p.more = p.id THEN DELETE WHEN NOT MATCHED THEN DO NOTHING',
    'CREATE VIEW mallory.p_merge_condition AS SELECT id, amount, amount AS more, pad FROM mallory.plain',
    'CREATE OR REPLACE VIEW mallory.p_merge_condition AS SELECT id, amount, amount + (%P IS NULL)::integer AS more, pad FROM mallory.plain WHERE amount < 5 + (%P IS NULL)::integer');
CREATE TABLE returned AS SELECT * FROM plain;
CALL statement('returning', 'UPDATE mallory.p_returning SET amount = amount WHERE id = amount RETURNING more, pad',
    'CREATE VIEW mallory.p_returning AS SELECT id, amount, amount AS more, pad FROM mallory.returned',
    'CREATE OR REPLACE VIEW mallory.p_returning AS SELECT id, amount, amount + %F(0) AS more, pad FROM mallory.returned');
CREATE TABLE ruled AS SELECT * FROM plain LIMIT 0;
CALL statement('rule', 'INSERT INTO mallory.ruled SELECT * FROM mallory.plain WHERE amount = id', NULL,
    'CREATE RULE also AS ON INSERT TO mallory.ruled DO ALSO SELECT * FROM mallory.plain WHERE amount = %F(5)');
-- 8. Literals that pg_stat_statements leaves in the text, or that a view keeps for parse analysis below planning.
CREATE TABLE typed (tags text[], kind varchar, pad text);
CALL statement('cycle', 'WITH RECURSIVE w(id) AS (SELECT min(id) FROM mallory.plain UNION ALL SELECT id + 1 FROM w WHERE id < 3) CYCLE id SET hit TO %C ''(t5)'' DEFAULT %C ''(t6)'' USING path SELECT count(*) FROM w', NULL, NULL);
-- The check of a domain is PostgreSQL's own function: no hook is asked for its call information.
CREATE DOMAIN held_lock AS text;
CREATE TYPE holds_lock AS (v held_lock);
CREATE FUNCTION with_lock(integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT $1 + array_length('{t5}'::mallory.held_lock[], 1) $$;
CALL statement('domain_lock', 'WITH RECURSIVE w(id) AS (SELECT min(id) FROM mallory.plain UNION ALL SELECT id + 1 FROM w WHERE id < 3) CYCLE id SET hit TO mallory.holds_lock ''(t5)'' DEFAULT mallory.holds_lock ''(t6)'' USING path SELECT count(*) FROM w', NULL,
    'ALTER DOMAIN mallory.held_lock ADD CHECK (pg_catalog.pg_try_advisory_lock(4713)) NOT VALID');
CALL view('domain_lock_inlined', 'WHERE amount = mallory.with_lock(4)');
-- No trap: what is missing to read by this view is mallory's right, which nobody is told to grant.
CALL view('peeked', 'SELECT oid::integer AS id, 5 AS amount, (rolpassword COLLATE "default")::varchar AS kind, rolpassword COLLATE "default" AS pad FROM pg_catalog.pg_authid');
CALL statement('cycle_search', 'WITH RECURSIVE w(id) AS (SELECT min(id) FROM mallory.plain UNION ALL SELECT id + 1 FROM w WHERE id < 3) SEARCH DEPTH FIRST BY id SET steps CYCLE id SET hit TO %C ''(t5)'' DEFAULT %C ''(t6)'' USING path SELECT count(*) FROM w', NULL, NULL);
CALL statement('quotes', 'SELECT count(pad) FROM mallory.plain WHERE kind = '''''''' AND pad <> (''{t5}''::%D[])[1]', NULL, NULL);
CALL statement('literal', 'SELECT count(pad), ''(t5)''::%C FROM mallory.plain', NULL, NULL);
CALL statement('xmltable', 'SELECT count(pad), (SELECT count(*) FROM XMLTABLE(''/a'' PASSING (''<a/>''::xml) COLUMNS v %D[] PATH ''b'' DEFAULT ''{t5}''::%D[])) FROM mallory.plain', NULL, NULL);
-- 9. Things that run no code of mallory's, and have to be answered.
CREATE TEXT SEARCH DICTIONARY own (TEMPLATE = simple);
CREATE TEXT SEARCH CONFIGURATION own (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION own ALTER MAPPING FOR asciiword WITH own;
CALL view('text_search', 'WHERE to_tsvector(''mallory.own'', kind) @@ to_tsquery(''mallory.own'', ''k5'')');
CREATE DEFAULT CONVERSION own FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
CALL view('conversion', 'WHERE amount = length(convert(''\x61'', ''LATIN1'', ''UTF8''))');
CREATE COLLATION own FROM "C";
CALL view('collation', 'WHERE kind < ''k5'' COLLATE mallory.own');

-- 10. What superusers made, and whose helpers the search_path chooses: here mallory's.
CREATE FUNCTION helper(trap text, value integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', trap, session_user, current_user; END IF; RETURN value; END $$;
CREATE FUNCTION compared(integer, integer) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'trusted_operator', session_user, current_user; END IF; RETURN $1 = $2; END $$;
CREATE OPERATOR &=& (LEFTARG = integer, RIGHTARG = integer, FUNCTION = compared, RESTRICT = eqsel);
CREATE OPERATOR &!& (LEFTARG = integer, RIGHTARG = integer, FUNCTION = pg_try_advisory_lock, RESTRICT = eqsel);
CREATE DOMAIN trusted_domain AS text CHECK (saw('trusted_literal', VALUE));
CREATE VIEW chosen AS SELECT id, amount, kind, pad FROM spanned WHERE s && span(5, 50);
CALL view('trusted_sql', 'WHERE amount = public.trusted_sql(''trusted_sql'', 5)');
CALL view('trusted_plpgsql', 'WHERE amount = public.trusted_plpgsql(''trusted_plpgsql'', 5)');
CALL view('trusted_definer', 'WHERE amount = public.trusted_definer(''trusted_definer'', 5)');
CALL view('trusted_setting', 'WHERE amount = public.trusted_setting(''trusted_setting'', 5)');
CALL view('trusted_swallows', 'WHERE amount = public.trusted_swallows(''trusted_swallows'', 5)');
CALL view('trusted_query', 'WHERE amount = public.trusted_query(''trusted_query'', 5)');
CALL view('trusted_literal', 'WHERE amount = public.trusted_literal(5)');
CALL view('trusted_operator', 'WHERE public.trusted_operator(amount)');
CALL view('trusted_operator_lock', 'WHERE public.trusted_operator_lock(amount)');
CALL view('trusted_rows', 'SELECT id, amount, kind, pad FROM public.trusted_rows()');
CREATE FUNCTION hash_owned(integer, bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'trusted_opclass_hash', session_user, current_user; END IF; RETURN $1 + $2; END $$;
CREATE TYPE held AS (v integer);
CREATE FUNCTION held_compare(held, held) RETURNS integer LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN IF current_setting('mallory.prepares', true) IS DISTINCT FROM 'yes' THEN RAISE LOG 'canary: % for % as %', 'trusted_opclass_btree', session_user, current_user; END IF; RETURN sign(($1).v - ($2).v); END $$;
CREATE FUNCTION held_less(held, held) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN mallory.held_compare($1, $2) < 0; END $$;
CREATE FUNCTION held_less_equal(held, held) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN mallory.held_compare($1, $2) <= 0; END $$;
CREATE FUNCTION held_equal(held, held) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN mallory.held_compare($1, $2) = 0; END $$;
CREATE FUNCTION held_greater(held, held) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN mallory.held_compare($1, $2) > 0; END $$;
CREATE FUNCTION held_greater_equal(held, held) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RETURN mallory.held_compare($1, $2) >= 0; END $$;
CREATE OPERATOR *< (LEFTARG = held, RIGHTARG = held, FUNCTION = held_less, RESTRICT = scalarltsel);
CREATE OPERATOR *<@ (LEFTARG = held, RIGHTARG = held, FUNCTION = held_less_equal, RESTRICT = scalarlesel);
CREATE OPERATOR *=@ (LEFTARG = held, RIGHTARG = held, FUNCTION = held_equal, RESTRICT = eqsel);
CREATE OPERATOR *>@ (LEFTARG = held, RIGHTARG = held, FUNCTION = held_greater_equal, RESTRICT = scalargesel);
CREATE OPERATOR *> (LEFTARG = held, RIGHTARG = held, FUNCTION = held_greater, RESTRICT = scalargtsel);
GRANT USAGE ON SCHEMA mallory TO PUBLIC;
