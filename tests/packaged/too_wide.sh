# Statements beyond what is analysed are listed as not analysed, each with the bound that it is beyond; others of the run are
# advised on as ever.
. "$ROOT/tests/packaged/harness.sh"
server
vacuumed <<'SQL'
CREATE SCHEMA too_wide;
CREATE TABLE too_wide.t (id int, a int, b int, pad text);
INSERT INTO too_wide.t SELECT i, i % 5000, i % 7, repeat('x', 200) FROM generate_series(1, 100000) i;
-- One for each statement, so that each has to read.
CREATE TABLE too_wide.s1 AS SELECT a, b, pad FROM too_wide.t WHERE id <= 5000;
CREATE TABLE too_wide.s2 AS SELECT * FROM too_wide.s1;
CREATE TABLE too_wide.p (a int, pad text) PARTITION BY HASH (a);
DO $$ BEGIN FOR n IN 0 .. 199 LOOP
  EXECUTE format('CREATE TABLE too_wide.p%s PARTITION OF too_wide.p FOR VALUES WITH (MODULUS 200, REMAINDER %s)', n, n);
END LOOP; END $$;
INSERT INTO too_wide.p SELECT i, repeat('x', 200) FROM generate_series(1, 2000) i;
DO $$ BEGIN
  -- 150,000 terms of which the first is the answer.
  EXECUTE (SELECT 'CREATE VIEW too_wide.terms AS SELECT pad FROM too_wide.s1 WHERE coalesce('
    || string_agg(CASE WHEN i % 2 = 0 THEN 'b' ELSE 'a' END, ', ' ORDER BY i) || ') = 5' FROM generate_series(1, 150000) i);
  -- 60 times 200 partitions.
  EXECUTE (SELECT 'CREATE VIEW too_wide.nodes AS ' || string_agg('SELECT a FROM too_wide.p WHERE pad > '''' AND a <> ' || i, ' UNION ALL ')
    FROM generate_series(1, 60) i);
END $$;
SQL
cold
cluster_sql "SELECT pg_stat_statements_reset(); SELECT ebs_run_begin('too wide')" >/dev/null
sql_file <<'SQL'
SELECT count(pad) FROM too_wide.t WHERE a = 5;
SELECT count(pad) FROM too_wide.terms;
SELECT max(a) FROM too_wide.nodes;
SELECT format('SELECT count(pad) FROM too_wide.s2 WHERE coalesce(a, %s) = 5', string_agg(i::text, ', ')) FROM generate_series(1, 60000) i \gexec
SQL
cluster_sql "SELECT ebs_run_end(); CREATE TABLE too_wide.advice AS SELECT * FROM ebs_index_advice('too wide')" >/dev/null
reason() { matches "SELECT string_agg(reason, '; ') FROM too_wide.advice WHERE kind = 'statement'" "$1"; }
check "a text that is too long" reason 'longer than the 256 KiB'
check "too many terms" reason 'too wide to be analysed: its expressions have more than 100000 terms'
check "too many nodes" reason 'too wide to be analysed: its plan has more than 10000 nodes'
check "the others are advised on" \
  matches "SELECT string_agg(ddl, ' ') FROM too_wide.advice WHERE advised AND kind = 'index'" 'too_wide\.t \(a\)'
