# Each alert of grafana/ebs_alerts.json fires on demand that is known, and on no other; its SQL runs as a role that may only read, and
# gives what Grafana takes as one alert a row: strings, which are its labels, and one number
# (https://grafana.com/docs/grafana/latest/alerting/examples/table-data/).
if ! command -v cargo >/dev/null && [ ! -x "$BUILT/examples/generate_history" ]; then
  skip "alerts for Grafana (takes cargo, to build the generator of histories)"
  return
fi
generator=$(history_generator)
# What is sampled here would be of this machine's own disk.
fresh <<<"ebs_advisor.enabled = off"
cluster_sql 'CREATE EXTENSION ebs_advisor; CREATE ROLE grafana LOGIN; GRANT pg_monitor TO grafana'
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -v doc="$(cat "$ROOT/grafana/ebs_alerts.json")" >/dev/null <<'SQL'
CREATE TABLE alert AS
SELECT rule ->> 'uid' AS uid, rule #>> '{data,0,model,rawSql}' AS query, (rule #>> '{data,1,model,conditions,0,evaluator,params,0}')::float8 AS above,
  rule - 'annotations' AS definition, rule -> 'annotations' AS annotations
FROM jsonb_path_query(:'doc', '$.groups[*].rules[*]') rule;
GRANT SELECT ON alert TO grafana;
-- One alert a row: its labels, and its number; whether it fires.
CREATE FUNCTION alerts() RETURNS TABLE (uid text, labels jsonb, number numeric, fires boolean) LANGUAGE plpgsql AS $$
DECLARE
    one alert;
BEGIN
    FOR one IN SELECT * FROM alert LOOP
        RETURN QUERY EXECUTE format($q$
            SELECT %L::text, jsonb_object_agg(key, value) FILTER (WHERE jsonb_typeof(value) = 'string'), sum((value #>> '{}')::numeric) FILTER (WHERE jsonb_typeof(value) = 'number'),
                (sum((value #>> '{}')::numeric) FILTER (WHERE jsonb_typeof(value) = 'number')) > %L::numeric
            FROM (SELECT row_number() OVER () AS row, to_jsonb(q) AS cells FROM (%s) q) numbered, jsonb_each(cells) GROUP BY row$q$, one.uid, one.above, one.query);
    END LOOP;
END $$;
SQL

# demand BEGIN SECONDS COUNTS: the only samples are these seconds, which begin so long ago; COUNTS are reads, writes, bytes read and
# written, and GiB used, as expressions of the hour, which is that since BEGIN.
demand() {
  cluster_sql 'TRUNCATE ebs.sample_block; DROP TABLE IF EXISTS generated;
    CREATE TABLE generated (started float8, ended float8, span_s int, ticks int, format smallint, samples bytea)' 2>/dev/null
  awk -v end="$(cluster_sql 'SELECT extract(epoch FROM now())::bigint')" 'BEGIN { for (s = '"$1"'; s > 0; s -= '"$2"') for (i = 0; i < 15; i++) {
      hour = ('"$1"' - s) / 3600
      printf "%d000000,%d,%d,%d,%d,%.0f\n", end - s + i, '"$3"' } }' | "$generator" |
    cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -c 'COPY generated FROM STDIN'
  cluster_sql 'INSERT INTO ebs.sample_block (started_at, ended_at, span_s, ticks, format, samples)
    SELECT to_timestamp(started), to_timestamp(ended), span_s, ticks, format, samples FROM generated'
}
# fires "alert number, …": these alerts fire, with these numbers.
fires() {
  is "SET ROLE grafana; SELECT coalesce(string_agg(format('%s %s', substr(uid, 13), round(number, 2)), ', ' ORDER BY uid), 'none') FROM alerts() WHERE fires" "$1"
}
GIB=1073741824
SMALL="24166400, 409600, 100 * $GIB"

check "three alerts" is "SELECT string_agg(uid, ' ' ORDER BY uid) FROM alert" 'ebs-advisor-at-limit ebs-advisor-credits ebs-advisor-fills-up'
check "Grafana replaces \$NAME by the environment everywhere but in annotations: there is none" \
  is "SELECT count(*) FROM alert WHERE definition::text LIKE '%\$%'" 0
check "annotations name labels and the number alone" is "SELECT string_agg(DISTINCT name[1], ' ' ORDER BY name[1])
  FROM alert, regexp_matches(annotations::text, '[\$][a-zA-Z.]+', 'g') name" '$labels.device $labels.volume $values.A.Value'
check "without samples no row: no data, which Grafana tells" is 'SET ROLE grafana; SELECT count(*) FROM alerts()' 0

cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 500)" >/dev/null
demand 885 15 "0, 0, 0, 0, 100 * $GIB"
check "an idle volume: a row each, none fires" is "SET ROLE grafana; SELECT count(*), count(*) FILTER (WHERE fires) FROM alerts()" '3|0'
demand 885 15 "1450, 50, $SMALL"
check "half of the limit: none fires" fires none
check "each row has the labels and a number" is "SET ROLE grafana; SELECT DISTINCT labels, number FROM alerts()" \
  '{"device": "nvme1n1", "volume": "data+wal"}|-1'
demand 885 15 "2950, 50, $SMALL"
check "all seconds at 3,000 IOPS" fires 'at-limit 100.00'
# 500 GiB of gp2 have 1,500 IOPS and 5.4 million credits: 950 more a second take 5,684 s.
cluster_sql "SELECT ebs_volume_declare('data', 'gp2', 500)" >/dev/null
demand 885 15 "2400, 50, $SMALL"
check "above the baseline of gp2" fires 'credits 1.58'
# 434.9 of 500 GiB are used after 335 hours with 2.5 GiB a day: 65.1 more take 26.04 days.
cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 500)" >/dev/null
demand 1209600 3600 "400, 50, 3276800, 409600, (400 + 2.5 * hour / 24) * $GIB"
check "2.5 GiB a day" fires 'fills-up 26.04'
demand 1209600 3600 "400, 50, 3276800, 409600, 455 * $GIB"
check "nine tenths are used" fires 'fills-up 0.00'
demand 1209600 3600 "400, 50, 3276800, 409600, (300 + 2.5 * hour / 24) * $GIB"
check "full in 66 days: none fires" fires none
