# Answers of ebsctl advise on files beside those of the SQL functions on the same evidence and prices: the JSON byte for byte, the screen, the
# whole report, the commands and the page but for what leads on from them. Every recorded input of sql/reports is among the files.
sampling </dev/null
EBSCTL=$(program ebsctl)
FILES=$SCRATCH/files
install -d -m 755 "$FILES"
install -m 644 "$ROOT"/sql/reports/*.{txt,json,csv,hex} "$ROOT/tests/live/driven.json" "$FILES"
cd "$FILES"
export TZ=UTC
cluster_sql "ALTER DATABASE postgres SET timezone = 'UTC'" >/dev/null
touched() { printf '%s\n' "$@" | sort -u >>"$SCRATCH/read"; }

# Documents without a recording: half an hour of made seconds of a volume, and hours of another database.
cluster_psql -d postgres -XAtc "SELECT jsonb_agg(jsonb_build_object('ts', '2026-11-20 10:00:00+00'::timestamptz + i * interval '1 s',
  'reads', 3000 + 37 * i % 500, 'writes', 300 + 11 * i % 100, 'read_bytes', 8192 * (3000 + 37 * i % 500), 'write_bytes', 16384 * 300,
  'read_ms', 1700, 'write_ms', 200) ORDER BY i) FROM generate_series(1, 1800) i" >seconds.json
cat >hours.json <<'JSON'
[{"begin": "2026-11-20 10:00", "end": "2026-11-20 10:30", "read_requests": 3610280, "write_requests": 757110, "read_bytes": 29575413760,
  "write_bytes": 6202245120, "redo_writes": 90000, "redo_bytes": 734003200},
 {"begin": "2026-11-20 10:30", "end": "2026-11-20 11:00", "read_requests": 2610280, "write_requests": 957110, "read_bytes": 19575413760,
  "write_bytes": 8202245120, "redo_writes": 95000, "redo_bytes": 834003200}]
JSON
cat >prices.json <<'JSON'
[{"offer": "AmazonEC2", "version": "1", "published": "2026-12-01",
  "prices": [{"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": "0.0625"}]}]
JSON

# without_next: a text without the lines that lead on: NEXT, and those that continue it.
without_next() { awk '/^NEXT/ { skip = 1; next } skip && /^             / { next } { skip = 0; print }'; }

# same LABEL "import" "arguments in SQL" FILE… OPTION…: both answers to the same. The import stores the run of this label.
same() {
  local label=$1 import=$2 arguments=$3 form at option
  shift 3
  touched "${@%%=*}"
  cluster_sql "$import" >/dev/null || return 1
  # A configuration is as old as its import there, as its file here.
  at=$(cluster_sql "SELECT to_char(max(confirmed_at), 'YYYY-MM-DD HH24:MI:SS.US \"UTC\"') FROM ebs.configuration")
  [ -z "$at" ] || touch -d "$at" configuration-*.json
  local call="'$label'${arguments:+, $arguments}"
  cluster_psql -d postgres -XAtc "SELECT ebs_advise_json($call)" >"$SCRATCH/sql.json" || return 1
  "$EBSCTL" advise "$@" --label "$label" --json >"$SCRATCH/file.json" || return 1
  [ "$(wc -c <"$SCRATCH/sql.json")" -gt 1000 ] && cmp "$SCRATCH/sql.json" "$SCRATCH/file.json" || return 1
  for form in screen all commands; do
    cluster_psql -d postgres -XAtc "SELECT ebs_advise($call, show => '$form')" | without_next >"$SCRATCH/sql.txt"
    [ "$form" = screen ] && option= || option=--$form
    "$EBSCTL" advise "$@" --label "$label" $option | without_next >"$SCRATCH/file.txt" || return 1
    [ -s "$SCRATCH/sql.txt" ] && diff "$SCRATCH/sql.txt" "$SCRATCH/file.txt" || return 1
  done
  cluster_psql -d postgres -XAtc "SELECT ebs_report_html($call)" >"$SCRATCH/sql.html"
  "$EBSCTL" advise "$@" --label "$label" --html - >"$SCRATCH/file.html" || return 1
  cmp "$SCRATCH/sql.html" "$SCRATCH/file.html" || return 1
  cluster_sql "SELECT ebs_run_drop('$label')" >/dev/null
}
text() { echo "pg_read_file('$FILES/$1')"; }
# forget: nothing is configured, and prices are those that are built in.
forget() { cluster_sql 'SELECT ebs_configuration_reset(); SELECT ebs_prices_reset()' >/dev/null; }

for file in iostat-12.txt iostat-12.json iostat-12-zh_CN.txt; do
  check "$file" same i "SELECT ebs_import_iostat('i', $(text $file))" '' $file
done
check "iostat-10-en_US.txt, of a device, with another WAL" same i \
  "SELECT ebs_import_iostat('i', $(text iostat-10-en_US.txt), 'sdf', wal_device => 'sda')" '' iostat-10-en_US.txt --device sdf --wal-device sda
for file in sar-12.txt sadf-12.csv sadf-12.json sadf-12.7.json; do
  check "$file" same s "SELECT ebs_import_sar('s', $(text $file))" '' $file
done
check "sar-10-en_US.txt, in a zone" same s "SELECT ebs_import_sar('s', $(text sar-10-en_US.txt), 'dev8-80', time_zone => 'Europe/Paris')" '' \
  sar-10-en_US.txt --device dev8-80 --time-zone Europe/Paris
check "sar-12-all.txt" same s "SELECT ebs_import_sar('s', $(text sar-12-all.txt), 'nvme1n1')" '' sar-12-all.txt --device nvme1n1
for file in cloudwatch-checks.json cloudwatch-rds.json; do
  check "$file" same c "SELECT ebs_import_cloudwatch('c', $(text $file)::jsonb)" '' $file
done
check "cloudwatch-ebs.json" same c "SELECT ebs_import_cloudwatch('c', $(text cloudwatch-ebs.json)::jsonb, 'vol-0data', 'vol-0wal')" '' \
  cloudwatch-ebs.json --device vol-0data --wal-device vol-0wal
for file in rds-os.json rds-os.txt rds-os-tail.txt; do
  check "$file" same r "SELECT ebs_import_rds_os('r', $(text $file))" '' $file
done
check "rds-os.json with the configuration of its instance and its wait events" same r \
  "SELECT ebs_import_configuration($(text configuration-rds.json)); SELECT ebs_import_rds_os('r', $(text rds-os.json));
   SELECT ebs_import_rds_waits('r', $(text rds-waits.json))" '' rds-os.json configuration-rds.json rds-waits.json
forget
volume=$(sed -n 's/.*"VolumeId": "\(vol-[0-9a-f]*\)".*/\1/p' configuration-ec2.json | head -n 1)
check "iostat-12.txt of a volume that AWS describes" same "$volume" \
  "SELECT ebs_import_configuration($(text configuration-ec2.json)); SELECT ebs_import_iostat('$volume', $(text iostat-12.txt))" '' \
  iostat-12.txt configuration-ec2.json
forget
check "an array of samples, with every kind of argument" same a "SELECT ebs_import_samples('a', 'nvme1n1', $(text seconds.json)::jsonb)" \
  "percentile => 99.5, headroom => 0.1, max_volumes => 2, min_size_gib => 500, budget_usd => 900, instance => 'r6i.2xlarge', region => 'eu-west-1'" \
  seconds.json --device nvme1n1 --percentile 99.5 --headroom 0.1 --max-volumes 2 --min-size-gib 500 --budget-usd 900 --instance r6i.2xlarge \
  --region eu-west-1
check "totals of hours, redo apart" same h "SELECT ebs_import_awr('h', $(text hours.json)::jsonb, redo_apart => true)" '' hours.json --redo-apart true
check "prices that are imported" same p \
  "SELECT ebs_import_prices($(text prices.json)::jsonb); SELECT ebs_import_samples('p', 'imported', $(text seconds.json)::jsonb)" \
  'min_size_gib => 100' prices.json seconds.json --min-size-gib 100
forget
for run in before after; do
  check "run $run that was exported, with its load driver" same $run \
    "SELECT ebs_run_import(jsonb_set(d, '{runs}', jsonb_path_query_array(d, '\$.runs[*] ? (@.label == \"$run\")'))::text)
     FROM (SELECT $(text driven.json)::jsonb) AS documents (d)" '' driven.json
done
# A run of ebsctl watch with statements and the indexes that its planner recommended, some of whose commands are others than CREATE INDEX.
{
  echo '\o /dev/null'
  sed "/^.set figures/q; s#sql/reports/#$FILES/#" "$ROOT/sql/index_findings.sql"
  cat <<'SQL'
\o
SELECT with_findings('watched', (SELECT jsonb_agg(finding('index', command, :'saves', :'figures')) FROM unnest(ARRAY[
  'CREATE INDEX CONCURRENTLY ON public.orders (customer_id)',
  'CREATE INDEX CONCURRENTLY ON public."Order" ("Größe" DESC NULLS LAST, b) INCLUDE (c) WHERE a IS NULL AND NOT gone',
  'CREATE INDEX CONCURRENTLY ON public.orders (customer_id); DROP TABLE orders', 'DROP TABLE orders', 'CREATE INDEX ON public.orders (a)',
  'CREATE INDEX CONCURRENTLY ON public.orders (f(a))', 'CREATE INDEX CONCURRENTLY ON public.orders (a) WHERE "b',
  'CREATE INDEX CONCURRENTLY ON public."t" "u" (a)']) command));
SQL
} | cluster_psql -d postgres -qXAt -v ON_ERROR_STOP=1 -f - >watched.json 2>/dev/null
check "a run of ebsctl watch, with statements and indexes" same watched "SELECT ebs_run_import($(text watched.json))" '' watched.json
check "of which two indexes are advised" test "$("$EBSCTL" advise watched.json --json | grep -o '"finding": "index"' | wc -l)" = 2
for file in fio-3.33.json fio-3.33-plus.json; do
  check "$file on the page of a run" same f \
    "SELECT ebs_import_samples('f', 'imported', $(text seconds.json)::jsonb); SELECT ebs_import_fio('f', $(text $file))" '' seconds.json $file
done
# imported LABEL FILE… OPTION…: what ebsctl import makes of the files answers as they do themselves.
imported() {
  local label=$1
  shift
  "$EBSCTL" import "$@" --label "$label" -d "host=$CLUSTER user=postgres dbname=postgres" || return 1
  "$EBSCTL" advise "$@" --label "$label" --json >"$SCRATCH/file.json" || return 1
  cluster_psql -d postgres -XAtc "SELECT ebs_advise_json('$label')" | diff - "$SCRATCH/file.json"
}
check "ebsctl import brings iostat and fio where they go" imported io iostat-12.txt fio-3.33.json
check "as a run with its report" is "SELECT count(*) FROM ebs.run_fio JOIN ebs.run USING (run_id) WHERE label = 'io'" 1
check "and hours of another database" imported awr hours.json
check "and answers of CloudWatch beside what AWS describes" imported cw cloudwatch-checks.json configuration-ec2.json
check "as configuration" is "SELECT count(*) > 0 FROM ebs.configuration" t
check "and events with their waits" imported os rds-os.json rds-waits.json
check "and an exported run under its own label" test "$("$EBSCTL" import driven.json -d "host=$CLUSTER user=postgres dbname=postgres" | wc -l)" = 2
check "and says where each would go" test "$("$EBSCTL" import --dry-run prices.json configuration-rds.json seconds.json fio-3.33.json | grep -o 'ebs_[a-z_]*$' | xargs)" = \
  "ebs_import_prices ebs_import_configuration ebs_run_import ebs_import_fio"
check "a run without a label is not begun" test "$("$EBSCTL" import seconds.json -d "host=$CLUSTER" 2>&1 | head -n 1)" = 'error: the files need the label of a run'
# What is of no server is refused with the way out.
refused() {
  local words=$1
  shift
  touched "$@"
  ! "$EBSCTL" advise "$@" >"$SCRATCH/refused" 2>&1 && grep -q "$words" "$SCRATCH/refused" && grep -q '^hint:' "$SCRATCH/refused"
}
check "Aurora is refused" refused ebs_aurora cloudwatch-aurora.json
check "every recorded file was read" test -z "$(ls "$ROOT"/sql/reports/*.{txt,json,csv} | sed 's/.*\///' | grep -vxFf "$SCRATCH/read")"
