-- reading: pg_monitor; controlling: whoever is granted it

-- Nothing is created any more: names are PostgreSQL's alone.
SET LOCAL search_path TO pg_catalog, pg_temp;

DO $$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN SELECT objid::regprocedure FROM pg_depend
             WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND classid = 'pg_proc'::regclass
               AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ebs_advisor')
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
        IF (SELECT NOT prosecdef FROM pg_proc WHERE oid = f) THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO pg_monitor', f);
        END IF;
    END LOOP;
END $$;

GRANT USAGE ON SCHEMA ebs TO pg_monitor;
GRANT SELECT ON ebs.run, ebs.run_mark, ebs.run_result, ebs.run_fio, ebs.run_reading, ebs.sample_block, ebs.volume_declared, ebs.instance_declared,
    ebs.price, ebs.runs TO pg_monitor;
