-- Executed by mallory: constants that are computed while a statement is planned. Some cannot be cancelled while they are computed;
-- their size is such that one takes seconds. A tenant would take any.
SET check_function_bodies = off;
SELECT format('CREATE OR REPLACE VIEW mallory.dear_%s AS SELECT * FROM mallory.plain WHERE pad <> md5(repeat(%L, 300000000))', i, i) FROM generate_series(1, 14) i \gexec
CREATE OR REPLACE VIEW mallory.dear_15 AS SELECT * FROM mallory.plain WHERE amount <> length(translate(repeat('x', 20000), repeat('y', 20000), ''));
CREATE OR REPLACE VIEW mallory.dear_16 AS SELECT * FROM mallory.plain WHERE amount <> length(btrim(repeat('x', 20000), repeat('y', 20000) || 'x'));
CREATE OR REPLACE VIEW mallory.dear_17 AS SELECT * FROM mallory.plain WHERE NOT array_fill(1, ARRAY[15000]) || 5 <@ (array_fill(2, ARRAY[15000]) || 1 || 5);
SELECT 'CREATE OR REPLACE VIEW mallory.dear_18 AS SELECT * FROM mallory.plain WHERE ' || string_agg(format('sha512(convert_to(lpad(''x'', 10000000 + %s), ''UTF8'')) <> decode(''00'', ''hex'')', i), ' AND ')
    FROM generate_series(1, 100) i \gexec
SELECT 'CREATE OR REPLACE VIEW mallory.dear_19 AS SELECT * FROM mallory.plain WHERE amount <> ' || repeat('(1 + ', 1500) || 'amount' || repeat(')', 1500) \gexec
SELECT 'CREATE OR REPLACE VIEW mallory.dear_20 AS SELECT * FROM mallory.plain WHERE amount <> length(''' || repeat('y', 1000000) || ''' || repeat(''x'', 1000000))' \gexec
-- With the settings of planner-springs.sql it takes minutes to compare all orders of these joins.
SELECT 'CREATE OR REPLACE VIEW mallory.dear_21 AS SELECT p.* FROM mallory.plain p' || string_agg(format(' JOIN mallory.few f%s ON f%s.amount = p.amount', i, i), '')
    FROM generate_series(1, 17) i \gexec
-- Statistics that no ANALYZE made, from 18 on: each of 250,000 values would be compared with each of 250,000 others.
CREATE TABLE mallory.made_up_1 AS SELECT * FROM mallory.plain;
CREATE TABLE mallory.made_up_2 AS SELECT * FROM mallory.plain;
ANALYZE mallory.made_up_1, mallory.made_up_2;
SELECT format($$SELECT pg_restore_attribute_stats('schemaname', 'mallory', 'relname', 'made_up_%s', 'attname', 'amount', 'inherited', false,
    'null_frac', 0::real, 'avg_width', 4, 'n_distinct', -1::real, 'most_common_freqs', (SELECT array_agg(1e-6::real) FROM generate_series(1, 250000)),
    'most_common_vals', (SELECT '{' || string_agg((i * (3 - 2 * %1$s))::text, ',') || '}' FROM generate_series(1, 250000) i))$$, side)
FROM generate_series(1, 2) side WHERE EXISTS (SELECT FROM pg_proc WHERE proname = 'pg_restore_attribute_stats') \gexec
CREATE OR REPLACE VIEW mallory.dear_22 AS SELECT a.* FROM mallory.made_up_1 a JOIN mallory.made_up_2 b ON a.amount = b.amount;
