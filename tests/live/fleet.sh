# ebsctl fleet on real engines: fourteen days of scrapes, with resets, gaps, replicas, a volume that moves and values that are no numbers,
# give the same rows, digit for digit, whichever engine holds them and by whichever transport they come.
. "$ROOT/scripts/engines.sh"
if ! engines_found; then
  skip "a fleet on Prometheus and VictoriaMetrics ($ENGINES_MISSING)"
  return
fi
ebsctl=$(program ebsctl)
generator=$(fleet_generator)
export XDG_STATE_HOME=$SCRATCH/state
until=2026-11-15T00:00:00Z
made_up() { "$generator" "$1" --volumes 8 --traps; }
made_up json-lines >"$SCRATCH/fleet.jsonl"
gzip --keep "$SCRATCH/fleet.jsonl"
made_up open-metrics >"$SCRATCH/fleet.om"
made_up volumes >"$SCRATCH/volumes.json"
made_up instances >"$SCRATCH/instances.json"
# fleet NAME ARGUMENT…: its rows are in a file.
fleet() {
  local name=$1
  shift
  "$ebsctl" fleet "$@" --volumes "$SCRATCH/volumes.json" --volumes "$SCRATCH/instances.json" --since 14d --until "$until" \
    --replica-label replica --format json >"$SCRATCH/$name.rows"
}
# same_rows NAME: those of the file of JSON lines.
same_rows() { diff "$SCRATCH/file.rows" "$SCRATCH/$1.rows" | cut -c 1-2000; }
rows() { [ "$(wc -l <"$SCRATCH/$1.rows")" = "$2" ]; }

check "a file of JSON lines gives a row a volume" fleet file "$SCRATCH/fleet.jsonl"
check "eight of them" rows file 8
check "its gzip" fleet gzip "$SCRATCH/fleet.jsonl.gz"
check "gives the same" same_rows gzip

prometheus_load prometheus "$SCRATCH/fleet.om"
prometheus_start prometheus
victoria_metrics_start vm
victoria_metrics_load vm "$SCRATCH/fleet.jsonl"
for engine in prometheus vm; do
  # Every request passes a proxy, which shows the transport; the second has neither remote read nor export.
  proxy_start "$engine-first" "$engine"
  proxy_start "$engine-last" "$engine" '^/api/v1/(read|export) 404 always'
done
check "Prometheus, by remote read" fleet read --prometheus "${engine_url[prometheus-first]}"
check "which it is" proxy_met prometheus-first pass /api/v1/read
check "gives the same" same_rows read
check "VictoriaMetrics, by its export" fleet export --prometheus "${engine_url[vm-first]}"
check "which it is" proxy_met vm-first pass /api/v1/export
check "gives the same" same_rows export
for engine in prometheus vm; do
  check "$engine, by instant queries" fleet "$engine-query" --prometheus "${engine_url[$engine-last]}"
  check "which they are" proxy_met "$engine-last" pass '/api/v1/query$'
  check "gives the same" same_rows "$engine-query"
done
for shard in 1/2 2/2; do fleet "shard-${shard%/*}" --prometheus "${engine_url[vm]}" --shard "$shard"; done
check "two shards are the fleet" bash -c "cd '$SCRATCH' && diff <(sort file.rows) <(sort shard-1.rows shard-2.rows) | cut -c 1-2000"
