-- Everything that belongs to the extension, a property a line, in an order that does not depend on when it was made: two
-- databases in which this is the same have the same extension. pg_attver, which 17.12 keeps with columns, is its own affair.
-- Whatever kind of object it does not know it says so.
WITH extension AS (
    SELECT * FROM pg_extension WHERE extname = 'ebs_advisor'
), member AS (
    SELECT classid, objid, type, identity
    FROM pg_depend d JOIN extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e',
        pg_identify_object(classid, objid, 0)
), relation AS (
    SELECT c.*, identity FROM pg_class c JOIN member ON classid = 'pg_class'::regclass AND objid = c.oid
), property (object, name, value) AS (
    SELECT 'extension', 'version', extversion FROM extension
    UNION ALL SELECT 'extension', 'schema', extnamespace::regnamespace::text FROM extension
    UNION ALL SELECT 'extension', 'owner', extowner::regrole::text FROM extension
    UNION ALL SELECT 'extension', 'relocatable', extrelocatable::text FROM extension
    UNION ALL SELECT 'extension', 'comment', obj_description(oid, 'pg_extension') FROM extension
    UNION ALL SELECT 'extension', 'rows dumped of ' || kept::regclass, 'WHERE ' || condition
        FROM extension, unnest(extconfig, extcondition) AS config (kept, condition)
    UNION ALL SELECT identity, 'kind', CASE WHEN type IN ('schema', 'function', 'table', 'view', 'sequence', 'type') THEN type
        ELSE type || ', WHICH IS NOT COMPARED' END FROM member
    UNION ALL SELECT identity, 'comment', obj_description(objid, classid::regclass::name) FROM member
    UNION ALL SELECT identity, 'initial privileges', string_agg(acl::text, ' ' ORDER BY acl::text COLLATE "C")
        FROM member JOIN pg_init_privs ON objoid = objid AND classoid = classid, unnest(initprivs) acl GROUP BY identity, objsubid
    -- schemas, functions, types
    UNION ALL SELECT identity, 'owner', nspowner::regrole::text FROM pg_namespace n JOIN member ON classid = 'pg_namespace'::regclass AND objid = n.oid
    UNION ALL SELECT identity, 'privilege', acl::text FROM pg_namespace n JOIN member ON classid = 'pg_namespace'::regclass AND objid = n.oid, unnest(nspacl) acl
    UNION ALL SELECT identity, 'definition', pg_get_functiondef(p.oid) FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
    UNION ALL SELECT identity, 'owner', proowner::regrole::text FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
    UNION ALL SELECT identity, 'privilege', acl::text FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid, unnest(proacl) acl
    UNION ALL SELECT identity, 'type', format('%s of %s, element %s, owner %s', typtype, typrelid::regclass, typelem::regtype, typowner::regrole)
        FROM pg_type t JOIN member ON classid = 'pg_type'::regclass AND objid = t.oid
    UNION ALL SELECT identity, 'privilege', acl::text FROM pg_type t JOIN member ON classid = 'pg_type'::regclass AND objid = t.oid, unnest(typacl) acl
    -- relations
    UNION ALL SELECT identity, 'relation', format('%s %s %s options %s row security %s %s replica identity %s', relkind, relpersistence, relowner::regrole, reloptions,
        relrowsecurity, relforcerowsecurity, relreplident) FROM relation
    UNION ALL SELECT identity, 'privilege', acl::text FROM relation, unnest(relacl) acl
    UNION ALL SELECT identity, 'definition', pg_get_viewdef(oid) FROM relation WHERE relkind = 'v'
    UNION ALL SELECT identity, 'sequence', format('%s from %s by %s, %s to %s, cache %s, cycle %s', seqtypid::regtype, seqstart, seqincrement,
        seqmin, seqmax, seqcache, seqcycle) FROM relation JOIN pg_sequence ON seqrelid = oid
    UNION ALL SELECT identity, 'owned by', format('%s.%s', refobjid::regclass, attname) FROM relation r
        JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = r.oid AND d.deptype IN ('a', 'i') AND relkind = 'S'
        JOIN pg_attribute a ON a.attrelid = refobjid AND a.attnum = refobjsubid
    UNION ALL SELECT identity, 'column ' || attnum, format('%I %s not null %s default %s identity %s generated %s storage %s compression %s collation %s statistics %s options %s privileges %s',
        attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attidentity, attgenerated, attstorage, attcompression,
        attcollation::regcollation, attstattarget,
        ARRAY(SELECT o FROM unnest(attoptions) o WHERE o NOT LIKE 'pg\_attver=%'), attacl)
        FROM relation r JOIN pg_attribute a ON attrelid = r.oid AND attnum > 0 LEFT JOIN pg_attrdef ON adrelid = r.oid AND adnum = attnum
    UNION ALL SELECT identity, 'comment on column ' || attname, col_description(attrelid, attnum) FROM relation r JOIN pg_attribute ON attrelid = r.oid AND attnum > 0
    UNION ALL SELECT identity, 'constraint ' || conname, format('%s validated %s %s', pg_get_constraintdef(k.oid), convalidated, obj_description(k.oid, 'pg_constraint'))
        FROM relation r JOIN pg_constraint k ON conrelid = r.oid
    UNION ALL SELECT identity, 'index', format('%s valid %s %s', pg_get_indexdef(indexrelid), indisvalid, obj_description(indexrelid, 'pg_class'))
        FROM relation r JOIN pg_index ON indrelid = r.oid
    UNION ALL SELECT identity, 'trigger', format('%s enabled %s', pg_get_triggerdef(t.oid), tgenabled)
        FROM relation r JOIN pg_trigger t ON tgrelid = r.oid AND NOT tgisinternal
    UNION ALL SELECT identity, 'rule', format('%s enabled %s', pg_get_ruledef(w.oid), ev_enabled)
        FROM relation r JOIN pg_rewrite w ON ev_class = r.oid AND rulename <> '_RETURN'
    UNION ALL SELECT identity, 'policy', polname FROM relation r JOIN pg_policy ON polrelid = r.oid
    UNION ALL SELECT identity, 'statistics', pg_get_statisticsobjdef(s.oid) FROM relation r JOIN pg_statistic_ext s ON stxrelid = r.oid
)
SELECT format('%s | %s | %s', object, name, value) FROM property WHERE value IS NOT NULL ORDER BY format('%s | %s | %s', object, name, value) COLLATE "C";
