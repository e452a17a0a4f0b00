-- Reading is pg_monitor's, controlling is whom it is granted to, and everybody else is told no.
CREATE ROLE ebs_nobody;
CREATE ROLE ebs_reader IN ROLE pg_monitor;
CREATE ROLE ebs_driver IN ROLE pg_monitor;
GRANT EXECUTE ON FUNCTION ebs_run_begin, ebs_run_mark, ebs_run_end, ebs_run_result, ebs_run_drop TO ebs_driver;

SET ROLE ebs_nobody;
SELECT ebs_advise();
SELECT * FROM ebs_price('gp3', 100);
SELECT * FROM ebs.runs;
SELECT ebs_run_begin('mine');

SET ROLE ebs_reader;
SELECT count(*) > 0 AS answered FROM ebs_advise();
SELECT count(*) > 0 AS answered FROM ebs_status();
SELECT count(*) > 0 AS answered FROM ebs_price('gp3', 100);
SELECT count(*) AS runs FROM ebs.runs;
SELECT ebs_run_begin('mine');
DELETE FROM ebs.sample_block;

SET ROLE ebs_driver;
SELECT ebs_run_begin('mine') > 0 AS begun;
SELECT ebs_run_end();
SELECT ebs_run_result('mine', tps => 1);
SELECT label, tps FROM ebs.runs;
SELECT ebs_run_drop('mine');

RESET ROLE;
DROP OWNED BY ebs_nobody, ebs_reader, ebs_driver;
DROP ROLE ebs_nobody, ebs_reader, ebs_driver;
