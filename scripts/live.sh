# How live tests are run: by prove, each by scripts/live-test; and where clusters of tests are. Sourced, after env.sh and cluster.sh,
# by scripts/live-tests, scripts/installcheck, scripts/test-quiet and scripts/test-packaged.

# live_directory: sets LIVE_DIRECTORY, where each test has a directory of its own. It goes with this script, and with it every
# server below; what a run left that was killed goes with the next.
live_directory() {
  mkdir -p "$CACHE"
  live_directory_made 6<"$CACHE"
  on_exit live_end
  # initdb takes 0.4 s of CPU time, a copy of what it made 0.1 s (`time`).
  CLUSTER=$LIVE_DIRECTORY/template
  install -d -o "$SERVER_ACCOUNT" "$CLUSTER"
  PG_BIN=${PG_BIN:-$("$PG_CONFIG" --bindir)} cluster_initdb
  export CLUSTER_TEMPLATE=$CLUSTER/data
  # Where a container lets root have none, and for other accounts, traps have to do.
  LIVE_NAMESPACE=
  [ "$(id -u)" != 0 ] || ! "$ROOT/scripts/in-namespace" unshare --ipc -- true 2>/dev/null || LIVE_NAMESPACE=yes
  export LIVE_NAMESPACE
}

# live_directory_made: one run at a time does this, so that none clears away what another has made and not locked yet.
live_directory_made() {
  local old
  flock 6
  for old in "$CACHE"/live.??????; do
    # Held for as long as anything of that run lives: its servers have inherited the lock.
    [ ! -d "$old" ] || ! flock --nonblock "$old" true || rm -rf "$old"
  done
  LIVE_DIRECTORY=$(mktemp -d "$CACHE/live.XXXXXX")
  export LIVE_DIRECTORY
  chmod 755 "$LIVE_DIRECTORY"
  exec 8<"$LIVE_DIRECTORY"
  flock 8
}

live_end() {
  trap - EXIT
  end_all "$CHILD"
  clusters_kill "$LIVE_DIRECTORY"
  wait
  rm -rf "$LIVE_DIRECTORY"
}

# live_prove JOBS FILE…
live_prove() {
  local jobs=$1
  shift
  in_background prove --timer --verbose --merge --jobs "$jobs" --exec "$ROOT/scripts/live-test" "$@"
  return "$STATUS"
}
