-- Code that planning a text may reach, and its owners. $1: identifiers in the text, $2: operators in it, JSON arrays. PostgreSQL 13 to 19.
WITH RECURSIVE
me AS (
    SELECT r.oid FROM pg_catalog.pg_roles r WHERE r.rolname = session_user),
name AS MATERIALIZED (
    SELECT DISTINCT n.name::pg_catalog.name AS name FROM pg_catalog.jsonb_array_elements_text($1::pg_catalog.jsonb) n (name)),
operator AS MATERIALIZED (
    SELECT DISTINCT n.name::pg_catalog.name AS name FROM pg_catalog.jsonb_array_elements_text($2::pg_catalog.jsonb) n (name)),
-- The search path of planning is the role's own, for this statement alone.
path AS MATERIALIZED (
    SELECT pg_catalog.current_schemas(true) AS schemas
    FROM (SELECT pg_catalog.set_config('search_path', s.reset_val, true) FROM pg_catalog.pg_settings s
          WHERE s.name = 'search_path' OFFSET 0) p),
schema AS MATERIALIZED (
    SELECT n.oid, n.nspname = ANY (p.schemas) AS searched
    FROM pg_catalog.pg_namespace n, path p WHERE n.nspname = ANY (p.schemas) OR n.nspname IN (SELECT name FROM name)),
seed AS (
    SELECT 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid AS classid, c.oid AS objid
    FROM pg_catalog.pg_class c WHERE c.relnamespace IN (SELECT oid FROM schema) AND c.relname IN (SELECT name FROM name)
    UNION ALL
    SELECT 'pg_catalog.pg_proc'::pg_catalog.regclass, p.oid
    FROM pg_catalog.pg_proc p WHERE p.pronamespace IN (SELECT oid FROM schema) AND p.proname IN (SELECT name FROM name)
    UNION ALL
    SELECT 'pg_catalog.pg_type'::pg_catalog.regclass, t.oid
    FROM pg_catalog.pg_type t WHERE t.typnamespace IN (SELECT oid FROM schema) AND t.typname IN (SELECT name FROM name)
    UNION ALL
    SELECT 'pg_catalog.pg_operator'::pg_catalog.regclass, o.oid
    FROM pg_catalog.pg_operator o
    -- Of a schema that is not searched only by OPERATOR(schema.=).
    WHERE o.oprnamespace IN (SELECT oid FROM schema WHERE searched OR EXISTS (SELECT FROM name WHERE name.name = 'operator'))
        AND o.oprname IN (SELECT name FROM operator)),
-- All that those lead to, without PostgreSQL's own: what each depends on; the parts of a relation; casts, operators and checks of a type.
reach (classid, objid) AS (
    SELECT s.classid, s.objid FROM seed s WHERE s.objid >= 16384
    UNION
    SELECT e.classid, e.objid
    FROM reach r, LATERAL (
        SELECT d.refclassid AS classid, d.refobjid AS objid
        FROM pg_catalog.pg_depend d
        WHERE d.classid = r.classid AND d.objid = r.objid AND d.refclassid IN (
            'pg_catalog.pg_class'::pg_catalog.regclass, 'pg_catalog.pg_proc'::pg_catalog.regclass,
            'pg_catalog.pg_type'::pg_catalog.regclass, 'pg_catalog.pg_operator'::pg_catalog.regclass,
            'pg_catalog.pg_opclass'::pg_catalog.regclass, 'pg_catalog.pg_opfamily'::pg_catalog.regclass)
        UNION ALL
        SELECT d.classid, d.objid
        FROM pg_catalog.pg_depend d
        WHERE d.refclassid = r.classid AND d.refobjid = r.objid AND CASE r.classid
            WHEN 'pg_catalog.pg_class'::pg_catalog.regclass THEN d.deptype <> 'n' AND (
                d.classid IN ('pg_catalog.pg_rewrite'::pg_catalog.regclass, 'pg_catalog.pg_policy'::pg_catalog.regclass,
                    'pg_catalog.pg_class'::pg_catalog.regclass, 'pg_catalog.pg_statistic_ext'::pg_catalog.regclass)
                OR d.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass AND EXISTS (
                    SELECT FROM pg_catalog.pg_constraint k WHERE k.oid = d.objid AND k.contype = 'c')
                -- Columns that are computed when they are read, of PostgreSQL 18.
                OR d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND EXISTS (
                    SELECT FROM pg_catalog.pg_attrdef f JOIN pg_catalog.pg_attribute a ON a.attrelid = f.adrelid AND a.attnum = f.adnum
                    WHERE f.oid = d.objid AND a.attgenerated = 'v'))
            ELSE d.classid IN ('pg_catalog.pg_constraint'::pg_catalog.regclass, 'pg_catalog.pg_cast'::pg_catalog.regclass,
                'pg_catalog.pg_operator'::pg_catalog.regclass, 'pg_catalog.pg_opclass'::pg_catalog.regclass,
                'pg_catalog.pg_amop'::pg_catalog.regclass, 'pg_catalog.pg_amproc'::pg_catalog.regclass)
                AND r.classid IN ('pg_catalog.pg_type'::pg_catalog.regclass, 'pg_catalog.pg_opclass'::pg_catalog.regclass,
                    'pg_catalog.pg_opfamily'::pg_catalog.regclass)
            END
        UNION ALL
        SELECT r.classid, i.inhrelid FROM pg_catalog.pg_inherits i
        WHERE r.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND i.inhparent = r.objid
        UNION ALL
        SELECT r.classid, p.oid
        FROM pg_catalog.pg_operator o, LATERAL (VALUES (o.oprcom), (o.oprnegate)) p (oid)
        WHERE r.classid = 'pg_catalog.pg_operator'::pg_catalog.regclass AND o.oid = r.objid) e
    WHERE e.objid >= 16384),
bounded AS MATERIALIZED (
    SELECT r.classid, r.objid FROM reach r LIMIT 20001),
-- An owner who may act as this role already gains nothing.
code AS (
    SELECT (pg_catalog.pg_identify_object(b.classid, b.objid, 0)).identity AS function, o.rolname::text AS owner
    FROM bounded b JOIN pg_catalog.pg_proc p ON p.oid = b.objid JOIN pg_catalog.pg_roles o ON o.oid = p.proowner, me
    WHERE b.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND NOT o.rolsuper AND NOT pg_catalog.pg_has_role(o.oid, me.oid, 'MEMBER')
    ORDER BY 1 LIMIT 1),
-- PostgreSQL's functions that take a text for a query or a type: what they would run is nowhere recorded.
dynamic AS MATERIALIZED (
    SELECT ':funcid (' || pg_catalog.string_agg(p.oid::text, '|') || ') ' AS pattern
    FROM pg_catalog.pg_proc p
    WHERE p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
        AND (pg_catalog.strpos(p.proname::text, '_to_xml') > 0 OR pg_catalog.left(p.proname::text, 9) = 'pg_input_'))
SELECT pg_catalog.jsonb_build_object(
    'objects', (SELECT pg_catalog.count(*) FROM bounded),
    'code', (SELECT pg_catalog.to_jsonb(c) FROM code c),
    'foreign_table', (
        SELECT pg_catalog.min((pg_catalog.pg_identify_object(b.classid, b.objid, 0)).identity) FROM bounded b JOIN pg_catalog.pg_class c ON c.oid = b.objid
        WHERE b.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND c.relkind = 'f'),
    'dynamic', EXISTS (
        SELECT FROM name n WHERE pg_catalog.strpos(n.name::text, '_to_xml') > 0 OR pg_catalog.left(n.name::text, 9) = 'pg_input_')
        OR EXISTS (
        SELECT FROM dynamic d, bounded b LEFT JOIN pg_catalog.pg_rewrite w ON w.oid = b.objid
            AND b.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
        LEFT JOIN pg_catalog.pg_policy p ON p.oid = b.objid AND b.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass
        LEFT JOIN pg_catalog.pg_constraint k ON k.oid = b.objid AND b.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass
        WHERE b.classid IN ('pg_catalog.pg_rewrite'::pg_catalog.regclass, 'pg_catalog.pg_policy'::pg_catalog.regclass,
                'pg_catalog.pg_constraint'::pg_catalog.regclass)
            AND pg_catalog.concat(w.ev_action, w.ev_qual, p.polqual, k.conbin) ~ d.pattern))::text AS value
