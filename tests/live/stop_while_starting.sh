# A server that is told to stop while the launcher waits for the sampler that it started stops. The new sampler is held as soon as it is
# forked; the launcher waits for it for a second. A machine that is stalled for as long tells it later, which holds in any case.
if ! command -v cc >/dev/null; then
  skip "a server that stops while the sampler starts (takes cc, to hold the sampler)"
  return
fi
cc -shared -fPIC -O2 -Wall -Werror -o "$SCRATCH/held_fork.so" "$ROOT/tests/live/held_fork.c" -ldl
chmod 755 "$SCRATCH/held_fork.so"
fresh <<<'autovacuum = off'
cluster_stop
held=$CLUSTER/held
HELD_FORK=$held cluster_start env LD_PRELOAD="$SCRATCH/held_fork.so"
there() { [ -n "$(sampler_pid)" ]; }
check "there is a sampler" await there
sampler=$(sampler_pid)
cluster_run touch "$held"
signal TERM "$sampler"
check "another is started, and held" await test -e "$held.here"
cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode fast --no-wait stop >/dev/null
# Until the launcher has been told by the postmaster, and has looked.
meanwhile 0.5
rm "$held"
check "the server stops" await test ! -e "$CLUSTER/data/postmaster.pid"
