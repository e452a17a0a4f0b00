-- Advice on indexes where neither pg_stat_statements nor hypopg is there: what is missing, and indexes that can go.
-- With both it is tested on packaged PostgreSQL: scripts/test-packaged.
\set missing 'SELECT rank, kind, advised, ddl, regexp_replace(reason, ''is not (in this database:|installed on this server: install its package, then)'', ''is not here:'') AS reason FROM ebs_index_advice() WHERE kind = ''missing'''
\set shown 'SELECT kind, advised, relation, ddl, size_bytes > 0 AS sized, writes_s_added IS NULL AS unknown, reason FROM ebs_index_advice() WHERE relation ~ ''index_test'' ORDER BY kind, ddl'
SET client_min_messages = warning;
:missing;

CREATE SCHEMA index_test;
CREATE TABLE index_test.customer (customer_id int PRIMARY KEY, email text UNIQUE);
CREATE TABLE index_test."Order" (order_id int PRIMARY KEY, customer_id int REFERENCES index_test.customer,
    created date, total numeric, done boolean);
-- The same twice: one of them can go. A primary key that has a double stays, the double goes.
CREATE INDEX order_customer ON index_test."Order" (customer_id);
CREATE INDEX order_customer_too ON index_test."Order" (customer_id);
CREATE INDEX order_double ON index_test."Order" (order_id);
-- One that another begins with.
CREATE INDEX order_created ON index_test."Order" (created);
CREATE INDEX order_created_total ON index_test."Order" (created, total);
-- Not the same: another order, another operator class, another limit, another method, kept apart, an expression.
CREATE INDEX order_down ON index_test."Order" (total DESC, created);
CREATE INDEX order_done ON index_test."Order" (created) WHERE done;
CREATE INDEX order_hash ON index_test."Order" USING hash (customer_id);
CREATE INDEX customer_pattern ON index_test.customer (email text_pattern_ops);
CREATE INDEX customer_lower ON index_test.customer (lower(email));
CREATE UNIQUE INDEX order_unique ON index_test."Order" (created, order_id);
:shown;

-- One that was used is not called unused.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(*) FROM index_test.customer WHERE lower(email) = 'a';
RESET enable_seqscan;
RESET enable_bitmapscan;
SELECT pg_stat_force_next_flush();
SELECT count(*) AS rows FROM ebs_index_advice() WHERE ddl ~ 'customer_lower';

-- Nothing was created, dropped, or executed.
SELECT count(*) AS indexes FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'index_test'::regnamespace;

-- What is refused.
\set VERBOSITY default
SELECT * FROM ebs_index_advice('no such run');
SELECT * FROM ebs_index_advice(max_plans => 0);
SELECT * FROM ebs_index_advice(region => 'eu-nowhere-1');
SELECT length(ebs_import_samples('elsewhere', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00'
    + i * interval '1 s', 'reads', 100, 'writes', 10, 'read_bytes', 819200, 'write_bytes', 81920)))::text) > 0 AS imported
FROM generate_series(1, 60) i;
SELECT * FROM ebs_index_advice('elsewhere');
SELECT ebs_run_drop('elsewhere');

DROP SCHEMA index_test CASCADE;
RESET client_min_messages;
-- What PostgreSQL would not take for a search_path is refused at once, whatever there is to plan, and changes nothing.
SHOW search_path;
SELECT kind FROM ebs_index_advice(search_path => '"unterminated');
\echo :SQLSTATE
SELECT kind FROM ebs_index_advice(search_path => 'a,,b');
SELECT kind FROM ebs_index_advice(search_path => repeat('x', 10001));
SHOW search_path;
SET client_min_messages = warning; -- how much was sampled by now nobody knows
SELECT count(*) >= 0 AS answered FROM ebs_index_advice(search_path => '');
SELECT count(*) >= 0 AS answered FROM ebs_index_advice(search_path => '"$user", no_such_schema');
RESET client_min_messages;
