-- Databases as HammerDB's hammer.DB, whose tables are views that never end or give what no memory holds. tests/live/attack_files.sh has
-- them as tests/attack/hammer_*.DB, of SQLite 3 with pages of 512 bytes, because a machine may have no sqlite3: each section is one,
--   awk -v n=N '/^-- [0-9]/ { n_now++ } n_now == n' tests/attack/hammer_db.sql | sqlite3 -cmd 'PRAGMA page_size = 512' tests/attack/hammer_NAME.DB
-- 1 jobs: jobs without end
CREATE VIEW JOBOUTPUT AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
  SELECT 'job' || n AS jobid, 1 AS vu, 'TEST RESULT : System achieved 1 NOPM from 2 PostgreSQL TPM' AS output FROM r;
-- 2 output: lines of one job without end
CREATE VIEW JOBOUTPUT AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
  SELECT n AS rowid, 'job' AS jobid, 1 AS vu, 'TEST RESULT : System achieved 1 NOPM from 2 PostgreSQL TPM' AS output FROM r;
-- 3 blob: a value of 800 MB
CREATE VIEW JOBOUTPUT AS SELECT 1 AS rowid, 'job' AS jobid, 1 AS vu,
  'TEST RESULT : System achieved 1 NOPM from 2 PostgreSQL TPM' || hex(zeroblob(400000000)) AS output;
-- 4 generated: a value of 800 MB of a table that is no view
CREATE TABLE JOBOUTPUT (jobid TEXT, vu INTEGER, kept INTEGER,
  output TEXT GENERATED ALWAYS AS ('TEST RESULT : System achieved 1 NOPM from 2 PostgreSQL TPM' || hex(zeroblob(kept))));
INSERT INTO JOBOUTPUT (jobid, vu, kept) VALUES ('job', 1, 400000000);
-- 5 join: a product of a million times a million rows, which is never done and needs no memory
CREATE VIEW JOBOUTPUT AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 1000000)
  SELECT count(*) AS rowid, 'job' AS jobid, 1 AS vu, 'TEST RESULT' AS output FROM r a, r b WHERE a.n + b.n < 0;
-- 6 names: jobs whose names command a terminal
CREATE TABLE JOBOUTPUT (jobid TEXT, vu INTEGER, output TEXT);
INSERT INTO JOBOUTPUT SELECT 'job' || n || char(27) || ']0;owned' || char(7) || char(155) || '31m' || char(8238) || char(10) || 'error: none', 1,
  'TEST RESULT : System achieved 1 NOPM from 2 PostgreSQL TPM' FROM (SELECT 1 AS n UNION SELECT 2);
