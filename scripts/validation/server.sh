# The server on the emulated volume. Sourced.

# Data, WAL and all: everything that PostgreSQL asks for goes through one volume.
MEMORY=$((224 << 20))   # processes, shared_buffers and page cache: a quarter of a database
CYCLE=16                # seconds from checkpoint to checkpoint

# Checkpoints are begun by us (checkpoint_begin), spread over all of a cycle but 2 s, as checkpoint_timeout would have them spread:
# the setting has no less than 30 s, and a run holds two cycles, one to settle and one to measure. What is written is the same.
server_settings() {
  cat <<CONF
shared_buffers = 64MB
max_wal_size = 4GB
min_wal_size = 1GB
checkpoint_timeout = 90s
checkpoint_completion_target = $(awk -v s="$CYCLE" 'BEGIN { print (s - 2) / 90 }')
full_page_writes = on
autovacuum = off
track_io_timing = on
track_wal_io_timing = on
max_connections = 60
CONF
}

# server_create [DUMP]: on the volume, inside the control group, with the extension and our tables, and with the runs that an earlier
# session recorded. The caller has set CLUSTER.
server_create() {
  # Sampling begins after what was recorded is restored: both number their rows from 1.
  { server_settings; [ -z "${1:-}" ] || echo "shared_preload_libraries = ''"; } | cluster_create
  cgroup_create "$MEMORY"
  cgroup_run cluster_start
  cluster_sql 'CREATE EXTENSION ebs_advisor'
  validation_tables
  if [ -n "${1:-}" ]; then
    validation_restore "$1"
    cluster_stop
    cluster_run sed -i '$d' data/postgresql.conf
    cgroup_run cluster_start
  fi
  cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
}

# validation_tables: our tables and views, in a database that has the extension.
validation_tables() {
  local part
  for part in tables predictions statistics reliability sizing; do
    cluster_psql -d postgres -q -v ON_ERROR_STOP=1 <"$ROOT/scripts/validation/$part.sql"
  done
}

# validation_restore DUMP: the runs and samples that an earlier session recorded, into these tables.
validation_restore() {
  cluster_run "$PG_BIN/pg_restore" --host "$CLUSTER" --username postgres --data-only --disable-triggers --exit-on-error \
    --dbname postgres <"$1" ||
    die "$1 does not fit this version" "VALIDATE_FRESH=1 make validate measures all of it again."
}

# server_known: what readings need to know of it.
server_known() {
  VOLUME_NUMBERS=$(volume_numbers)
  { read -r CPU_SERVER; read -r CPU_MACHINE; } < <(cgroup_cpu_files)
}

# server_end: at once, if it was made at all.
server_end() {
  [ -e "${CLUSTER:-}/data/postmaster.pid" ] || return 0
  cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode immediate --wait stop >/dev/null 2>&1 || true
}

# server_limit_dirty [off]: pages of the volume's file system that may wait in the kernel. A server with much memory
# reaches no limit between two checkpoints' fsyncs; one in a small control group waits for them instead of reading.
server_limit_dirty() {
  local bdi=/sys/class/bdi/${VOLUME_NUMBERS/ /:}
  [ -w "$bdi/strict_limit" ] && [ -w "$bdi/max_bytes" ] || return 0
  if [ "${1:-}" = off ]; then
    echo 0 >"$bdi/strict_limit"
    echo 100 >"$bdi/max_ratio"
  else
    echo $((64 << 20)) >"$bdi/max_bytes"
    echo 1 >"$bdi/strict_limit"
  fi
}

# checkpoint_begin: a spread checkpoint begins now; what is dirty now is written. CHECKPOINT would write it all at once, so it is
# asked for as the first step of a backup that is given up, because the session would be one more that the sampler sees wait.
checkpoint_begin() {
  : >"$WORK/checkpoint"
  cluster_sql "SET statement_timeout = '200ms'; SELECT pg_backup_start('validation', false)" >/dev/null 2>&1 || true
}

# checkpoint_done: the control file is written where one ends.
checkpoint_done() { [ "$CLUSTER/data/global/pg_control" -nt "$WORK/checkpoint" ]; }

# read_counters RUN EDGE WORKLOAD
read_counters() {
  cluster_sql "SELECT validation.read_counters($1, '$2', '$(workload_database "$3")', '${VOLUME_NUMBERS/ / +}',
    '$CPU_SERVER', '$CPU_MACHINE')" >/dev/null
}
