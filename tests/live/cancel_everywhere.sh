# Every function ends when its statement is to end: cancelled, timed out or at a shutdown, at four points of its longest input.
fresh </dev/null
cluster_sql 'CREATE EXTENSION ebs_advisor'
# Long: 100,000 seconds in which IOPS and MiB/s peak apart, and reports of others of some MB.
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - >/dev/null <<'SQL'
CREATE TABLE input (name text, document text);
INSERT INTO input SELECT 'samples', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s', 'reads', r, 'writes', 50, 'read_ms', r / 2, 'write_ms', 20,
    'read_bytes', r * 8192 + CASE WHEN i % 89 = 0 THEN 419430400 ELSE 0 END, 'write_bytes', 409600) ORDER BY i)
  FROM (SELECT i, (2000 + i * 7919::bigint % 1000 + CASE WHEN i % 300 < 20 THEN 3000 ELSE 0 END
                  + CASE WHEN i % 97 = 0 THEN 9000 ELSE 0 END)::bigint AS r FROM generate_series(1, 100000) i) demand;
INSERT INTO input SELECT 'iostat', E'Linux 6.1.0 (db1)\t11/21/26\t_x86_64_\t(2 CPU)\n\n' || string_agg(
    to_char(timestamp '2026-01-01' + i * interval '1 s', 'MM/DD/YY HH24:MI:SS')
    || E'\nDevice            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz  aqu-sz  %util\n'
    || E'vda             14.10    431.60     2.00  12.42    1.01    30.61  112.30   4672.40    15.10  11.85    0.79    41.61    0.11   1.24\n\n', '' ORDER BY i)
  FROM generate_series(1, 40000) i;
INSERT INTO input SELECT 'sar', E'Linux 6.1.0 (db1)\t11/21/26\t_x86_64_\t(2 CPU)\n\n' || string_agg(
    to_char(timestamp '2026-01-01' + i * interval '1 s', 'HH24:MI:SS')
    || E'          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n'
    || to_char(timestamp '2026-01-01' + (i + 1) * interval '1 s', 'HH24:MI:SS')
    || E'          vda    132.40    431.60   4672.40   2248.40     55.53      0.11      0.80      1.24\n\n', '' ORDER BY i)
  FROM generate_series(1, 40000) i;
INSERT INTO input SELECT 'cloudwatch', jsonb_build_object('MetricDataResults', (SELECT jsonb_agg(jsonb_build_object(
    'Id', 'm' || n, 'Label', 'vol-0data Volume' || metric, 'StatusCode', 'Complete', 'Timestamps', stamps, 'Values', figures) ORDER BY n)
    FROM unnest(ARRAY['ReadOps', 'WriteOps', 'ReadBytes', 'WriteBytes']) WITH ORDINALITY metrics (metric, n)))
  FROM (SELECT jsonb_agg(to_char(timestamp '2025-01-01' + i * interval '1 min', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') ORDER BY i) AS stamps,
               jsonb_agg(60000.0 * (1 + i % 7) ORDER BY i) AS figures FROM generate_series(1, 60000) i) minutes;
INSERT INTO input SELECT 'awr', jsonb_agg(jsonb_build_object('begin', timestamp '2020-01-01' + i * interval '1 min',
    'end', timestamp '2020-01-01' + (i + 1) * interval '1 min', 'read_requests', 100000 + i, 'write_requests', 100, 'read_bytes', 819200000,
    'write_bytes', 819200) ORDER BY i) FROM generate_series(1, 60000) i;
INSERT INTO input SELECT 'fio', jsonb_build_object('fio version', 'fio-3.33', 'timestamp', 1,
    'jobs', jsonb_agg(jsonb_build_object('jobname', 'job ' || i))) FROM generate_series(1, 900) i;
INSERT INTO input SELECT 'prices', jsonb_build_object('offer', 'AmazonEC2', 'version', '1', 'published', '2026-12-01', 'prices',
    jsonb_agg(jsonb_build_object('region', 'xx-made' || translate(i::text, '0123456789', 'abcdefghij') || '-1', 'volume_type', 'gp3', 'part', 'storage', 'usd', '0.07')))
  FROM generate_series(1, 19000) i;
SELECT ebs_import_samples('long', 'nvme1n1', document::jsonb) FROM input WHERE name = 'samples';
SELECT ebs_run_import(ebs_run_export('long')::text, 'long too');
INSERT INTO input SELECT 'runs', ebs_run_export('long')::text;
-- Ends with the SQLSTATE, EB000 where it was over before; leaves nothing.
CREATE FUNCTION attempted(statement text, OUT ended text, OUT at float8, OUT took_ms float8) LANGUAGE plpgsql AS $$ BEGIN
  BEGIN
    EXECUTE statement;
    RAISE EXCEPTION USING ERRCODE = 'EB000', MESSAGE = 'it is over';
  EXCEPTION WHEN query_canceled OR OTHERS THEN
    ended := SQLSTATE;
  END;
  at := extract(epoch FROM clock_timestamp());
  took_ms := 1000 * extract(epoch FROM clock_timestamp() - statement_timestamp());
END $$;
SQL

# Of each function the statement that takes it longest.
calls() {
  local of
  for of in advise advise_json options report_html whatif frontier balance device_samples findings io_mix io_sessions io_sources \
    latency_histogram nvme nvme_histogram queries report_card waits workload chart run_export; do
    echo "ebs_$of|SELECT count(*) FROM ebs_$of('long')"
  done
  for of in samples:", 'sdf'" cloudwatch: awr:; do
    echo "ebs_import_${of%%:*}|SELECT ebs_import_${of%%:*}('x'${of#*:}, document::jsonb) FROM input WHERE name = '${of%%:*}'"
  done
  for of in iostat sar fio; do echo "ebs_import_$of|SELECT ebs_import_$of('x', document) FROM input WHERE name = '$of'"; done
  cat <<'CALLS'
ebs_index_advice|SELECT count(*) FROM ebs_index_advice()
ebs_compare|SELECT count(*) FROM ebs_compare('long', 'long too')
ebs_run_import|SELECT ebs_run_import(document, 'x') FROM input WHERE name = 'runs'
ebs_import_prices|SELECT ebs_import_prices(document::jsonb) FROM input WHERE name = 'prices'
ebs_prices_reset|SELECT ebs_prices_reset()
ebs_prices|SELECT count(*) FROM ebs_prices()
ebs_price|SELECT count(*) FROM ebs_price('gp3', 100)
ebs_runs|SELECT count(*) FROM ebs_runs(repeat('*', 1000000))
ebs_sample|SELECT count(*) FROM ebs_sample()
ebs_status|SELECT count(*) FROM ebs_status()
ebs_instance_declare|SELECT ebs_instance_declare('m5.large')
ebs_volume_declare|SELECT ebs_volume_declare('data', 'gp3', 500)
ebs_run_begin|SELECT ebs_run_begin('x')
ebs_run_mark|SELECT ebs_run_begin('x'); SELECT ebs_run_mark('measure')
ebs_run_end|SELECT ebs_run_begin('x'); SELECT ebs_run_end()
ebs_run_result|SELECT ebs_run_result('long', tps => 1, details => to_jsonb(repeat('x', 1000000)))
ebs_run_note|SELECT ebs_run_note('long', jsonb_build_object('one', repeat('x', 1000000)))
ebs_run_tag|SELECT ebs_run_tag('long', 'x')
ebs_run_untag|SELECT ebs_run_tag('long', 'x'); SELECT ebs_run_untag('long', 'x')
ebs_run_rename|SELECT ebs_run_rename('long', 'x')
ebs_run_drop|SELECT ebs_run_drop('long')
CALLS
}
calls >"$SCRATCH/calls"
none_without_call() {
  diff <(cluster_sql "SELECT DISTINCT proname FROM pg_proc WHERE proname LIKE 'ebs\\_%' ORDER BY 1") <(cut -d '|' -f 1 "$SCRATCH/calls" | LC_ALL=C sort -u)
}
check "every function is called" none_without_call

coproc ASKING { cluster_psql -d postgres -qAtX 2>"$SCRATCH/asking.log"; }
asking_in=${ASKING[1]} asking_out=${ASKING[0]}
tell() { printf '%s\n' "$1" '\echo .' >&"$asking_in"; }
# heard: the last line of what was answered.
heard() {
  local line
  heard=
  while read -r -t 120 line <&"$asking_out" && [ "$line" != . ]; do heard=$line; done
}
# attempt STATEMENT: begins it. attempted: how it ended, when, and after how many milliseconds.
attempt() { tell "SELECT ended, at, took_ms FROM attempted(\$call\$$1\$call\$);"; }
attempted() { heard; IFS='|' read -r ended at took_ms <<<"${heard:-over|0|0}"; }
# What there is nothing of is no news here.
tell 'SET client_min_messages = error;'
heard
tell 'SELECT pg_backend_pid();'
heard
pid=$heard

# Shorter than this, a statement may be over before it is cancelled.
LONG_MS=400
# What only a defect takes; what there is on an idle machine is in a comment below.
MOST_MS=5000
ms() { awk -v a="$1" -v b="$2" "BEGIN { printf \"%d\", $3 }"; }

# cancelled STATEMENT AFTER_MS, timed_out STATEMENT AFTER_MS: how it ended, and milliseconds from when it should have.
cancelled() {
  local since
  attempt "$1"
  since=$(cluster_sql "SELECT extract(epoch FROM clock_timestamp()) FROM pg_sleep($2 / 1000.0), pg_cancel_backend($pid)")
  attempted
  late_ms=$(ms "$at" "$since" '1000 * (a - b)')
}
timed_out() {
  tell "SET statement_timeout = $2;"
  heard
  attempt "$1"
  attempted
  late_ms=$(ms "$took_ms" "$2" 'a - b')
  tell 'SET statement_timeout = 0;'
  heard
}

# ends HOW FUNCTION STATEMENT WHOLE_MS: notes what is wrong, and how late the latest was.
ends() {
  local part whole_ms=$4 latest=0 attempts
  for part in 10 30 50 70; do
    for attempts in 1 2 3 4 5; do
      "$1" "$3" $((1 + whole_ms * part / 100))
      [ "$ended" != 57014 ] && [ "$whole_ms" -ge $LONG_MS ] || break
      # It was over before: a machine that is less busy than at first takes less for the whole.
      [ "$ended" != EB000 ] || [ "${took_ms%.*}" -ge "$whole_ms" ] || whole_ms=${took_ms%.*}
    done
    case $ended in
      57014) ;;
      EB000 | over) [ "$whole_ms" -lt $LONG_MS ] || echo "$2: $1 at $part % of $whole_ms ms did not end it" >>"$SCRATCH/wrong" ;;
      *) echo "$2: $1 ended in $ended" >>"$SCRATCH/wrong" ;;
    esac
    if [ "$ended" = 57014 ]; then
      [ "$late_ms" -le $MOST_MS ] || echo "$2: $1 took $late_ms ms" >>"$SCRATCH/wrong"
      [ "$late_ms" -le "$latest" ] || latest=$late_ms
    fi
  done
  echo "$latest $1 $2 of $4 ms" >>"$SCRATCH/latest"
}

: >"$SCRATCH/wrong"
while IFS='|' read -r function statement; do
  attempt "$statement"
  attempted
  [ "$ended" = EB000 ] || echo "$function does not answer: $ended" >>"$SCRATCH/wrong"
  whole_ms=${took_ms%.*}
  ends cancelled "$function" "$statement" "$whole_ms"
  ends timed_out "$function" "$statement" "$whole_ms"
done <"$SCRATCH/calls"
none_wrong() { cat "$SCRATCH/wrong"; [ ! -s "$SCRATCH/wrong" ]; }
check "every function ends when its statement is cancelled or timed out" none_wrong
echo "    # latest, ms: $(sort -rn "$SCRATCH/latest" | head -n 5 | paste -sd ';')"
[ -z "${CANCEL_LATEST:-}" ] || sort -rn "$SCRATCH/latest" >"$CANCEL_LATEST"
tell 'SELECT pg_backend_pid();'
heard
check "the connection lives" [ "$heard" = "$pid" ]

# A shutdown waits for no answer.
tell "SELECT length(ebs_report_html('long', baseline => 'long too'));"
busy="SELECT state = 'active' AND query LIKE '%ebs_report_html%' FROM pg_stat_activity WHERE pid = $pid"
check "a long answer is under way" cluster_await "$busy"
cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode fast --wait --timeout 60 stop >/dev/null
check "a shutdown ends it" grep -q 'terminating connection due to administrator command' "$SCRATCH/asking.log"
check "without an answer" [ ! -e "$CLUSTER/data/postmaster.pid" ]
