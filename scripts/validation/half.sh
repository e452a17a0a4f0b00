# "Half, advised and double IOPS": tests if the advised IOPS are enough, and not far too many. Sourced. The load is an open loop, whose rate does
# not depend on the volume; a closed loop adapts to it.

HALF_RUNS=6   # recorded, half, advised and double; and the latter two on a volume that grants no burst

# advised RUN: what io2 would be bought with, which can be bought with any number of IOPS.
advised() {
  cluster_sql "SELECT o.iops FROM validation.run r, ebs_options_detail(r.label) o
    WHERE r.run_id = $1 AND o.volume_type = 'io2' AND o.feasible AND o.volumes = 1 LIMIT 1"
}

# half_advised_double: recorded without a cap, asked, and run again with what was advised, half of it and twice of it. First on a
# volume that counts its IOPS by the second, as the advice does, which looks at seconds; then on one that grants no burst
# beyond 10 ms: which of both EBS is, nobody has published.
half_advised_double() {
  local iops
  # What an earlier session began of it has another recommendation.
  cluster_sql "DELETE FROM validation.run WHERE part = 'half'"
  measured half RATE 8 0.7 unlimited 2
  [ -n "$RUN" ] || return 0
  iops=$(advised "$RUN")
  [ -n "$iops" ] || { echo "nothing is advised for the open loop" >&2; return 0; }
  cluster_sql "INSERT INTO validation.advised (run_id, iops) VALUES ($RUN, $iops)"
  BURST_MS=1000
  measured half RATE 8 0.7 $((iops / 2)) 1
  measured half RATE 8 0.7 "$iops" 1
  measured half RATE 8 0.7 $((iops * 2)) 1
  BURST_MS=10
  measured half RATE 8 0.7 "$iops" 1
  measured half RATE 8 0.7 $((iops * 2)) 1
}
