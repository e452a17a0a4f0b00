# ebsctl fleet on 200 volumes of known demand in a real engine: the rows are those of a file with the same samples, and each has the action
# and the saving worked out by hand in crates/fleet/src/made_fleet_tests.rs.
. "$ROOT/scripts/engines.sh"
if ! engines_found; then
  skip "the fleet of known demand on VictoriaMetrics ($ENGINES_MISSING)"
  return
fi
ebsctl=$(program ebsctl)
generator=$(fleet_generator)
export XDG_STATE_HOME=$SCRATCH/state
made_up() { "$generator" "$1" --known --volumes 200 --days 4; }
made_up volumes >"$SCRATCH/volumes.json"
made_up instances >"$SCRATCH/instances.json"
made_up json-lines >"$SCRATCH/fleet.jsonl"
victoria_metrics_start vm
victoria_metrics_load vm "$SCRATCH/fleet.jsonl"
fleet() {
  local name=$1
  shift
  "$ebsctl" fleet "$@" --volumes "$SCRATCH/volumes.json" --volumes "$SCRATCH/instances.json" --since 4d --until 2026-11-05T00:00:00Z \
    --format json >"$SCRATCH/$name.rows" 2>"$SCRATCH/$name.log" || { cat "$SCRATCH/$name.log"; return 1; }
}
# answers: prints the kind, the action and the saving of each volume, of which the number modulo ten is the kind.
answers() {
  perl -MJSON::PP -ne '
    my $row = decode_json($_);
    if ($row->{volume} =~ /^vol-0+dead/) { print "replaced $row->{action}\n"; next }
    my ($number) = $row->{volume} =~ /^vol-([0-9a-f]+)$/;
    my $kind = (hex($number) - 1) % 10;
    # What more IOPS cost depends on how many they are.
    my $saved = $kind == 3 || $kind == 5 ? "" : $kind == 4 ? "" : $row->{usd_month_saved};
    print "$kind $row->{action} $saved\n";' "$1" | sort | uniq -c | sed 's/^ *//'
}
expected='20 0 modify 20
20 1 modify 30
20 2 modify 20
20 3 modify 
20 4 larger_instance 
20 5 modify 
20 6 modify -3.84
20 7 modify 30
20 8 keep 0
20 9 keep 0
20 replaced keep'
check "rows from a file" fleet file "$SCRATCH/fleet.jsonl"
check "rows from VictoriaMetrics" fleet vm --prometheus "${engine_url[vm]}"
check "are the same" bash -c "diff '$SCRATCH/file.rows' '$SCRATCH/vm.rows' | cut -c 1-2000"
same_answers() { diff <(echo "$expected") <(answers "$SCRATCH/vm.rows"); }
check "and those worked out by hand" same_answers
