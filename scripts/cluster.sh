# A private PostgreSQL cluster: never the system's, reached by a Unix socket only, run by an unprivileged account.
# Sourced. The caller sets PG_BIN (the binaries) and CLUSTER (the directory).

# cluster_create: a fresh, empty cluster with the extension preloaded. More settings come on standard input.
cluster_create() {
  cluster_stop
  rm -rf "$CLUSTER"
  mkdir -p "$CLUSTER"
  chmod 755 "$CACHE"
  [ "$(id -un)" = "$SERVER_ACCOUNT" ] || chown "$SERVER_ACCOUNT" "$CLUSTER"
  chmod 700 "$CLUSTER"
  local socket=$CLUSTER/.s.PGSQL.5432
  [ ${#socket} -le 100 ] || die "the path $CLUSTER is too long for a Unix socket" "Set EBS_ADVISOR_CACHE to a shorter one."
  if [ -d "${CLUSTER_TEMPLATE:-}" ]; then cluster_run cp -a "$CLUSTER_TEMPLATE" data; else cluster_initdb; fi
  { cat <<CONF
listen_addresses = ''
unix_socket_directories = '$CLUSTER'
shared_preload_libraries = 'ebs_advisor'
timezone = 'UTC'
log_timezone = 'UTC'
CONF
    cat
  } | cluster_run tee -a data/postgresql.conf >/dev/null
}

# cluster_initdb: an empty cluster, which CLUSTER_TEMPLATE may name for those that are created after it.
cluster_initdb() {
  cluster_run "$PG_BIN/initdb" --pgdata data --username postgres --auth trust --encoding UTF8 --locale C --no-sync \
    >"$CLUSTER/initdb.log" 2>&1 || { cat "$CLUSTER/initdb.log" >&2; die "initdb failed"; }
}

# cluster_run COMMAND…: runs it in the cluster's directory as the account that owns it.
cluster_run() { (cd "$CLUSTER" && as_server "$@"); }

# cluster_start [COMMAND…]: COMMAND has the start of the server as further arguments, as env has.
cluster_start() {
  cluster_run "$@" "$PG_BIN/pg_ctl" --pgdata data --log server.log --wait --timeout "$PATIENCE" start >/dev/null 9>&- ||
    { tail -n 20 "$CLUSTER/server.log" >&2; return 1; }
}

cluster_stop() {
  [ ! -e "$CLUSTER/data/postmaster.pid" ] ||
    cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode fast --wait --timeout "$PATIENCE" stop >/dev/null 2>&1 || true
}

cluster_psql() { cluster_run "$PG_BIN/psql" --no-psqlrc --host "$CLUSTER" --username postgres "$@"; }

# cluster_sql STATEMENT: runs it in database postgres and prints the bare result; an error ends the script.
cluster_sql() { cluster_psql -d "${2:-postgres}" -qAtX -v ON_ERROR_STOP=1 -c "$1"; }

# A limit that only a defect reaches, however busy the machine: seconds.
PATIENCE=300

# await COMMAND…: waits until it succeeds; prints its last output if it never does.
await() {
  local until=$((SECONDS + PATIENCE)) said=
  while [ "$SECONDS" -lt "$until" ]; do
    ! said=$("$@" 2>&1) || return 0
    sleep 0.1
  done
  printf 'after %s s this still failed: %s\n%s\n' "$PATIENCE" "$*" "$said" >&2
  return 1
}

# cluster_await STATEMENT [DATABASE]: waits until it gives true. One session repeats the query: a new one each time would keep a
# busy machine busier. If the server ends it, another takes its place.
cluster_await() { await cluster_holds "$1" "${2:-postgres}" $((SECONDS + PATIENCE)); }
cluster_holds() {
  local said
  said=$(repeated_query "$1" "$3" | cluster_psql -d "$2" -qAtX 2>&1 | tail -n 1) || true
  [ "$said" = true ] || { echo "$said"; return 1; }
}
# repeated_query STATEMENT UNTIL: prints commands for psql that repeat the statement until that time, or until it gives true.
repeated_query() {
  printf 'SET client_min_messages = warning;\n\\set it_is false\n'
  while [ "$SECONDS" -lt "$2" ]; do
    printf 'SELECT coalesce((%s)::bool, false) AS it_is \\gset\n\\if :it_is\n\\echo true\n\\q\n\\endif\n' "$1" || return
    sleep 0.1
  done 2>/dev/null
}

# clusters_kill DIRECTORY: ends every server below it at once.
clusters_kill() {
  local pid_file
  while read -r pid_file; do
    as_server bash -c "kill -QUIT $(head -n 1 "$pid_file" 2>/dev/null)" 2>/dev/null || true
  done < <(find "$1" -name postmaster.pid 2>/dev/null)
}
