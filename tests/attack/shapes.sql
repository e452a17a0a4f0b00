-- Executed by mallory: objects that are deep or wide.
SET client_min_messages = warning;
SET search_path = mallory;
-- Few rows on many pages: wide conditions are evaluated for each row.
CREATE TABLE wide (a integer, b integer, c integer, j jsonb, t text);
ALTER TABLE wide ALTER t SET STORAGE PLAIN;
INSERT INTO wide SELECT i, i % 100, i % 7, '{"a": 1}', repeat('t', 2400) FROM generate_series(1, 450) i;
CREATE INDEX ON wide (c);
GRANT SELECT ON wide TO PUBLIC;
DO $$
BEGIN
    CREATE VIEW view_0 AS SELECT * FROM mallory.wide;
    FOR i IN 1 .. 500 LOOP
        EXECUTE format('CREATE VIEW view_%s AS SELECT * FROM view_%s', i, i - 1) || CASE WHEN i % 25 = 0 THEN ' WHERE a <> -' || i ELSE '' END;
    END LOOP;
    EXECUTE 'CREATE VIEW wide_view AS SELECT * FROM wide WHERE ' || (SELECT string_agg(format('(a = %s AND b = %s)', i, i % 100), ' OR ') FROM generate_series(1, 3000) i);
    EXECUTE 'CREATE TABLE columns_1600 (' || (SELECT string_agg(format('c%s integer', i), ', ') FROM generate_series(1, 1600) i) || ')';
    EXECUTE 'INSERT INTO columns_1600 SELECT ' || (SELECT string_agg('i % ' || 1 + n, ', ') FROM generate_series(1, 1600) n) || ' FROM generate_series(1, 200) i';
    -- Partitions of partitions: a chain of 20, and 6 x 6 at its end.
    CREATE TABLE part_0 (a integer, b integer, c integer, pad text) PARTITION BY RANGE (a);
    FOR i IN 1 .. 20 LOOP
        EXECUTE format('CREATE TABLE part_%s PARTITION OF part_%s FOR VALUES FROM (%s) TO (100000) PARTITION BY RANGE (%s)', i, i - 1, -1000 + i, CASE WHEN i = 20 THEN 'b' ELSE 'a' END);
    END LOOP;
    FOR i IN 0 .. 5 LOOP
        EXECUTE format('CREATE TABLE part_20_%s PARTITION OF part_20 FOR VALUES FROM (%s) TO (%s) PARTITION BY RANGE (c)', i, i * 10, i * 10 + 10);
        FOR k IN 0 .. 5 LOOP
            EXECUTE format('CREATE TABLE part_20_%s_%s PARTITION OF part_20_%s FOR VALUES FROM (%s) TO (%s)', i, k, i, k * 10, k * 10 + 10);
        END LOOP;
    END LOOP;
    INSERT INTO part_0 SELECT i, i % 60, i / 60 % 60, repeat('p', 200) FROM generate_series(1, 10000) i;
    -- Indexes whose predicates are tested with every plan.
    CREATE TABLE indexes_40 AS SELECT i AS a, i % 9 AS b, repeat('p', 200) AS pad FROM generate_series(1, 5000) i;
    FOR i IN 1 .. 40 LOOP
        EXECUTE format('CREATE INDEX ON indexes_40 ((a + %s)) WHERE b = %s', i, i);
    END LOOP;
END $$;
ANALYZE wide; ANALYZE columns_1600; ANALYZE part_0; ANALYZE indexes_40;
