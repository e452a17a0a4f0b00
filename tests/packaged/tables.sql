-- Where the tests with packaged PostgreSQL keep what they measured. Blocks are of 8 KiB throughout, which is what
-- PostgreSQL 17 counts in pg_stat_io.
CREATE EXTENSION pg_stat_statements;
CREATE EXTENSION hypopg;
CREATE EXTENSION ebs_advisor;

-- All processes' blocks so far, and the WAL.
CREATE VIEW counted AS
  SELECT sum(reads) AS reads, sum(writes) AS writes, (SELECT wal_bytes FROM pg_stat_wal) AS wal_bytes FROM pg_stat_io;

-- What the workload's statements read since the last reset: all but utilities and our own.
CREATE VIEW stated AS
  SELECT coalesce(sum(shared_blks_read), 0) AS blocks_read, coalesce(sum(calls), 0) AS calls FROM pg_stat_statements
  WHERE query ~ '^(SELECT|INSERT|UPDATE|DELETE|WITH)' AND query !~ 'ebs[._]|\mpg_|measured';

CREATE TABLE measured
  (run text PRIMARY KEY, reads numeric, writes numeric, wal_bytes numeric, blocks_read numeric, calls numeric, device_mib numeric);

-- What was advised, by test.
CREATE TABLE advice AS SELECT NULL::text AS test, * FROM ebs_index_advice() LIMIT 0;
CREATE VIEW advised AS SELECT * FROM advice WHERE advised AND kind = 'index';

-- nonsense: what is wrong with what is advised in a test: an index that another one begins with, one on a table that a few
-- reads bring in whole, one without any saving. Creates the indexes, because only then PostgreSQL says what they consist of.
CREATE FUNCTION nonsense(of_test text) RETURNS TABLE (nonsense text) LANGUAGE plpgsql AS $$
DECLARE
  this record;
BEGIN
  RETURN QUERY SELECT format('%s: saves %s', ddl, net_reads_s_saved) FROM advised
    WHERE test = of_test AND (net_reads_s_saved > 0) IS NOT TRUE;
  FOR this IN SELECT DISTINCT ddl FROM advised WHERE test = of_test LOOP
    EXECUTE replace(this.ddl, 'CONCURRENTLY ', '');
  END LOOP;
  RETURN QUERY SELECT format('%s begins with %s', b.indexrelid::regclass, a.indexrelid::regclass)
    FROM pg_index a JOIN pg_index b USING (indrelid) JOIN pg_class c ON c.oid = indrelid
    WHERE c.relnamespace = of_test::regnamespace AND a.indexrelid <> b.indexrelid AND NOT a.indisunique AND a.indnatts = a.indnkeyatts
      AND a.indpred IS NOT DISTINCT FROM b.indpred AND b.indkey::text || ' ' LIKE a.indkey::text || ' %';
  RETURN QUERY SELECT format('%s is on a table of %s pages', i.indexrelid::regclass, c.relpages)
    FROM pg_index i JOIN pg_class c ON c.oid = indrelid JOIN pg_class n ON n.oid = indexrelid
    WHERE c.relnamespace = of_test::regnamespace AND NOT i.indisunique AND c.relpages < 100;
END $$;

-- judged: a case's blocks read by its statements before and after; the fall as measured, and as estimated a second for the
-- seconds of the run; how many more blocks were written, the WAL as such. Nothing estimated where nothing was advised.
CREATE FUNCTION judged(of_test text)
RETURNS TABLE (read_before numeric, read_after numeric, saved numeric, estimated numeric, written numeric, device_mib_saved numeric)
LANGUAGE sql AS $$
  SELECT b.blocks_read, a.blocks_read, b.blocks_read - a.blocks_read,
    (SELECT sum(reads_s_saved) FROM advised WHERE test = of_test)::numeric * extract(epoch FROM r.ended_at - r.started_at),
    (a.writes - b.writes) + (a.wal_bytes - b.wal_bytes) / 8192, b.device_mib - a.device_mib
  FROM measured b, measured a, ebs.runs_detail r
  WHERE b.run = of_test || ' before' AND a.run = of_test || ' after' AND r.label = b.run
$$;

-- What came of each case: agreed is whether the estimate is within 30 % of the fall, or no index was rightly advised.
CREATE TABLE verdict (test text PRIMARY KEY, what text, ddl text, read_before numeric, read_after numeric, saved numeric,
  estimated numeric, written numeric, device_mib_saved numeric, agreed bool GENERATED ALWAYS AS (CASE WHEN estimated IS NULL
    THEN saved - written <= 0.05 * read_before ELSE abs(saved - estimated) <= 0.3 * saved END) STORED);
