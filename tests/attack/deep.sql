-- Executed by mallory: conditions that nest, each as deep as PostgreSQL takes it and less. What it refuses is not recorded.
CREATE TEMP TABLE depth AS SELECT unnest(array[100, 200, 1000, 4000, 9000]) AS n;
SELECT 'SELECT count(t) FROM mallory.wide WHERE ' || repeat('NOT (b = 5 AND ', n) || 'a = 1' || repeat(')', n) FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE ' || repeat('(b = 5 OR (c = 3 AND ', n) || 'a = 1' || repeat('))', n) FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE a = ' || repeat('(', n) || '5' || repeat(')', n) FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE a = ' || repeat('CASE WHEN b = 5 THEN 1 ELSE ', n) || '5' || repeat(' END', n) FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE ' || repeat('CASE WHEN ', n) || 'a = 5' || repeat(' THEN b = 5 ELSE c = 3 END', n) FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE ' || repeat('abs(', n) || 'a' || repeat(')', n) || ' = 5' FROM depth \gexec
SELECT 'SELECT count(t) FROM mallory.wide WHERE a' || repeat(' + b', n) || ' = 5' FROM depth \gexec
