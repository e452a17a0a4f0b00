-- Executed by mallory. Tables, columns, views' aliases, enum labels and literals whose text would be SQL if it were cut out of a plan and put
-- into a command. Each column has many values and each statement asks for one of them, so that an index wins. No statement
-- mentions column lure outside of a literal: an index that depends on it holds text of mallory's.
SET client_min_messages = warning;
SET search_path = mallory;
CREATE TABLE hostile (number integer GENERATED ALWAYS AS IDENTITY, name text UNIQUE, statements text[]);
INSERT INTO hostile (name) VALUES
    ($$x'; ALTER ROLE mallory SUPERUSER; --$$), ($$x'. OR lure IS NOT NULL; ALTER ROLE mallory SUPERUSER; --$$), ($$'$$), ($$"$$),
    ($$"'"$$), ($$a"".b$$), ($$a.b$$), ($$s$$), ($$select$$), ($$user$$), ($$Null$$), (E'a\n; ALTER ROLE mallory SUPERUSER;\n--'), ($$\$$), ($$\' OR lure > 0 --$$),
    ($$E'$$), ('$1'), ($$:x$$), ($$/*$$), ($$--$$), ('$q$'), (U&'\202E\0634\0631\0627\0621 \05E9'), (E'\x1b[2J\x1b]0;x\x07'), ($$<script>alert(1)</script>$$),
    ($$<img src=x onerror=alert(1)>$$), (repeat('n', 63)), (repeat(U&'\+01F418', 15)), (' '), ($$%s%I$$);

-- Of each name: a table, a column and an alias of that name, and that name and its variants as constants in a view.
DO $$
DECLARE
    h hostile;
    schema text;
    bait text;
BEGIN
    FOR h IN SELECT * FROM hostile ORDER BY number LOOP
        schema := CASE WHEN h.number % 7 = 0 THEN 'Pg_''; ALTER ROLE mallory SUPERUSER; --' ELSE 'mallory' END;
        bait := 's.x' || h.name || '''. OR lure IS NOT NULL; ALTER ROLE mallory SUPERUSER; --';
        EXECUTE format('CREATE TABLE %1$I.%2$I AS SELECT i AS id, CASE WHEN i %% 500 = 0 THEN %3$L ELSE ''y'' || i END AS %4$I, i AS b, i %% 9 AS lure,
            repeat(''p'', 200) AS pad FROM generate_series(1, 5000) i', schema, h.name, bait, 'c' || h.name);
        EXECUTE format('CREATE VIEW %1$I.%2$I AS SELECT %4$I.* FROM %1$I.%3$I AS %4$I WHERE %4$I.%5$I = %6$L', schema, 'view ' || left(h.name, 58),
            h.name, h.name, 'c' || h.name, bait);
        EXECUTE format('CREATE VIEW %1$I.%2$I AS SELECT %4$I.id, o.pad FROM %1$I.%3$I AS %4$I JOIN mallory.plain o ON o.id = %4$I.id WHERE %4$I.%5$I = %6$L',
            schema, 'join ' || left(h.name, 58), h.name, h.name, 'c' || h.name, bait);
        EXECUTE format('ANALYZE %I.%I', schema, h.name);
        UPDATE hostile SET statements = ARRAY[
            format('SELECT count(pad) FROM %I.%I WHERE %I = ''y17''', schema, h.name, 'c' || h.name),
            format('SELECT count(pad) FROM %I.%I WHERE b = 5', schema, 'view ' || left(h.name, 58)),
            format('SELECT count(pad), max(id) FROM %I.%I', schema, 'view ' || left(h.name, 58)),
            format('SELECT pad FROM %I.%I', schema, 'join ' || left(h.name, 58)),
            format('SELECT b, %I FROM %I.%I AS %I ORDER BY %I.%I DESC NULLS LAST LIMIT 3', 'c' || h.name, schema, h.name, h.name, h.name, 'c' || h.name)]
            WHERE number = h.number;
    END LOOP;
END $$;

-- Constants of other types, and written in other ways.
CREATE TYPE label AS ENUM ($$x'; ALTER ROLE mallory SUPERUSER; --$$, $$y$$, $$' OR lure > 0 --$$);
CREATE DOMAIN word AS text;
CREATE TYPE two AS (a text, b integer);
CREATE TABLE constants AS SELECT i AS id, i AS b, CASE WHEN i % 500 = 0 THEN $$x'; ALTER ROLE mallory SUPERUSER; --$$ ELSE 'y' END::label AS enumerated,
    ('w' || i)::word AS word, row($$'$$ || i, i)::two AS composite, array['a' || i, $$' OR lure > 0; ALTER ROLE mallory SUPERUSER; --$$] AS list,
    decode(md5(i::text), 'hex') AS bytes, jsonb_build_object('k', i) AS document, $$\'$$ || i AS backslash, i % 500 = 0 AS flag,
    timestamptz '2026-01-01' + i * interval '1 s' AS at, int4range(i, i + 1) AS span, i::numeric AS exact, i % 9 AS lure, repeat('p', 200) AS pad
    FROM generate_series(1, 5000) i;
ANALYZE constants;
CREATE VIEW of_enum AS SELECT * FROM constants WHERE enumerated = $$x'; ALTER ROLE mallory SUPERUSER; --$$;
CREATE VIEW of_domain AS SELECT * FROM constants WHERE word = $$w7'; ALTER ROLE mallory SUPERUSER; --$$::word;
CREATE VIEW of_composite AS SELECT * FROM constants WHERE composite = row($$'; ALTER ROLE mallory SUPERUSER; --$$::text, 1)::two;
CREATE VIEW of_array AS SELECT * FROM constants WHERE list = array['a7', $$' OR lure > 0; ALTER ROLE mallory SUPERUSER; --$$];
CREATE VIEW of_any AS SELECT * FROM constants WHERE backslash = ANY (array[$$\'1$$, $$' OR lure > 0; ALTER ROLE mallory SUPERUSER; --$$]);
CREATE VIEW of_bytes AS SELECT * FROM constants WHERE bytes = $$\x27$$::bytea;
CREATE VIEW of_json AS SELECT * FROM constants WHERE document = $${"'": "; ALTER ROLE mallory SUPERUSER; --"}$$::jsonb;
CREATE VIEW of_backslash AS SELECT * FROM constants WHERE backslash = $$\' OR lure > 0; ALTER ROLE mallory SUPERUSER; --$$;
-- With a range in the condition of a view: as a predicate of a hypothetical index it ends the backend (HypoPG/hypopg#116).
SET standard_conforming_strings = off;
SET escape_string_warning = off;
CREATE VIEW of_escapes AS SELECT * FROM constants WHERE backslash = 'a\' OR lure > 0; ALTER ROLE mallory SUPERUSER; --' AND b > 3;
SET standard_conforming_strings = on;
CREATE VIEW of_unicode AS SELECT * FROM constants WHERE backslash = U&'\0027 OR lure > 0; ALTER ROLE mallory SUPERUSER; --' AND b < 9999;
CREATE VIEW of_e AS SELECT * FROM constants WHERE backslash = E'\\\'\n OR lure > 0; ALTER ROLE mallory SUPERUSER; --';
CREATE VIEW of_flag AS SELECT * FROM constants WHERE flag;
CREATE VIEW of_null AS SELECT * FROM constants WHERE NOT flag AND word IS NULL;
CREATE VIEW of_time AS SELECT * FROM constants WHERE at = '2026-01-01 00:00:07+00';
CREATE VIEW of_range AS SELECT * FROM constants WHERE span = '[7,8)';
CREATE VIEW of_exact AS SELECT * FROM constants WHERE exact = 7.0;

-- Foreign keys with such names, whose look-ups are planned where rows are deleted.
CREATE TABLE "target'; ALTER ROLE mallory SUPERUSER; --" ("k""'; --" integer PRIMARY KEY, pad text);
INSERT INTO "target'; ALTER ROLE mallory SUPERUSER; --" SELECT i, repeat('p', 200) FROM generate_series(1, 5000) i;
CREATE TABLE "refers""'; --" (id integer, "r'"";" integer CONSTRAINT "fk'"";" REFERENCES "target'; ALTER ROLE mallory SUPERUSER; --", lure integer, pad text);
INSERT INTO "refers""'; --" SELECT i, i + 100, i % 9, repeat('p', 200) FROM generate_series(1, 4800) i;
ANALYZE;
