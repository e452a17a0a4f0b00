-- Reading is pg_monitor's, controlling is whom it is granted to, and everybody else is told no.
CREATE ROLE ebs_nobody;
CREATE ROLE ebs_reader IN ROLE pg_monitor;
CREATE ROLE ebs_driver IN ROLE pg_monitor;
GRANT EXECUTE ON FUNCTION ebs_run_begin, ebs_run_mark, ebs_run_end, ebs_run_result, ebs_run_drop,
    ebs_volume_declare, ebs_instance_declare TO ebs_driver;

SET ROLE ebs_nobody;
SELECT ebs_advise();
SELECT * FROM ebs_price('gp3', 100);
SELECT * FROM ebs.runs;
SELECT ebs_run_begin('mine');
SELECT ebs_volume_declare('data', 'gp3', 500);
SELECT ebs_instance_declare('m5.large');
SELECT ebs_import_prices('[]');
SELECT ebs_run_export('mine');
SELECT ebs_prices_reset();
SELECT ebs_balance();
SELECT ebs_sample();
SELECT ebs_status();
SELECT count(*) FROM ebs.volume_declared;
-- and whatever is added later: nothing of the extension's is for everybody
SELECT proname FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
    JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'ebs_advisor' WHERE has_function_privilege('ebs_nobody', p.oid, 'EXECUTE');

SET ROLE ebs_reader;
SELECT count(*) > 0 AS answered FROM ebs_advise();
SELECT count(*) > 0 AS answered FROM ebs_status();
SET client_min_messages = warning; -- how much was sampled by now nobody knows
SELECT count(*) >= 0 AS answered FROM ebs_balance();
SELECT count(*) >= 0 AS answered FROM ebs_sample();
SELECT count(*) >= 0 AS answered FROM ebs_io_mix(), ebs_io_sources(), ebs_waits(), ebs_workload(), ebs_device_samples(), ebs_options(),
    ebs_whatif(size_gib => 100), ebs_frontier(), ebs_chart(), ebs_report_html();
RESET client_min_messages;
SELECT count(*) > 0 AS answered FROM ebs_price('gp3', 100), ebs_prices();
SELECT count(*) AS imported FROM ebs.price;
SELECT count(*) AS runs FROM ebs.runs;
SELECT ebs_run_begin('mine');
SELECT ebs_volume_declare('data', 'gp3', 500);
SELECT ebs_instance_declare('m5.large');
SELECT count(*) AS declared FROM ebs.volume_declared, ebs.instance_declared;
DELETE FROM ebs.sample_block;
DELETE FROM ebs.price;
SELECT ebs_import_prices('[]');
SELECT ebs_run_mark('mine');
SELECT ebs_run_end();
SELECT ebs_run_drop('mine');
SELECT ebs_run_result('mine', tps => 1);
SELECT ebs_import_samples('mine', 'sdf', '[]');
-- all that changes something is refused, and nothing else
SELECT string_agg(proname, ', ' ORDER BY proname) AS refused FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid
    AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e' JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'ebs_advisor'
    WHERE NOT has_function_privilege('ebs_reader', p.oid, 'EXECUTE');

SET ROLE ebs_driver;
SELECT ebs_run_begin('mine') > 0 AS begun;
SELECT ebs_run_end();
SELECT ebs_run_result('mine', tps => 1);
SELECT label, tps FROM ebs.runs;
SELECT ebs_run_drop('mine');
SELECT ebs_instance_declare('m5.large');
SELECT detail FROM ebs_status() WHERE "check" = 'instance' AND detail LIKE '%(declared)';

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
