# Runs live tests by prove, each by scripts/live-test, and makes the directory of their clusters. Sourced, after env.sh and cluster.sh,
# by scripts/live-tests, scripts/installcheck, scripts/test-quiet and scripts/test-packaged.

# live_directory: sets LIVE_DIRECTORY, where each test has a directory of its own. It is removed when this script ends, and every
# server below it is ended; the next run removes what a killed run has left.
live_directory() {
  mkdir -p "$CACHE"
  live_directory_made 6<"$CACHE"
  on_exit live_end
  # initdb takes 0.4 s of CPU time, a copy of what it made 0.1 s (`time`).
  CLUSTER=$LIVE_DIRECTORY/template
  install -d -o "$SERVER_ACCOUNT" "$CLUSTER"
  PG_BIN=${PG_BIN:-$("$PG_CONFIG" --bindir)} cluster_initdb
  export CLUSTER_TEMPLATE=$CLUSTER/data
  # Where a container has no namespaces for root, and for other accounts, traps end what a test has started.
  LIVE_NAMESPACE=
  [ "$(id -u)" != 0 ] || ! "$ROOT/scripts/in-namespace" unshare --ipc -- true 2>/dev/null || LIVE_NAMESPACE=yes
  export LIVE_NAMESPACE
}

# live_directory_made: makes it under a lock, so that no run removes a directory that another has made and not locked yet.
live_directory_made() {
  local old
  flock 6
  for old in "$CACHE"/live.??????; do
    # Locked for as long as any process of that run lives: its servers have inherited the lock.
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

# Seconds after which a test that hangs is ended and counts as failed. All of them together take 190 to 300 s on two cores.
LIVE_DEADLINE=1800

# live_prove JOBS FILE…
live_prove() {
  local jobs=$1
  shift
  in_background default_signals prove --timer --verbose --merge --jobs "$jobs" \
    --exec "timeout --kill-after=60 $LIVE_DEADLINE $ROOT/scripts/live-test" "$@"
  return "$STATUS"
}
