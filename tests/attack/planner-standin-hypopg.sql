-- Stand-in for hypopg where it is not installed: statements are planned, and each candidate index is refused.
CREATE SCHEMA hypo;
GRANT USAGE ON SCHEMA hypo TO PUBLIC;
CREATE FUNCTION hypo.hypopg_create_index(sql_order text, OUT indexrelid oid, OUT indexname text) RETURNS SETOF record LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'stand-in for hypopg: no index'; END $$;
CREATE FUNCTION hypo.hypopg_drop_index(indexid oid) RETURNS boolean LANGUAGE sql AS 'SELECT false';
CREATE FUNCTION hypo.hypopg_relation_size(indexid oid) RETURNS bigint LANGUAGE sql AS 'SELECT 8192::bigint';
CREATE FUNCTION hypo.hypopg_hide_index(indexid oid) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE FUNCTION hypo.hypopg_unhide_index(indexid oid) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE FUNCTION hypo.hypopg_hidden_indexes() RETURNS TABLE (indexid oid) LANGUAGE sql AS 'SELECT oid FROM pg_catalog.pg_class WHERE false';
CREATE VIEW hypo.hypopg_list_indexes AS
    SELECT oid AS indexrelid, relname::text AS index_name, relname AS schema_name, relname::text AS table_name, relname AS am_name
    FROM pg_catalog.pg_class WHERE false;
GRANT SELECT ON hypo.hypopg_list_indexes TO PUBLIC;
SET allow_system_table_mods = on;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    SELECT max(oid::bigint) + 1000, 'hypopg', 10, 'hypo'::regnamespace, false, '1.4.0' FROM pg_class;
INSERT INTO pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
    SELECT 'pg_proc'::regclass, p.oid, 0, 'pg_extension'::regclass, e.oid, 0, 'e' FROM pg_proc p, pg_extension e
    WHERE pronamespace = 'hypo'::regnamespace AND extname = 'hypopg';
RESET allow_system_table_mods;
