-- reading: pg_monitor; controlling: whoever is granted it
--
-- An upgrade runs this, too. Objects that an earlier version of the extension has granted on have initial privileges and are
-- not changed: what was granted or revoked since stays, and pg_dump still dumps it as the user's.

-- From here on nothing is created: all names are PostgreSQL's.
SET LOCAL search_path TO pg_catalog, pg_temp;

DO $$
DECLARE
    extension CONSTANT oid := (SELECT oid FROM pg_extension WHERE extname = 'ebs_advisor');
    f regprocedure;
    r regclass;
BEGIN
    FOR f IN SELECT objid::regprocedure FROM pg_depend
             WHERE refclassid = 'pg_extension'::regclass AND refobjid = extension AND deptype = 'e' AND classid = 'pg_proc'::regclass
               AND NOT EXISTS (SELECT FROM pg_init_privs WHERE objoid = objid AND classoid = classid)
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
        IF (SELECT NOT prosecdef FROM pg_proc WHERE oid = f) THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO pg_monitor', f);
        END IF;
    END LOOP;
    FOREACH r IN ARRAY '{ebs.run, ebs.run_mark, ebs.run_result, ebs.run_fio, ebs.run_reading, ebs.sample_block, ebs.volume_declared,
                         ebs.instance_declared, ebs.configuration, ebs.price, ebs.demand_bin, ebs.fleet_answer,
                         ebs.fleet_latest, ebs.fleet_changes, ebs.fleet_savings, ebs.runs, ebs.runs_detail}'::regclass[]
    LOOP
        IF NOT EXISTS (SELECT FROM pg_init_privs WHERE objoid = r AND classoid = 'pg_class'::regclass) THEN
            EXECUTE format('GRANT SELECT ON %s TO pg_monitor', r);
        END IF;
    END LOOP;
    IF NOT EXISTS (SELECT FROM pg_init_privs WHERE objoid = 'ebs'::regnamespace AND classoid = 'pg_namespace'::regclass) THEN
        GRANT USAGE ON SCHEMA ebs TO pg_monitor;
    END IF;
END $$;
