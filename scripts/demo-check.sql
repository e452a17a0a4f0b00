-- What was predicted of run "demo" on the recommended volume, beside what run "check" measured on it, at most 80 columns wide. Variables of psql: type,
-- iops, mibps and gib are that volume; late is why the emulator could not keep up, if it could not.
WITH predicted AS (
  SELECT tps, tps_low, tps_high, read_ms, read_ms_low, read_ms_high, write_ms, write_ms_low, write_ms_high
  FROM ebs_whatif('demo', :'type', :iops, :mibps, :gib)
), measured AS (
  SELECT (SELECT tps FROM ebs.runs_detail WHERE label = 'check') AS tps,
    max(mean) FILTER (WHERE metric = 'read latency') AS read_ms, max(mean) FILTER (WHERE metric = 'write latency') AS write_ms
  FROM ebs_io_mix('check')
), line AS (
  SELECT n, name, predicted, low, high, measured, format
  FROM predicted p, measured m, LATERAL (VALUES
    (1, 'TPS', p.tps, p.tps_low, p.tps_high, m.tps, 'FM999,990'),
    (2, 'read ms', p.read_ms, p.read_ms_low, p.read_ms_high, m.read_ms, 'FM990.00'),
    (3, 'write ms', p.write_ms, p.write_ms_low, p.write_ms_high, m.write_ms, 'FM990.00')) l (n, name, predicted, low, high, measured, format)
)
SELECT text FROM (
  SELECT 1 AS n, format(E'\nCHECK        the same load on the emulated volume as %s with %s IOPS', :'type', to_char(:iops, 'FM999,990')) AS text
  UNION ALL SELECT 2, '  ' || rpad('', 10) || lpad('predicted', 10) || lpad('90 % interval', 18) || lpad('measured', 10)
  UNION ALL SELECT 2 + n, '  ' || rpad(name, 10) || lpad(to_char(predicted, format), 10)
      || lpad(to_char(low, format) || ' to ' || to_char(high, format), 18) || lpad(coalesce(to_char(measured, format), 'unknown'), 10)
      || CASE WHEN measured BETWEEN low AND high THEN '  held' WHEN measured IS NOT NULL THEN '  missed' ELSE '' END
    FROM line
  UNION ALL SELECT 6, CASE WHEN :'late' = '' THEN '  Emulated with AWS''s published latencies: this checks the model, not AWS.'
      ELSE '  Not valid, for the emulated volume could not keep up: ' || :'late' END
) block ORDER BY n;
