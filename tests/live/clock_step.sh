# The wall clock is set while it samples: said, no interval gets longer or shorter, no sample is lost or counted twice.
if ! command -v cc >/dev/null; then
  skip "a wall clock that is set (takes cc, to build one that can be)"
  return
fi
cc -shared -fPIC -O2 -Wall -Werror -o "$SCRATCH/clock.so" "$ROOT/tests/live/clock.c"
chmod 755 "$SCRATCH/clock.so"
fresh <<<"ebs_advisor.sample_interval = 250ms
ebs_advisor.flush_interval = 1s # blocks within which the clock is set
$(disk_settings)"
cluster_stop
# set_clock SECONDS: how far the server's clock is ahead; at once.
set_clock() { echo "${1}000" >"$SCRATCH/offset.new" && chmod 644 "$SCRATCH/offset.new" && mv "$SCRATCH/offset.new" "$SCRATCH/offset"; }
set_clock 100
cluster_start env LD_PRELOAD="$SCRATCH/clock.so" CLOCK_OFFSET="$SCRATCH/offset"
# can_be_set: between two looks at ours it says what ours says, and as much as it is ahead.
can_be_set() {
  local before=$EPOCHREALTIME theirs
  theirs=$(cluster_sql 'SELECT extract(epoch FROM clock_timestamp()) - 100')
  awk -v before="$before" -v theirs="$theirs" -v after="$EPOCHREALTIME" \
    'BEGIN { print before, theirs, after; exit !(before <= theirs && theirs <= after) }'
}
check "the server's clock can be set" can_be_set
cluster_sql 'CREATE EXTENSION ebs_advisor'
sampler_works
every="FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('RUN')) s"
sampled() { cluster_sql "SELECT coalesce(sum(seconds), 0) ${every/RUN/$1}"; }
# begin LABEL, end, all_of LABEL: a run, and whether as many seconds were sampled as passed by a clock that nobody set: at most
# those from before it was begun until after it was ended, at least those between the two. A run begins and ends on a sample, so
# this holds by construction, but for what two clocks may differ by.
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
all_of() {
  awk -v s="$(sampled "$1")" -v least="$least" -v most="$most" \
    'BEGIN { print s, least / 1e6, most / 1e6; exit !(s > 0 && s > 0.999 * least / 1e6 - 0.1 && s < 1.001 * most / 1e6 + 0.1) }'
}
# No interval is longer than the run was.
as_long() { is "SELECT min(seconds) > 0 AND max(seconds) < 1.001 * $most / 1e6 + 0.1 ${every/RUN/$1}" t; }

begin ahead
seconds_sampled ahead 4
set_clock 700
seconds_sampled ahead 8
end
check "set ahead: all seconds are there" all_of ahead
check "set ahead: each as long as it was" as_long ahead
check "set ahead: the report says so" matches "$(report "'ahead'")" 'the wall clock was set 1 time meanwhile'
length="SELECT extract(epoch FROM duration) FROM ebs.runs_detail WHERE label = 'ahead'"
check "set ahead: the window is longer by what it was set" is "SELECT ($length) - $(sampled ahead) BETWEEN 599.5 AND 600.5" t
check "set ahead: and how much of the window is not sampled" matches "$(report "'ahead'")" \
  "$(cluster_sql "SELECT round($(sampled ahead))") of $(cluster_sql "SELECT round(($length))") s sampled"

begin back
# The clock is set back to within the run, and the run ends after all that was sampled before: nothing of it lies outside.
cluster_await "SELECT clock_timestamp() > started_at + interval '2 s' FROM ebs.runs_detail WHERE label = 'back'"
set_clock 699
was=$(cluster_sql "SELECT clock_timestamp() + interval '1 s'")
cluster_await "SELECT clock_timestamp() > '$was'"
end
check "set back: all seconds are there, those that came twice too" all_of back
check "set back: each as long as it was" as_long back
check "set back: the report says so" matches "$(report "'back'")" 'the wall clock was set 1 time meanwhile'
check "set back: nothing negative" is "SELECT count(*) FROM ebs_device_samples('back') WHERE least(seconds, reads, writes) < 0" 0

# A little back: what is held then begins before the end of what is in the table. Nothing is written now unless a run asks.
cluster_sql "ALTER SYSTEM SET ebs_advisor.flush_interval = '300s'"
reload
# unwritten NUMBER LOOKBACK: so many samples of the last while are seen, and no block was written since the last was.
unwritten() {
  cluster_await "SELECT count(*) >= $1 AND (SELECT max(block_id) FROM ebs.sample_block) = $last
    FROM (SELECT DISTINCT ended_at FROM ebs_device_samples(NULL, '$2')) s"
}
begin little
end
last=$(cluster_sql 'SELECT max(block_id) FROM ebs.sample_block')
set_clock 696
# Until its clock is past the end of what is in the table; what was sampled since is only held.
cluster_await "SELECT clock_timestamp() > max(ended_at) + interval '2 s' FROM ebs.sample_block"
check "set a little back: the samples of now are seen before they are written" unwritten 1 '1.9 seconds'

# Far back, and asked before the block in which that happened is written, and after.
begin before
seconds_sampled before 4
last=$(cluster_sql 'SELECT max(block_id) FROM ebs.sample_block')
set_clock -86400
check "set far back: the samples of now are seen before they are written" unwritten 2 '3 seconds'
check "set far back: the run ends" is 'SELECT ebs_run_end()' before
last=$(cluster_sql 'SELECT max(block_id) FROM ebs.sample_block')
check "set far back: and after" unwritten 2 '3 seconds'
begin after
seconds_sampled after 4
end
check "set far back: a run after it has all its seconds" all_of after
# An hour holds all since then, and by the clock nothing of before.
check "set far back: the samples since then are found" is \
  "SELECT sum(seconds) >= $(sampled after) FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples(NULL, '1 hour')) s" t
check "set far back: by the same sampler" cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
check "nobody failed" not_logged 'FATAL|PANIC'
