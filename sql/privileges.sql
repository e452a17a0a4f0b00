-- Reading is pg_monitor's, controlling is whom it is granted to, and everybody else is told no. Every object of the extension is
-- walked; a new one without a class here fails.
CREATE ROLE ebs_nobody;
CREATE ROLE ebs_reader IN ROLE pg_monitor;
CREATE ROLE ebs_driver;
CREATE TEMP TABLE meant (class text, name text);
-- answer: pg_monitor calls it, with the caller's rights. control: a superuser, and whom it is granted to; it writes our tables with
-- the rights of their owner. No class reads a file of the server's: reports come as text.
INSERT INTO meant SELECT 'answer', unnest('{ebs_advise, ebs_advise_json, ebs_options, ebs_options_detail, ebs_whatif, ebs_frontier, ebs_findings,
    ebs_index_advice, ebs_report_html, ebs_chart, ebs_report_card, ebs_latency_histogram, ebs_compare, ebs_compare_change, ebs_io_mix, ebs_io_sources,
    ebs_io_sessions, ebs_balance, ebs_waits, ebs_workload, ebs_queries, ebs_nvme, ebs_nvme_histogram, ebs_device_samples, ebs_sample,
    ebs_demand_histogram, ebs_demand_metrics, ebs_help, ebs_status, ebs_aurora, ebs_price, ebs_prices, ebs_restore_time, ebs_runs, ebs_run_export}'::text[]);
INSERT INTO meant SELECT 'control', unnest('{ebs_run_begin, ebs_run_mark, ebs_run_end, ebs_run_result, ebs_run_drop, ebs_run_note,
    ebs_run_tag, ebs_run_untag, ebs_run_rename, ebs_run_import, ebs_import_configuration, ebs_configuration_reset, ebs_import_prices,
    ebs_prices_reset, ebs_volume_declare, ebs_instance_declare}'::text[]);
INSERT INTO meant SELECT 'control', "function" FROM ebs_help() WHERE task = 'imports';
-- read: pg_monitor selects. own: nobody but the owner.
INSERT INTO meant SELECT 'read', unnest('{run, run_mark, run_result, run_fio, run_reading, sample_block, price, configuration, volume_declared,
    instance_declared, runs, runs_detail, demand_bin, fleet_answer, fleet_latest, fleet_changes, fleet_savings}'::text[]);
INSERT INTO meant SELECT 'own', unnest('{run_run_id_seq, sample_block_block_id_seq}'::text[]);

CREATE TEMP VIEW ours AS SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'ebs_advisor'
    WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e';
CREATE TEMP VIEW functions AS SELECT p.*, m.class FROM ours JOIN pg_proc p ON p.oid = objid AND classid = 'pg_proc'::regclass
    LEFT JOIN meant m ON m.name = p.proname AND m.class IN ('answer', 'control');
CREATE TEMP VIEW relations AS SELECT c.*, m.class FROM ours JOIN pg_class c ON c.oid = objid AND classid = 'pg_class'::regclass
    LEFT JOIN meant m ON m.name = c.relname AND m.class IN ('read', 'own');

-- Kinds of objects there are, and those that nobody has thought about.
SELECT DISTINCT classid::regclass AS kind FROM ours WHERE classid <> 'pg_type'::regclass ORDER BY 1;
SELECT 'function' AS kind, proname AS unclassed FROM functions WHERE class IS NULL
UNION ALL SELECT 'relation', relname FROM relations WHERE class IS NULL
UNION ALL SELECT 'gone', name FROM meant WHERE name NOT IN (SELECT proname FROM functions UNION ALL SELECT relname FROM relations);

-- Who may call what: each is as its class says.
SELECT class, count(*) > 10 AS many, bool_and(NOT has_function_privilege('ebs_nobody', oid, 'EXECUTE')) AS nobody_none,
    bool_and(has_function_privilege('ebs_reader', oid, 'EXECUTE') = (class = 'answer')) AS reader_answers,
    bool_and(prosecdef = (class = 'control')) AS control_as_owner,
    bool_and(coalesce(proconfig = '{"search_path=pg_catalog, pg_temp"}', false)) AS fixed_path,
    bool_and(NOT EXISTS (SELECT FROM aclexplode(proacl) a WHERE a.grantee = 0) AND proacl IS NOT NULL) AS nothing_public,
    bool_and((SELECT rolsuper FROM pg_roles r WHERE r.oid = proowner)) AS owner_superuser
FROM functions GROUP BY class ORDER BY class;
SELECT class, relkind, count(*) > 0 AS some, bool_or(has_table_privilege('ebs_nobody', oid, 'SELECT')) AS nobody_reads,
    bool_and(has_table_privilege('ebs_reader', oid, 'SELECT')) AS reader_reads,
    bool_or(has_table_privilege('ebs_reader', oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')) AS reader_changes,
    bool_or(EXISTS (SELECT FROM aclexplode(relacl) a WHERE a.grantee = 0)) AS anything_public,
    bool_or(EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = relations.oid AND a.attacl IS NOT NULL)) AS columns_apart
FROM relations WHERE relkind <> 'S' GROUP BY class, relkind ORDER BY class, relkind;
SELECT class, bool_or(has_sequence_privilege(who, oid, 'USAGE, SELECT, UPDATE')) AS used_by_others
FROM relations, (VALUES ('ebs_nobody'), ('ebs_reader')) roles (who) WHERE relkind = 'S' GROUP BY class;
SELECT who, has_schema_privilege(who, 'ebs', 'USAGE') AS usage, has_schema_privilege(who, 'ebs', 'CREATE') AS creates
FROM (VALUES ('ebs_nobody'), ('ebs_reader'), ('public')) roles (who);

-- Each is called, without arguments: what is not allowed is refused for that reason, and nothing else is.
CREATE FUNCTION pg_temp.called(who text) RETURNS TABLE (class text, refused bigint, others bigint) LANGUAGE plpgsql AS $$
DECLARE
    f record;
    state text;
BEGIN
    CREATE TEMP TABLE told (class text, refused boolean);
    FOR f IN SELECT functions.class, format('SELECT count(*) FROM %s.%I(%s)', pronamespace::regnamespace, proname,
                 (SELECT string_agg('NULL', ', ') FROM generate_series(1, pronargs))) AS call FROM functions LOOP
        state := '';
        BEGIN
            PERFORM set_config('role', who, true);
            EXECUTE f.call;
        EXCEPTION WHEN OTHERS THEN
            state := SQLSTATE;
        END;
        PERFORM set_config('role', 'none', true);
        INSERT INTO told VALUES (f.class, state = '42501');
    END LOOP;
    RETURN QUERY SELECT told.class, count(*) FILTER (WHERE told.refused), count(*) FILTER (WHERE NOT told.refused) FROM told GROUP BY 1 ORDER BY 1;
    DROP TABLE told;
END $$;
SET client_min_messages = error; -- how much was sampled by now nobody knows
SELECT class, refused > 10 AS refused, others FROM pg_temp.called('ebs_nobody');
SELECT class, CASE class WHEN 'answer' THEN refused = 0 ELSE others = 0 END AS as_meant FROM pg_temp.called('ebs_reader');
RESET client_min_messages;

-- What is granted alone: control does what it does, an answer reads our tables and takes pg_monitor.
GRANT EXECUTE ON FUNCTION ebs_run_begin, ebs_run_mark, ebs_run_end, ebs_run_result, ebs_run_drop,
    ebs_volume_declare, ebs_instance_declare, ebs_advise TO ebs_driver;
SET ROLE ebs_driver;
SELECT ebs_run_begin('mine') > 0 AS begun;
SELECT ebs_run_end();
SELECT ebs_run_result('mine', tps => 1);
SELECT ebs_advise('mine');
SELECT label, tps FROM ebs.runs_detail;
RESET ROLE;
GRANT USAGE ON SCHEMA ebs TO ebs_driver;
GRANT SELECT ON ALL TABLES IN SCHEMA ebs TO ebs_driver;
SET ROLE ebs_driver;
SELECT count(*) > 0 AS answered FROM ebs_advise('mine');
SELECT count(*) FROM ebs_options_detail('mine');
RESET ROLE;
GRANT pg_monitor TO ebs_driver;
SET ROLE ebs_driver;
SELECT label, tps FROM ebs.runs_detail;
SELECT ebs_run_drop('mine');
SELECT ebs_instance_declare('m5.large');
SELECT detail FROM ebs_status() WHERE "check" = 'instance' AND detail LIKE '%(declared)';
DELETE FROM ebs.sample_block;
DELETE FROM ebs.price;
SELECT ebs_import_prices('[]');
SELECT ebs_import_samples('mine', 'sdf', '[]');

RESET ROLE;
-- in a read-only transaction: answers, none of which takes a transaction id, and the usual refusal
BEGIN READ ONLY;
SELECT count(*) > 0 AS answered, pg_current_xact_id_if_assigned() FROM ebs_advise();
SELECT count(*) > 0 AS answered, pg_current_xact_id_if_assigned() FROM ebs_status();
SELECT ebs_run_begin('mine');
ROLLBACK;
DELETE FROM ebs.instance_declared;
DROP OWNED BY ebs_nobody, ebs_reader, ebs_driver;
DROP ROLE ebs_nobody, ebs_reader, ebs_driver;
