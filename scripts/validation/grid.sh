# Which settings are measured, and in which order. Sourced.

# The reference is in the middle of the latencies, without a limit, with enough clients that commits share flushes and few
# enough that two CPUs are not the limit. A setting a line: workload, clients, ms a read, limit (limit.sh), cycles in the window: two where
# it is predicted from, because ebs_whatif asks for 30 s. Some are there twice: the noise floor. 16 clients at 0.7 ms without a
# limit take all of two CPUs, the emulator's share too: only what reads does it there without delaying the volume; at 1.7 ms they are
# predicted from, too, what a single client does.
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
$workload 16 1.7 unlimited 2
LINES
  done
  grid_oltp
  grid_sequential
  ! hammerdb_directory >/dev/null || grid_hammerdb
  cat <<LINES
S 4 0.7 unlimited 1
S 16 0.7 unlimited 1
S 2 0.7 unlimited 1
S 8 0.7 unlimited 1
S 32 1.7 3000 1
TPCB 4 0.7 unlimited 1
TPCB 4 0.35 1000 1
TPCB 4 1.7 3000 1
TPCB 1 1.7 unlimited 1
TPCB 2 0.7 unlimited 1
TPCB 8 1.7 unlimited 1
TPCB 32 0.7 3000 1
N 1 1.7 500 1
ZIPF 4 0.7 unlimited 2
ZIPF 4 0.7 1000 2
ZIPF 4 0.35 unlimited 1
ZIPF 4 1.7 unlimited 1
ZIPF 1 0.7 unlimited 1
RATE 8 0.7 unlimited 2
RATE 8 1.7 unlimited 1
RATE 8 0.35 unlimited 1
LINES
}

# Fifty requests a transaction: below 3,000 IOPS a checkpoint of a cache this small takes minutes.
grid_oltp() {
  cat <<LINES
OLTP 4 0.7 unlimited 2
OLTP 4 0.7 unlimited 1
OLTP 4 0.7 3000 2
OLTP 4 0.35 unlimited 1
OLTP 4 1.7 unlimited 1
OLTP 1 0.7 unlimited 1
OLTP 2 0.7 unlimited 1
OLTP 16 0.7 3000 1
OLTP 16 1.7 unlimited 2
LINES
}

# What is read in sequence has larger requests, which reach a limit of MiB/s. 125 MiB/s are the fewest of a gp3, which is the only type
# whose throughput is bought; an instance has fewer.
grid_sequential() {
  cat <<LINES
RANGE 4 0.7 unlimited 2
RANGE 4 0.7 1000 2
RANGE 4 0.35 unlimited 1
RANGE 4 1.7 unlimited 1
RANGE 1 0.7 unlimited 1
RANGE 4 0.7 m6g.large 1
SCAN 4 0.7 unlimited 2
SCAN 4 0.7 125MiB 2
SCAN 4 1.7 unlimited 1
SCAN 1 0.7 unlimited 1
SCAN 4 0.7 m6g.large 1
LINES
}

grid_hammerdb() {
  cat <<LINES
TPROCC 4 0.7 unlimited 2
TPROCC 4 1.7 unlimited 1
TPROCC 2 0.7 unlimited 1
LINES
}

# shuffled SEED: the lines of its input in an order that only the seed decides, so that neither a drift of the machine nor
# what the run before left behind goes with a setting.
shuffled() { "$STATISTICS" shuffle "$1"; }

# seconds_of WORKLOAD CLIENTS READ_MS LIMIT CYCLES: about how long a run takes, with all that belongs to it.
seconds_of() { if workload_only_reads "$1"; then echo $((11 + 16 * $5)); else echo $((24 + 16 * $5)); fi; }
