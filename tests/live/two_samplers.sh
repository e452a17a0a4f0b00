# A database is sampled once: a sampler on demand gives way when the preloaded one comes (back).
sampling </dev/null
own_disk
# Without a look: it would begin a run, and so start a sampler.
enable() { cluster_sql "ALTER SYSTEM SET ebs_advisor.enabled = $1"; cluster_sql 'SELECT pg_reload_conf()' >/dev/null; }
samplers="SELECT string_agg(backend_type, ', ' ORDER BY backend_type) FROM pg_stat_activity WHERE backend_type LIKE '%sampler'"
none="SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type LIKE '%sampler')"
# counted RUN READS: waits until so many reads are in it. Two samplers at once would each count them.
counted() { cluster_await "SELECT sum(reads) = $2 FROM ebs_device_samples('$1')"; }
# answered: the preloaded sampler takes a sample: it has been there to the first reading, from which on it counts. A mark that
# nobody answers warns.
answered() { test -z "$(cluster_sql "SELECT FROM ebs_run_mark('answered')" 2>&1)"; }
# overlaps RUN: intervals that had not half passed when the one before ended. Where two sample at once, one of theirs in each
# interval is such, whichever of them is the earlier. Marks make short ones, of which the half is too short to tell.
overlaps() {
  echo "SET client_min_messages = warning; SELECT count(*) FROM
    (SELECT ended_at - seconds / 2 * interval '1 s' < lag(ended_at) OVER (ORDER BY ended_at) AS within, seconds
    FROM ebs_device_samples('$1')) s WHERE within AND seconds >= 0.5"
}

enable off
cluster_await "$none"
cluster_sql "SELECT ebs_run_begin('handed-over')" >/dev/null
check "with the sampler off a run has one of its own" is "$samplers" 'ebs_advisor on-demand sampler'
disk_reads 1000
check "which counts" counted handed-over 1000
enable on
check "which leaves when the other is back" cluster_await "SELECT ($samplers) = 'ebs_advisor sampler'"
await answered
disk_reads 10
check "the other counts then" counted handed-over 1010
disk_reads 1
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "and nothing is counted twice" \
  is "SET client_min_messages = warning; SELECT sum(reads) FROM ebs_device_samples('handed-over')" 1011
check "for no interval overlaps another" is "$(overlaps handed-over)" 0

gone=$(sampler_pid)
cluster_psql -d postgres -qAtX -c "SELECT pg_terminate_backend($gone)" -c "SELECT ebs_run_begin('restarted')" >/dev/null 2>&1
check "a run that begins while the sampler restarts has one in the end" \
  cluster_await "SELECT ($samplers) = 'ebs_advisor sampler' AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $gone)"
await answered
disk_reads 100
check "which counts what it should" counted restarted 100
disk_reads 1
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "and counts once" is "SET client_min_messages = warning; SELECT sum(reads) FROM ebs_device_samples('restarted')" 101
check "in intervals of which none overlaps another" is "$(overlaps restarted)" 0

# The one that takes the place of another must not answer what that one was asked: it has sampled nothing yet.
for again in 1 2 3; do
  before=$(cluster_sql 'SELECT clock_timestamp()')
  cluster_psql -d postgres -qAtX -c "SELECT pg_terminate_backend($(sampler_pid))" -c "SELECT ebs_run_begin('again-$again')" >/dev/null 2>&1
  check "whoever answers, a run begins now, time $again" \
    is "SELECT started_at >= '$before' FROM ebs.runs_detail WHERE label = 'again-$again'" t
  cluster_await "SELECT ($samplers) = 'ebs_advisor sampler'"
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
done

# In REPEATABLE READ a run on demand is begun and ended without seeing what was written meanwhile: who waited for that would
# give up at last, and warn.
enable off
cluster_await "$none"
check "REPEATABLE READ waits for nothing it cannot see" test -z "$(cluster_psql -d postgres -qAtX \
  -c 'BEGIN ISOLATION LEVEL REPEATABLE READ' -c 'SELECT FROM pg_class LIMIT 0' \
  -c "SELECT FROM ebs_run_begin('frozen')" -c COMMIT 2>&1)"
cluster_sql 'SELECT ebs_run_end()' >/dev/null
