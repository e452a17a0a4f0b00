# Answers count what the sampler has not written yet, without asking it, and nothing twice.
sampling <<CONF
ebs_advisor.flush_interval = 300s
ebs_advisor.wait_interval = 10s
$(own_disk_settings)
CONF
# From the first sample on, so that all the reads that a look-back sees are ours. The look is written.
look
cluster_await 'SELECT count(*) > 0 FROM ebs_device_samples()'
newest="SELECT max(block_id) FROM ebs.sample_block"
unwritten="FROM ebs_device_samples() WHERE ended_at > (SELECT max(ended_at) FROM ebs.sample_block)"
total="SELECT count(*) - count(DISTINCT ended_at), sum(reads) FROM ebs_device_samples()"
# counted READS: waits until so many are seen in an interval that has another behind it: nothing is joined with it any more.
counted() {
  cluster_await "SELECT sum(reads) = $1 AND max(ended_at) > max(ended_at) FILTER (WHERE reads > 0) FROM ebs_device_samples()"
}
blocks=$(cluster_sql "$newest")
disk_reads 1000
check "what is not written is seen" counted 1000
check "in several intervals, none of them twice" \
  cluster_await "SELECT count(*) >= 3 AND count(*) = count(DISTINCT ended_at) $unwritten"
check "and they are not written" is "$newest" "$blocks"
# stopped_asleep PID: what waits on its latch, as the sampler does where looks are long apart, holds no lock that an answer may
# need.
stopped_asleep() {
  stop_process "$1"
  [ "$(cluster_sql "SELECT wait_event FROM pg_stat_activity WHERE pid = $1")" != '' ] || { signal CONT "$1"; return 1; }
}
pid=$(sampler_pid)
await stopped_asleep "$pid"
check "while the sampler stands still" is "$total" '0|1000'
check "all answers come" cluster_sql 'SELECT count(*) FROM ebs_io_mix(), ebs_io_sources(), ebs_waits(); SELECT ebs_advise()'
taken="SELECT max(ended_at) FROM ebs_device_samples()"
before=$(cluster_sql "$taken")
signal CONT "$pid"
check "it goes on" cluster_await "SELECT ($taken) > '$before'"
# Whoever asks the sampler has it write, as soon as it goes on.
check "and was not asked" is "$newest" "$blocks"

# Around a flush, and many of them: a run's mark makes one, five at once and then one an interval. Meanwhile the disk reads on.
cluster_sql "ALTER SYSTEM SET ebs_advisor.sample_interval = '100ms'"
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
at_first=$(awk '$3 == "nvme0n1" { print $4 }' "$SCRATCH/tree/proc/diskstats")
cluster_sql "SELECT ebs_run_begin('around')" >/dev/null
for i in $(seq 100); do echo "SELECT ebs_run_mark('m$i');"; done >"$CLUSTER/marks.sql"
(cluster_psql -d postgres -qAtX -f "$CLUSTER/marks.sql" >/dev/null 2>&1) &
marks=$!
(while kill -0 "$marks" 2>/dev/null; do disk_reads 10; echo 10 >>"$SCRATCH/added"; done) &
# Each answer in a statement of its own: none sees more than the disk has read by then, which is read after it, and none less
# than the one before.
cluster_sql "CREATE TABLE seen (n serial, twice int, reads numeric, there numeric)"
disk="(SELECT substring(line FROM ' nvme0n1 ([0-9]+)')::numeric
  FROM regexp_split_to_table(pg_read_file('$SCRATCH/tree/proc/diskstats'), E'\\n') line
  WHERE line LIKE '% nvme0n1 %')"
for _ in $(seq 100); do
  echo "WITH answer AS MATERIALIZED
    (SELECT count(*) - count(DISTINCT ended_at) AS twice, sum(reads) AS reads FROM ebs_device_samples())
    INSERT INTO seen (twice, reads) SELECT * FROM answer; UPDATE seen SET there = $disk WHERE there IS NULL;"
done >"$CLUSTER/looks.sql"
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f "$CLUSTER/looks.sql" >/dev/null
wait
cluster_sql 'SELECT ebs_run_end()' >/dev/null
added=$(awk '{ sum += $1 } END { print sum + 0 }' "$SCRATCH/added")
check "something was read meanwhile" test "$added" -gt 0
check "nothing is counted twice around flushes" \
  is "SELECT count(*), sum(twice), bool_and(reads <= 1000 + there - $at_first) FROM seen" '100|0|t'
check "and nothing is missing" \
  is 'SELECT bool_and(reads >= before) FROM (SELECT *, lag(reads, 1, 1000) OVER (ORDER BY n) AS before FROM seen) s' t
check "nor in the end" is "$total" "0|$((1000 + added))"
