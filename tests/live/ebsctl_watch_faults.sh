# ebsctl watch through faults: a connection that is ended, a server that stands still, a clock that is set, rights that are revoked. What
# happens meanwhile is a gap or unknown, and never a wrong sample.
clock=
if command -v cc >/dev/null; then
  cc -shared -fPIC -O2 -Wall -Werror -o "$SCRATCH/clock.so" "$ROOT/tests/live/clock.c"
  chmod 755 "$SCRATCH/clock.so"
  clock=yes
fi
fresh </dev/null
cluster_stop
# set_clock SECONDS: how far the server's clock is ahead; at once.
set_clock() { echo "${1}000" >"$SCRATCH/offset.new" && chmod 644 "$SCRATCH/offset.new" && mv "$SCRATCH/offset.new" "$SCRATCH/offset"; }
set_clock 100
cluster_start ${clock:+env LD_PRELOAD="$SCRATCH/clock.so" CLOCK_OFFSET="$SCRATCH/offset"}
cluster_sql 'CREATE EXTENSION ebs_advisor'
cluster_psql -d postgres -qX -v ON_ERROR_STOP=1 <<'SQL'
CREATE ROLE watcher LOGIN;
GRANT pg_monitor, pg_read_server_files TO watcher;
GRANT EXECUTE ON FUNCTION pg_read_file(text, bigint, bigint, boolean), pg_ls_dir(text, boolean, boolean) TO watcher;
SQL
device=$(awk '$3 !~ /^(loop|ram|zram|sr)/ { print $3; exit }' /proc/diskstats)
if [ -z "$device" ]; then
  skip "faults while a server is watched (it has no block device)"
  return
fi
watched() { watching watcher "$1" --device "$device" --for 1h; }
backend() { cluster_sql "SELECT pid $WATCH"; }
said() { grep -qE "$1" "$SCRATCH/$label.log"; }
# Each interval is about a second: what was a gap is in none.
whole_seconds() { is "SELECT count(*) > 0 AND max(seconds) < 2.6 AND min(seconds) > 0 FROM ebs_device_samples('$label')" t; }
doubts() { matches "SELECT environment ->> 'doubts' FROM ebs.run WHERE label = '$label'" "$1"; }

watched killed
pid=$(backend)
cluster_sql "SELECT pg_terminate_backend($pid)" >/dev/null
check "a connection that is ended is opened again" await said '^connected again'
watched_twice
check "the run goes on" watch_ends
check "the documented rights show CPU time" said 'CPU  *[/]proc by pg_read_file'
check "the user is told" said 'the connection is lost, connecting again: .*terminating connection'
check "the gap is in no sample" whole_seconds
check "and is kept as a doubt, with its time" doubts 'gaps? in the samples[^:]*: the connection was lost .20[0-9-]* [0-9:]* to [0-9:]* UTC'

watched stopped
pid=$(backend)
stop_process "$pid"
meanwhile 4
signal CONT "$pid"
check "a server that stood still is a gap" await said 'a gap in the samples'
watched_twice
check "after which it goes on" watch_ends
check "of which nothing is in a sample" whole_seconds

if [ -z "$clock" ]; then
  skip "a clock that is set while a server is watched (takes cc, to build one that can be)"
else
  watched clocked
  set_clock 700
  check "a clock that is set ahead is a gap" await said 'a gap in the samples: the clock of the server was set'
  watched_twice
  check "after which it is read on" watch_ends
  check "and no interval is longer" whole_seconds
fi

watched revoked
cluster_sql "REVOKE EXECUTE ON FUNCTION pg_read_file(text, bigint, bigint, boolean) FROM watcher"
check "a right that is revoked is named" await said 'the server refused a query: permission denied for function pg_read_file'
watched_twice
cluster_sql "REVOKE pg_monitor FROM watcher"
check "and so are waits that are hidden" await said "waits of other roles' sessions are hidden"
watched_twice
check "what was seen until then is kept" watch_ends
check "the lack of waits is kept as a doubt" doubts 'waits are unknown for a part of the time'
check "devices are unknown after it, not idle" is \
  "SELECT count(*) FROM ebs_device_samples('revoked') WHERE reads IS NULL OR reads >= 0" \
  "$(cluster_sql "SELECT count(*) FROM ebs_device_samples('revoked')")"
check "and the doubt is kept" doubts 'devices are unknown for a part of the time'

cluster_sql "GRANT pg_monitor TO watcher; GRANT EXECUTE ON FUNCTION pg_read_file(text, bigint, bigint, boolean) TO watcher"
# The database goes while the server is watched: the run is kept in a file.
watched orphan
cluster_sql 'DROP EXTENSION ebs_advisor'
check "a run that the database does not take is an error" eval '! watch_ends'
check "and is kept in a file" said 'it is in "orphan.ebs-run.json"'
check "which is a whole document" grep -q '"label":"orphan"' "$CLUSTER/orphan.ebs-run.json"
