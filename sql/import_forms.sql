-- Reports in the forms of other locales, versions and commands: each has the same demand as in the form of import_elsewhere.
SET timezone = 'Europe/Paris';
\pset null -
\set iostat_zh `cat sql/reports/iostat-12-zh_CN.txt`
\set sar_all `cat sql/reports/sar-12-all.txt`
\set sadf_tz `cat sql/reports/sadf-12.7.json`
\set tail `cat sql/reports/rds-os-tail.txt`
\set fio `cat sql/reports/fio-3.33.json`

SELECT ebs_import_iostat('zh', :'iostat_zh', time_zone => 'UTC');
-- Kernel and host look like dates; a device has impossible values, and a USB device is called one.
SELECT ebs_import_sar('all', :'sar_all', 'nvme1n1', time_zone => 'UTC');
SELECT ebs_import_sar('tz', :'sadf_tz');
SELECT ebs_import_rds_os('tail', :'tail');
SET timezone = 'UTC';
SELECT label, d.ended_at, seconds, reads + writes AS requests, read_bytes + write_bytes AS bytes
FROM unnest(ARRAY['zh', 'all', 'tz', 'tail']) WITH ORDINALITY AS runs (label, n), ebs_device_samples(label) AS d ORDER BY n, d.ended_at;

-- 8 KiB, however it is written.
SELECT ebs_import_fio('k', :'fio'), ebs_import_fio('KiB', replace(:'fio', '"8k"', '"8KiB"'));
SELECT count(*) AS tests, count(k.grade) AS graded, count(*) FILTER (WHERE k.grade IS DISTINCT FROM o.grade) AS differ
FROM ebs_report_card('k') AS k JOIN ebs_report_card('KiB') AS o USING (test);

-- What is refused is shown, with its cause.
SELECT ebs_import_sar('no', :'sar_all', 'nvme2n1');
SELECT ebs_import_iostat('no', replace(:'iostat_zh', '2026年11月20日 09时', '٢٠ نوفمبر 09:'));
SELECT ebs_import_iostat('no', :'sar_all');
SELECT ebs_import_sar('no', :'iostat_zh');
SELECT ebs_import_sar('no', '<?xml version="1.0" encoding="UTF-8"?>');
SELECT ebs_import_rds_os('no', E'"@timestamp","@message"\n"2026-11-20 09:00:00.000","{}"');
SELECT ebs_import_fio('no', :'fio' || replace(:'fio', '17953102', '17953112'));

SELECT ebs_run_drop(label) FROM unnest(ARRAY['zh', 'all', 'tz', 'tail', 'k', 'KiB']) AS label;
