# A session of measuring, from nothing to nothing: what it needs, the server on its emulated volume, runs, and the end of it all.
# Sourced by `make validate` and by its short form in tests/quiet. The caller sets PG_BIN, EMULATOR, VOLUME (a directory to
# mount at) and WORK (one to write in).

for part in cgroup limit volume hammerdb workload server measure; do . "$ROOT/scripts/validation/$part.sh"; done

# session_missing: prints what this machine lacks, a line each.
session_missing() {
  [ "$(id -u)" = 0 ] || { echo "not root: an emulated volume is mounted"; return; }
  "$EMULATOR" probe || true
  [ -n "$(cgroup_roots)" ] || echo "no memory controller for control groups: the page cache cannot be kept small"
  local program free
  for program in fio sysbench; do command -v "$program" >/dev/null || echo "no $program: apt-get install $program"; done
  free=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
  [ "$free" -ge 6 ] || echo "$free GiB of memory are available: the volume's bytes are kept in memory, and need 6"
}

# session_begin FILL…: the volume, the server on it with the runs of EVIDENCE, if set, and what the commands fill it with.
session_begin() {
  CLUSTER=$VOLUME/server
  volume_create
  server_create "${EVIDENCE:-}"
  local fill
  for fill in "$@"; do "$fill"; done
  cluster_sql CHECKPOINT
}

# session_known DESCRIPTION: what the shell itself must know of what was begun, for session_begin may have run in another; and
# on which machine it is.
session_known() {
  CLUSTER=$VOLUME/server
  server_known
  server_limit_dirty
  NUMBER=$(cluster_sql 'SELECT coalesce(max(run_id), 0) FROM validation.run')
  cluster_sql "INSERT INTO validation.machine SELECT $(nproc), '$1' WHERE NOT EXISTS (SELECT FROM validation.machine)"
  [ "$(cluster_sql "SELECT cpus = $(nproc) FROM validation.machine")" = t ] ||
    die "what is recorded is from a machine with another number of CPUs" "VALIDATE_FRESH=1 measures all of it again."
}

# session_end: removes everything except the written results.
session_end() {
  driver_stop
  server_end
  [ -z "${VOLUME_NUMBERS:-}" ] || server_limit_dirty off
  volume_remove
  cgroup_remove
}

# lock: until descriptor 7 is closed.
lock() {
  exec 7>"${VALIDATE_LOCK:-/dev/null}"
  [ -z "${VALIDATE_LOCK:-}" ] || flock 7
}

# service_times READ_MS…: of each of these settings, what a user would measure of it, unless it is recorded.
service_times() {
  local ms read write
  lock
  for ms in "$@"; do
    [ "$(cluster_sql "SELECT count(*) FROM validation.service_time WHERE nominal_ms = $ms")" = 0 ] || continue
    { read -r read && read -r write; } < <(volume_service_times "$ms") || die "fio did not measure the volume"
    cluster_sql "INSERT INTO validation.service_time VALUES ($ms, $(write_ms "$ms"), $read, $write)"
  done
  exec 7>&-
}

# measured_once TRY PART WORKLOAD CLIENTS READ_MS LIMIT CYCLES: measures a run. RUN is its number, or empty if it is invalid.
measured_once() {
  local try=$1
  shift
  NUMBER=$((NUMBER + 1))
  lock
  attempt "$@" "$NUMBER" "$try"
  exec 7>&-
  RUN=$NUMBER
  cluster_sql "SELECT validation.line($NUMBER)"
  [ -z "$REFUSED" ] || RUN=
}

# measured PART WORKLOAD CLIENTS READ_MS LIMIT CYCLES: measures a run, and once more if it is invalid.
measured() {
  local try
  for try in 1 2; do
    measured_once "$try" "$@"
    [ -z "$RUN" ] || return 0
  done
}
