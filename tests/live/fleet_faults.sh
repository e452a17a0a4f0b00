# ebsctl fleet through faults of real engines: answers that are refused as too large, statuses, connections that are cut, an engine that is
# killed. The rows are those without faults; what could not be fetched is named, and is in the exit status.
. "$ROOT/scripts/engines.sh"
if ! engines_found; then
  skip "faults of Prometheus and VictoriaMetrics ($ENGINES_MISSING)"
  return
fi
ebsctl=$(program ebsctl)
generator=$(fleet_generator)
export XDG_STATE_HOME=$SCRATCH/state
made_up() { "$generator" "$1" --volumes 12 --days 2; }
made_up json-lines >"$SCRATCH/fleet.jsonl"
made_up open-metrics >"$SCRATCH/fleet.om"
made_up volumes >"$SCRATCH/volumes.json"
made_up instances >"$SCRATCH/instances.json"
fleet_command=("$ebsctl" fleet --volumes "$SCRATCH/volumes.json" --volumes "$SCRATCH/instances.json" --since 2d --until 2026-11-15T00:00:00Z
  --format json --jobs 1)
# fleet NAME STATUS ARGUMENT…: its rows and what it says are in files; it ends with this exit status. It begins anew, but for RESTART=.
fleet() {
  local name=$1 expected=$2 status=0
  shift 2
  "${fleet_command[@]}" ${RESTART---restart} "$@" >"$SCRATCH/$name.rows" 2>"$SCRATCH/$name.log" || status=$?
  [ "$status" = "$expected" ] || { echo "exit status $status"; cat "$SCRATCH/$name.log"; return 1; }
}
same_rows() { diff "$SCRATCH/file.rows" "$SCRATCH/$1.rows" | cut -c 1-2000; }
# faulty NAME PROXY LINE…: the rows are the same although this goes wrong, and it has.
faulty() {
  local name=$1 proxy=$2
  shift 2
  proxy_plan "$proxy" "$@"
  fleet "$name" 0 --prometheus "${engine_url[$proxy]}" && same_rows "$name" && ! grep . "$SCRATCH/$proxy/plan"
}

fleet file 0 "$SCRATCH/fleet.jsonl"
prometheus_load prometheus "$SCRATCH/fleet.om"
prometheus_start prometheus
victoria_metrics_start vm
victoria_metrics_load vm "$SCRATCH/fleet.jsonl"
# What was imported is on disk only when it has ended by itself.
engine_stop vm
victoria_metrics_start vm
proxy_start proxy-prometheus prometheus
proxy_start proxy-vm vm
declare -A path=([prometheus]=/api/v1/read [vm]=/api/v1/export)
for engine in prometheus vm; do
  check "$engine without faults" faulty none "proxy-$engine"
  check "$engine, twice unavailable" faulty unavailable "proxy-$engine" "^${path[$engine]} 503" "^${path[$engine]} 503"
  check "$engine, too many requests" faulty many "proxy-$engine" "^${path[$engine]} 429"
  check "$engine, cut in the middle of an answer" faulty cut "proxy-$engine" "^${path[$engine]} cut 50000" "^${path[$engine]} cut 0"
done

# killed ENGINE: it is killed while it has half of a request, stays away for another request, and comes back.
killed() {
  local engine=$1 proxy=proxy-$1 client status=0
  proxy_plan "$proxy" "^${path[$engine]} hold"
  fleet killed 0 --prometheus "${engine_url[$proxy]}" &
  client=$!
  await test -e "$SCRATCH/$proxy/held"
  engine_stop "$engine" KILL
  : >"$SCRATCH/$proxy/go"
  await proxy_met "$proxy" refused
  "${engine/vm/victoria_metrics}_start" "$engine"
  wait "$client" && same_rows killed
}
for engine in prometheus vm; do check "$engine killed and started again" killed "$engine"; done

# A batch that never comes: that of the second instance, by the address in its selectors. The body of a remote read is compressed, so
# Prometheus is asked by instant queries.
second='10[^0-9]+0[^0-9]+0[^0-9]+1[^0-9]'
path[prometheus]=/api/v1/query
for engine in prometheus vm; do
  proxy_plan "proxy-$engine" '^/api/v1/read 404 always' "${path[$engine]}.*$second 503 always"
  check "$engine refuses one instance for good: exit status 4" fleet "refused-$engine" 4 --prometheus "${engine_url[proxy-$engine]}"
  check "its volumes are named" bash -c "[ \$(grep -c '\"code\":\"not_fetched\"' '$SCRATCH/refused-$engine.rows') = 4 ]"
  check "and the others have their rows" bash -c "[ \$(grep -cxFf '$SCRATCH/refused-$engine.rows' '$SCRATCH/file.rows') = 8 ]"
done

# Interrupted while the second batch is fetched; the same command, again, fetches what is left.
interrupted() {
  local client status=0
  proxy_plan proxy-vm "${path[vm]}.*$second hold"
  "${fleet_command[@]}" --restart --prometheus "${engine_url[proxy-vm]}" >"$SCRATCH/interrupted.rows" 2>"$SCRATCH/interrupted.log" &
  client=$!
  await test -e "$SCRATCH/proxy-vm/held"
  kill -INT "$client"
  wait "$client" || status=$?
  cat "$SCRATCH/interrupted.log"
  [ "$status" -gt 0 ]
}
check "it can be interrupted" interrupted
check "and says how much it has, of the whole fleet" grep -xE 'interrupted: [48] of 12 volumes are answered' "$SCRATCH/interrupted.log"
: >"$SCRATCH/proxy-vm/go"
proxy_plan proxy-vm "${path[vm]}.*10[^0-9]+0[^0-9]+0[^0-9]+0[^0-9] 503 always"
RESTART= check "and resumes" fleet resumed 0 --prometheus "${engine_url[proxy-vm]}"
check "with the rows of the whole fleet" same_rows resumed
check "without another request for what it had" bash -c "! grep ^503 '$SCRATCH/proxy-vm/requests'"

# A path that fails for good while instant queries work.
proxy_plan proxy-prometheus '^/api/v1/read 500 always'
check "a path that always fails is replaced by queries" fleet broken 0 --prometheus "${engine_url[proxy-prometheus]}"
check "to the same rows" same_rows broken
check "with the reason" grep -xF 'transport: instant query, instead of remote read: the server cannot answer now (HTTP 500): made up by the test' \
  "$SCRATCH/broken.log"
check "one that was chosen is not" fleet chosen 4 --prometheus "${engine_url[proxy-prometheus]}" --transport remote-read \
  --volume "$(grep -o -m 1 'vol-[0-9a-f]*' "$SCRATCH/volumes.json")"
check "but another one is suggested" grep -F -- '--transport query' "$SCRATCH/chosen.log"

# An engine that allows few samples in an answer, asked by instant queries.
engine_stop prometheus
prometheus_start prometheus --query.max-samples=2000
proxy_plan proxy-prometheus '^/api/v1/read 404 always'
check "batches that are too large are halved" fleet halved 0 --prometheus "${engine_url[proxy-prometheus]}"
check "to the same rows" same_rows halved
check "by instant queries" proxy_met proxy-prometheus pass '/api/v1/query$'
engine_stop prometheus
prometheus_start prometheus --query.max-samples=1
check "a sample that is too much by itself is named" fleet small 4 --prometheus "${engine_url[proxy-prometheus]}"
check "with its volumes" bash -c "[ \$(grep -c '\"code\":\"not_fetched\"' '$SCRATCH/small.rows') = 12 ]"
engine_stop prometheus
check "an engine that is not there is an error" fleet absent 3 --prometheus "${engine_url[prometheus]}"
