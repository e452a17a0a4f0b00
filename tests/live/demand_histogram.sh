# Histograms of one-second demand are counters: they hold the seconds and requests of the samples that are stored, survive a restart,
# begin again after a crash, and come out of postgres_exporter's, sql_exporter's and node_exporter's configurations under their names.
# On every major: unlogged tables, and what recovery does with them.
sampling <<<"$(own_disk_settings)"
look
cluster_await 'SELECT count(*) > 0 FROM ebs_device_samples()'
# Each within a second of its own.
for requests in 100 2000 7 300; do
  disk_reads "$requests" $((requests / 10))
  second=$(cluster_sql "SELECT max(ended_at) FROM ebs_device_samples()")
  cluster_await "SELECT max(ended_at) >= '$second'::timestamptz + interval '2 s' FROM ebs_device_samples()"
done

# still: ends the sampler, which writes what it has.
still() {
  cluster_sql 'ALTER SYSTEM SET ebs_advisor.enabled = off'
  cluster_sql 'SELECT pg_reload_conf()' >/dev/null
  cluster_await "SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"
}
stored="SELECT round(sum(seconds)::numeric, 6), sum(reads + writes), sum(read_bytes + write_bytes) FROM ebs_device_samples(lookback => '1 day')"
counted="SELECT round(max(seconds)::numeric, 6), max(total) FILTER (WHERE metric = 'requests'), max(total) FILTER (WHERE metric = 'bytes')
  FROM ebs_demand_histogram() WHERE le = 'Infinity'"
check "it has the requests while sampling goes on" cluster_await "SELECT max(total) = 2647 FROM ebs_demand_histogram() WHERE metric = 'requests'"
check "and never more seconds than were sampled" is \
  "SELECT (SELECT max(seconds) FROM ebs_demand_histogram()) <= (SELECT sum(seconds) + 1e-6 FROM ebs_device_samples(lookback => '1 day'))" t
still
check "its seconds, requests and bytes are those of the stored samples" is "$counted" "$(cluster_sql "$stored")"
check "both metrics have the same seconds" is \
  "SELECT count(DISTINCT seconds), count(*) FROM ebs_demand_histogram() WHERE le = 'Infinity'" '1|2'
check "seconds only grow with their bound" is \
  "SELECT bool_and(seconds > before) FROM (SELECT seconds, lag(seconds, 1, 0) OVER (PARTITION BY metric ORDER BY le) AS before
   FROM ebs_demand_histogram() WHERE le < 'Infinity') h" t
check "busy seconds are busy" is "SELECT bool_or(le BETWEEN 700 AND 5000) FROM ebs_demand_histogram() WHERE metric = 'requests' AND le < 'Infinity'" t
check "bounds without seconds are left out" is "SELECT count(*) BETWEEN 3 AND 30 FROM ebs_demand_histogram() WHERE metric = 'requests'" t
check "the volume is named" is "SELECT DISTINCT volume ~ '^vol-', device FROM ebs_demand_histogram()" 't|nvme0n1'

# Exporters.
cluster_sql 'CREATE ROLE exporter LOGIN; GRANT pg_monitor TO exporter'
mkdir "$SCRATCH/textfile"
textfile() { PATH=$PG_BIN:$PATH "$ROOT/docs/exporters/ebs-demand-textfile" "$SCRATCH/textfile" -h "$CLUSTER" -U exporter postgres; }
check "the textfile is written" textfile
check "and nothing else" test "$(ls -A "$SCRATCH/textfile")" = ebs_demand.prom
# A sample: name, labels in their order, value. A type line stands before the samples of its name.
well_formed() {
  awk '/^# HELP ebs_demand_(requests|bytes)_(bucket|sum|count) ./ { next }
    /^# TYPE ebs_demand_(requests|bytes)_(bucket|sum|count) counter$/ { name = $3; next }
    /^[a-z_]+\{volume="[^"]+",device="[^"]+"(,le="([0-9.]+|[+]Inf)")?\} [0-9]+([.][0-9]+)?$/ && index($0, name "{") == 1 { samples++; next }
    { print "not expected: " $0; bad = 1 }
    END { exit bad || samples < 10 }' "$SCRATCH/textfile/ebs_demand.prom"
}
check "in the text format" well_formed
# series_sql: prints the series of ebs_demand_histogram as the textfile has them, sorted.
series_sql() {
  cluster_sql "SELECT format('ebs_demand_%s_bucket{volume=\"%s\",device=\"%s\",le=\"%s\"} %s', metric, volume, device,
      replace(le::text, 'Infinity', '+Inf'), seconds) FROM ebs_demand_histogram()
    UNION ALL SELECT format('ebs_demand_%s_%s{volume=\"%s\",device=\"%s\"} %s', metric, name, volume, device, value)
      FROM ebs_demand_histogram(), LATERAL (VALUES ('sum', total), ('count', seconds)) v (name, value) WHERE le = 'Infinity'" | LC_ALL=C sort
}
check "with the same series" diff <(series_sql) <(grep -v '^#' "$SCRATCH/textfile/ebs_demand.prom" | LC_ALL=C sort)
# The real node_exporter reads it, fractions of seconds too.
if [ -e "$ROOT/scripts/engines.sh" ] && . "$ROOT/scripts/engines.sh" && engines_found; then
  node_exporter_start textfile_exporter --collector.disable-defaults --collector.textfile --collector.textfile.directory="$SCRATCH/textfile"
  # The order of labels, and how it writes large numbers, are its own.
  values() { sed -E 's/\{.*(le="[^"]*").*\}/{\1}/; s/\{volume=.*\}|\{device=.*\}//' | awk '{ printf "%s %.6f\n", $1, $2 }' | LC_ALL=C sort; }
  collected() { curl --silent --noproxy '*' "${engine_url[textfile_exporter]}/metrics" | grep '^ebs_demand_'; }
  check "node_exporter gives the same series" diff <(series_sql | values) <(collected | values)
  engine_stop textfile_exporter
  # Its names are those of a histogram, so that histogram_quantile() takes them; the type is counter, as seconds are no whole numbers.
  complaints() { "$ENGINES/promtool" check metrics <"$SCRATCH/textfile/ebs_demand.prom" 2>&1 | grep -vE '(_total|_bucket|_sum|_count)" suffix$|"le" label$'; }
  check "promtool has nothing against it but names of a histogram at counters" eval '! complaints'
else
  skip "node_exporter's textfile collector (${ENGINES_MISSING:-there is no scripts/engines.sh})"
fi
before=$(cat "$SCRATCH/textfile/ebs_demand.prom")
fails_without_database() { ! PATH=$PG_BIN:$PATH "$ROOT/docs/exporters/ebs-demand-textfile" "$SCRATCH/textfile" -h "$CLUSTER" -U exporter nowhere; }
check "a failure is an exit status" fails_without_database
check "and leaves the file" test "$(cat "$SCRATCH/textfile/ebs_demand.prom")" = "$before"
check "and no other" test "$(ls -A "$SCRATCH/textfile")" = ebs_demand.prom

# exported FILE: prints the series that a configuration gives by its queries: metric NAME and the labels, in JSON.
exported() {
  awk -v file="$1" '
    file ~ /postgres/ && /^ebs_[a-z_]+:$/ { sub(":", ""); prefix = $0 "_" }
    file ~ /postgres/ && /^    - [a-z_]+:$/ { column = $2; sub(":", "", column) }
    file ~ /postgres/ && /usage: "COUNTER"/ { print prefix column "\t" column "\t" query }
    file ~ /sql_exporter/ && /metric_name:/ { name = $3 }
    file ~ /sql_exporter/ && /values:/ { value = $2; gsub(/[][]/, "", value) }
    file ~ /sql_exporter/ && /query_ref:/ { waiting[name] = value }
    /query: "/ { query = $0; sub(/^[^"]*"/, "", query); sub(/"$/, "", query) }
    file ~ /sql_exporter/ && /query: "/ && /seconds AS bucket/ { print name "\t" value "\t" query }
    END { for (name in waiting) print name "\t" waiting[name] "\t" query }' "$ROOT/docs/exporters/$1" |
    while IFS=$'\t' read -r name column query; do
      cluster_sql "SET ROLE exporter; SELECT '$name' || '{volume=\"' || volume || '\",device=\"' || device || '\"'
        || coalesce(',le=\"' || (to_jsonb(q) ->> 'le') || '\"', '') || '} ' || $column FROM ($query) q"
    done | LC_ALL=C sort
}
for file in postgres_exporter.yaml sql_exporter.collector.yml; do
  check "$file gives the same series" diff <(series_sql) <(exported "$file")
done

# A volume that is sampled no more.
cluster_sql "INSERT INTO ebs.demand_bin SELECT 'vol-old', 'sdz', metric, le, us, amount, counted_until - interval '2 hours' FROM ebs.demand_bin"
check "a volume that is not sampled any more is not exported" is "SELECT count(*) FROM ebs_demand_histogram() WHERE volume = 'vol-old'" 0

kept=$(cluster_sql "$counted")
cluster_stop
cluster_start
check "a restart keeps the counters" is "$counted" "$kept"
cluster_sql 'ALTER SYSTEM RESET ebs_advisor.enabled'
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
check "and the sampler goes on from there" cluster_await "SELECT max(seconds) > ${kept%%|*} FROM ebs_demand_histogram()"
crashed=$(sampler_pid)
signal KILL "$crashed"
check "after a crash they begin again" cluster_await \
  "SELECT count(*) FILTER (WHERE metric = 'requests') = 1 FROM ebs_demand_histogram() WHERE le = 'Infinity' AND total = 0"
check "and nothing is wrong with the stored samples" is "SELECT sum(reads + writes) FROM ebs_device_samples(lookback => '1 day')" 2647
