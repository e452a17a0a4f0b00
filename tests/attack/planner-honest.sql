-- Executed by victim: an application, whose statements have to be analysed beside hostile ones.
SET client_min_messages = warning;
CREATE TABLE shop.orders AS SELECT i AS id, i % 1500 AS customer, CASE WHEN i % 100 = 0 THEN 'open' ELSE 'done' END AS state, now() - i * interval '1 minute' AS placed,
    repeat('o', 200) AS pad FROM generate_series(1, 12000) i;
CREATE VIEW shop.recent AS SELECT * FROM shop.orders WHERE placed > now() - interval '1 day' AND state = 'open';
CREATE TABLE shop.honest AS SELECT unnest(ARRAY[
    'SELECT count(pad) FROM shop.orders WHERE customer = id',
    'SELECT max(pad) FROM shop.orders WHERE customer > id',
    'SELECT count(pad) FROM shop.recent',
    'SELECT sum(customer), min(pad) FROM shop.orders WHERE placed < now()',
    'UPDATE shop.orders SET customer = customer WHERE id = customer']) AS statement;
GRANT USAGE ON SCHEMA shop TO PUBLIC;
GRANT ALL ON ALL TABLES IN SCHEMA shop TO PUBLIC;
ANALYZE shop.orders;
