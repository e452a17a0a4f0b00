# The wall clock is set while it samples: said, no interval gets longer or shorter, no sample is lost or counted twice.
if ! command -v cc >/dev/null; then
  skip "a wall clock that is set (takes cc, to build one that can be)"
  return
fi
cc -shared -fPIC -O2 -Wall -Werror -o "$SCRATCH/clock.so" "$ROOT/tests/live/clock.c"
chmod 755 "$SCRATCH/clock.so"
fresh <<<"ebs_advisor.flush_interval = 3s # blocks within which the clock is set"
cluster_stop
# set_clock SECONDS: how far the server's clock is ahead; at once.
set_clock() { echo "${1}000" >"$SCRATCH/offset.new" && chmod 644 "$SCRATCH/offset.new" && mv "$SCRATCH/offset.new" "$SCRATCH/offset"; }
set_clock 100
cluster_run env LD_PRELOAD="$SCRATCH/clock.so" CLOCK_OFFSET="$SCRATCH/offset" \
  "$PG_BIN/pg_ctl" --pgdata data --log server.log --wait start >/dev/null 9>&-
check "the server's clock can be set" is "SELECT extract(epoch FROM clock_timestamp()) - $(date +%s) BETWEEN 99 AND 130" t
cluster_sql 'CREATE EXTENSION ebs_advisor'
cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
every="FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('RUN')) s"
sampled() { cluster_sql "SELECT coalesce(sum(seconds), 0) ${every/RUN/$1}"; }
# begin LABEL, end, all_of LABEL: a run, and whether as many seconds were sampled as passed by a clock that nobody set: at most
# those from before it was begun until after it was ended, at least those between the two.
begin() {
  before=${EPOCHREALTIME/./}
  cluster_sql "SELECT ebs_run_begin('$1')" >/dev/null
  begun=${EPOCHREALTIME/./}
}
end() {
  least=$((${EPOCHREALTIME/./} - begun))
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  most=$((${EPOCHREALTIME/./} - before))
}
report() { echo "SELECT string_agg(line, ' ') FROM ebs_advise('$1') line"; }
all_of() {
  awk -v s="$(sampled "$1")" -v least="$least" -v most="$most" \
    'BEGIN { print s, least / 1e6, most / 1e6; exit !(s > least / 1e6 - 0.5 && s < most / 1e6 + 0.5) }'
}

begin ahead
sleep 4.5
set_clock 130
sleep 4.5
end
check "set ahead: all seconds are there" all_of ahead
# A busy machine may miss a tick. An interval that the clock made longer would have 31 s.
check "set ahead: each as long as it was" is "SELECT max(seconds) < 15 ${every/RUN/ahead}" t
check "set ahead: the report says so" matches "$(report ahead)" 'the wall clock +was +set +1 +time +meanwhile'
length="SELECT extract(epoch FROM duration) FROM ebs.runs WHERE label = 'ahead'"
check "set ahead: the window is longer by what it was set" is "SELECT ($length) - $(sampled ahead) BETWEEN 29.5 AND 30.5" t
check "set ahead: and how much of the window is not sampled" matches "$(report ahead)" \
  "$(cluster_sql "SELECT round($(sampled ahead))") of $(cluster_sql "SELECT round(($length))") s sampled"

begin back
sleep 4.5
set_clock 127
sleep 6.5
end
check "set back: all seconds are there, those that came twice too" all_of back
check "set back: each as long as it was" is "SELECT max(seconds) < 3.5 ${every/RUN/back}" t
check "set back: the report says so" matches "$(report back)" 'the wall clock +was +set +1 +time +meanwhile'
check "set back: nothing negative" is "SELECT count(*) FROM ebs_device_samples('back') WHERE least(seconds, reads, writes) < 0" 0

# A little back: what is held then begins before the end of what is in the table.
cluster_sql "ALTER SYSTEM SET ebs_advisor.flush_interval = '20s'"
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
begin little
end
set_clock 124
# Until its clock is past the end of what is in the table; what was sampled since is only held.
sleep 5.3
recent="SELECT count(*) >= 1 FROM (SELECT DISTINCT ended_at FROM ebs_device_samples(NULL, '1.9 seconds')) s"
check "set a little back: the samples of now are seen before they are written" is "$recent" t

# Far back, and asked before the block in which that happened is written, and after.
begin before
sleep 2.5
set_clock 20
sleep 3.2
recent="SELECT count(*) >= 2 FROM (SELECT DISTINCT ended_at FROM ebs_device_samples(NULL, '3 seconds')) s"
check "set far back: the samples of now are seen before they are written" cluster_await "$recent"
check "set far back: the run ends" is 'SELECT ebs_run_end()' before
check "set far back: and after" cluster_await "$recent"
begin after
sleep 3.2
end
check "set far back: a run after it has all its seconds" all_of after
check "set far back: the samples since then are found" is \
  "SELECT sum(seconds) > 4 FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples(NULL, '8 seconds')) s" t
check "set far back: by the same sampler" is "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'" t
check "nobody failed" test "$(logged 'FATAL|PANIC')" = 0
