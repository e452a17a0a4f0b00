# ebsctl fleet says what it waits for, what it did not find, and why a request is refused, each with its own cause: on real engines behind a
# proxy that answers late, with other statuses, or elsewhere. Exit statuses are those of docs/fleet.md.
. "$ROOT/scripts/engines.sh"
if ! engines_found; then
  skip "notices on Prometheus and VictoriaMetrics ($ENGINES_MISSING)"
  return
fi
ebsctl=$(program ebsctl)
generator=$(fleet_generator)
export XDG_STATE_HOME=$SCRATCH/state
made_up() { "$generator" "$1" --volumes 4 --days 1; }
made_up json-lines >"$SCRATCH/fleet.jsonl"
made_up open-metrics >"$SCRATCH/fleet.om"
made_up volumes >"$SCRATCH/volumes.json"
made_up instances >"$SCRATCH/instances.json"
# A volume that is attached to nothing, and has no series.
echo '{"Volumes": [{"VolumeId": "vol-0dead0000000000ff", "State": "available", "VolumeType": "gp2", "Size": 100, "Iops": 300,
  "AvailabilityZone": "us-east-1a", "Attachments": []}]}' >"$SCRATCH/free.json"
# fleet NAME STATUS ARGUMENT…: its rows and what it says are in files; it ends with this exit status.
fleet() {
  local name=$1 expected=$2 status=0
  shift 2
  "$ebsctl" fleet --volumes "$SCRATCH/volumes.json" --volumes "$SCRATCH/instances.json" --volumes "$SCRATCH/free.json" --since 1d \
    --until "${until:-2026-11-15}" --format json --jobs 1 --restart "$@" >"$SCRATCH/$name.rows" 2>"$SCRATCH/$name.log" || status=$?
  [ "$status" = "$expected" ] || { echo "exit status $status"; cat "$SCRATCH/$name.log"; return 1; }
}
early() { until=2026-01-02 fleet early 1 "$@"; }
says() { grep -F -- "$2" "$SCRATCH/$1.log" >"$SCRATCH/said" || { cat "$SCRATCH/$1.log"; return 1; }; }
prometheus_load prometheus "$SCRATCH/fleet.om"
prometheus_start prometheus
victoria_metrics_start vm
victoria_metrics_load vm "$SCRATCH/fleet.jsonl"

for engine in prometheus vm; do
  url=(--prometheus "${engine_url[$engine]}")
  check "$engine: a date is the end of the time" fleet date 0 "${url[@]}"
  check "$engine: a selector that no series meets is status 1" fleet nothing 1 "${url[@]}" --match 'job="nod"'
  check "and is named" says nothing "no volume meets --match '{job=\"nod\"}'"
  check "$engine: a claim that no volume meets is status 1" fleet claim 1 "${url[@]}" --claim 'db/none-*'
  check "$engine: a time without samples is status 1" early "${url[@]}"
  check "and is named" says early 'detail: it is from 2026-01-01T00:00:00Z to 2026-01-02T00:00:00Z'
  check "with its own hint" says early 'hint:  Name the time of the samples by --since and --until.'
  check "and so it is for a volume that documents show as unattached" early "${url[@]}" --volume vol-0dead0000000000ff
  check "$engine: in the time of the others it is answered in full" fleet free 0 "${url[@]}" --volume vol-0dead0000000000ff
  check "$engine: a volume that is not there, beside one that is, is status 4" fleet missing 4 "${url[@]}" \
    --volume "vol-0badbadbadbadbad0,$(grep -o -m 1 'vol-[0-9a-f]*' "$SCRATCH/volumes.json")"
  check "$engine: an invalid regular expression" fleet pattern 3 "${url[@]}" --match 'job=~"prod("'
  check "is the cause that the hint names" says pattern 'hint:  The server refuses a regular expression of --match'
  check "and no other" bash -c "! grep -F '/api/v1' '$SCRATCH/pattern.log'"
done

proxy_start proxy prometheus
url=(--prometheus "${engine_url[proxy]}")
proxy_plan proxy '^/api/v1/ 302 Location:https://sso.example/login?secret always'
check "a redirection is not followed" fleet redirected 3 "${url[@]}"
check "its host is named, without the path" says redirected 'a redirection to sso.example'
check "with its own hint" says redirected 'hint:  Redirections are not followed'
proxy_plan proxy '^/api/v1/ 404 always'
check "an address without the API" fleet elsewhere 3 "${url[@]}"
check "has the hint of the address" says elsewhere 'hint:  --prometheus is the address before /api/v1'
proxy_plan proxy '^/api/v1/ 403 always'
check "a server that wants credentials" fleet refused 3 "${url[@]}"
check "has the hint of credentials" says refused 'hint:  Give credentials that may read'

# Waits: 429 with a delay, and a server that sends a byte a second.
proxy_plan proxy '^/api/v1/series 429 Retry-After:12'
check "a server that asks for a pause gets it" fleet many 0 "${url[@]}"
check "and the pause is named" says many "waiting 12 s: ${engine_url[proxy]#http://} answered 429 (Retry-After: 12)"
check "on standard error alone" cmp "$SCRATCH/many.rows" <(fleet plain 0 --prometheus "${engine_url[prometheus]}" && cat "$SCRATCH/plain.rows")
proxy_plan proxy '^/api/v1/series drip 12'
check "an answer that drips is cut, and asked for again" fleet drips 0 "${url[@]}"
check "and the wait is named" says drips "waiting for ${engine_url[proxy]#http://} since 10 s: "
check "quick answers have no line" bash -c "! grep -F waiting '$SCRATCH/plain.log'"

# Files that cannot be written.
check "a full file system" fleet full 1 "$SCRATCH/fleet.jsonl" --output /dev/full
check "has its own hint" says full 'hint:  The file system is full'
