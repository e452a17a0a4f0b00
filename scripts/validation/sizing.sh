# Sizing: whether the advised IOPS are what a database would use. Sourced. Recorded on a fast volume without a cap, advised, and run on a
# volume of gp3's latency with half of the advised IOPS, with these, and with twice as many: twice as many must not change the throughput
# by more than two runs of one setting differ, half must lower it.

SIZING_RECORDED_MS=0.35        # the volume that is recorded: a local disk, faster than any that is advised
SIZING_GP3_MS=0.9              # near the highest published mean latencies of gp3, 0.91 a read and 0.95 a write
SIZING_WORKLOADS=${SIZING_WORKLOADS:-"S TPCB OLTP RATE"}
SIZING_CYCLES=${SIZING_CYCLES:-2}
RATE_CYCLES=${RATE_CYCLES:-20} # a rate needs that many: pgbench's arrivals are at random

# sizing_advised RUN: IOPS of the gp3 that is advised; it counts 3,000 at least, as they are included.
sizing_advised() {
  cluster_sql "SELECT o.iops FROM validation.run r, ebs_options(r.label, min_size_gib => 100) o
    WHERE r.run_id = $1 AND o.volume_type = 'gp3' AND o.feasible AND o.volumes = 1 ORDER BY o.rank LIMIT 1"
}

# sizing_needed RUN: IOPS that were needed, of which the included ones may be more.
sizing_needed() {
  cluster_sql "SELECT ceil((ebs_advise_json(label) #>> '{roles,0,need,iops}')::float8)::bigint FROM validation.run WHERE run_id = $1"
}

# sizing_of WORKLOAD: records, asks, and runs with half, once and twice of the IOPS that are needed, the second of these two times.
sizing_of() {
  local clients=8 cycles=$SIZING_CYCLES iops recorded
  [ "$1" != RATE ] || cycles=$RATE_CYCLES
  BURST_MS=1000
  measured sizing "$1" "$clients" "$SIZING_RECORDED_MS" unlimited "$cycles"
  [ -n "$RUN" ] || { echo "$1: not recorded" >&2; return 0; }
  recorded=$RUN
  iops=$(sizing_needed "$recorded")
  [ -n "$iops" ] || { echo "$1: nothing is advised" >&2; return 0; }
  cluster_sql "INSERT INTO validation.advised VALUES ($recorded, $iops)"
  echo "$1: needs $iops IOPS, gp3 with $(sizing_advised "$recorded") is advised"
  for cap in $((iops / 2)) "$iops" "$iops" $((iops * 2)); do
    measured sizing "$1" "$clients" "$SIZING_GP3_MS" "$cap" "$cycles"
  done
}

# sizing: all of them, and a table.
sizing() {
  local workload
  for workload in $SIZING_WORKLOADS; do sizing_of "$workload"; done
  sizing_report
}

# sizing_report: throughput over that with the advised IOPS; `noise %` is by how much its two runs differ. An open loop keeps its rate
# where its mean fits, and its latency shows what it lacks.
sizing_report() {
  table "WITH advised AS (
      SELECT r.workload, a.iops FROM validation.advised a JOIN validation.run r USING (run_id) WHERE r.part = 'sizing'),
    tps AS (
      SELECT r.workload, a.iops, r.cap_iops::float8 / a.iops AS share, avg(r.tps) AS tps, avg(r.latency_ms) AS ms,
             (max(r.tps) - min(r.tps)) / avg(r.tps) AS noise
      FROM validation.run r JOIN advised a USING (workload)
      WHERE r.part = 'sizing' AND r.refused IS NULL AND r.cap_iops IS NOT NULL GROUP BY 1, 2, 3)
    SELECT t.workload, t.iops AS \"advised IOPS\", round(t.tps::numeric, 1) AS tps, round((100 * t.noise)::numeric, 1) AS \"noise %\",
           round((100 * (half.tps / t.tps - 1))::numeric, 1) AS \"half, %\",
           round((100 * (twice.tps / t.tps - 1))::numeric, 1) AS \"twice, %\",
           concat_ws(' / ', round(half.ms::numeric, 1), round(t.ms::numeric, 1), round(twice.ms::numeric, 1)) AS \"ms at half / advised / twice\"
    FROM tps t LEFT JOIN tps half ON half.workload = t.workload AND half.share < 0.75
               LEFT JOIN tps twice ON twice.workload = t.workload AND twice.share > 1.5
    WHERE t.share BETWEEN 0.75 AND 1.5 ORDER BY 1"
}
