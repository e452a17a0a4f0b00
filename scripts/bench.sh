# Functions of the benchmarks. Sourced, after env.sh.

. "$ROOT/scripts/cluster.sh"
. "$ROOT/scripts/step.sh"
export LC_ALL=C   # a decimal point in numbers in any locale

# bench_result NAME FIGURE TARGET: prints a line of the final table. The benchmark's command comes from BENCH_COMMAND.
bench_result() {
  printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$BENCH_COMMAND" >>"${BENCH_RESULTS:-/dev/null}"
  printf '\n%s: %s (target: %s)\n' "$1" "$2" "$3"
}

# bench_skip NAME REASON: prints the line of a benchmark that cannot run here. It has no figure, and is no success.
bench_skip() {
  printf '%s\tskipped: %s\t\t%s\n' "$1" "$2" "$BENCH_COMMAND" >>"${BENCH_RESULTS:-/dev/null}"
  echo "skipped - $1: $2"
}

# bench_alone: refuses to run beside another benchmark on this machine, which would change the result.
bench_alone() {
  mkdir -p "$CACHE"
  exec 9>"$CACHE/bench.lock"
  flock --nonblock 9 || die "another benchmark is running" "Wait for it: $CACHE/bench.lock"
}

# bench_machine: prints a description of the machine.
bench_machine() {
  printf '%s · %s CPUs (%s) · Linux %s · load average before %s\n' "$1" "$(nproc)" \
    "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)" "$(uname -r)" "$(cut -d' ' -f1 /proc/loadavg)"
}

# wall_us: microseconds since 1970.
wall_us() { echo "${EPOCHREALTIME/./}"; }

# cpu_ns PID: CPU time of the process so far. From the scheduler, in nanoseconds: /proc/PID/stat counts in hundredths.
cpu_ns() {
  local ns rest
  read -r ns rest <"/proc/$1/schedstat"
  echo "$ns"
}

# wakeups PID: number of its voluntary context switches, about one for each sample.
wakeups() { awk '/^voluntary_ctxt_switches:/ { print $2 }' "/proc/$1/status"; }

# bench_tools: builds the program that computes figures from readings (tools/src/statistics), before anything is measured.
bench_tools() {
  step "building the statistics" 60 cargo build --quiet --locked --manifest-path "$ROOT/Cargo.toml" --target-dir "$TARGET_DIR" \
    -p ebs-tools --bin statistics
}
STATISTICS=$TARGET_DIR/debug/statistics

# bench_install [MAJOR]: builds and installs the extension as `make demo` does; sets PG_BIN and PG_VERSION.
bench_install() {
  "$ROOT/scripts/build-deps"
  local pg_config
  pg_config=$("$ROOT/scripts/find-postgres" "${1:-}")
  "$ROOT/scripts/install" "$pg_config"
  bench_tools
  PG_BIN=$("$pg_config" --bindir)
  PG_VERSION=$("$pg_config" --version)
}

# bench_cluster: starts a private cluster of those binaries that ends with the script; more settings come on standard input.
bench_cluster() {
  CLUSTER=$(mktemp -d "$CACHE/bench.XXXXXX")
  on_exit bench_end
  cluster_create
  cluster_start
  cluster_sql 'CREATE EXTENSION ebs_advisor'
}

# bench_end: ends the cluster, and with it the connections of a load that still runs.
bench_end() {
  [ ! -e "$CLUSTER/data/postmaster.pid" ] ||
    cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode immediate stop >/dev/null 2>&1 || true
  wait
  rm -rf "$CLUSTER"
}
