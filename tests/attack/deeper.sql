-- Executed by mallory: the same with text, arrays, JSON and queries.
CREATE TEMP TABLE depth AS SELECT unnest(array[100, 200, 1000, 4000, 9000]) AS n;
SELECT 'SELECT count(t) FROM mallory.wide WHERE left(t, 1)' || repeat(' || left(t, 1)', n) || ' = ''x''' FROM depth WHERE n <= 1000 \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE j' || repeat(' -> ''a''', n) || ' IS NULL' FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE j @? ''$' || repeat('.a', n) || '''::jsonpath' FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE j @? ''$ ? ' || repeat('(!', n) || '(@.a == 1)' || repeat(')', n) || '''::jsonpath' FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE a = ' || repeat('(array[', n) || '5' || repeat('])[1]', n) FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE ' || repeat('coalesce(', n) || 'a' || repeat(', b)', n) || ' = 5' FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE a' || repeat('::bigint::integer', n) || ' = 5' FROM depth WHERE n < 9000 \gexec
SELECT 'CREATE VIEW mallory.json_path AS SELECT * FROM mallory.wide WHERE j @? ''$' || repeat('.a', 5000) || '''::jsonpath' \gexec
SELECT count(t) FROM mallory.json_path WHERE b = 5;
