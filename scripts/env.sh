# Directories, accounts and functions of all scripts. Sourced by them; nothing here has an effect on the machine.

set -euo pipefail
# Nothing that a caller leaves in the process decides on a result. What is built and written is read by the server's account, too;
# numbers and messages are parsed; and a file that is opened while standard input, output or error is closed takes its place.
umask 022
export LC_ALL=C.UTF-8
# Servers of tests are on this machine: a proxy that the environment names is not asked for them.
export no_proxy=${no_proxy:+$no_proxy,}127.0.0.1,localhost
export NO_PROXY=$no_proxy
[ -e /proc/self/fd/0 ] || exec 0</dev/null
[ -e /proc/self/fd/1 ] || exec 1>/dev/null
[ -e /proc/self/fd/2 ] || exec 2>/dev/null
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$ROOT/scripts/versions.sh"

# One cache for everything that takes long to make: PostgreSQL prefixes and the demo's cluster. The unprivileged account that runs
# PostgreSQL must be able to reach it, which /root does not allow.
if [ "$(id -u)" = 0 ]; then
  CACHE=${EBS_ADVISOR_CACHE:-/var/cache/ebs_advisor}
else
  CACHE=${EBS_ADVISOR_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ebs_advisor}
fi

# Without clippy or rustfmt (rust-toolchain.toml) rustup builds all the same, instead of downloading them.
export RUSTUP_AUTO_INSTALL=${RUSTUP_AUTO_INSTALL:-0}

# Cargo's registry and git stay where the user has them; only the build products are ours.
TARGET_DIR=${CARGO_TARGET_DIR:-$ROOT/target}

# The profile of cargo. What is installed is built for speed, the demo to be there soon; tests build in the dev profile, all into one directory,
# so that nothing is compiled twice.
EBS_ADVISOR_PROFILE=${EBS_ADVISOR_PROFILE:-release}
case $EBS_ADVISOR_PROFILE in
  dev) BUILT=$TARGET_DIR/debug ;;
  *) BUILT=$TARGET_DIR/$EBS_ADVISOR_PROFILE ;;
esac

# whole_workspace MAJOR: cargo's options for all packages, with the extension for that major. Tests build all of them by one command:
# cargo resolves features over the packages that are selected, so those selected one by one compile their common dependencies again.
whole_workspace() { echo "--workspace --no-default-features --features ebs_advisor/pg$1"; }
# workspace_programs NAME…: cargo's options for these programs alone, compiled as with all packages, which needs no PostgreSQL. Features
# of dev-dependencies count only where a test or an example is selected, hence the examples; the live tests need them too.
workspace_programs() { echo "$(whole_workspace "${PG_SUPPORTED%% *}") ${*/#/--bin } --example generate_history --example generate_fleet --example made"; }

# The account PostgreSQL runs as: it refuses root.
if [ "$(id -u)" != 0 ]; then SERVER_ACCOUNT=$(id -un)
elif getent passwd postgres >/dev/null; then SERVER_ACCOUNT=postgres
else SERVER_ACCOUNT=nobody
fi

# as_server COMMAND…: runs it as that account, with a clean libpq environment (a user's PGHOST must not lead to another server). Not by
# runuser, which would remain as a process above the command, and open a session of PAM for each of the thousands that tests run.
AS_SERVER=(env -u PGHOST -u PGPORT -u PGUSER -u PGDATABASE -u PGSERVICE -u PGPASSWORD -u PGOPTIONS -u PGDATA)
[ "$(id -un)" = "$SERVER_ACCOUNT" ] ||
  AS_SERVER+=(setpriv --reuid "$SERVER_ACCOUNT" --regid "$(id -g "$SERVER_ACCOUNT")" --init-groups --)
as_server() { "${AS_SERVER[@]}" "$@"; }

# default_signals COMMAND…: runs it with the default action of signals that the caller ignores: `nohup make test &` in a script ignores
# SIGINT and SIGQUIT, systemd SIGPIPE, and no shell can change that for what it starts. SIGHUP stays ignored, which nohup is for.
default_signals() {
  if env --default-signal=INT true 2>/dev/null; then
    env --default-signal=INT,QUIT,PIPE,TERM,CHLD "$@"
  else
    perl -e '$SIG{$_} = "DEFAULT" for qw(INT QUIT PIPE TERM CHLD); exec @ARGV or die "$ARGV[0]: $!\n"' -- "$@"
  fi
}

# our_files: prints the files of this clone, or of an archive of it, without build products. The clone may belong to another account,
# as in a container.
our_files() {
  (cd "$ROOT" && git -c safe.directory='*' ls-files --cached --others --exclude-standard 2>/dev/null ||
    find . \( -name target -o -name results \) -prune -o -type f -printf '%P\n')
}

# major_of PG_CONFIG: 16, 17 or 18.
major_of() { "$1" --version | sed -E 's/^PostgreSQL ([0-9]+).*/\1/'; }

# unwritable PG_CONFIG: prints the first directory that an installation into that PostgreSQL writes to, and this user may not.
unwritable() {
  local directory
  for directory in "$("$1" --pkglibdir)" "$("$1" --sharedir)/extension"; do
    [ -w "$directory" ] || { echo "$directory"; return; }
  done
}

# lock_postgres PG_CONFIG: waits until no other script installs into that PostgreSQL or tests what is installed there, and holds the lock
# until this script, and what it starts, has ended.
lock_postgres() {
  local directory
  directory=$("$1" --pkglibdir)
  [ "${POSTGRES_LOCKED:-}" != "$directory" ] || return 0
  exec 9<"$directory"
  flock --nonblock 9 || { echo "waiting for another installation or test run in $directory" >&2; flock 9; }
  export POSTGRES_LOCKED=$directory
}

# descendants PID: prints the processes below it.
descendants() {
  local pid
  for pid in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
    descendants "$pid"
    echo "$pid"
  done
}

# end_all [PID]: ends that child of this shell and all processes below it, and waits for it. Without a child it does nothing.
end_all() {
  [ -n "${1:-}" ] || return 0
  kill $(descendants "$1") "$1" 2>/dev/null || true
  wait "$1" || true
}

# in_background COMMAND…: runs it as a child, so that a signal to this script is answered at once, and sets STATUS to its exit
# status. Its id is in CHILD meanwhile, for end_all when this script ends. Not to be called before && or ||, where COMMAND would
# go on after an error.
CHILD=
in_background() {
  STATUS=0
  "$@" &
  CHILD=$!
  wait "$CHILD" || STATUS=$?
  CHILD=
}

# on_exit COMMAND: runs it when this script ends, for whatever reason. Signals after the first are ignored: a script that is ended ends
# the scripts below it, which signals may have ended before.
on_exit() {
  trap "$1" EXIT
  trap "trap '' HUP INT TERM; exit 130" HUP INT TERM
}

# die MESSAGE [HINT]: ends the script with a message in PostgreSQL's style.
die() {
  printf 'error: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf 'hint:  %s\n' "$2" >&2
  exit 1
}
