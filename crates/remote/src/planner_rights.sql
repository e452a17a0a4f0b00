-- Rights by which code of others, run by planning, could do harm: one JSON object. PostgreSQL 13 to 19.
WITH me AS (
    SELECT r.oid, r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = session_user),
-- Roles that a function may become by SET ROLE, whether or not their rights are inherited. A superuser is a member of all: it is enough.
member AS MATERIALIZED (
    SELECT r.*, pg_catalog.left(r.rolname::text, 3) = 'pg_' AS predefined,
        r.rolname IN ('pg_monitor', 'pg_read_all_data', 'pg_read_all_settings', 'pg_read_all_stats', 'pg_stat_scan_tables') AS reads,
        (SELECT pg_catalog.min(g.rolname::text) FROM pg_catalog.pg_auth_members a JOIN pg_catalog.pg_roles g ON g.oid = a.roleid
         WHERE a.member = me.oid AND r.oid <> me.oid AND pg_catalog.pg_has_role(a.roleid, r.oid, 'MEMBER')) AS via
    FROM pg_catalog.pg_roles r, me
    WHERE r.oid = me.oid OR NOT me.rolsuper AND pg_catalog.pg_has_role(me.oid, r.oid, 'MEMBER')),
database AS (
    SELECT d.* FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()),
relation AS MATERIALIZED (
    SELECT c.oid, c.relacl, c.relowner, n.nspname,
        pg_catalog.left(n.nspname::text, 3) = 'pg_' OR n.nspname = 'information_schema' AS system,
        CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE '' END || pg_catalog.format('%I.%I', n.nspname, c.relname) AS object
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S')),
-- Grants, one a row: those to PUBLIC count on users' tables alone, for all else they give nobody more than everybody has.
granted AS (
    SELECT r.object, a.grantee, a.privilege_type AS privilege
    FROM relation r, LATERAL pg_catalog.aclexplode(r.relacl) a
    WHERE a.privilege_type <> 'SELECT' AND a.grantee <> r.relowner AND (a.grantee <> 0 OR NOT r.system)
    UNION ALL
    SELECT r.object, a.grantee, pg_catalog.format('%s (%I)', a.privilege_type, t.attname)
    FROM relation r JOIN pg_catalog.pg_attribute t ON t.attrelid = r.oid AND t.attacl IS NOT NULL AND NOT t.attisdropped,
        LATERAL pg_catalog.aclexplode(t.attacl) a
    WHERE a.privilege_type <> 'SELECT' AND a.grantee <> r.relowner AND (a.grantee <> 0 OR NOT r.system)
    UNION ALL
    SELECT pg_catalog.format('SCHEMA %I', n.nspname), a.grantee, a.privilege_type
    FROM pg_catalog.pg_namespace n, LATERAL pg_catalog.aclexplode(n.nspacl) a
    WHERE a.privilege_type = 'CREATE' AND a.grantee NOT IN (0, n.nspowner)
    UNION ALL
    SELECT pg_catalog.format('DATABASE %I', d.datname), a.grantee, a.privilege_type
    FROM database d, LATERAL pg_catalog.aclexplode(d.datacl) a
    WHERE a.privilege_type = 'CREATE' AND a.grantee NOT IN (0, d.datdba)
    UNION ALL
    SELECT 'FUNCTION pg_catalog.' || pg_catalog.format('%I(%s)', p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid)),
        a.grantee, a.privilege_type
    FROM pg_catalog.pg_proc p, LATERAL pg_catalog.aclexplode(p.proacl) a
    WHERE p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AND a.grantee NOT IN (0, p.proowner)
    UNION ALL
    -- Parameters (a catalogue of PostgreSQL 15), large objects, foreign servers and their wrappers.
    SELECT k.keyword || ' ' || (pg_catalog.pg_identify_object(s.classid, s.objid, 0)).identity, s.refobjid, 'ALL'
    FROM pg_catalog.pg_shdepend s JOIN member m ON m.oid = s.refobjid,
        LATERAL (VALUES (6243, 'PARAMETER'), (2613, 'LARGE OBJECT'), (1417, 'FOREIGN SERVER'), (2328, 'FOREIGN DATA WRAPPER'))
            k (classid, keyword)
    WHERE s.classid = k.classid::pg_catalog.oid AND s.deptype = 'a' AND s.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass
        AND s.dbid IN (0, (SELECT d.oid FROM database d))),
harm AS (
    SELECT 1 AS rank, 'attribute' AS kind, a.attribute AS privilege, NULL AS object, m.rolname::text AS role, m.via
    FROM member m, LATERAL (VALUES ('SUPERUSER', m.rolsuper), ('CREATEROLE', m.rolcreaterole), ('REPLICATION', m.rolreplication),
        ('BYPASSRLS', m.rolbypassrls)) a (attribute, has)
    WHERE a.has
    UNION ALL
    SELECT 2, 'predefined', NULL, NULL, m.rolname::text, m.via FROM member m WHERE m.predefined AND NOT m.reads
    UNION ALL
    SELECT 3, 'owner', NULL, pg_catalog.pg_describe_object(s.classid, s.objid, s.objsubid), m.rolname::text, m.via
    FROM member m JOIN pg_catalog.pg_shdepend s
        ON s.refobjid = m.oid AND s.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass AND s.deptype = 'o'
    WHERE s.dbid IN (0, (SELECT d.oid FROM database d)) AND NOT m.predefined
        AND NOT (s.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND EXISTS (
            SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.oid = s.objid AND pg_catalog.left(n.nspname::text, 8) = 'pg_temp_'))
    UNION ALL
    SELECT 4, 'privilege', pg_catalog.string_agg(DISTINCT g.privilege, ', ' ORDER BY g.privilege), g.object,
        COALESCE(m.rolname::text, ''), pg_catalog.min(m.via)
    FROM granted g LEFT JOIN member m ON m.oid = g.grantee
    WHERE g.grantee = 0 OR m.oid IS NOT NULL AND NOT m.reads
    GROUP BY g.object, g.grantee, m.rolname)
SELECT pg_catalog.jsonb_build_object(
    'role', session_user::text,
    'total', (SELECT pg_catalog.count(*) FROM harm),
    'harms', (SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(h) ORDER BY h.rank, h.object, h.role), '[]')
              FROM (SELECT * FROM harm ORDER BY harm.rank, harm.object, harm.role LIMIT 20) h),
    'schemas', (SELECT COALESCE(pg_catalog.jsonb_agg(s.nspname ORDER BY s.nspname), '[]')
                FROM (SELECT DISTINCT r.nspname FROM relation r WHERE NOT r.system ORDER BY r.nspname LIMIT 11) s),
    'hypopg', (SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
               WHERE e.extname = 'hypopg'))::text AS value
