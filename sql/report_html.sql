-- The report as a page: what is on it, and that nothing that others wrote is more than text. What it looks like is looked at in
-- tests/live/report_html.sh.
SET timezone = 'UTC';
\set hostile '</title><script>alert(1)</script><b a="&amp;'
CREATE FUNCTION made(label text, began timestamptz, share float8, device text DEFAULT 'nvme1n1') RETURNS bigint LANGUAGE sql AS $$
    SELECT ebs_import_samples(label, device, jsonb_agg(jsonb_build_object('ts', began + i * interval '1 s',
        'reads', r, 'writes', r / 2, 'read_bytes', r * 8192, 'write_bytes', r / 2 * 16384, 'read_ms', r / 10, 'write_ms', r / 20) ORDER BY i))
    FROM (SELECT i, (share * (950 + 25 * (i * 7 % 5)))::int AS r FROM generate_series(1, 600) i) demand
$$;
SELECT made('base', '2026-01-01 00:00+00', 1), made(:'hostile', '2026-01-01 01:00+00', 2, :'hostile');
CREATE TEMP TABLE page AS SELECT ebs_report_html(:'hostile', 'base', min_size_gib => 100) AS html;

-- One document, small, with nothing to load and nothing to run.
SELECT html LIKE '<!DOCTYPE html><html lang="en">%</html>' AS whole, octet_length(html) < 2 * 1024 * 1024 AS small FROM page;
SELECT word FROM page, unnest(ARRAY['<script', 'src=', 'url(', '@import', 'https:', 'javascript:', '<iframe', '<form', ' onload', '<b ']) word
WHERE html LIKE '%' || word || '%';
SELECT regexp_count(html, '&lt;script&gt;') > 3 AS as_text,
       regexp_count(html, 'http:') = regexp_count(html, 'xmlns="http://www\.w3\.org/2000/svg"') AS no_address FROM page;

-- Figures: each has a title, a unit, and its plot in two sizes with a description. There is no evidence of waits, nor of what
-- another volume would do, and so no figure of these.
SELECT substring(f, '^id="([^"]+)"') AS figure, substring(f, '<h3>([^<]+)</h3>') AS title, substring(f, '<p class="unit">([^<]+)</p>') AS unit,
       regexp_count(f, '<svg ') AS plots, regexp_count(f, '<desc id="[^"]+">[^<]{40,}') AS described
FROM page, regexp_split_to_table(html, '<figure ') WITH ORDINALITY s (f, n) WHERE n > 1 ORDER BY n;
SELECT s[1] AS section, s[2] AS name FROM page, regexp_matches(html, '<section id="([^"]+)"><h2>([^<]+)</h2>', 'g') s;

-- The sentences are those of ebs_advise, and the comparison that of ebs_compare.
SELECT html LIKE '%' || (SELECT 'Recommended: ' || format('%s, %s × %s GiB, %s IOPS, %s MiB/s', volume_type, volumes, size_gib,
        trim(to_char(iops, '999,999')), throughput_mibps) FROM ebs_options_detail(:'hostile', min_size_gib => 100) WHERE rank = 1) || '%' AS recommended,
       html LIKE '%' || (SELECT replace(line, '''', '&#39;') FROM ebs_advise(:'hostile', min_size_gib => 100, show => 'all') line WHERE line LIKE 'Evidence:%') || '%' AS evidence FROM page;
SELECT regexp_count((regexp_match(html, '<figure id="ratios">(.*?)</figure>'))[1], '<circle') = 2 * count(*) AS each_ratio_is_a_point
FROM page, ebs_compare('base', :'hostile') WHERE section <> 'gate' AND ratio > 0 GROUP BY html;
SELECT html = ebs_report_html(:'hostile', 'base', min_size_gib => 100) AS the_same_again FROM page;
-- Without a baseline there is no comparison.
SELECT html LIKE '%id="comparison"%' AS compared FROM ebs_report_html('base', min_size_gib => 100) html;

-- What another volume would do, where the evidence tells: the frontier of ebs_frontier, each volume a point.
\set reading `cat sql/reports/reading.hex`
SELECT ebs_import_samples('reading', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) ORDER BY i)) FROM generate_series(1, 60) i;
UPDATE ebs.sample_block b SET format = 5, samples = decode(:'reading', 'hex') FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'reading';
SELECT regexp_count((regexp_match(ebs_report_html('reading'), '<figure id="frontier-1">(.*?)</figure>'))[1], '<circle[^>]*r="4"') = 2 * count(*) AS each_volume_is_a_point
FROM ebs_frontier('reading');
SELECT regexp_count(html, '<figure id="(waits|frontier-1)"') AS figures FROM ebs_report_html('reading') html;
-- fio's histograms, where there are some: six of eight, and where the others are.
\set plus `cat sql/reports/fio-3.33-plus.json`
SELECT ebs_import_fio('base', :'plus');
SELECT DISTINCT f[1] AS title FROM ebs_report_html('base', min_size_gib => 100) html, regexp_matches(html, '<h3>(Latency of requests by [^<]+)</h3>', 'g') f ORDER BY 1;

SELECT html LIKE '%2 more: SELECT * FROM ebs_latency_histogram%' AS more FROM ebs_report_html('base', min_size_gib => 100) html;

-- Too little evidence is said.
SELECT html LIKE '%Insufficient data: no samples in this window%' AS said, html LIKE '%Recommended%' AS recommended, html LIKE '%<figure%' AS figures
FROM ebs_report_html(lookback => '1 microsecond') html;

-- What is refused.
SELECT ebs_report_html('nobody');
SELECT ebs_report_html('base', 'nobody');
SELECT ebs_report_html(baseline => 'base');
SELECT ebs_report_html('base', region => 'atlantis');
SELECT ebs_report_html('base', headroom => -1);

DROP TABLE page;
DROP FUNCTION made;
SELECT ebs_run_drop(label) FROM ebs.runs_detail ORDER BY run_id;
