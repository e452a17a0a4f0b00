# Files, directories and engines of others against ebsctl: it ends by itself, in bounded memory, writes through nobody's links, prints
# nothing that a terminal would obey, and gives its credentials to the engine alone that the user has named.
EBSCTL=$(program ebsctl)
CLIENT=$SCRATCH/client
mkdir "$CLIENT"
. "$ROOT/tests/attack/client.sh"
. "$ROOT/tests/attack/commands.sh"
export XDG_STATE_HOME=$SCRATCH/state
command_inputs
inputs=$SCRATCH/inputs
# Documents are read as a whole, so that one may take the memory of its limit and of what is made of it.
DOCUMENT_KIB=524288
# A week of seconds as text, and the buffer that grew to hold it.
REPORT_KIB=1048576

# refused ARGUMENT…: it ends by itself, within the bounds, with an error that is text.
refused() {
  bounded "$@" && clean && [ "$(head -n 1 "$SCRATCH/ended")" != 'exit 0' ] || { told; return 1; }
}
# ended ARGUMENT…: the same, or it does its work.
ended() { bounded "$@" && clean || { told; return 1; }; }

# Databases of HammerDB, whose tables never end (tests/attack/hammer_db.sql).
export BOUNDED_SECONDS=${BOUNDED_SECONDS:-120}
for name in jobs output blob generated join; do
  check "hammer.DB, $name" refused import --dry-run "$ROOT/tests/attack/hammer_$name.DB"
  check "hammer.DB, $name, of a job" refused import --dry-run --job job "$ROOT/tests/attack/hammer_$name.DB"
done
check "hammer.DB, names that command a terminal" refused import --dry-run "$ROOT/tests/attack/hammer_names.DB"

# Bombs: 64 MiB of spaces, a gzip of 64 KiB, a hundred times over.
head -c 67108864 /dev/zero | tr '\0' ' ' | gzip -9 >"$SCRATCH/spaces.gz"
bomb() {
  printf '%s' "$1" | gzip >"$SCRATCH/$2"
  for _ in {1..100}; do cat "$SCRATCH/spaces.gz"; done >>"$SCRATCH/$2"
}
bomb '{"Volumes": [' document.gz
bomb '{"metric": {"__name__": "' line.gz
bomb '{"volume": "' rows.gz
bomb 'SKU,' offer.gz
fleet=(fleet "$inputs/fleet.jsonl" --since 1d --until 2026-11-15T00:00:00Z --format json)
configuration=(--volumes "$inputs/volumes.json" --volumes "$inputs/instances.json")
# Half a gigabyte of blanks is read to its limit, which an unoptimised ebsctl takes a minute for.
BOUNDED_CPU=200 BOUNDED_SECONDS=600 BOUNDED_KIB=$DOCUMENT_KIB check "a bomb as --volumes ends at its limit" refused "${fleet[@]}" --volumes "$SCRATCH/document.gz"
BOUNDED_KIB=$DOCUMENT_KIB check "a bomb as a configuration" refused import configuration --dry-run "$SCRATCH/document.gz"
bomb '{"events": [{"message": "{\"instanceID' events.gz
BOUNDED_KIB=$DOCUMENT_KIB check "a bomb as events of Enhanced Monitoring" refused import --dry-run "$SCRATCH/events.gz"
bomb 'Device r/s w/s rkB/s wkB/s' iostat.gz
bomb '{"MetricDataResults": [' cloudwatch.gz
for kind in events iostat cloudwatch; do
  BOUNDED_KIB=$REPORT_KIB check "a bomb for advice: $kind" refused advise "$SCRATCH/$kind.gz"
done
check "a bomb as a line of samples" refused fleet "$SCRATCH/line.gz" "${configuration[@]}" --since 1d --until 2026-11-15T00:00:00Z
check "a bomb as rows" refused fleet --rows "$SCRATCH/rows.gz" --format json
check "a bomb as prices" refused prices --dry-run "$SCRATCH/offer.gz"
check "a bomb as a driver's output" refused import --dry-run "$SCRATCH/rows.gz"

# A line, a file and a list without end, from a pipe.
bounded_input() { (cd "$CLIENT" && exec perl "$ROOT/tests/attack/bounded.pl" "$SCRATCH/ended" "$EBSCTL" "$@") >"$SCRATCH/out" 2>"$SCRATCH/err"; }
refused_endless() { bounded_input "${@:2}" < <(yes "$1" | tr -d '\n') && clean && [ "$(head -n 1 "$SCRATCH/ended")" != 'exit 0' ] || { told; return 1; }; }
check "rows of one line without end" refused_endless '{"volume": "' fleet --rows /dev/stdin --format json
check "a driver's line without end" refused_endless 'progress: ' import --dry-run /dev/stdin
BOUNDED_KIB=$DOCUMENT_KIB check "a configuration without end" refused_endless '{"Volumes": []}' import configuration --dry-run -
BOUNDED_CPU=200 BOUNDED_SECONDS=600 BOUNDED_KIB=$DOCUMENT_KIB check "the same for advice" refused_endless '{"Volumes": []}' advise -

# Names of files, and what stands in them, are text.
name=$'\e]0;owned\a\e[2J\u009b31m\u202e\nerror: none'
for file in missing present; do
  [ "$file" = missing ] || printf 'x\e[2J\n' >"$CLIENT/$name"
  check "the name of a $file file: import" refused import --dry-run "$name"
  check "the name of a $file file: advise" refused advise "$name"
  check "the name of a $file file: import configuration" refused import configuration --dry-run "$name"
  check "the name of a $file file: import rds-os" refused import rds-os --dry-run "$name"
  check "the name of a $file file: import rds-waits" refused import rds-waits --label x "$name"
  check "the name of a $file file: prices" refused prices --dry-run "$name"
  check "the name of a $file file: fleet --rows" refused fleet --rows "$name"
  check "the name of a $file file: fleet --volumes" refused "${fleet[@]}" --volumes "$name"
  check "the name of a $file file: fleet" refused fleet "$name"
  check "the name of a $file file: fleet --curl-config" refused fleet --prometheus http://127.0.0.1:1 --curl-config "$name"
  check "the name of a $file file: fleet --bearer-file" refused fleet --prometheus http://127.0.0.1:1 --bearer-file "$name"
done
check "the name of a directory to write to" refused fleet --rows "$inputs/rows.jsonl" --output "$name/none/x.csv"
check "an argument" refused fleet --by "$name" --rows "$inputs/rows.jsonl"
check "a label" refused run --label "$name" -d "host=$SCRATCH" -- true
check "a connection string" refused report x -d "host=$SCRATCH user='$name'"
perl -MJSON::PP -e '
  my $bad = "\e]0;owned\a\e[2J\x{9b}31m\x{202e}\b";
  print encode_json({volume => "vol-0a$bad", platform => "ec2", region => $bad, account => $bad, owner => $bad, action => "no_answer", tags => {$bad => $bad},
      reason => {code => "not_covered", text => $bad}}), "\n"' >"$SCRATCH/escapes.jsonl"
perl -MJSON::PP -e 'print encode_json({volume => "vol-0a", platform => "ec2", action => "\e]0;owned\a\x{202e}"}), "\n"' >"$SCRATCH/action.jsonl"
for format in table csv; do
  check "rows that command a terminal, as $format" ended fleet --rows "$SCRATCH/escapes.jsonl" --format "$format" --by account
done
check "an action that is none" refused fleet --rows "$SCRATCH/action.jsonl"
for kind in cli terraform vac; do check "changes of such rows, as $kind" ended fleet --rows "$SCRATCH/escapes.jsonl" --changes "$kind"; done

# Engines.
ENGINE=$SCRATCH/engine
mkdir "$ENGINE"
perl "$ROOT/tests/attack/hostile_engine.pl" "$ENGINE" 2>"$SCRATCH/engine.log" &
await test -e "$ENGINE/port"
engine=http://127.0.0.1:$(cat "$ENGINE/port")
from_engine() { BOUNDED_KIB=$DOCUMENT_KIB refused fleet --prometheus "$engine/$1" "${configuration[@]}" --since 1d --until 2026-11-15T00:00:00Z "${@:2}" && grep -qx "$1" "$ENGINE/asked"; }
for attack in body chunks length headers header error deep escapes escapes-text escapes-status; do check "an engine: $attack" from_engine "$attack"; done
# As curl is told to by a file that was copied from somewhere: the credentials are for the engine, not for whom it names.
printf '%s\n' 'user = "reader:hush"' 'header = "X-Scope-OrgID: hush"' location-trusted >"$SCRATCH/trusting.curl"
chmod 600 "$SCRATCH/trusting.curl"
check "an engine that sends to another" refused fleet --prometheus "$engine/redirect" "${configuration[@]}" --since 1d \
  --until 2026-11-15T00:00:00Z --curl-config "$SCRATCH/trusting.curl"
stolen() { ! grep -iE 'hush|cmVhZGVyOmh1c2g' "$ENGINE/stolen" 2>/dev/null; }
check "gives it no credentials" stolen

. "$ROOT/tests/attack/planted.sh"
