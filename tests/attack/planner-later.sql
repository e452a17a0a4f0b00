-- Executed by mallory after planner-trusted.sql: what rests on operator classes and wrappers that a superuser made; then the baits.
SET client_min_messages = warning;
SET search_path = mallory;
SET mallory.prepares = 'yes';
CREATE TABLE hash_parted (id integer, amount integer, kind varchar, pad text) PARTITION BY HASH (amount hash_owned);
CREATE TABLE hash_parted_0 PARTITION OF hash_parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hash_parted_1 PARTITION OF hash_parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO hash_parted SELECT * FROM plain;
CALL view('trusted_opclass_hash', 'SELECT id, amount, kind, pad FROM mallory.hash_parted WHERE amount = 5');
CREATE TABLE holding AS SELECT i AS id, i % 1000 AS amount, 'k'::varchar AS kind, ARRAY[row(i % 10)::held] AS held, repeat('p', 200) AS pad FROM generate_series(1, 1000) i;
CALL view('trusted_opclass_btree', 'SELECT id, amount, kind, pad FROM mallory.holding WHERE held @> ARRAY[row(5)::mallory.held, row(7)::mallory.held]');
SELECT EXISTS (SELECT FROM pg_foreign_data_wrapper WHERE fdwname = 'postgres_fdw') AS foreign_tables \gset
\if :foreign_tables
CREATE USER MAPPING FOR PUBLIC SERVER here OPTIONS (user 'postgres');
CREATE VIEW remote AS SELECT * FROM plain WHERE canary('foreign_table');
CALL statement('foreign_table', 'SELECT count(pad) FROM mallory.far', 'CREATE TABLE mallory.far AS SELECT * FROM mallory.plain',
    'DROP TABLE mallory.far; CREATE FOREIGN TABLE mallory.far (id integer, amount integer, kind varchar, pad text) SERVER here OPTIONS (schema_name ''mallory'', table_name ''remote''); GRANT ALL ON mallory.far TO PUBLIC');
CALL statement('foreign_partition', 'SELECT count(pad) FROM mallory.far_parted', 'CREATE TABLE mallory.far_parted (id integer, amount integer, kind varchar, pad text) PARTITION BY RANGE (id);
    CREATE TABLE mallory.far_near PARTITION OF mallory.far_parted FOR VALUES FROM (0) TO (10000); INSERT INTO mallory.far_parted SELECT * FROM mallory.plain',
    'CREATE FOREIGN TABLE mallory.far_part PARTITION OF mallory.far_parted FOR VALUES FROM (10000) TO (20000) SERVER here OPTIONS (schema_name ''mallory'', table_name ''remote'')');
CALL statement('foreign_child', 'SELECT count(pad) FROM mallory.far_parent', 'CREATE TABLE mallory.far_parent AS SELECT * FROM mallory.plain',
    'CREATE FOREIGN TABLE mallory.far_child () INHERITS (mallory.far_parent) SERVER here OPTIONS (schema_name ''mallory'', table_name ''remote'')');
CALL statement('foreign_inlined', 'SELECT count(pad) FROM public.trusted_far()', 'CREATE TABLE mallory.chosen_far AS SELECT * FROM mallory.plain; GRANT ALL ON mallory.chosen_far TO PUBLIC',
    'DROP TABLE mallory.chosen_far; CREATE FOREIGN TABLE mallory.chosen_far (id integer, amount integer, kind varchar, pad text) SERVER here OPTIONS (schema_name ''mallory'', table_name ''remote''); GRANT ALL ON mallory.chosen_far TO PUBLIC');
\endif
-- What only some majors have is an attack where it can be made.
DO $$ BEGIN
    IF current_setting('server_version_num')::integer >= 170000 THEN
        CALL mallory.view('json_value', 'WHERE amount = array_length(JSON_VALUE(jsonb ''{}'', ''$.a'' RETURNING %D[] DEFAULT ''{t5}''::%D[] ON EMPTY), 1)');
        CALL mallory.view('json_table', 'WHERE amount IN (SELECT length(v) FROM JSON_TABLE(jsonb ''{}'', ''$'' COLUMNS (v %D PATH ''$.v'' DEFAULT ''t5''::%D ON EMPTY)))');
        CALL mallory.view('json_query', 'WHERE amount = length((JSON_QUERY(jsonb ''{"v": "t5"}'', ''$'' RETURNING %C)).v)');
        CALL mallory.statement('json_value_text', 'SELECT count(pad), JSON_VALUE(jsonb ''{}'', ''$.a'' RETURNING %D DEFAULT ''t5'' ON EMPTY) FROM mallory.plain', NULL, NULL);
        CALL mallory.statement('merge_returning', 'MERGE INTO mallory.merged m USING mallory.p_merge_returning p ON m.id = p.id WHEN MATCHED THEN UPDATE SET amount = p.more RETURNING p.more',
            'CREATE VIEW mallory.p_merge_returning AS SELECT id, amount, amount AS more, pad FROM mallory.plain',
            'CREATE OR REPLACE VIEW mallory.p_merge_returning AS SELECT id, amount, amount + %F(0) AS more, pad FROM mallory.plain');
    END IF;
    IF current_setting('server_version_num')::integer >= 180000 THEN
        CREATE TABLE mallory.virtual (id integer, amount integer, kind varchar, pad text);
        INSERT INTO mallory.virtual SELECT * FROM mallory.plain;
        CALL mallory.statement('virtual_column', 'SELECT count(pad) FROM mallory.virtual WHERE virtual.* IS NOT NULL AND amount = id', NULL,
            'ALTER TABLE mallory.virtual ADD twice integer GENERATED ALWAYS AS (amount + satisfies_hash_partition(''mallory.hashed_virtual''::regclass::oid, 4, 0, 5)::integer) VIRTUAL');
        CREATE TABLE mallory.hashed_virtual (id integer) PARTITION BY HASH ((id + mallory.f('virtual_column', 0)));
    END IF;
END $$;
DO $$ DECLARE a mallory.attack; BEGIN
    FOR a IN SELECT * FROM mallory.attack WHERE bait IS NOT NULL ORDER BY number LOOP EXECUTE a.bait; END LOOP;
END $$;
GRANT USAGE ON SCHEMA mallory TO PUBLIC;
GRANT ALL ON ALL TABLES IN SCHEMA mallory TO PUBLIC;
SET default_statistics_target = 1000;
SELECT 'ANALYZE ' || oid::regclass FROM pg_class WHERE relnamespace = 'mallory'::regnamespace AND relkind IN ('r', 'p') AND relname !~ '^far' \gexec
