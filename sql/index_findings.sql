-- Index advice of a watched server comes with its run: stored, priced and checked here, where its tables are not. The two minutes are those of
-- sql/findings.sql: each second PostgreSQL reads 3,200 blocks, 2,400 of them for statement 11, and the device does 2,500 requests of a block each.
\pset null -
SET timezone = 'UTC';
\set block `cat sql/reports/queries.hex`
SELECT ebs_import_samples('known', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) ORDER BY i)) FROM generate_series(1, 120) i;
UPDATE ebs.sample_block b SET format = 3, samples = decode(:'block', 'hex') FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'known';
INSERT INTO ebs.run_reading SELECT run_id, started_at, jsonb_build_object('read_us', (extract(epoch FROM started_at) * 1000000)::bigint, 'block_size', 8192,
    'statements', jsonb_build_object('Ok', jsonb_build_object('reset_us', 5, 'evictions', 0, 'timed', true, 'hidden', 0, 'roles', '{"10": "App"}'::jsonb,
        'databases', '{"5": "shop"}'::jsonb, 'texts', '{"11": "SELECT * FROM orders WHERE customer_id = $1"}'::jsonb, 'entries', jsonb_build_object(
        'columns', '["user_id", "database_id", "query_id", "top_level", "since_us", "calls", "rows", "blocks_hit", "blocks_read",
            "blocks_dirtied", "blocks_written", "local_blocks_read", "local_blocks_written", "temp_blocks_read", "temp_blocks_written",
            "read_us", "write_us", "exec_us", "wal_records", "wal_fpi", "wal_bytes"]'::jsonb, 'rows', entries))))
FROM (SELECT run_id, started_at, '[]'::jsonb AS entries FROM ebs.run WHERE label = 'known'
      UNION ALL SELECT run_id, ended_at, '[[10, 5, 11, 1, null, 1200, 1200, 0, 288000, 0, 0, 0, 0, 0, 0, 144000000, 0, 151200000, 0, 0, 0]]'
      FROM ebs.run WHERE label = 'known') reading;
SET client_min_messages = warning;
CREATE TEMP TABLE origin AS SELECT jsonb_set(ebs_run_export('known'), '{runs,0,environment}',
    '{"server_version": "15.8", "imported_from": "ebsctl watch", "doubts": []}') AS document;
RESET client_min_messages;
SELECT document #> '{runs,0}' ? 'index_findings' AS findings FROM origin;
CREATE FUNCTION finding(kind text, command text, reason jsonb, more jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_build_object('kind', kind, 'advised', false, 'table', 'public.orders', 'command', command, 'query_id', NULL, 'statement', NULL,
        'before', NULL, 'after', NULL, 'reads_s', NULL, 'saved_s', NULL, 'cost', NULL, 'size_bytes', NULL, 'reason', reason) || more
$$;
CREATE FUNCTION with_findings(label text, findings jsonb) RETURNS text LANGUAGE sql AS $$
    SELECT jsonb_set(jsonb_set(document, '{runs,0,label}', to_jsonb(label)), '{runs,0,index_findings}', findings)::text FROM origin
$$;
\set saves '{"saves": {"statements": 2, "foreign_keys": false, "limit_from_rows": false}}'
\set figures '{"advised": true, "query_id": 11, "statement": "SELECT * FROM orders WHERE customer_id = $1", "before": {"cost": 5000.5, "pages": 240}, "after": {"cost": 40.25, "pages": 12}, "reads_s": 2400, "saved_s": 2280, "cost": {"entries_s": 50, "reads_s": 4, "writes_s": 6, "wal_bytes_s": 8192}, "size_bytes": 1048576}'

-- A run that was watched without the planner says how to ask it; a run of elsewhere, where.
SELECT ebs_run_import(document::text, 'unasked') FROM origin;
SELECT * FROM ebs_index_advice('unasked');
SELECT * FROM ebs_index_advice('known');
SELECT count(*) AS missing_indexes FROM ebs_findings('unasked') WHERE finding = 'index';

-- One that was watched with it.
SELECT ebs_run_import(with_findings('watched', jsonb_build_array(
    finding('index', 'CREATE INDEX CONCURRENTLY ON public.orders (customer_id)', :'saves', :'figures'),
    finding('index', 'CREATE INDEX CONCURRENTLY ON public."Order" ("Größe" DESC NULLS LAST, b) INCLUDE (c) WHERE (a IS NULL) AND b IS NOT NULL AND done AND NOT gone',
        '"negligible_gain"', :'figures'::jsonb || '{"advised": false}'),
    finding('statement', NULL, '{"no_index": {"search": {"not_used": {"tried": 3}}, "unsupported": ["operator ~~"]}}', '{"query_id": 12, "before": {"cost": 1, "pages": 70}}'),
    finding('statement', NULL, '{"not_planned": {"failed": "permission denied for table x"}}', '{"query_id": 13}'),
    finding('duplicate', 'DROP INDEX CONCURRENTLY public."orders 2"', '{"longer_keys": {"index": "orders_3"}}', '{"advised": true, "size_bytes": 8192}'),
    finding('unused', 'DROP INDEX CONCURRENTLY public.orders_4', '{"unused": {"counted_s": 864000}}', '{"advised": true}'),
    finding('missing', 'CREATE EXTENSION hypopg', '{"hypopg_missing": {"available": true}}'),
    finding('missing', NULL, '{"statements_unknown": {"NotCreated": "shop"}}'),
    finding('missing', NULL, '{"statements_hidden": {"statements": 7}}'))));
SELECT rank, kind, advised, relation, ddl FROM ebs_index_advice('watched');
SELECT rank, reason FROM ebs_index_advice('watched');
SELECT query_id, statement, cost_before, cost_after, blocks_before, blocks_after, reads_s, reads_s_saved, writes_s_added, wal_bytes_s_added,
    net_reads_s_saved, size_bytes FROM ebs_index_advice('watched') WHERE rank = 1;
-- The price of the volume is computed here, where the index is advised. 3,000 IOPS of gp3 are enough for 2,500 requests, with the index or without.
SELECT rank, volume_type, volumes, size_gib, iops, throughput_mibps, usd_month, usd_month_saved FROM ebs_index_advice('watched') WHERE usd_month IS NOT NULL;
-- They are not for the 8,000 of sql/whatif.sql, but they are for the quarter that an index leaves of them.
\set reading `cat sql/reports/reading.hex`
SELECT ebs_import_samples('busy', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 1, 'writes', 1, 'read_bytes', 8192, 'write_bytes', 8192) ORDER BY i)) FROM generate_series(1, 60) i;
UPDATE ebs.sample_block b SET format = 5, samples = decode(:'reading', 'hex') FROM ebs.run r WHERE r.run_id = b.run_id AND r.label = 'busy';
SET client_min_messages = warning;
SELECT ebs_run_import(jsonb_set(ebs_run_export('busy'), '{runs,0,index_findings}', jsonb_build_array(
    finding('index', 'CREATE INDEX CONCURRENTLY ON public.orders (customer_id)', :'saves', :'figures'::jsonb || '{"reads_s": 6000, "saved_s": 6004}')))::text, 'busier');
SELECT rank, iops, usd_month, usd_month_saved FROM ebs_index_advice('busier', platform => 'ec2', region => 'us-east-1');
SELECT o.iops, o.usd_month, i.usd_month_saved = o.usd_month - i.usd_month AS the_difference
FROM ebs_options_detail('busier', platform => 'ec2', region => 'us-east-1') o, ebs_index_advice('busier', platform => 'ec2', region => 'us-east-1') i WHERE o.rank = 1;
SELECT ebs_run_drop('busy'), ebs_run_drop('busier');
RESET client_min_messages;
-- Among the findings, in the report, the document and the page.
SELECT rank, finding, subject, round(demand_pct::numeric, 3) AS demand_pct, round(requests_s_saved_low::numeric, 3) AS low, requests_s_saved_high AS high,
    usd_month_saved AS usd, reason, remedy FROM ebs_findings('watched') WHERE finding = 'index';
SELECT line FROM ebs_advise('watched', show => 'all') line WHERE line ~ 'missing index|CREATE INDEX';
SELECT jsonb_path_query(ebs_advise_json('watched'), '$.findings[*] ? (@.finding == "index").remedy');
SELECT ebs_report_html('watched') ~ 'CREATE INDEX CONCURRENTLY ON public.orders \(customer_id\)' AS on_the_page;
-- No plan is made here.
SELECT count(*) AS rows FROM ebs_index_advice('watched', max_plans => 2000, search_path => 'elsewhere');
SELECT * FROM ebs_index_advice('watched', max_plans => 100);
SELECT * FROM ebs_index_advice('watched', max_plans => 0);

-- Exported, imported, exported: the same. Dropped: gone.
SELECT ebs_run_import(ebs_run_export('watched')::text, 'again');
SELECT ebs_run_export('again') #> '{runs,0,index_findings}' = ebs_run_export('watched') #> '{runs,0,index_findings}' AS the_same,
    ebs_run_export('again') #- '{runs,0,label}' = ebs_run_export('watched') #- '{runs,0,label}' AS the_same_document,
    jsonb_array_length(ebs_run_export('again') #> '{runs,0,index_findings}') AS findings;
SELECT count(*) AS the_same FROM ebs_index_advice('again') a JOIN ebs_index_advice('watched') b ON a IS NOT DISTINCT FROM b;
SELECT ebs_run_drop('again'), ebs_run_drop('watched');
SELECT count(*) AS kept FROM ebs.run WHERE index_findings IS NOT NULL;
-- None was found: that is an answer, too.
SELECT ebs_run_import(with_findings('none', '[]'));
SELECT count(*) AS rows FROM ebs_index_advice('none');
SELECT ebs_run_export('none') #> '{runs,0,index_findings}' AS findings;
SELECT ebs_run_drop('none');

-- Commands that nobody should run are not shown, whatever stands beside them.
CREATE TEMP TABLE hostile (number int GENERATED ALWAYS AS IDENTITY, kind text DEFAULT 'index', command text);
INSERT INTO hostile (command) VALUES
    ('CREATE INDEX CONCURRENTLY ON public.t (a); DROP TABLE x'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a);'),
    ('DROP TABLE public.t'),
    ('CREATE INDEX CONCURRENTLY ON public.t (lower(a))'),
    ('CREATE INDEX CONCURRENTLY ON public.t ((evil()))'),
    ('CREATE INDEX CONCURRENTLY ON public.t (evil(a)) WHERE b IS NULL'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a evil_ops)'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a public.evil_ops)'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a COLLATE evil)'),
    ('CREATE INDEX CONCURRENTLY ON public.t USING evil (a)'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE evil(a)'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE a OPERATOR(public.evil) b'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE evil(a) IS NULL'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE NOT evil(a)'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE a IS NULL AND (b OR c)'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE t.a'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE a IS NULL AND (b AND (c AND evil(d)))'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE (SELECT evil()) IS NULL'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE CAST(a AS public.evil) IS NULL'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) TABLESPACE evil'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WITH (fillfactor)'),
    ('CREATE INDEX CONCURRENTLY evil ON public.t (a)'),
    ('CREATE INDEX CONCURRENTLY IF NOT EXISTS evil ON public.t (a)'),
    ('CREATE UNIQUE INDEX CONCURRENTLY ON public.t (a)'),
    ('CREATE INDEX ON public.t (a)'),
    ('CREATE INDEX CONCURRENTLY ON t (a)'),
    ('CREATE INDEX CONCURRENTLY ON elsewhere.public.t (a)'),
    ('CREATE INDEX CONCURRENTLY ON ONLY public.t (a)'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) -- of customers'),
    (E'CREATE INDEX CONCURRENTLY ON public.t (a) --\nDROP TABLE x'),
    (E'CREATE INDEX CONCURRENTLY ON public.t (a) --\rDROP TABLE x'),
    ('CREATE INDEX /* */ CONCURRENTLY ON public.t (a)'),
    (E'CREATE INDEX CONCURRENTLY ON public.t (a)\n\\! touch /tmp/x'),
    (E'CREATE INDEX CONCURRENTLY ON public.t (a) \\gexec'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE :b IS NULL'),
    (E'CREATE INDEX CONCURRENTLY ON public."t\x1b[2K" (a)'),
    (E'CREATE INDEX CONCURRENTLY ON public."t\u202e" (a)'),
    (E'CREATE INDEX CONCURRENTLY ON public."t\n" (a)'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE a = ''b'''),
    ('CREATE INDEX CONCURRENTLY ON public.t (a) WHERE a = 1'),
    ('CREATE INDEX CONCURRENTLY ON public.t (' || repeat('(', 4000) || 'a' || repeat(')', 4000) || ')'),
    ('CREATE INDEX CONCURRENTLY ON public.t (a' || repeat(', a', 20000) || ')'),
    (''),
    ('CREATE INDEX CONCURRENTLY ON public.t'),
    ('DROP INDEX CONCURRENTLY public.orders_pkey'),
    ('CREATE EXTENSION hypopg');
INSERT INTO hostile (kind, command) VALUES
    ('unused', 'DROP INDEX public.a'),
    ('unused', 'DROP INDEX CONCURRENTLY public.a, public.b'),
    ('unused', 'DROP INDEX CONCURRENTLY a'),
    ('unused', 'DROP INDEX CONCURRENTLY elsewhere.public.a'),
    ('unused', 'DROP INDEX CONCURRENTLY public.a CASCADE'),
    ('unused', 'DROP TABLE public.a'),
    ('unused', 'DROP EXTENSION ebs_advisor'),
    ('duplicate', 'DROP SCHEMA public CASCADE'),
    ('duplicate', 'CREATE INDEX CONCURRENTLY ON public.t (a)'),
    ('missing', 'CREATE EXTENSION evil'),
    ('missing', 'CREATE EXTENSION hypopg SCHEMA evil'),
    ('missing', 'CREATE EXTENSION hypopg CASCADE'),
    ('statement', 'CREATE INDEX CONCURRENTLY ON public.t (a)');
SELECT ebs_run_import(with_findings('hostile', jsonb_agg(finding(kind, command, :'saves', :'figures') ORDER BY number))) FROM hostile;
SELECT count(*) AS shown FROM ebs_index_advice('hostile') WHERE ddl IS NOT NULL OR advised OR usd_month IS NOT NULL;
SELECT kind, replace(left(command, 90), E'\n', ' ') AS command, reason FROM ebs_index_advice('hostile') JOIN hostile USING (kind) WHERE rank = number ORDER BY number;
SELECT count(*) AS missing_indexes FROM ebs_findings('hostile') WHERE finding = 'index';
SELECT count(*) AS lines FROM ebs_advise('hostile', show => 'all') line WHERE line ~ 'DROP|evil|CREATE INDEX';
SELECT ebs_run_drop('hostile');

-- What would break an answer imports nothing.
SELECT ebs_run_import(with_findings('bad', jsonb_build_array(finding('index', NULL, :'saves'))));
SELECT ebs_run_import(with_findings('bad', jsonb_build_array(finding('index', NULL, :'saves', jsonb_set(:'figures', '{before,pages}', '-1')))));
SELECT ebs_run_import(with_findings('bad', jsonb_build_array(finding('index', NULL, :'saves', jsonb_set(:'figures', '{saved_s}', '1e300')))));
SELECT ebs_run_import(with_findings('bad', jsonb_build_array(finding('statement', NULL, '"no_table"', jsonb_build_object('statement', repeat('x', 5000000))))));
SELECT ebs_run_import(with_findings('bad', (SELECT jsonb_agg(finding('statement', NULL, '"no_table"')) FROM generate_series(1, 1001))));
SELECT ebs_run_import(with_findings('bad', '[{"kind": "index"}]'));
SELECT ebs_run_import(with_findings('bad', jsonb_build_array(finding('table', NULL, '"no_table"'))));
SELECT ebs_run_import(with_findings('bad', jsonb_build_array(finding('statement', NULL, '"weather"'))));
SELECT ebs_run_import(with_findings('bad', '"CREATE INDEX"'));
SELECT count(*) AS runs FROM ebs.run WHERE label = 'bad';
-- The largest figures that are taken give an answer.
SELECT ebs_run_import(with_findings('large', jsonb_build_array(finding('index', 'CREATE INDEX CONCURRENTLY ON public.t (a)', :'saves', :'figures'::jsonb
    || '{"reads_s": 1e9, "saved_s": 1e9, "before": {"cost": 1e100, "pages": 1e100}, "cost": {"entries_s": 1e9, "reads_s": -1e9, "writes_s": 1e9, "wal_bytes_s": 1e15}, "size_bytes": 9223372036854775807}'))));
SELECT rank, advised, volume_type IS NULL AS too_large, usd_month_saved FROM ebs_index_advice('large');
SELECT ebs_run_drop('large'), ebs_run_drop('unasked'), ebs_run_drop('known');
DROP FUNCTION finding, with_findings;
