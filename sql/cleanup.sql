-- The extension leaves nothing behind, and the sampler does not mind.
DROP EXTENSION ebs_advisor;
SELECT count(*) AS left FROM pg_namespace WHERE nspname = 'ebs';
SELECT count(*) AS left FROM pg_proc WHERE proname LIKE 'ebs\_%';
SELECT pg_sleep(2);
SELECT count(*) AS samplers FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler';
