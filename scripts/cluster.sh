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
  cluster_run "$PG_BIN/initdb" --pgdata data --username postgres --auth trust --encoding UTF8 --locale C >"$CLUSTER/initdb.log" 2>&1 ||
    { cat "$CLUSTER/initdb.log" >&2; die "initdb failed"; }
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

# cluster_run COMMAND…: runs it in the cluster's directory as the account that owns it.
cluster_run() { (cd "$CLUSTER" && as_server "$@"); }

cluster_start() {
  cluster_run "$PG_BIN/pg_ctl" --pgdata data --log server.log --wait --timeout 60 start >/dev/null 9>&- ||
    { tail -n 20 "$CLUSTER/server.log" >&2; return 1; }
}

cluster_stop() {
  [ ! -e "$CLUSTER/data/postmaster.pid" ] ||
    cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode fast --wait --timeout 60 stop >/dev/null 2>&1 || true
}

cluster_psql() { cluster_run "$PG_BIN/psql" --no-psqlrc --host "$CLUSTER" --username postgres "$@"; }

# cluster_sql STATEMENT: runs it in database postgres and prints the bare result; an error ends the script.
cluster_sql() { cluster_psql -d "${2:-postgres}" -qAtX -v ON_ERROR_STOP=1 -c "$1"; }

# cluster_await STATEMENT SECONDS [DATABASE]: waits until it gives "t"; fails after that many seconds.
cluster_await() {
  local tries
  for ((tries = 0; tries < $2 * 5; tries++)); do
    [ "$(cluster_sql "$1" "${3:-postgres}" 2>/dev/null || true)" != t ] || return 0
    sleep 0.2
  done
  return 1
}
