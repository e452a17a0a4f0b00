# The short form of make validate: from one run of TPC-B on an emulated volume, what the same does under a cap, and with slower
# requests. Three runs, some two minutes.
EMULATOR=$(program ebs-emulator)
. "$ROOT/scripts/validation/session.sh"
# Names of this run alone: others may emulate volumes on this machine.
export EBS_EMULATOR_DIR=$SCRATCH/run
VOLUME=$SCRATCH/volume
VOLUME_STORE=/dev/shm/ebs_advisor_${LIVE_DIRECTORY##*.}
CGROUP_NAME=ebs_advisor_${LIVE_DIRECTORY##*.}
WORK=$SCRATCH

# close_to TARGET: what was predicted of it is within its interval, or within a third: the machine may be any, and in use.
close_to() {
  cluster_sql "SELECT validation.predict(r, t, true) FROM validation.run r, validation.run t
    WHERE r.run_id = $reference AND t.run_id = $1"
  matches "SELECT concat_ws(' ', CASE WHEN p.tps BETWEEN t.tps / 1.33 AND t.tps * 1.33 OR t.tps BETWEEN p.tps_low AND p.tps_high
      THEN 'close' ELSE 'far' END, p.tps, p.tps_low, p.tps_high, p.bound_by, p.failed, 'measured', t.tps)
    FROM validation.prediction p JOIN validation.run t ON t.run_id = p.target WHERE p.target = $1" '^close '
}
# slower_than_reference RUN: or there was nothing to predict.
slower_than_reference() {
  is "SELECT t.tps < 0.85 * r.tps FROM validation.run r, validation.run t WHERE r.run_id = $reference AND t.run_id = $1" t
}
short_form() {
  at_exit+=(session_end)
  session_begin workload_fill_pgbench
  session_known 'where the tests run'
  service_times 0.7 1.7
  measured grid TPCB 4 0.7 unlimited 2
  reference=$RUN
  measured grid TPCB 4 0.7 500 1
  local capped=$RUN
  measured grid TPCB 4 1.7 unlimited 1
  local slow=$RUN
  if [ -z "$reference" ] || [ -z "$capped" ] || [ -z "$slow" ]; then
    skip "predicted against measured ($(cluster_sql "SELECT refused FROM validation.run WHERE refused IS NOT NULL LIMIT 1"))"
    return
  fi
  check "a cap of 500 IOPS shows" slower_than_reference "$capped"
  check "and was predicted from the run without it" close_to "$capped"
  check "reads of 1.7 ms show" slower_than_reference "$slow"
  check "and were predicted from the run with 0.7 ms" close_to "$slow"
}

loops_left
cgroups_left 'ebs_advisor_??????'
missing=$(session_missing)
if [ -n "$missing" ]; then
  skip "predicted against measured ($(head -n 1 <<<"$missing"))"
elif [ "$(major_of "$PG_BIN/pg_config")" -lt 18 ]; then
  skip "predicted against measured (its counters are read as PostgreSQL 18 has them)"
else
  short_form
fi
