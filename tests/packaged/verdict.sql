-- A case's line in the table of docs/index-advice.md, what was estimated against what was measured, below whether they agree.
SELECT agreed FROM verdict;
SELECT format('| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |', what,
    format(CASE WHEN estimated IS NULL THEN 'none; created for the check: `%s`' ELSE '`%s`' END,
      regexp_replace(ddl, '^CREATE INDEX (CONCURRENTLY )?', '')),
    to_char(read_before, 'FM999,999,990'), coalesce(to_char(read_before - estimated, 'FM999,999,990'), '–'),
    to_char(read_after, 'FM999,999,990'), coalesce(to_char(estimated, 'FM999,999,990'), '–'), to_char(saved, 'FM999,999,990'),
    coalesce(round(100 * abs(saved - estimated) / nullif(saved, 0), 1) || ' %', '–'),
    to_char(device_mib_saved, 'FM999,990'), to_char(written, 'FM999,990'))
  FROM verdict;
