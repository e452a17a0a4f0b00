-- Arguments out of range and unknown names: an error with a hint, never an answer.
SELECT ebs_advise(percentile => 101);
SELECT ebs_advise(percentile => 49.9);
SELECT ebs_advise(percentile => 'NaN');
SELECT ebs_advise(headroom => -0.1);
SELECT ebs_advise(headroom => 'Infinity');
SELECT ebs_advise(max_throttled_pct => -1);
SELECT ebs_advise(max_throttled_pct => 100.1);
SELECT ebs_advise(keep_throughput_pct => 49);
SELECT ebs_advise(max_volumes => 0);
SELECT ebs_advise(max_volumes => 29);
SELECT ebs_advise(min_size_gib => 0);
SELECT ebs_advise(min_size_gib => -5);
SELECT ebs_advise(durability_pct => 100);
SELECT ebs_advise(durability_pct => 0.99999);
SELECT ebs_advise(instance => 'db.r6i.large');
SELECT ebs_advise(min_throughput_ratio => -0.1);
SELECT ebs_advise(latency_target_ms => 0);
SELECT ebs_advise(latency_target_ms => 'NaN');
SELECT ebs_advise(budget_usd => 0);
SELECT ebs_advise(budget_usd => 'NaN');
SELECT ebs_advise(budget_usd => 1e30);
SELECT ebs_advise(lookback => '0');
SELECT ebs_advise(lookback => '-1 day');
SELECT ebs_advise(lookback => '100 years');
SELECT ebs_advise(platform => 'azure');
SELECT ebs_advise(region => 'us-east');
SELECT ebs_advise(region => 'atlantis');
SELECT ebs_advise(instance => 'r6i.5xlarge');
SELECT ebs_advise(instance => '');
SELECT ebs_advise(show => 'everything');
SELECT ebs_advise(show => '');
SELECT * FROM ebs_io_mix(lookback => '-1 day');
-- NULL means what holds when nothing is said.
SELECT count(*) > 0 AS answered FROM ebs_options_detail(percentile => NULL, headroom => NULL, region => NULL, platform => NULL,
    max_volumes => NULL, max_throttled_pct => NULL, lookback => NULL);

-- SQLSTATEs, for programs.
CREATE FUNCTION sqlstate_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END $$;
SELECT statement, sqlstate_of(statement) FROM unnest(ARRAY[
    $$SELECT ebs_advise('nobody')$$,
    $$SELECT ebs_advise(region => 'atlantis')$$,
    $$SELECT ebs_advise(percentile => 101)$$,
    $$SELECT ebs_price('gp3', 1, 3001)$$,
    $$SELECT ebs_price('gp3', NULL)$$,
    $$SELECT ebs_run_end()$$,
    $$SELECT ebs_run_begin('')$$]) AS statement;
DROP FUNCTION sqlstate_of;
-- A run has a beginning and an end of its own: a look-back beside it is refused, the default cannot be told from none.
SELECT ebs_import_samples('own', 'sdf', '[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 8192, "write_bytes": 8192}, {"ts": "2026-01-01 00:00:01", "reads": 1, "writes": 1, "read_bytes": 8192, "write_bytes": 8192}]');
SELECT ebs_advise('own', lookback => '1 day');
\echo :SQLSTATE
SELECT * FROM ebs_io_mix('own', '1 hour');
SELECT count(*) FROM ebs_device_samples('own', '14 days');
SELECT count(*) AS samples FROM ebs_device_samples('own');
SELECT count(*) AS samples FROM ebs_device_samples('own', lookback => NULL);
SELECT count(*) > 0 AS answered FROM ebs_advise('own', lookback => '14 days');
SELECT ebs_run_drop('own');
-- Names of any length are refused at once, and quoted as far as names go.
SELECT ebs_advise(instance => repeat('x', 20000000));
\echo :SQLSTATE
SELECT ebs_advise(region => repeat('x', 20000000));
SELECT ebs_advise(platform => repeat(' ', 20000000));
\set VERBOSITY terse
SELECT * FROM ebs_whatif(NULL, repeat('x', 20000000));
\set VERBOSITY default
SELECT * FROM ebs_price('gp3', 100, platform => repeat('x', 20000000));
SELECT ebs_chart(metric => repeat('x', 20000000));
\set VERBOSITY terse
SELECT ebs_volume_declare(repeat('x', 20000000), 'gp3', 500);
\set VERBOSITY default
SELECT ebs_volume_declare(repeat('x', 20000000), NULL, NULL);
SELECT ebs_instance_declare(repeat('x', 20000000));
SELECT ebs_run_begin(repeat('x', 20000000));
SELECT ebs_import_samples('named', 'sdf', '[{"ts": "2026-01-01", "reads": 1, "writes": 1, "read_bytes": 8192, "write_bytes": 8192}, {"ts": "2026-01-01 00:00:01", "reads": 1, "writes": 1, "read_bytes": 8192, "write_bytes": 8192}]');
SELECT ebs_advise(repeat('x', 20000000));
SELECT * FROM ebs_compare(repeat('x', 20000000) || '*', 'named');
SELECT ebs_run_rename('named', repeat('x', 20000000));
SELECT ebs_run_tag('named', repeat('x', 20000000));
SELECT ebs_run_untag('named', repeat('x', 20000000));
SELECT ebs_advise(repeat('x', 20000000), lookback => '1 day');
SELECT ebs_run_drop('named');
