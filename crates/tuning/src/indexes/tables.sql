WITH locked AS MATERIALIZED (
    -- Reading about one that another session holds or wants for itself alone would wait for that session.
    SELECT l.relation FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
    WHERE l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock' AND l.pid <> pg_backend_pid()
),
wanted AS (
    SELECT c.oid, n.nspname, c.relname, c.reltuples
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT EXISTS (SELECT FROM locked WHERE relation = c.oid)
      AND NOT EXISTS (SELECT FROM locked JOIN pg_index i ON i.indexrelid = relation WHERE i.indrelid = c.oid)
      AND c.relkind IN ('r', 'm') AND c.relpersistence <> 't' AND n.nspname !~ '^(pg_|information_schema$|ebs$)'
      AND CASE WHEN $1 IS NULL
               THEN EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND NOT i.indisunique AND i.indisvalid)
               ELSE (n.nspname, c.relname) IN (SELECT w ->> 0, w ->> 1 FROM json_array_elements($1::json) w)
          END
),
-- Materialized, so that functions are called for no other index: pg_get_indexdef waits for a table that is locked.
wanted_indexes AS MATERIALIZED (SELECT i.*, w.nspname FROM pg_index i JOIN wanted w ON w.oid = i.indrelid),
index_facts AS (
    SELECT i.indrelid, json_agg(json_build_object(
        'name', c.relname, 'quoted', quote_ident(c.relname), 'qualified', format('%I.%I', i.nspname, c.relname),
        'method', a.amname, 'unique', i.indisunique, 'valid', i.indisvalid,
        'needed', i.indisprimary OR i.indisexclusion OR i.indisreplident OR i.indisclustered
                  OR EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid)
                  OR EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = c.oid),
        'keys', k.keys, 'key_columns', k.columns, 'include', k.include,
        'predicate', pg_get_expr(i.indpred, i.indrelid),
        'size_bytes', pg_relation_size(c.oid), 'scans', pg_stat_get_numscans(c.oid)) ORDER BY c.oid) AS facts
    FROM wanted_indexes i JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_am a ON a.oid = c.relam
    CROSS JOIN LATERAL (
        SELECT coalesce(json_agg(concat_ws('/', pg_get_indexdef(i.indexrelid, n, false), i.indclass[n - 1], i.indcollation[n - 1],
                                           i.indoption[n - 1]) ORDER BY n) FILTER (WHERE n <= i.indnkeyatts), '[]') AS keys,
               coalesce(json_agg(t.attname ORDER BY n) FILTER (WHERE n <= i.indnkeyatts), '[]') AS columns,
               coalesce(json_agg(t.attname ORDER BY n) FILTER (WHERE n > i.indnkeyatts), '[]') AS include
        FROM generate_series(1, i.indnatts::int) n
        LEFT JOIN pg_attribute t ON t.attrelid = i.indrelid AND t.attnum = i.indkey[n - 1] AND t.attnum > 0) k
    GROUP BY i.indrelid
),
column_facts AS (
    SELECT a.attrelid, json_agg(json_build_object(
        'name', a.attname, 'quoted', quote_ident(a.attname),
        'ordered', t.typname <> ALL ('{json,xml,point,box,line,lseg,path,polygon,circle,xid,cid,aclitem}'),
        'width', CASE WHEN a.attlen > 0 THEN a.attlen ELSE s.avg_width END,
        'distinct', s.n_distinct, 'correlation', s.correlation) ORDER BY a.attnum) AS facts
    FROM pg_attribute a JOIN wanted w ON w.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_stats s ON s.schemaname = w.nspname AND s.tablename = w.relname AND s.attname = a.attname AND NOT s.inherited
    WHERE a.attnum > 0 AND NOT a.attisdropped
    GROUP BY a.attrelid
),
references_to AS (
    SELECT k.confrelid, json_agg(json_build_object(
        'name', k.conname,
        'look_up', format('SELECT 1 FROM ONLY %I.%I x WHERE %s', n.nspname, c.relname,
                          (SELECT string_agg(format('x.%I = $%s', a.attname, u.place), ' AND ' ORDER BY u.place)
                           FROM unnest(k.conkey) WITH ORDINALITY u (number, place)
                           JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number)))
        ORDER BY k.conname) AS facts
    FROM pg_constraint k JOIN wanted w ON w.oid = k.confrelid JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE k.contype = 'f' AND c.relkind = 'r'
    GROUP BY k.confrelid
)
SELECT coalesce(json_agg(json_build_object(
    'schema', w.nspname, 'name', w.relname, 'qualified', format('%I.%I', w.nspname, w.relname), 'oid', w.oid::int8,
    'rows', greatest(w.reltuples, 0),
    'pages', coalesce(pg_relation_size(w.oid), 0) / current_setting('block_size')::float8,
    'inserted', pg_stat_get_tuples_inserted(w.oid), 'updated', pg_stat_get_tuples_updated(w.oid),
    'hot_updated', pg_stat_get_tuples_hot_updated(w.oid),
    'columns', coalesce(c.facts, '[]'), 'indexes', coalesce(i.facts, '[]'), 'referenced_by', coalesce(r.facts, '[]'))
    ORDER BY w.nspname, w.relname), '[]')::text
FROM wanted w
LEFT JOIN column_facts c ON c.attrelid = w.oid
LEFT JOIN index_facts i ON i.indrelid = w.oid
LEFT JOIN references_to r ON r.confrelid = w.oid
