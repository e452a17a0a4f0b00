# Answers count what the sampler has not written yet, without asking it, and nothing twice.
sampling <<<"ebs_advisor.flush_interval = 300s"
total="SELECT count(*) - count(DISTINCT ended_at), sum(seconds) > 2.5 FROM ebs_device_samples() WHERE volume = (SELECT min(volume) FROM ebs_device_samples())"
cluster_await "SELECT sum(seconds) > 3 FROM ebs_device_samples() WHERE volume = (SELECT min(volume) FROM ebs_device_samples())"
check "seconds that are not written are seen" is "$total" '0|t'
check "and they are not written" is "SELECT coalesce(max(ended_at), '-infinity') < now() - interval '2.5 s' FROM ebs.sample_block" t
pid=$(sampler_pid)
signal STOP "$pid"
started=${EPOCHREALTIME/./}
check "while the sampler stands still" is "$total" '0|t'
check "all answers come at once" cluster_sql 'SELECT count(*) FROM ebs_io_mix(), ebs_io_sources(), ebs_waits(); SELECT ebs_advise()'
# Who asks the sampler waits 10 s for one that stands still.
check "without waiting for it" test $((${EPOCHREALTIME/./} - started)) -lt 8000000
signal CONT "$pid"
# Around a flush, and many of them: a run's mark makes one.
cluster_sql "SELECT ebs_run_begin('around')" >/dev/null
for i in $(seq 200); do echo "SELECT ebs_run_mark('m$i');"; done >"$CLUSTER/marks.sql"
(cluster_psql -d postgres -qAtX -f "$CLUSTER/marks.sql" >/dev/null 2>&1) &
# Each answer in a statement of its own: none sees more seconds than have passed, and none less than the one before.
cluster_sql "CREATE TABLE seen (n serial, twice int, seconds float8, longest float8)"
for _ in $(seq 100); do
  echo "INSERT INTO seen (twice, seconds, longest) SELECT count(*) - count(DISTINCT ended_at), sum(seconds),
    extract(epoch FROM max(ended_at) - min(ended_at - seconds * interval '1 s'))
    FROM ebs_device_samples() WHERE volume = '$(cluster_sql 'SELECT min(volume) FROM ebs_device_samples()')';"
done >"$CLUSTER/looks.sql"
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f "$CLUSTER/looks.sql" >/dev/null
wait
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "nothing is counted twice around flushes" is 'SELECT count(*), sum(twice), max(seconds - longest) < 0.1 FROM seen' '100|0|t'
check "and nothing is missing" is 'SELECT min(seconds - longest) > -0.1 AND bool_and(seconds >= before - 0.1) FROM
  (SELECT *, lag(seconds, 1, 0) OVER (ORDER BY n) AS before FROM seen) s' t
