-- Stand-in for pg_stat_statements where it is not installed: a table of statements, which the test fills.
CREATE SCHEMA counted;
GRANT USAGE ON SCHEMA counted TO PUBLIC;
CREATE TABLE counted.entry (userid oid, query text, queryid bigint GENERATED ALWAYS AS IDENTITY);
CREATE FUNCTION counted.pg_stat_statements(showtext boolean, OUT userid oid, OUT dbid oid, OUT toplevel boolean, OUT queryid bigint, OUT query text,
    OUT calls bigint, OUT rows bigint, OUT total_exec_time float8, OUT shared_blks_hit bigint, OUT shared_blks_read bigint, OUT shared_blks_dirtied bigint,
    OUT shared_blks_written bigint, OUT local_blks_read bigint, OUT local_blks_written bigint, OUT temp_blks_read bigint, OUT temp_blks_written bigint,
    OUT blk_read_time float8, OUT blk_write_time float8, OUT wal_records bigint, OUT wal_fpi bigint, OUT wal_bytes numeric) RETURNS SETOF record
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
    SELECT e.userid, d.oid, true, e.queryid, e.query, 3, 3000, 30::float8, 100, 300, 0, 0, 0, 0, 0, 0, 10::float8, 0::float8, 0, 0, 0::numeric
    FROM counted.entry e, pg_database d WHERE datname = current_database() $$;
CREATE FUNCTION counted.pg_stat_statements_info(OUT dealloc bigint, OUT stats_reset timestamptz) LANGUAGE sql AS
    $$ SELECT 0::bigint, timestamptz '2026-01-01 00:00:00+00' $$;
CREATE FUNCTION counted.pg_stat_statements_reset() RETURNS void LANGUAGE sql AS 'TRUNCATE counted.entry';
SET allow_system_table_mods = on;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    SELECT max(oid::bigint) + 1001, 'pg_stat_statements', 10, 'counted'::regnamespace, false, '1.10' FROM pg_class;
INSERT INTO pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
    SELECT 'pg_proc'::regclass, p.oid, 0, 'pg_extension'::regclass, e.oid, 0, 'e' FROM pg_proc p, pg_extension e
    WHERE pronamespace = 'counted'::regnamespace AND extname = 'pg_stat_statements';
-- What says that its library is preloaded.
DO $$ BEGIN
    EXECUTE 'CREATE OR REPLACE VIEW pg_catalog.pg_settings AS ' || rtrim(pg_get_viewdef('pg_catalog.pg_settings'), ';') || '
        UNION ALL SELECT ''pg_stat_statements.max'', ''5000'', NULL, ''Customized Options'', '''', NULL, ''postmaster'', ''integer'', ''default'',
            NULL, NULL, NULL, ''5000'', ''5000'', NULL, NULL, false';
END $$;
RESET allow_system_table_mods;
