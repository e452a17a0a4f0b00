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
    SELECT c.oid, c.relacl, c.relowner, n.nspname, ARRAY[n.nspname::text, c.relname::text] AS names,
        pg_catalog.left(n.nspname::text, 3) = 'pg_' OR n.nspname = 'information_schema' AS system,
        CASE c.relkind WHEN 'S' THEN 'sequence' ELSE 'table' END AS class
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S')),
-- Grants, one a row: those to PUBLIC count on users' tables alone, for all else they give nobody more than everybody has.
granted AS (
    SELECT r.class, r.names, NULL::text AS attribute, NULL::pg_catalog.jsonb AS arguments, a.grantee, a.privilege_type AS privilege
    FROM relation r, LATERAL pg_catalog.aclexplode(r.relacl) a
    WHERE a.privilege_type <> 'SELECT' AND a.grantee <> r.relowner AND (a.grantee <> 0 OR NOT r.system)
    UNION ALL
    SELECT r.class, r.names, t.attname::text, NULL, a.grantee, a.privilege_type
    FROM relation r JOIN pg_catalog.pg_attribute t ON t.attrelid = r.oid AND t.attacl IS NOT NULL AND NOT t.attisdropped,
        LATERAL pg_catalog.aclexplode(t.attacl) a
    WHERE a.privilege_type <> 'SELECT' AND a.grantee <> r.relowner AND (a.grantee <> 0 OR NOT r.system)
    UNION ALL
    SELECT 'schema', ARRAY[n.nspname::text], NULL, NULL, a.grantee, a.privilege_type
    FROM pg_catalog.pg_namespace n, LATERAL pg_catalog.aclexplode(n.nspacl) a
    WHERE a.privilege_type = 'CREATE' AND a.grantee NOT IN (0, n.nspowner)
    UNION ALL
    SELECT 'database', ARRAY[d.datname::text], NULL, NULL, a.grantee, a.privilege_type
    FROM database d, LATERAL pg_catalog.aclexplode(d.datacl) a
    WHERE a.privilege_type = 'CREATE' AND a.grantee NOT IN (0, d.datdba)
    UNION ALL
    SELECT 'function', ARRAY['pg_catalog', p.proname::text], NULL, (
            SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(n.nspname, t.typname) ORDER BY a.place), '[]')
            FROM pg_catalog.unnest(p.proargtypes::pg_catalog.oid[]) WITH ORDINALITY a (type, place)
            JOIN pg_catalog.pg_type t ON t.oid = a.type JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace),
        a.grantee, a.privilege_type
    FROM pg_catalog.pg_proc p, LATERAL pg_catalog.aclexplode(p.proacl) a
    WHERE p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AND a.grantee NOT IN (0, p.proowner)),
harm AS (
    SELECT CASE a.attribute WHEN 'SUPERUSER' THEN 0 ELSE 1 END AS rank, 'attribute' AS kind, m.rolname::text AS role, m.via, a.attribute AS object, NULL::pg_catalog.jsonb AS privilege
    FROM member m, LATERAL (VALUES ('SUPERUSER', m.rolsuper), ('CREATEROLE', m.rolcreaterole), ('REPLICATION', m.rolreplication),
        ('BYPASSRLS', m.rolbypassrls)) a (attribute, has)
    WHERE a.has
    UNION ALL
    SELECT 2, 'predefined', m.rolname::text, m.via, NULL, NULL FROM member m WHERE m.predefined AND NOT m.reads
    UNION ALL
    SELECT 3, 'owner', m.rolname::text, m.via, pg_catalog.pg_describe_object(s.classid, s.objid, s.objsubid), NULL
    FROM member m JOIN pg_catalog.pg_shdepend s
        ON s.refobjid = m.oid AND s.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass AND s.deptype = 'o'
    WHERE s.dbid IN (0, (SELECT d.oid FROM database d)) AND NOT m.predefined
        AND NOT (s.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND EXISTS (
            SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.oid = s.objid AND pg_catalog.left(n.nspname::text, 8) = 'pg_temp_'))
    UNION ALL
    SELECT 4, 'privilege', COALESCE(m.rolname::text, ''), pg_catalog.min(m.via), pg_catalog.array_to_string(g.names, '.'),
        pg_catalog.jsonb_build_object('class', g.class, 'names', g.names, 'column', g.attribute, 'arguments', g.arguments,
            'rights', pg_catalog.jsonb_agg(DISTINCT g.privilege ORDER BY g.privilege))
    FROM granted g LEFT JOIN member m ON m.oid = g.grantee
    WHERE g.grantee = 0 OR m.oid IS NOT NULL AND NOT m.reads
    GROUP BY g.class, g.names, g.attribute, g.arguments, g.grantee, m.rolname
    UNION ALL
    -- Parameters (a catalogue of PostgreSQL 15), large objects, foreign servers and their wrappers.
    SELECT 5, 'granted', m.rolname::text, m.via, pg_catalog.pg_describe_object(s.classid, s.objid, 0), NULL
    FROM pg_catalog.pg_shdepend s JOIN member m ON m.oid = s.refobjid
    WHERE s.classid IN (6243, 2613, 1417, 2328) AND s.deptype = 'a' AND s.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass
        AND s.dbid IN (0, (SELECT d.oid FROM database d)))
SELECT pg_catalog.jsonb_build_object(
    'role', session_user::text,
    'total', (SELECT pg_catalog.count(*) FROM harm),
    'harms', (SELECT COALESCE(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(h) ORDER BY h.rank, h.object, h.role), '[]')
              FROM (SELECT * FROM harm ORDER BY harm.rank, harm.object, harm.role LIMIT 20) h),
    'schemas', (SELECT COALESCE(pg_catalog.jsonb_agg(s.nspname ORDER BY s.nspname), '[]')
                FROM (SELECT DISTINCT r.nspname FROM relation r WHERE NOT r.system ORDER BY r.nspname LIMIT 11) s),
    'hypopg', (SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
               WHERE e.extname = 'hypopg'))::text AS value
