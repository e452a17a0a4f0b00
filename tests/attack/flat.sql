-- Executed by mallory: wide statements, each made here. What PostgreSQL itself refuses is not recorded, and does no harm.
SELECT 'SELECT count(t) FROM mallory.wide WHERE ' || string_agg(format('(a = %s AND b = %s)', i * 7, i % 7), ' OR ') FROM unnest(array[1200, 1201, 3000, 6000, 12000]) n, generate_series(1, n) i GROUP BY n \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE c = 3 AND (' || string_agg(format('(a > %s AND b < %s)', i * 7, i % 7), ' OR ') || ')' FROM generate_series(1, 5000) i \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE ' || string_agg('a = ' || i, ' OR ') FROM unnest(array[10000, 20000]) n, generate_series(1, n) i GROUP BY n \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE ' || string_agg('a <> ' || -i, ' AND ') FROM unnest(array[1200, 12000]) n, generate_series(1, n) i GROUP BY n \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE a IN (' || string_agg(i::text, ', ') || ')' FROM generate_series(1, 100000) i \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE a NOT IN (' || string_agg((-i)::text, ', ') || ')' FROM generate_series(1, 100000) i \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE a = ANY (array[' || string_agg(i::text, ', ') || '])' FROM generate_series(1, 100000) i \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE (a, b) IN (' || string_agg(format('(%s, %s)', i, i % 100), ', ') || ')' FROM generate_series(1, 10000) i \gexec
SELECT 'SELECT count(t) FROM mallory.wide JOIN (VALUES ' || string_agg(format('(%s)', i), ', ') || ') v (x) ON x = a' FROM generate_series(1, 100000) i \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE a IN (VALUES ' || string_agg(format('(%s)', i), ', ') || ')' FROM generate_series(1, 100000) i \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE b = 5 AND ' || string_agg(format('NOT (a = %s OR b = %s)', -i, -i), ' AND ') FROM generate_series(1, 6000) i \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE a = greatest(' || string_agg(i::text, ', ') || ')' FROM generate_series(1, 20000) i \gexec
SELECT 'SELECT ' || string_agg('count(t)', ', ') || ' FROM mallory.wide WHERE b = 5' FROM generate_series(1, 1600) i \gexec
