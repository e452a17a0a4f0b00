-- The extension can be created, and every object of it is described.
CREATE EXTENSION ebs_advisor;

-- Tests wait for what they look for, never for a time: the limit is one that only a defect reaches.
CREATE FUNCTION await(condition text) RETURNS boolean LANGUAGE plpgsql SET client_min_messages = warning AS $$
DECLARE
    met boolean;
BEGIN
    FOR i IN 1 .. 3000 LOOP
        PERFORM pg_stat_clear_snapshot();
        EXECUTE 'SELECT ' || condition INTO met;
        IF met THEN RETURN true; END IF;
        PERFORM pg_sleep(0.1);
    END LOOP;
    RETURN false;
END $$;
-- Two samples now: the sampler has read the settings before the second of them.
CREATE PROCEDURE look() LANGUAGE plpgsql AS $$
BEGIN
    PERFORM ebs_run_begin('look');
    COMMIT;
    PERFORM ebs_run_end();
    PERFORM ebs_run_drop('look');
END $$;
-- On the overlay of a container, or in memory, there is no block device, so that what rests on one is not to be had.
CREATE FUNCTION no_device() RETURNS boolean LANGUAGE sql AS $$
    SELECT bool_or(NOT ok) FROM ebs_status() WHERE "check" = 'device'
$$;

-- The launcher finds the database and starts the sampler by itself.
SELECT await($$ (SELECT ok FROM ebs_status() WHERE "check" = 'samples') $$) AS sampling;
SELECT backend_type, datname = current_database() AS here FROM pg_stat_activity WHERE backend_type LIKE 'ebs_advisor%' ORDER BY 1;

-- Without a comment: none.
SELECT pg_describe_object(classid, objid, 0) AS undescribed
FROM pg_depend d
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ebs_advisor')
  AND classid IN ('pg_proc'::regclass, 'pg_class'::regclass, 'pg_namespace'::regclass)
  AND NOT EXISTS (SELECT FROM pg_class c WHERE d.classid = 'pg_class'::regclass AND c.oid = d.objid AND c.relkind IN ('i', 'S'))
  AND obj_description(objid, classid::regclass::name) IS NULL;

-- Columns without a comment: none.
SELECT attrelid::regclass, attname
FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid
WHERE c.relnamespace = 'ebs'::regnamespace AND c.relkind IN ('r', 'v') AND attnum > 0
  AND col_description(attrelid, attnum) IS NULL;

-- What there is to call; those that import demand are declared by their formats, and docs/reference.md has them all.
SELECT p.oid::regprocedure AS function, provolatile AS volatile, prosecdef AS definer
FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ebs_advisor') AND p.prosrc <> 'ebs_import_demand_wrapper'
ORDER BY p.oid::regprocedure::text COLLATE "C";

-- Kept by pg_dump.
SELECT unnest(extconfig)::regclass AS kept FROM pg_extension WHERE extname = 'ebs_advisor' ORDER BY 1;
