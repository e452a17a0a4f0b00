# Sizing: whether the ordered gp3 keeps what a gp3 without a limit gives, and whether less would. Sourced. Each load is recorded on a fast
# volume, advised, and then runs on a volume of gp3's latency without a limit, with the order, with half of it and with twice of it: in
# rounds of these four, each round in an order of its own, so that neither a drift of the machine nor the run before goes with a setting.

SIZING_RECORDED_MS=0.35   # the volume that is recorded: a local disk, faster than any that is advised
SIZING_GP3_MS=0.7         # gp3's published mean is 0.74 ms a read and 0.79 a write (crates/aws/data/volume_types.csv): fio measures 0.73 and 0.86
SIZING_PAIRS=${SIZING_PAIRS:-6}
# A load a line: workload, clients. RANGE reads 25 KiB a request, so that MiB/s are ordered, too. The rates are about half of what the same
# clients reach in a closed loop.
SIZING_LOADS=${SIZING_LOADS:-"S 8
TPCB 8
RANGE 4
S@3000 8
TPCB@800 8
RANGE@500 4"}

# sizing_order RUN: IOPS and MiB/s of the gp3 that is advised for a run, as one limit (limit.sh).
sizing_order() {
  cluster_sql "SELECT o.iops || '+' || o.throughput_mibps || 'MiB' FROM validation.run r, ebs_options(r.label) o
    WHERE r.run_id = $1 AND o.volume_type = 'gp3' AND o.feasible AND o.volumes = 1 ORDER BY o.rank LIMIT 1"
}

# sizing_settings ORDER: the four limits, a line each. The emulated volume may have fewer IOPS and MiB/s than any gp3 is sold with.
sizing_settings() {
  local iops=${1%+*} mibps=${1#*+}
  mibps=${mibps%MiB}
  echo unlimited
  echo "$1"
  echo "$((iops / 2))+$((mibps / 2))MiB"
  echo "$((iops * 2))+$((mibps * 2))MiB"
}

# sizing_of WORKLOAD CLIENTS: records, keeps the screen of the answer, and runs the rounds.
sizing_of() {
  local order recorded label pair limit
  # A limit per second, as the advice counts; half.sh shows what a volume that grants no burst adds.
  BURST_MS=1000 READING=16
  measured sizing "$1" "$2" "$SIZING_RECORDED_MS" unlimited 2
  [ -n "$RUN" ] || { echo "$1: not recorded" >&2; return 0; }
  recorded=$RUN READING=8
  order=$(sizing_order "$recorded")
  [ -n "$order" ] || { echo "$1: nothing is advised" >&2; return 0; }
  cluster_sql "INSERT INTO validation.advised VALUES ($recorded, ${order%+*}, $(tr -dc 0-9 <<<"${order#*+}"))"
  label=$(cluster_sql "SELECT label FROM validation.run WHERE run_id = $recorded")
  cluster_sql "SELECT ebs_advise('$label')" | tee "$RESULTS/sizing-${1,,}.txt"
  for ((pair = 1; pair <= SIZING_PAIRS; pair++)); do
    while read -r limit; do
      measured sizing "$1" "$2" "$SIZING_GP3_MS" "$limit" 1 </dev/null
      [ -z "$RUN" ] || cluster_sql "UPDATE validation.run SET pair = $pair WHERE run_id = $RUN"
    done < <(sizing_settings "$order" | shuffled "$pair")
    report_export
  done
}

# sizing: all of them, and a table.
sizing() {
  local workload clients
  mkdir -p "$RESULTS"
  while read -r workload clients; do
    [ -z "$workload" ] || sizing_of "$workload" "$clients" </dev/null
  done <<<"$SIZING_LOADS"
  sizing_report
}

# sizing_report: throughput that each setting loses against no limit in the same round: median, and the 90 % interval of the mean of the
# logarithms (Student's t); latencies where the rate is given, as an open loop keeps its rate while its mean fits.
sizing_report() {
  table "SELECT workload, format('%s, %s', iops, mibps) AS \"order: IOPS, MiB/s\", usd AS \"\$ beyond included\", setting,
      round(tps::numeric, 1) AS tps, round(used) AS \"IOPS used\",
      format('%s (%s to %s)', round(100 * loss::numeric, 1), round(100 * low::numeric, 1), round(100 * high::numeric, 1)) AS \"loss, % (90 %)\",
      round(latency_ms::numeric, 2) AS \"mean ms\", round(p99_ms::numeric, 1) AS \"p99 ms\", pairs
    FROM validation.sizing ORDER BY workload LIKE '%@%', workload, array_position('{unlimited,order,half,twice}'::text[], setting)"
}
