-- Executed by mallory. Every way known to have a function of one's own run while somebody else's statement is planned, or a command
-- parsed: each leads to the canary, which notes in the server's log (what planning does to tables is rolled back) for whom and as
-- whom it ran. Constants stand in views, where pg_stat_statements does not replace them.
SET client_min_messages = warning;
SET search_path = mallory;
CREATE FUNCTION climb() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF session_user IN ('asker', 'watcher', 'outsider', 'postgres') AND current_setting('is_superuser') = 'on' THEN
        ALTER ROLE mallory SUPERUSER;
    END IF;
END $$;
CREATE FUNCTION canary(trap text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    -- Once a trap, role and transaction: some run for each row.
    IF current_setting('canary.' || trap, true) IS DISTINCT FROM current_user THEN
        RAISE LOG 'canary: % for % as %', trap, session_user, current_user;
        PERFORM set_config('canary.' || trap, current_user, true);
        PERFORM mallory.climb();
    END IF;
    RETURN true;
END $$;
CREATE FUNCTION f(trap text, value integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN PERFORM mallory.canary(trap); RETURN value; END $$;
CREATE FUNCTION ledger(OUT id integer, OUT amount integer, OUT kind varchar, OUT lure integer, OUT pad text) RETURNS SETOF record LANGUAGE sql AS
    $$ SELECT i, i % 1000, ('k' || i % 50)::varchar, i % 9, repeat('p', 200) FROM generate_series(1, 5000) i $$;
CREATE TABLE plain AS SELECT * FROM ledger();
CREATE TABLE few (amount integer, kind varchar);
INSERT INTO few VALUES (5, 'k5'), (5, 'k5'), (7, 'k7'), (7, 'k7');

CREATE FUNCTION zero_arguments() RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN mallory.f('zero_arguments', 5); END $$;
CREATE FUNCTION inlined() RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT mallory.f('inlined', 5) $$;
CREATE FUNCTION some_rows() RETURNS SETOF plain LANGUAGE sql STABLE AS $$ SELECT * FROM mallory.plain WHERE amount = mallory.f('set_returning', 5) $$;
CREATE VIEW by_function AS SELECT * FROM plain WHERE amount = f('function', 5);
CREATE VIEW by_view AS SELECT * FROM by_function WHERE amount < f('view', 900);

-- Operators: the estimator of = calls their function for each most common value.
CREATE FUNCTION equal(integer, integer) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM mallory.canary('operator'); RETURN $1 = $2; END $$;
CREATE OPERATOR === (LEFTARG = integer, RIGHTARG = integer, FUNCTION = equal, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE FUNCTION equal(varchar, varchar) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM mallory.canary('double'); RETURN $1::text = $2::text; END $$;
CREATE OPERATOR = (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = equal, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE VIEW by_operator AS SELECT * FROM plain WHERE amount OPERATOR(mallory.===) 5;
CREATE VIEW by_double AS SELECT * FROM plain WHERE kind OPERATOR(mallory.=) 'k7'::varchar;
CREATE VIEW by_join AS SELECT p.pad FROM plain p JOIN few ON p.amount OPERATOR(mallory.===) few.amount;

-- Types: a cast; a domain, whose CHECK runs when a literal of an array or a row of it is read.
CREATE TYPE pair AS (v integer);
CREATE FUNCTION to_integer(pair) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN mallory.f('cast', ($1).v); END $$;
CREATE CAST (pair AS integer) WITH FUNCTION to_integer(pair);
CREATE VIEW by_cast AS SELECT * FROM plain WHERE amount = ('(5)'::pair)::integer;
CREATE DOMAIN checked AS text CHECK (canary('domain'));
CREATE TYPE checked_pair AS (v checked);
CREATE TABLE typed AS SELECT id, array['t' || id % 100]::checked[] AS tags, row('t' || id % 100)::checked_pair AS two, lure, pad FROM ledger();
CREATE VIEW by_array AS SELECT * FROM typed WHERE tags = '{t5}'::checked[];
CREATE VIEW by_row AS SELECT * FROM typed WHERE two = '(t5)'::checked_pair;
-- The same where no node of the statement names the domain or the function: PostgreSQL's own functions find them by a type or a text.
CREATE TYPE mood AS ENUM ('sad', 'glad');
CREATE FUNCTION mood_json(mood) RETURNS json LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM mallory.canary('json_cast'); RETURN '"five"'; END $$;
CREATE CAST (mood AS json) WITH FUNCTION mood_json(mood);
CREATE VIEW by_json AS SELECT * FROM plain WHERE amount = length(to_json('sad'::mood)::text);
CREATE VIEW by_json_row AS SELECT * FROM plain WHERE amount = length(row_to_json(row('sad'::mood))::text);
CREATE VIEW by_io AS SELECT * FROM plain WHERE amount = array_length(('{t5}'::text)::checked[], 1);
CREATE VIEW by_populated AS SELECT * FROM plain WHERE amount = length((jsonb_populate_record(null::checked_pair, '{"v": "t5"}')).v);
CREATE VIEW by_input AS SELECT * FROM plain WHERE amount = pg_input_is_valid('t5', 'mallory.checked')::integer;
CREATE DOMAIN summed AS text CHECK (canary('aggregate'));
CREATE FUNCTION step(summed[], text) RETURNS summed[] LANGUAGE sql IMMUTABLE AS $$ SELECT $1 $$;
CREATE AGGREGATE total(text) (SFUNC = step, STYPE = summed[], INITCOND = '{start}');

-- What hangs on a table: policies, indexes, checks, statistics, partition keys, defaults.
CREATE TABLE guarded AS SELECT * FROM ledger();
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY guard ON guarded USING (amount < f('policy', 2000));
CREATE TABLE indexed AS SELECT * FROM ledger();
CREATE INDEX ON indexed (lure) WHERE lure > f('index_predicate', 7);
CREATE INDEX ON indexed ((lure + f('index_expression', 0)));
CREATE STATISTICS expressions ON (lure + f('statistics', 0)), amount FROM indexed;
CREATE TABLE parent (id integer, amount integer, kind varchar, lure integer, pad text);
CREATE TABLE child (CHECK (amount < f('check', 2000))) INHERITS (parent);
INSERT INTO child SELECT * FROM ledger();
CREATE TABLE parted (id integer, amount integer, kind varchar, lure integer, pad text) PARTITION BY RANGE ((lure + f('partition_key', 0)));
CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (5);
CREATE TABLE parted_high PARTITION OF parted FOR VALUES FROM (5) TO (100);
INSERT INTO parted SELECT * FROM ledger();
CREATE TABLE defaulted (id integer, mark integer DEFAULT f('default', 1));
-- Things of our names, and of those that we use.
CREATE TABLE run AS SELECT * FROM ledger();
CREATE TABLE sample_block AS SELECT * FROM ledger();
CREATE TABLE "ebs ".run AS SELECT * FROM mallory.ledger();
CREATE VIEW pg_stat_statements AS SELECT * FROM plain WHERE canary('pg_stat_statements');
CREATE FUNCTION hypopg_create_index(text) RETURNS SETOF record LANGUAGE sql AS $$ SELECT mallory.canary('hypopg_create_index') $$;
CREATE FUNCTION quote_ident(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM mallory.canary('quote_ident'); RETURN $1; END $$;
CREATE FUNCTION ebs_index_advice() RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN PERFORM mallory.canary('ebs_index_advice'); RETURN; END $$;
GRANT USAGE ON SCHEMA mallory, "ebs " TO PUBLIC;
GRANT SELECT, INSERT, DELETE ON ALL TABLES IN SCHEMA mallory, "ebs " TO PUBLIC;
ANALYZE;
