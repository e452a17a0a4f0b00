-- Aurora I/O-Optimized against Standard.
\pset null -
\set hours `cat sql/reports/cloudwatch-aurora.json`
-- A month of hours, and of sizes: AWS's example, 1.2 billion requests a month, 800 GiB, two instances at $1.038 an hour, is $1,835 on
-- Standard, of which requests are 13.1 %, and $2,150 on I/O-Optimized. 1,644,000 requests an hour here, 1,200.12 million in 730 hours.
CREATE TEMP TABLE answer AS SELECT jsonb_build_object('MetricDataResults', jsonb_build_array(
    jsonb_build_object('Id', 'm1', 'Label', 'VolumeReadIOPs', 'StatusCode', 'Complete', 'Timestamps', jsonb_agg(at), 'Values', jsonb_agg(1000000)),
    jsonb_build_object('Id', 'm2', 'Label', 'VolumeWriteIOPs', 'StatusCode', 'Complete', 'Timestamps', jsonb_agg(at), 'Values', jsonb_agg(644000)),
    jsonb_build_object('Id', 'm3', 'Label', 'VolumeBytesUsed', 'StatusCode', 'Complete', 'Timestamps', jsonb_agg(at), 'Values', jsonb_agg(858993459200))))
    AS metrics FROM (SELECT to_char(timestamp '2026-11-01' + i * interval '1 h', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at FROM generate_series(0, 719) i) t;
\x
SELECT a.* FROM answer, ebs_aurora(metrics, 2.076) a;
\x
-- Twice the requests of the break-even, and other prices.
\set money 'storage_type, cheaper, usd_month, usd_month_saved, usd_instances, usd_storage, usd_requests'
SELECT :money FROM answer, ebs_aurora(metrics, 0.1);
SELECT :money, price_date FROM answer, ebs_aurora(metrics, 1, 'eu-west-1', storage_usd => 0.11, requests_usd => 0.22,
    optimized_storage_usd => 0.248, optimized_instances_usd_hour => 1.3);
-- At the break-even both cost the same.
SELECT count(DISTINCT usd_month) AS costs, bool_or(cheaper) AS cheaper, min(requests_month - break_even_requests) AS apart
FROM answer, ebs_aurora(metrics, 2.076, requests_usd => 554.644 / 1200.12);

-- What is not known: the price of instances (240.02 - 100 of storage, / 0.3), that of I/O-Optimized's, a metric, most of a month.
SELECT :money, limitations FROM answer, ebs_aurora(metrics);
SELECT :money, limitations FROM answer, ebs_aurora(metrics, 1, 'eu-west-1', storage_usd => 0.11, requests_usd => 0.22, optimized_storage_usd => 0.248);
SELECT m.label AS missing, a.storage_type, a.usd_month, a.usd_storage, a.usd_requests, a.requests_month, a.break_even_requests, a.limitations
FROM answer, (VALUES (0, 'reads'), (1, 'writes'), (2, 'size')) m (i, label), ebs_aurora(metrics #- ARRAY['MetricDataResults', m.i::text], 1) a ORDER BY m.i, storage_type;
SELECT storage_type, requests_month, requests_month_low, size_gib, limitations FROM ebs_aurora(:'hours', 1);
-- The statistic Average of hours.
SELECT DISTINCT limitations FROM ebs_aurora(replace(:'hours', '2500000.0', '208333.3')::jsonb, 1);

-- Several clusters.
CREATE TEMP TABLE several AS SELECT replace(replace(:'hours', '"Volume', '"prod Volume'), 'prod VolumeWriteIOPs', 'test VolumeWriteIOPs')::jsonb AS metrics;
SELECT count(*) FROM several, ebs_aurora(metrics, 1);
SELECT count(*) FROM several, ebs_aurora(metrics, 1, cluster => 'staging');
SELECT storage_type, size_gib, limitations FROM several, ebs_aurora(metrics, 1, cluster => 'prod');

-- Refused.
SELECT count(*) FROM ebs_aurora(:'hours', region => 'eu-west-1');
SELECT count(*) FROM ebs_aurora(:'hours', region => 'us-esat-1', storage_usd => 0.1);
SELECT count(*) FROM ebs_aurora(:'hours', -1);
SELECT count(*) FROM ebs_aurora(:'hours', 'NaN');
SELECT count(*) FROM ebs_aurora(:'hours', requests_usd => 1000001);
SELECT count(*) FROM ebs_aurora(:'hours', period_s => 7);
SELECT count(*) FROM ebs_aurora(NULL);
SELECT count(*) FROM ebs_aurora('{"MetricDataResults": [{"Label": "ReadIOPS", "Timestamps": [], "Values": []}]}');
SELECT count(*) FROM ebs_aurora('{"MetricDataResults": [], "NextToken": "x"}');

-- Volumes are not advised there.
SELECT ebs_import_cloudwatch('aurora', :'hours');
SELECT ebs_advise('aurora', platform => 'aurora-postgresql');
SELECT count(*) FROM ebs_options(platform => 'aurora');
