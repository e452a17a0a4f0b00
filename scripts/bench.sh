# What the benchmarks share. Sourced, after env.sh.

. "$ROOT/scripts/cluster.sh"
. "$ROOT/scripts/step.sh"
export LC_ALL=C   # a point in numbers, whatever the user's language

# bench_result NAME FIGURE TARGET: a line of the table at the end. The benchmark's command comes from BENCH_COMMAND.
bench_result() {
  printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$BENCH_COMMAND" >>"${BENCH_RESULTS:-/dev/null}"
  printf '\n%s: %s (target: %s)\n' "$1" "$2" "$3"
}

# bench_skip NAME WHY: the same for what cannot be measured here. A skipped benchmark has no figure, and is no success.
bench_skip() {
  printf '%s\tskipped: %s\t\t%s\n' "$1" "$2" "$BENCH_COMMAND" >>"${BENCH_RESULTS:-/dev/null}"
  echo "skipped - $1: $2"
}

# bench_alone: one benchmark at a time on this machine; another would be part of what is measured.
bench_alone() {
  mkdir -p "$CACHE"
  exec 9>"$CACHE/bench.lock"
  flock --nonblock 9 || die "another benchmark is running" "Wait for it: $CACHE/bench.lock"
}

# bench_machine: where it was measured, for whoever reads the figures later.
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

# wakeups PID: how often it has gone to sleep of its own accord: about once for each sample that it took.
wakeups() { awk '/^voluntary_ctxt_switches:/ { print $2 }' "/proc/$1/status"; }

# bench_tools: builds what concludes from the readings (tools/src/statistics), before anything is measured.
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

# bench_cluster: a private cluster of those binaries that ends with the script; more settings come on standard input.
bench_cluster() {
  CLUSTER=$(mktemp -d "$CACHE/bench.XXXXXX")
  on_exit bench_end
  cluster_create
  cluster_start
  cluster_sql 'CREATE EXTENSION ebs_advisor'
}

# bench_end: the cluster's end; a load that still runs loses its connections and ends with it.
bench_end() {
  [ ! -e "$CLUSTER/data/postmaster.pid" ] ||
    cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode immediate stop >/dev/null 2>&1 || true
  wait
  rm -rf "$CLUSTER"
}
