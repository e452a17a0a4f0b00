# Which settings are measured, and in which order. Sourced.

# The reference is in the middle of the latencies, without a cap, with enough clients that commits share flushes and few
# enough that two CPUs are not the limit. A setting a line: workload, clients, ms a read, IOPS, cycles in the window: two where
# it is predicted from, because ebs_whatif asks for 30 s. Some are there twice: the noise floor. 16 clients at 0.7 ms without a
# cap take all of two CPUs, the emulator's share too: only what reads does it there without delaying the volume.
grid() {
  local workload
  for workload in S TPCB N; do
    cat <<LINES
$workload 4 0.7 unlimited 2
$workload 4 0.7 500 1
$workload 4 0.7 1000 2
$workload 4 0.7 3000 1
$workload 4 0.35 unlimited 1
$workload 4 1.7 unlimited 1
$workload 1 0.7 unlimited 1
$workload 16 0.7 3000 1
$workload 16 1.7 unlimited 1
LINES
  done
  # Fifty requests a transaction: below 3,000 IOPS a checkpoint of a cache this small takes minutes.
  cat <<LINES
S 4 0.7 unlimited 1
S 16 0.7 unlimited 1
TPCB 4 0.7 unlimited 1
TPCB 4 0.35 1000 1
TPCB 4 1.7 3000 1
N 1 1.7 500 1
OLTP 4 0.7 unlimited 2
OLTP 4 0.7 unlimited 1
OLTP 4 0.7 3000 2
OLTP 4 0.35 unlimited 1
OLTP 4 1.7 unlimited 1
OLTP 1 0.7 unlimited 1
OLTP 16 0.7 3000 1
OLTP 16 1.7 unlimited 1
RATE 8 0.7 unlimited 2
RATE 8 1.7 unlimited 1
RATE 8 0.35 unlimited 1
LINES
}

# shuffled SEED: the lines of its input in an order that only the seed decides, so that neither a drift of the machine nor
# what the run before left behind goes with a setting.
shuffled() { "$STATISTICS" shuffle "$1"; }

# seconds_of WORKLOAD CLIENTS READ_MS IOPS CYCLES: about how long a run takes, with all that belongs to it.
seconds_of() { if [ "$1" = S ]; then echo $((11 + 16 * $5)); else echo $((24 + 16 * $5)); fi; }
