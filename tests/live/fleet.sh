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
