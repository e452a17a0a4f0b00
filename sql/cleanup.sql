-- The extension leaves nothing behind, and the sampler does not mind.
DROP EXTENSION ebs_advisor;
SELECT count(*) AS left FROM pg_namespace WHERE nspname = 'ebs';
SELECT count(*) AS left FROM pg_proc WHERE proname LIKE 'ebs\_%';
-- A time in which it must not end: longer proves more, shorter never fails.
SELECT pg_sleep(1);
SELECT count(*) AS samplers FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler';
DROP FUNCTION await;
DROP PROCEDURE look;
DROP FUNCTION no_device;
