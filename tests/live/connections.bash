# Connections of ebsctl beside those of psql, the one of the same PostgreSQL. Sourced by tests.

EBSCTL=$(program ebsctl)
PSQL=$PG_BIN/psql
MAJOR=$(major_of "${PG_CONFIG:-$PG_BIN/pg_config}")
# Home of both, which no connection of the user's is in.
HOMES=$SCRATCH/home
mkdir -m 700 "$HOMES"

# Log of all servers of a test.
LOG=$SCRATCH/servers.log
install -o "$SERVER_ACCOUNT" -m 644 /dev/null "$LOG"

# Addresses of loopback.
ADDRESSES=127.0.0.1
! grep -q '^0*1 ' /proc/net/if_inet6 2>/dev/null || ADDRESSES+=,::1

# free_port: prints a port of loopback that nobody uses.
free_port() { perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 1)->sockport'; }

# reserve_port LISTENS: sets port_reserved to a port of 127.0.0.1 that refuses connections, or, if it listens, takes and never answers
# them. It is so until the test ends.
reserve_port() {
  perl -MIO::Socket::INET -e '
    $socket = IO::Socket::INET->new(LocalAddr => "127.0.0.1", $ARGV[0] ? (Listen => 16) : ()) or die $!;
    $| = 1;
    print $socket->sockport, "\n";
    sleep' "$1" >"$SCRATCH/reserved.$1" 9>&- &
  await test -s "$SCRATCH/reserved.$1"
  port_reserved=$(cat "$SCRATCH/reserved.$1")
}

# listening DIRECTORY: a fresh cluster that listens on loopback, at a port of its own, which is in $port. It logs each connection with
# the name of its directory. More settings come on standard input. The extension is in database postgres.
listening() {
  local settings name
  settings=$(cat)
  name=$(basename "$1")
  port=$(free_port)
  fresh_settings=$(printf '%s\n' "listen_addresses = '$ADDRESSES'" 'log_connections = on' "log_line_prefix = '$name %p '" \
    'fsync = off' "$settings")
  CLUSTER=$1
  cluster_create <<<"$fresh_settings"
  cluster_run ln -s "$LOG" server.log
  start_listening
  cluster_sql 'CREATE EXTENSION ebs_advisor'
}
# start_listening: starts the server; where another process has taken its port, with another one.
start_listening() {
  local tries
  for tries in 1 2 3 4 5; do
    echo "port = $port" | cluster_run tee -a data/postgresql.conf >/dev/null
    ! cluster_start || return 0
    port=$(free_port)
  done 2>"$SCRATCH/start.log"
  cat "$SCRATCH/start.log" >&2
  return 1
}
cluster_psql() { cluster_run "$PG_BIN/psql" --no-psqlrc --host "$CLUSTER" --port "$port" --username postgres "$@"; }

# access LINE…: these are the rules of pg_hba.conf.
access() {
  printf '%s\n' "$@" | cluster_run tee data/pg_hba.conf >/dev/null
  reload_connections
  # A rule for TLS counts for nothing at a server without, and is none of the errors by which all rules stay as they were.
  is "SELECT string_agg(error, '; ') FROM pg_hba_file_rules WHERE error NOT LIKE '%cannot match because SSL is disabled'" ''
}
# reload_connections: has the server read its files. The postmaster does before it takes the next connection.
reload_connections() {
  local loaded
  loaded=$(cluster_sql 'SELECT pg_conf_load_time()')
  cluster_sql 'SELECT pg_reload_conf()' >/dev/null
  await loaded_since "$loaded"
}
# A session reads the files for itself: this asks for the time in one that began after.
loaded_since() { [ "$(cluster_sql "SELECT pg_conf_load_time() > '$1'")" = t ]; }

# by_psql and by_ebsctl [NAME=VALUE…] CONNINFO: connect, with these variables alone; an empty connection string is none.
by_psql() {
  local arguments=(-XAtw -c 'SELECT 1')
  [ -z "${!#}" ] || arguments+=(-d "${!#}")
  alone_with "${@:1:$#-1}" "$PSQL" "${arguments[@]}" >"$SCRATCH/psql.out" 2>&1
}
by_ebsctl() {
  local arguments=(report nosuch)
  [ -z "${!#}" ] || arguments+=(-d "${!#}")
  alone_with "${@:1:$#-1}" "$EBSCTL" "${arguments[@]}" >"$SCRATCH/ebsctl.out" 2>&1 || true
  cat "$SCRATCH/ebsctl.out" >>"$SCRATCH/ebsctl.log"
  # Whoever is connected hears of the run, of the extension, or of the right to ask.
  grep -qE '^error: (run "nosuch" does not exist|the extension ebs_advisor is not in this database|permission denied)' "$SCRATCH/ebsctl.out"
}
alone_with() { env -i "PATH=$PATH" LC_ALL=C.UTF-8 "HOME=$HOMES" timeout "$PATIENCE" env "$@" </dev/null; }
show_both() { tail -n +1 "$SCRATCH/psql.out" "$SCRATCH/ebsctl.out"; }

# connections FROM…: prints the last connection of psql and of ebsctl in the logs from these bytes on: server, identity, method, user,
# database, encryption.
connections() {
  awk '
    / connection authenticated: / { match($0, /identity=.* \(/); identity[$1 $2] = substr($0, RSTART, RLENGTH - 2) }
    / connection authorized: / {
      program = / application_name=ebsctl/ ? "ebsctl" : "psql"
      sub(/ application_name=[a-z]+/, "")
      last[program] = $1 " " identity[$1 $2] substr($0, index($0, "authorized:") + 11)
    }
    END { print last["psql"]; print last["ebsctl"] }' <(tail -c "+$((log_size + 1))" "$LOG")
}

# connects "what" [NAME=VALUE…] CONNINFO: both connect, and it is the same connection.
connects() {
  local name=$1
  shift
  check "$name" same_connection "$@"
}
same_connection() {
  local found
  log_size=$(stat --format %s "$LOG")
  by_psql "$@" || { echo "psql does not connect:"; show_psql; return 1; }
  by_ebsctl "$@" || { echo "ebsctl does not connect:"; show_both; return 1; }
  mapfile -t found < <(connections)
  [ -n "${found[0]}" ] && [ "${found[0]}" = "${found[1]}" ] || { printf '%s\n' psql: "${found[0]}" ebsctl: "${found[1]}"; return 1; }
  connection=${found[1]}
}
show_psql() { cat "$SCRATCH/psql.out"; }

# fails "what" [NAME=VALUE…] CONNINFO: neither connects.
fails() {
  local name=$1
  shift
  check "$name" neither_connects "$@"
}
neither_connects() {
  ! by_psql "$@" || { echo "psql connects"; return 1; }
  ! by_ebsctl "$@" || { echo "ebsctl connects; psql said:"; show_psql; return 1; }
}
not_by_psql() { ! by_psql "$@"; }
not_was() { ! grep -E -- "$1" <<<"$connection"; }
# says PATTERN: the last ebsctl said so.
says() { grep -qE -- "$1" "$SCRATCH/ebsctl.out" || { cat "$SCRATCH/ebsctl.out"; return 1; }; }
# was PATTERN: the last connection of both matches.
was() { grep -qE -- "$1" <<<"$connection" || { echo "$connection"; return 1; }; }
# refuses "what" PATTERN [NAME=VALUE…] CONNINFO: ebsctl alone refuses it, with these words.
refuses() {
  local name=$1 pattern=$2
  shift 2
  check "$name" refused "$pattern" "$@"
}
refused() {
  local pattern=$1
  shift
  ! by_ebsctl "$@" || { echo "ebsctl connects"; return 1; }
  says "$pattern"
}
# same_outcome [NAME=VALUE…] CONNINFO: both connect and it is the same connection, or neither connects; $connection is - then.
same_outcome() {
  log_size=$(stat --format %s "$LOG")
  connection=-
  if by_psql "$@"; then same_connection "$@"; else neither_connects "$@"; fi
}
# agree "what" [NAME=VALUE…] CONNINFO: the same; the outcomes are added to $outcomes, 0 for a connection.
agree() {
  local name=$1
  shift
  check "$name" same_outcome "$@"
  if [ "$connection" = - ]; then outcomes+=1; else outcomes+=0; fi
}
# hushed: no message of ebsctl's has a password; all of them begin with this word.
hushed() { ! grep hush "$SCRATCH/ebsctl.log"; }
# interrupted SIGNAL CONNINFO: it comes while another session holds a lock that ebsctl waits for. It ends with 130, and its query too.
interrupted() {
  local status=0 ebsctl
  "$EBSCTL" report nosuch -d "$2" >"$SCRATCH/ebsctl.out" 2>&1 </dev/null &
  ebsctl=$!
  cluster_await "SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'ebsctl' AND wait_event_type = 'Lock'"
  kill "-$1" "$ebsctl"
  wait "$ebsctl" || status=$?
  [ "$status" = 130 ] || { echo "exit status $status"; cat "$SCRATCH/ebsctl.out"; return 1; }
  is "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ebsctl' AND state = 'active'" 0
}
