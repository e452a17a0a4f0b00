-- Executed by mallory: a table of 800 partitions, of which one is without an index that runs code, until it is not; a view that is
-- harmless every other time; a table that is locked.
SET client_min_messages = warning;
SET search_path = mallory;
SET mallory.prepares = 'yes';
CREATE TABLE many (id integer, amount integer, kind varchar, pad text) PARTITION BY RANGE (id);
DO $$ BEGIN
    FOR i IN 0..799 LOOP EXECUTE format('CREATE TABLE mallory.many_%s PARTITION OF mallory.many FOR VALUES FROM (%s) TO (%s)', i, i * 10, i * 10 + 10); END LOOP;
END $$;
INSERT INTO many SELECT * FROM plain;
CREATE VIEW turning AS SELECT * FROM plain;
CREATE TABLE locked AS SELECT * FROM plain;
GRANT ALL ON many, turning, locked TO PUBLIC;
INSERT INTO attack.changing VALUES ('SELECT count(pad) FROM mallory.many WHERE amount = id'), ('SELECT count(pad) FROM mallory.turning WHERE amount = id'),
    ('SELECT count(pad) FROM mallory.locked WHERE amount = id'), ('SELECT max(pad) FROM mallory.turning WHERE kind > pad');
CREATE SEQUENCE changes;
CREATE PROCEDURE hold() LANGUAGE plpgsql AS $$
BEGIN
    WHILE NOT EXISTS (SELECT FROM attack.stop) LOOP PERFORM pg_sleep(0.05); END LOOP;
END $$;
CREATE PROCEDURE change() LANGUAGE plpgsql AS $$
DECLARE
    part integer := 0;
BEGIN
    WHILE NOT EXISTS (SELECT FROM attack.stop) LOOP
        BEGIN
            part := (part + 797) % 800;
            EXECUTE format('CREATE INDEX changing ON mallory.many_%s ((amount + mallory.f(''changed_index'', 0)))', part);
            CREATE OR REPLACE VIEW mallory.turning AS SELECT * FROM mallory.plain WHERE amount = mallory.f('changed_view', 5);
        EXCEPTION WHEN OTHERS THEN NULL;
        END;
        COMMIT;
        PERFORM pg_sleep(0.01);
        BEGIN
            DROP INDEX IF EXISTS mallory.changing;
            CREATE OR REPLACE VIEW mallory.turning AS SELECT * FROM mallory.plain;
        EXCEPTION WHEN OTHERS THEN NULL;
        END;
        COMMIT;
        PERFORM nextval('mallory.changes');
        PERFORM pg_sleep(0.01);
    END LOOP;
END $$;
