-- Executed by mallory: what asks for the objects of shapes.sql. Each line is a query of its own; the text of some is made here.
SELECT count(t) FROM mallory.view_20 WHERE b = 5;
SELECT count(t) FROM mallory.view_500 WHERE b = 5;
SELECT count(t) FROM mallory.wide_view WHERE c = 5;
SELECT count(pad) FROM mallory.part_0 WHERE a = 5;
SELECT count(pad) FROM mallory.part_0 WHERE pad = 'x';
SELECT p.pad FROM mallory.part_0 p JOIN mallory.part_0 q ON p.a = q.a WHERE q.b = 5;
SELECT count(pad) FROM mallory.indexes_40 WHERE a = 5;
SELECT count(c1) FROM mallory.columns_1600 WHERE c1600 = 5 AND c800 = 7;
SELECT * FROM mallory.columns_1600 ORDER BY c1599, c3, c2 LIMIT 1;
SELECT 'SELECT count(c1) FROM mallory.columns_1600 WHERE ' || string_agg(format('c%s = %s', i, i), ' AND ') FROM generate_series(1, 1600) i \gexec
SELECT 'SELECT c1 FROM mallory.columns_1600 ORDER BY ' || string_agg('c' || i, ', ') || ' LIMIT 1' FROM generate_series(1, 1600) i \gexec
SELECT 'SELECT c1, c2 FROM mallory.columns_1600 GROUP BY ' || string_agg('c' || i, ', ') || ' LIMIT 1' FROM generate_series(1, 1600) i \gexec
SELECT 'SELECT count(*) FROM (' || string_agg('SELECT t FROM mallory.wide WHERE b = ' || i, ' UNION ALL ') || ') u' FROM generate_series(1, 200) i \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE ' || string_agg(format('a IN (SELECT a FROM mallory.wide WHERE b = %s', i), ' AND ') || repeat(')', 25) FROM generate_series(1, 25) i \gexec
SELECT 'SELECT count(t) FROM ' || repeat('(SELECT * FROM ', 200) || 'mallory.wide WHERE b = 5' || string_agg(' OFFSET 0) x' || i, '' ORDER BY i) FROM generate_series(1, 200) i \gexec
SELECT 'WITH RECURSIVE ' || string_agg(format('c%s AS MATERIALIZED (SELECT * FROM %s WHERE b <> %s)', i, CASE i WHEN 1 THEN 'mallory.wide' ELSE 'c' || i - 1 END, i), ', ' ORDER BY i) || ' SELECT count(t) FROM c200' FROM generate_series(1, 200) i \gexec
