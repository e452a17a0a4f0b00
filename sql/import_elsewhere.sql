-- Demand of servers that are not this one. The reports are in sql/reports, which says where each comes from.
SET timezone = 'UTC';
\pset null -
\set iostat `cat sql/reports/iostat-12.txt`
\set iostat_json `cat sql/reports/iostat-12.json`
\set iostat_old `cat sql/reports/iostat-10-en_US.txt`
\set sar `cat sql/reports/sar-12.txt`
\set sar_old `cat sql/reports/sar-10-en_US.txt`
\set sadf_csv `cat sql/reports/sadf-12.csv`
\set sadf_json `cat sql/reports/sadf-12.json`
\set rds `cat sql/reports/cloudwatch-rds.json`
\set ebs `cat sql/reports/cloudwatch-ebs.json`

SELECT ebs_import_iostat('iostat', :'iostat');
SELECT ebs_import_iostat('iostat json', :'iostat_json', 'vda');
SELECT ebs_import_iostat('iostat two', :'iostat_old', 'sdf', 'sda', time_zone => 'Europe/Paris');
SELECT ebs_import_sar('sar', :'sar');
SELECT ebs_import_sar('sar old', :'sar_old', 'dev8-80');
SELECT ebs_import_sar('sadf csv', :'sadf_csv');
SELECT ebs_import_sar('sadf json', :'sadf_json');
SELECT ebs_import_cloudwatch('rds', :'rds');
SELECT ebs_import_cloudwatch('ebs', :'ebs', 'vol-0data', wal_device => 'vol-0wal', period_s => 300);
SELECT ebs_import_awr('awr', '[
  {"begin": "2026-11-20 10:00", "end": "2026-11-20 11:00", "read_requests": 12996000, "write_requests": 2725200, "read_bytes": 428000000000, "write_bytes": 87000000000, "redo_writes": 360000, "redo_bytes": 3600000000},
  {"begin": "2026-11-20 09:00", "end": "2026-11-20 10:00", "read_requests": 3600000, "write_requests": 360000, "read_bytes": 29491200000, "write_bytes": 2949120000, "redo_writes": 36000, "redo_bytes": 360000000}]');
SELECT ebs_import_awr('awr rates', '[{"begin": "2026-11-20 10:00", "end": "2026-11-20 10:30", "read_requests": 3610.28, "write_requests": 757.11, "read_bytes": 29575413, "write_bytes": 6202245}]', per_second => true);

SELECT label, started_at, duration, environment ->> 'imported_from' AS source FROM ebs.runs_detail ORDER BY run_id;
-- 1,500 reads a second over half a minute, 0.4 ms each.
SELECT ended_at, seconds, volume, reads, writes, read_bytes, write_bytes, read_ms, write_ms
FROM ebs_device_samples('iostat two') ORDER BY ended_at, volume;
-- The time between 10:02 and 10:03 is not known, and is not zero.
SELECT ended_at, seconds, volume, reads, writes, read_bytes, write_bytes, read_ms, write_ms FROM ebs_device_samples('rds');
SELECT ended_at, seconds, volume, reads, writes, read_ms FROM ebs_device_samples('ebs') ORDER BY ended_at, volume;
SELECT ended_at, seconds, volume, reads, writes, write_bytes, read_ms FROM ebs_device_samples('awr');

-- Averages over minutes: the upper end of p99 is 60^0.2 = 2.27 times as far above the mean as theirs.
SELECT label, volume, role, unit, round(mean::numeric, 1) AS mean, round(p99::numeric, 1) AS p99, round(max::numeric, 1) AS max,
       round(p99_low::numeric, 1) AS p99_low, round(p99_high::numeric, 1) AS p99_high
FROM ebs.runs_detail, ebs_io_mix(label) WHERE metric = 'requests' ORDER BY run_id, volume;
SELECT round((mean + (max - mean) * 60 ^ 0.2)::numeric, 1) AS p99_high FROM ebs_io_mix('rds') WHERE metric = 'requests';

-- Everything works on each.
SELECT label, role, count(*) > 3 AS options, count(*) FILTER (WHERE feasible) > 0 AS feasible
FROM ebs.runs_detail, ebs_options_detail(label, min_size_gib => 100) GROUP BY run_id, label, role ORDER BY run_id, role;
SELECT count(*) FILTER (WHERE feasible) > 0 AS feasible_on_rds FROM ebs_options_detail('rds', platform => 'rds', min_size_gib => 400);
SELECT line FROM ebs_advise('rds', min_size_gib => 100, show => 'all') line WHERE line ~ '^(EBS|Evidence|I/O demand|  requests|  MiB/s  )';
SELECT string_agg(line, E'\n') FROM ebs_advise('sar old', min_size_gib => 100, show => 'all') WITH ORDINALITY a (line, n)
WHERE n >= (SELECT n FROM ebs_advise('sar old', min_size_gib => 100, show => 'all') WITH ORDINALITY b (line, n) WHERE line LIKE 'Limitations%');
SELECT regexp_replace(string_agg(line, ' '), '\s+', ' ', 'g') LIKE '%requests of another database%redo: the reports do not have it%' AS doubts FROM ebs_advise('awr rates', show => 'all') line;

-- A report without times says them elsewhere.
SELECT ebs_import_iostat('untimed', regexp_replace(:'iostat', '^11/21/26 17:.*?$', '', 'ng'), started_at => '2026-01-01 00:00+00', interval_s => 10);
SELECT started_at, duration FROM ebs.runs_detail WHERE label = 'untimed';
SELECT ebs_import_iostat('first too', :'iostat', since_boot => false);
-- The fourth of March or the third of April.
SELECT ebs_import_iostat('mdy', replace(:'iostat', '11/21/26', '04/03/26'));
SET datestyle = 'ISO, DMY';
SELECT ebs_import_iostat('dmy', replace(:'iostat', '11/21/26', '04/03/26'));
SELECT label, started_at FROM ebs.runs_detail WHERE label IN ('mdy', 'dmy') ORDER BY run_id;
RESET datestyle;
DO $$ BEGIN PERFORM ebs_run_drop(label) FROM ebs.runs_detail; END $$;

-- What is refused imports nothing.
SELECT ebs_import_iostat('bad', NULL);
SELECT ebs_import_iostat('bad', 'hello');
SELECT ebs_import_iostat('bad', :'iostat_old');
SELECT ebs_import_iostat('bad', :'iostat_old', 'sdz');
SELECT ebs_import_iostat('bad', :'iostat_old', 'sda', 'sda');
SELECT ebs_import_iostat('bad', :'iostat', time_zone => 'Moon/Sea');
SELECT ebs_import_iostat('bad', left(:'iostat', -30));
SELECT ebs_import_iostat('bad', left(:'iostat_json', 3000));
SELECT ebs_import_iostat('bad', replace(:'iostat', '431.60', '431.6k'));
SELECT ebs_import_iostat('bad', replace(:'iostat', '11/21/26 17:', 'at 17:'));
SELECT ebs_import_iostat('bad', :'iostat', started_at => 'infinity', interval_s => 10);
SELECT ebs_import_iostat('bad', :'iostat', started_at => '2026-01-01', interval_s => 0);
SELECT ebs_import_sar('bad', :'iostat');
SELECT ebs_import_sar('bad', :'sar_old');
SELECT ebs_import_sar('bad', replace(:'sadf_csv', ' UTC;', ' o''clock;'));
SELECT ebs_import_cloudwatch('bad', NULL);
SELECT ebs_import_cloudwatch('bad', '{"Datapoints": []}');
SELECT ebs_import_cloudwatch('bad', '{"MetricDataResults": []}');
SELECT ebs_import_cloudwatch('bad', replace(:'rds', '"WriteIOPS"', '"CPUUtilization"')::jsonb);
SELECT ebs_import_cloudwatch('bad', replace(:'rds', '"Complete"', '"PartialData"')::jsonb);
SELECT ebs_import_cloudwatch('bad', :'rds', period_s => 300);
SELECT ebs_import_cloudwatch('bad', :'ebs');
SELECT ebs_import_awr('bad', NULL);
SELECT ebs_import_awr('bad', '[{"begin": "2026-11-20 10:00", "end": "infinity"}]');
SELECT ebs_import_awr('bad', '[{"begin": "2026-11-20 10:00", "end": "2026-11-20 11:00", "read_requests": 1}]');
SELECT ebs_import_awr('bad', '[{"begin": "2026-11-20 10:00", "end": "2026-11-20 11:00", "read_requests": 1, "write_requests": 1, "read_bytes": 1, "write_bytes": 1}]', redo_apart => true);
SELECT ebs_import_awr('bad', '[{"begin": "2026-11-20 10:00", "end": "eleven"}]');
SELECT ebs_import_awr('bad', '[{"begin": "2026-11-20 10:00", "end": "2026-11-20 11:00", "read_requests": "many"}]');
SELECT ebs_import_awr('bad', '[{"begin": "2026-11-20 10:00", "end": "2026-11-20 11:00", "redo_write": 1}]');
\set VERBOSITY sqlstate
SELECT ebs_import_iostat('bad', 'hello');
SELECT ebs_import_iostat('bad', :'iostat_old');
SELECT ebs_import_iostat('bad', :'iostat_old', 'sdz');
\set VERBOSITY default
SELECT count(*) AS runs FROM ebs.runs_detail;
