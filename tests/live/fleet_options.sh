# Each row of ebsctl fleet has the answer that ebs_options gives for the same samples, digit for digit: those of one volume of each kind of
# the fleet of known demand are kept as a run (--run), and the first option for it is what the row recommends. Where a row deliberately
# differs, the rule is stated below. Instance-bound volumes are left out: their answer is for the sum of an instance's volumes, and
# a run has one volume (crates/fleet/src/made_fleet_tests.rs holds that one).
ebsctl=$(program ebsctl)
generator=$(fleet_generator)
export XDG_STATE_HOME=$SCRATCH/state
fresh <<<"ebs_advisor.enabled = off"
cluster_sql 'CREATE EXTENSION ebs_advisor'
database="host=$CLUSTER user=postgres dbname=postgres"
made_up() { "$generator" "$1" --known --volumes 20 --days 4; }
# Volume N is of kind N modulo 10.
vol() { printf 'vol-%017x' $(($1 + 1)); }
made_up json-lines >"$SCRATCH/fleet.jsonl"
made_up instances >"$SCRATCH/instances.json"
# Volume 19 needs what the price of gp3 includes, as volume 9 does, and has 100 IOPS more: $0.50 a month.
made_up volumes | perl -MJSON::PP -e '
  my $all = decode_json(join "", <STDIN>);
  $_->{VolumeId} ne $ARGV[0] or $_->{Iops} = 3100 for @{$all->{Volumes}};
  print encode_json($all)' "$(vol 19)" >"$SCRATCH/volumes.json"
touch --date '2026-11-05 12:00:00Z' "$SCRATCH/instances.json"
touch --date '2026-11-06 12:00:00Z' "$SCRATCH/volumes.json"
fleet() {
  "$ebsctl" fleet "$SCRATCH/fleet.jsonl" --volumes "$SCRATCH/volumes.json" --volumes "$SCRATCH/instances.json" --since 4d \
    --until 2026-11-05T00:00:00Z "$@"
}
check "rows of the fleet" fleet --into "$database" --format json
for number in 0 1 2 3 5 6 7 8 9 19; do
  check "the samples of volume $number as a run" fleet --volume "$(vol "$number")" --run "volume $number" -d "$database"
done

# answer NUMBER EXPRESSION: prints an expression over the row of a volume.
answer() { cluster_sql "SELECT $2 FROM ebs.fleet_answer WHERE volume = '$(vol "$1")'"; }
# configured PART: the expression for a configuration in a row: type, volumes, GiB, IOPS, MiB/s, dollars a month.
configured() {
  echo "concat_ws(' ', answer #>> '{$1,volume_type}', answer #>> '{$1,volumes}', answer #>> '{$1,size_gib}', answer #>> '{$1,iops}',
    answer #>> '{$1,throughput_mibps}', trim_scale((answer #>> '{$1,usd_month}')::numeric))"
}
first_option() {
  cluster_sql "SELECT concat_ws(' ', volume_type, volumes, size_gib, iops, throughput_mibps, trim_scale(usd_month))
    FROM ebs_options('volume $1') WHERE rank = 1 AND feasible"
}
saved() { cluster_sql "SELECT trim_scale(usd_month_saved) FROM ebs_options_detail('volume $1') WHERE rank = 1"; }
equal() { [ -n "$1" ] && [ "$1" = "$2" ] || { printf 'row:         %s\nebs_options: %s\n' "$1" "$2"; return 1; }; }

kinds=([1]=steady [2]=bursty [3]=saturated [5]='gp2 running dry' [6]=growing [7]=moved [8]=replaced [9]=right)
for number in "${!kinds[@]}"; do
  check "${kinds[number]}: the row recommends the first option" \
    equal "$(answer "$number" "$(configured recommended)")" "$(first_option "$number")"
  check "${kinds[number]}: and saves as much" \
    equal "$(answer "$number" "trim_scale((answer ->> 'usd_month_saved')::numeric)")" "$(saved "$number")"
  check "${kinds[number]}: by the same demand" equal "$(answer "$number" "concat_ws(' ', round((answer #>> '{demand,iops_p50}')::numeric, 1),
      round((answer #>> '{demand,iops_p99}')::numeric, 1), round((answer #>> '{demand,iops_max}')::numeric, 1))")" \
    "$(cluster_sql "SELECT concat_ws(' ', round(p50::numeric, 1), round(p99::numeric, 1), round(max::numeric, 1))
      FROM ebs_io_mix('volume $number') WHERE metric = 'requests'")"
done
check "growth is that of the used space of the run" matches "$(report "'volume 6'")" 'GiB.*in 30 days'
check "the configuration is as old as the oldest document" matches "$(report "'volume 1'")" 'AWS configuration of 2026-11-05'

# A saving below $1 a month or 2 % changes nothing: the present volume stays, which is the first option.
check "a negligible saving keeps the present volume" \
  equal "$(answer 19 "answer ->> 'action' || ' ' || (answer #>> '{reason,code}')")" 'keep negligible_saving'
check "as it is" equal "$(answer 19 "$(configured recommended)")" "$(answer 19 "$(configured present)")"
check "which is the first option" equal "$(answer 19 "$(configured recommended)")" "$(first_option 19)"
check "though the next one is cheaper by half a dollar" is "SELECT a.usd_month - b.usd_month, b.iops
  FROM ebs_options('volume 19') a, ebs_options('volume 19') b WHERE a.rank = 1 AND b.rank = 2" '0.50|3000'

# A present volume that carried the demand with headroom stays where others cost more for what averages may hide (present_suffices), and one
# whose description the counts refute stays until it is checked (description_refuted): crates/fleet/src/decision_tests.rs holds both, as the
# volumes above are neither.
# An idle volume keeps its size on gp3 with what its price includes.
check "an idle volume keeps its size, with what the price includes" \
  equal "$(answer 0 "$(configured recommended)")" "gp3 1 $(answer 0 "answer #>> '{present,size_gib}'") 3000 125 16"
check "which is the first option" equal "$(answer 0 "$(configured recommended)")" "$(first_option 0)"
check "and saves as much" equal "$(answer 0 "trim_scale((answer ->> 'usd_month_saved')::numeric)")" "$(saved 0)"
check "the report orders it" matches "$(report "'volume 0'")" 'Recommended: gp3, .*3,000 IOPS'
check "with its command" is "SELECT count(*) FROM ebs_advise('volume 0', show => 'commands') WHERE ebs_advise ~ '^aws ec2 modify-volume'" 1

# The decision of the row is that of ebs_advise_json, but for findings of discovery, which no run has.
decision_of_row="concat_ws(' | ', answer ->> 'action', answer #>> '{recommended,volume_type}', answer #>> '{recommended,size_gib}',
  answer #>> '{recommended,iops}', answer #>> '{recommended,throughput_mibps}', trim_scale((answer ->> 'usd_month_saved')::numeric),
  answer ->> 'risk', answer ->> 'confidence', answer #>> '{reason,code}',
  (SELECT jsonb_agg(f) FROM jsonb_array_elements(answer -> 'findings') f WHERE f ->> 'code' NOT IN ('moved', 'unattached')))"
# decision NUMBER: the same of the document of its run.
decision() {
  cluster_sql "SELECT concat_ws(' | ', r ->> 'action', r #>> '{volumes,volume_type}', r #>> '{volumes,size_gib}', r #>> '{volumes,iops}',
      r #>> '{volumes,throughput_mibps}', trim_scale((r ->> 'usd_month_saved')::numeric), r ->> 'risk', d #>> '{confidence,level}',
      r #>> '{reason,code}', (SELECT jsonb_agg(f) FROM jsonb_array_elements(r -> 'findings') f))
    FROM ebs_advise_json('volume $1') d, coalesce(nullif(d -> 'idle', 'null'), d #> '{roles,0,recommendation}') r"
}
for number in 0 1 2 3 5 6 7 9 19; do
  check "volume $number: the row has the decision of ebs_advise_json" equal "$(answer "$number" "$decision_of_row")" "$(decision "$number")"
done
# Volume 8 was there for half of the time that the row was asked for, which lowers its confidence; its run begins with its samples.
check "volume 8: the row has the decision of ebs_advise_json" equal "$(answer 8 "$decision_of_row")" "$(decision 8 | sed 's/ | medium | / | low | /')"
