# Every SQL query of the dashboards for Grafana runs, as a role that may only read, and says something where there is something to say; the
# dashboard of a server has the answer of ebs_advise, searched once.
# Grafana's macros are put in as its PostgreSQL data source does
# (https://grafana.com/docs/grafana/latest/datasources/postgres/query-editor/#macros).
if ! command -v cargo >/dev/null && [ ! -x "$BUILT/examples/generate_history" ]; then
  skip "queries of the dashboards for Grafana (takes cargo, to build the generator of histories)"
  return
fi
generator=$(history_generator)
sampling <<<"$(own_disk_settings)"
cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 500)" >/dev/null
run="it's \"a\" run; \$\$ --"
cluster_sql "SELECT ebs_run_begin(\$x\$$run\$x\$)" >/dev/null
cluster_run "$PG_BIN/pgbench" -i -q -s 1 -h "$CLUSTER" -U postgres postgres >/dev/null 2>&1
cluster_sql "SELECT ebs_run_mark('measure')" >/dev/null
cluster_run "$PG_BIN/pgbench" -n -c 4 -t 50 -h "$CLUSTER" -U postgres postgres >/dev/null 2>&1
cluster_sql "SELECT ebs_run_end()" >/dev/null
# What advice takes half a minute of was there before: the run began two minutes earlier.
cluster_sql "UPDATE ebs.run SET started_at = started_at - interval '2 minutes';
  UPDATE ebs.run_mark SET marked_at = marked_at - interval '2 minutes';
  CREATE TABLE generated (started float8, ended float8, span_s int, ticks int, format smallint, samples bytea)"
awk -v end="$(cluster_sql "SELECT extract(epoch FROM started_at + interval '2 minutes')::bigint - 1 FROM ebs.run")" \
  'BEGIN { for (s = 1; s <= 120; s++) printf "%d000000,%d,200,8192000,3276800\n", end - 120 + s, 400 + s }' | "$generator" |
  cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -c 'COPY generated FROM STDIN'
cluster_sql 'INSERT INTO ebs.sample_block (started_at, ended_at, span_s, ticks, format, samples)
  SELECT to_timestamp(started), to_timestamp(ended), span_s, ticks, format, samples FROM generated'
cluster_sql 'CREATE ROLE grafana LOGIN; GRANT pg_monitor TO grafana' >/dev/null
dashboard=$(cat "$ROOT/grafana/ebs_advisor.json")
# Answers of a fleet: one volume is changed as advised within the hour, another was modified since.
fleet_row() {
  echo "{\"volume\": \"$1\", \"owner\": \"$run_json\", \"action\": \"modify\", \"usd_month_saved\": 10, \"reason\": {\"code\": \"c\", \"text\": \"t\"},
    \"present\": {\"volume_type\": \"$2\", \"volumes\": 1, \"size_gib\": 500, \"iops\": 3000, \"throughput_mibps\": 125, \"usd_month\": $3},
    \"recommended\": {\"volume_type\": \"gp3\", \"volumes\": 1, \"size_gib\": 500, \"iops\": 3000, \"throughput_mibps\": 125, \"usd_month\": 40}}"
}
run_json=${run//\"/\\\"}
fleet_import() { cluster_sql "SELECT ebs_import_fleet(\$x\$$(fleet_row vol-1 "$1" "$2")$(fleet_row vol-2 gp2 50)\$x\$, now() - interval '$3')" >/dev/null; }
fleet_import gp2 50 '30 minutes'
fleet_import gp3 40 '10 minutes'
cluster_sql "SELECT count(*) FROM ebs_import_configuration(format('{\"VolumesModifications\": [{\"VolumeId\": \"vol-2\", \"ModificationState\": \"completed\",
  \"StartTime\": \"%s\", \"TargetVolumeType\": \"gp3\"}]}', to_char(now() AT TIME ZONE 'UTC' - interval '5 minutes', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')))" >/dev/null
fleet=$(cat "$ROOT/grafana/ebs_fleet.json")

# Each query, its place, and the format that the panel wants; panels of a collapsed row are in the row.
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -v doc="$dashboard" -v fleet="$fleet" >/dev/null <<'SQL'
CREATE TABLE asked (board text, title text, ref text, series boolean, query text);
INSERT INTO asked
SELECT doc ->> 'uid', p ->> 'title', t ->> 'refId', t ->> 'format' = 'time_series', t ->> 'rawSql'
FROM unnest(ARRAY[:'doc', :'fleet']::jsonb[]) doc, jsonb_path_query(doc, 'strict $.**{1 to 4} ? (exists(@.targets))') p, jsonb_array_elements(p -> 'targets') t
UNION ALL SELECT doc ->> 'uid', 'variable ' || (v ->> 'name'), NULL, false, v ->> 'query'
FROM unnest(ARRAY[:'doc', :'fleet']::jsonb[]) doc, jsonb_path_query(doc, '$.templating.list[*] ? (@.type == "query")') v
UNION ALL SELECT doc ->> 'uid', 'annotation ' || (a ->> 'name'), NULL, true, a -> 'target' ->> 'rawSql'
FROM unnest(ARRAY[:'doc', :'fleet']::jsonb[]) doc, jsonb_path_query(doc, '$.annotations.list[*]') a;
GRANT SELECT ON asked TO grafana;

-- The macros, whose arguments end at the first bracket that closes, there as here; run is what the reader chose, answer the variable.
CREATE FUNCTION expanded(query text, run text, answer text) RETURNS text LANGUAGE sql AS $$
    SELECT replace(replace(replace(replace(replace(replace(regexp_replace(regexp_replace(query,
        '\$__timeFilter\(([^)]*)\)', format('\1 BETWEEN %L AND %L', now() - interval '1 hour', now() + interval '1 minute'), 'g'),
        '\$__timeGroup\(([^,]*), \$__interval\)', 'floor(extract(epoch FROM \1) / 5) * 5', 'g'),
        '$__timeFrom()', quote_literal(now() - interval '1 hour')), '$__timeTo()', quote_literal(now())), '$__interval', '5s'),
        '${run:sqlstring}', quote_literal(run)), '${owner:sqlstring}', quote_literal(CASE WHEN run = '(live)' THEN '(all)' ELSE run END)),
        '${answer:sqlstring}', quote_literal(answer))
$$;
CREATE FUNCTION answer(run text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE (SELECT expanded(query, run, '') FROM asked WHERE title = 'variable answer') INTO STRICT answer;
    RETURN answer;
END $$;
CREATE FUNCTION shown(run text, panel text, of_ref text) RETURNS SETOF jsonb LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE (SELECT 'SELECT to_jsonb(q) FROM (' || expanded(query, run, answer(run)) || ') q' FROM asked WHERE board = 'ebs-advisor' AND title = panel AND ref = of_ref);
END $$;

CREATE FUNCTION tried(run text) RETURNS TABLE (title text, rows bigint, timed boolean, problem text) LANGUAGE plpgsql AS $$
DECLARE
    one asked;
    answer CONSTANT text = answer(run);
BEGIN
    FOR one IN SELECT * FROM asked LOOP
        title := one.title; rows := NULL; timed := NULL; problem := NULL;
        BEGIN
            EXECUTE format('SELECT count(*), bool_and(to_jsonb(q) ? ''time'') FROM (%s) q', expanded(one.query, run, answer)) INTO rows, timed;
            IF expanded(one.query, '', '') ~ '\$[_{]' THEN problem := 'a macro that this test does not know'; END IF;
            IF one.series AND NOT timed THEN problem := 'a series without a column time'; END IF;
        EXCEPTION WHEN OTHERS THEN
            problem := SQLERRM;
        END;
        RETURN NEXT;
    END LOOP;
END $$;
SQL
check "there are queries" is "SELECT count(*) > 35 FROM asked" t
for run in "(live)" "$run"; do
  quoted=$(cluster_sql "SELECT quote_literal(\$x\$$run\$x\$)")
  check "every query runs, of $run" is "SET ROLE grafana; SELECT title, problem FROM tried($quoted) WHERE problem IS NOT NULL" ''
  check "and has rows, but for EBS's own statistics" is "SET ROLE grafana; SELECT title FROM tried($quoted) WHERE rows = 0 AND title <> 'EBS''s own statistics'" ''
done
check "a query that is wrong would be found" is \
  "INSERT INTO asked VALUES ('ebs-advisor', 'wrong', 'A', true, 'SELECT no_such_column AS \"time\" FROM ebs.runs_detail'); SELECT problem FROM tried('(live)') WHERE title = 'wrong'" \
  'column "no_such_column" does not exist'
check "and so would brackets within a macro" is \
  "INSERT INTO asked VALUES ('ebs-advisor', 'nested', 'A', true, 'SELECT now() AS \"time\" WHERE \$__timeFilter(date(now()))'); SELECT problem ~ '^syntax error' FROM tried('(live)') WHERE title = 'nested'" t

# The first row is the answer of the run, and searched once.
quoted=$(cluster_sql "SELECT quote_literal(\$x\$$run\$x\$)")
best="FROM ebs_options_detail($quoted) WHERE rank = 1"
check "the price is that of the recommended volume" is "SELECT (shown($quoted, 'Price a month', 'A') ->> 'usd_month')::numeric = (SELECT sum(usd_month) $best)" t
check "the saving is that of it" is "SELECT (shown($quoted, 'Saving a month', 'A') ->> 'usd_month_saved')::numeric = (SELECT sum(usd_month_saved) $best)" t
check "today's price is that of the declared volume" is "SELECT (shown($quoted, 'Today''s price', 'A') ->> 'usd_month_today')::numeric = (SELECT usd_month FROM ebs_price('gp3', 500))" t
check "the volume is named" is "SELECT shown($quoted, 'Recommended volume', 'A') ->> 'recommended' =
  (SELECT format('%s: %s, %s × %s GiB, %s IOPS, %s MiB/s', role, volume_type, volumes, size_gib, iops, throughput_mibps) $best)" t
check "confidence, bottleneck and reason are those of ebs_advise_json" is "SELECT a #>> '{confidence,level}' = c ->> 'confidence'
    AND a #>> '{bottleneck,by}' = b ->> 'bottleneck' AND a #>> '{roles,0,recommendation,reason,text}' = r ->> 'reason'
  FROM ebs_advise_json($quoted) a, shown($quoted, 'Confidence', 'A') c, shown($quoted, 'Bottleneck', 'A') b, shown($quoted, 'Reason', 'A') r" t
check "the variable searches, and the table in the row that is closed, nothing else" is \
  "SELECT string_agg(title, ', ' ORDER BY title) FROM asked WHERE query ~ 'ebs_(advise|options|frontier|whatif)'" 'Volumes to order, variable answer'
for plot in 'Requests a second|requests|iops|1' 'Throughput|throughput|throughput_mibps|1048576'; do
  IFS='|' read -r panel column limit unit <<<"$plot"
  check "$panel has today's limit and the recommended one, from end to end" is \
    "SELECT string_agg(DISTINCT concat_ws(' ', q ->> 'metric', ((q ->> '$column')::float8 / $unit)::bigint), '; ' ORDER BY concat_ws(' ', q ->> 'metric', ((q ->> '$column')::float8 / $unit)::bigint))
      || ' ' || count(DISTINCT q ->> 'time') FROM shown($quoted, '$panel', 'B') q" \
    "$(cluster_sql "SELECT format('data+wal on nvme0n1, limit today %s; data+wal on nvme0n1, recommended limit %s 2', CASE '$limit' WHEN 'iops' THEN 3000 ELSE 125 END, $limit * volumes) $best")"
done
cluster_sql "TRUNCATE ebs.sample_block"
check "without samples every query runs, and the reason stands in place of the volume" is \
  "SELECT string_agg(problem, ' ') FROM tried($quoted) WHERE title NOT IN ('wrong', 'nested');
   SELECT shown($quoted, 'Recommended volume', 'A') ->> 'recommended'" $'\nno samples in this window'
