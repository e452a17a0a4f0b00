# What a database did: transactions as pgbench counts them, CPU time as the kernel does, and what is not known said so.
# On every major: where PostgreSQL counts flushes of WAL, and what it counts of sessions.
sampling <<CONF
autovacuum = off
fsync = on
track_wal_io_timing = on
ebs_advisor.flush_interval = 300s
$(own_disk_settings)
CONF
begin() { cluster_sql "SELECT ebs_run_begin('$1')" >/dev/null; }
end() { cluster_sql 'SELECT ebs_run_end()' >/dev/null; }
cluster_run "$PG_BIN/pgbench" -h "$CLUSTER" -U postgres -i -s 1 -q postgres >/dev/null 2>&1
# pgbench for SCRIPT CLIENTS TRANSACTIONS: for psql's \!.
printf 'BEGIN;\nUPDATE pgbench_branches SET bbalance = bbalance + 1;\nEND;\n' >"$CLUSTER/commit.sql"
printf 'BEGIN;\nROLLBACK;\n' >"$CLUSTER/rollback.sql"
bench() {
  echo "\\! '$PG_BIN/pgbench' -h '$CLUSTER' -U postgres -n -f $1.sql -c $2 -t $3 postgres 2>/dev/null >>bench"
}

# Processes as the sampler sees them: the numbers are real, the times are ours, in ticks. Only begin, mark and end look at them.
(cluster_run env PGAPPNAME=stays "$PG_BIN/psql" -X -h "$CLUSTER" -U postgres -d postgres \
  -qAtc 'SELECT pg_sleep(3600)' >/dev/null 2>&1) &
cluster_await "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE application_name = 'stays'"
stays=$(cluster_sql "SELECT pid FROM pg_stat_activity WHERE application_name = 'stays'")
sampler=$(sampler_pid)
postmaster=$(head -n 1 "$CLUSTER/data/postmaster.pid")
proc=$SCRATCH/tree/proc
ticks=$(getconf CLK_TCK)
# process DIRECTORY PID PARENT OWN ENDED [FLAGS]: has used so many seconds itself, and its children that ended so many.
process() {
  mkdir -p "$1/$2"
  local rest='1000 10 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0'
  printf "%s (some name) S %s 1 1 0 -1 %s 1 1 0 0 %s 0 %s 0 20 0 1 0 %s $rest\\n" \
    "$2" "$3" "${6:-4194560}" "$(awk -v s="$4" -v t="$ticks" 'BEGIN { print s * t }')" \
    "$(awk -v s="$5" -v t="$ticks" 'BEGIN { print s * t }')" "$((100 + $2))" >"$1/$2/stat"
}
# At first: a child that will end, a process of somebody else's and the kernel's first thread.
first() {
  process "$1" "$postmaster" 1 10 50
  process "$1" "$sampler" "$postmaster" 1 0
  process "$1" "$stays" "$postmaster" 2 0
  process "$1" 4190001 "$postmaster" 3 0
  process "$1" 4190002 1 7 0
  process "$1" 2 0 0.5 0 2129984
}
# Then clients have used 1.2 s, what has ended 0.4 s since it was seen last and 3 s before, postmaster and sampler 0.4 s, others
# 1 s.
after() {
  process "$1" "$postmaster" 1 10.3 53.4
  process "$1" "$sampler" "$postmaster" 1.1 0
  process "$1" "$stays" "$postmaster" 3.2 0
  process "$1" 4190002 1 8 0
}
mv "$proc/self" "$proc/$sampler"
ln -s "$sampler" "$proc/self"
first "$proc"
mkdir -p "$proc/$postmaster/task/$postmaster"
echo "$sampler $stays 4190001" >"$proc/$postmaster/task/$postmaster/children"
after "$SCRATCH/after"
process "$SCRATCH/later" 4190002 1 9 0
chmod -R a+rwX "$proc" "$SCRATCH/after" "$SCRATCH/later"

# One session, so that nobody else counts anything. A session commits once when it connects.
flushes="SELECT coalesce((SELECT (to_jsonb(w) ->> 'wal_sync')::bigint FROM pg_stat_wal w),
  (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal' AND context = 'normal'))"
cat >"$SCRATCH/session" <<SQL
$(alone stays)
SELECT sum(sessions) AS sessions FROM pg_stat_database \\gset
$(tr '\n' ' ' <<<"$flushes") AS outer_from \\gset
$FLUSHED
SELECT FROM ebs_run_begin('busy');
$(tr '\n' ' ' <<<"$flushes") AS inner_from \\gset
$(bench commit 4 100)
$(bench rollback 2 30)
\\! cp -r '$SCRATCH/after/.' '$proc' && rm -r '$proc/4190001'
$(alone stays)
SELECT sum(sessions) - :sessions AS sessions FROM pg_stat_database \\gset
$(tr '\n' ' ' <<<"$flushes") AS inner_to \\gset
$FLUSHED
SELECT FROM ebs_run_end();
$(tr '\n' ' ' <<<"$flushes") AS outer_to \\gset
SELECT :sessions, :inner_to - :inner_from, :outer_to - :outer_from;
-- The sampler commits at each mark: none of that is anybody's work.
$FLUSHED
SELECT FROM ebs_run_begin('idle');
$(until_true "EXISTS (SELECT FROM ebs_waits('idle'))")
$(for i in 1 2 3 4 5; do echo "SELECT FROM ebs_run_mark('mark $i');"; done)
\\! cp -r '$SCRATCH/later/.' '$proc'
$FLUSHED
SELECT FROM ebs_run_end();
SQL
cluster_psql -d postgres -qAtX -F ' ' -v ON_ERROR_STOP=1 -f "$SCRATCH/session" >"$SCRATCH/said"
read -r connected least most <"$SCRATCH/said"
processed=$(sed -n 's/^number of transactions actually processed: \([0-9]*\).*/\1/p' "$CLUSTER/bench" | tr '\n' ' ')
check "pgbench has done what it was told" test "$processed" = '400 60 '

# Figures are rates over one time, which is known by the CPU time of the machine: 3 s while it was busy, 1 s while it was idle.
counted() {
  is "SELECT round((f.value / m.value * $3)::numeric, 6)::float8 FROM ebs_workload('$1') f, ebs_workload('$1') m
    WHERE f.metric = '$2' AND m.metric = 'CPU of the machine'" "$4"
}
# Statements between begin and end: begin, SET, DO, three SELECT, FLUSHED.
check "commits are those of pgbench, of the session beside it, and one a connection" \
  counted busy commits 3 $((400 + 7 + connected))
check "rollbacks are those of pgbench" counted busy rollbacks 3 60
check "transactions are both" counted busy transactions 3 $((460 + 7 + connected))
# begin, DO, five marks, FLUSHED.
check "the sampler's own transactions are left out" counted idle transactions 1 8
# The one that asks is none after a second without a statement, which copying may take.
check "sessions are one that sleeps and one that asks" \
  is "SELECT value BETWEEN 1.5 AND 2.000001 FROM ebs_workload('idle') WHERE metric = 'sessions'" t
check "of which not both are active" is "SELECT value <= 1.000001 FROM ebs_workload('idle') WHERE metric = 'active sessions'" t
# PostgreSQL's counters only grow: what is read within the run is no more than it counted, and what is read around it no less.
check "WAL flushes are those that PostgreSQL counts" \
  is "SELECT $least > 0 AND round(value * (SELECT sum(seconds) FROM ebs_device_samples('busy')))
  BETWEEN $least AND $most FROM ebs_workload('busy') WHERE metric = 'WAL flushes'" t

# CPU time.
check "CPU time of clients is what the kernel says" counted busy 'CPU of clients' 3 1.2
check "what ended is the server's, once" counted busy 'CPU of what ended' 3 0.4
check "of the server too" counted busy 'CPU of the server' 3 2
check "clients are part of the server, and the server of the machine" is "SELECT c.value < s.value AND s.value < m.value
  FROM ebs_workload('busy') c, ebs_workload('busy') s, ebs_workload('busy') m
  WHERE c.metric = 'CPU of clients' AND s.metric = 'CPU of the server' AND m.metric = 'CPU of the machine'" t
check "where only others work, neither does" is "SELECT string_agg(value::text, ' ') FROM ebs_workload('idle')
  WHERE metric IN ('CPU of clients', 'CPU of what ended', 'CPU of the server')" '0 0 0'

cluster_sql "SELECT pg_terminate_backend($stays)" >/dev/null
wait

# Without /proc nothing is known of CPU time, and said once; the rest goes on.
cluster_run mkdir "$CLUSTER/empty"
set_to procfs_root "$CLUSTER/empty"
begin blind
cluster_await "SELECT count(*) > 0 FROM ebs_waits('blind')"
end
check "without /proc CPU time is not known" is "SELECT count(*), count(value) FROM ebs_workload('blind') WHERE metric LIKE 'CPU of%'" '4|0'
check "transactions are" is "SELECT count(value) FROM ebs_workload('blind') WHERE metric IN ('transactions', 'sessions', 'CPUs')" 3
check "why is said once" test "$(logged 'WARNING:  ebs_advisor cannot tell CPU time: could not read ".*/empty/self"')" = 1

# Counters that somebody resets: what was counted before is known, for half a second at least and half of the run at most.
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - <<SQL >/dev/null
SELECT FROM ebs_run_begin('reset');
$(bench rollback 2 300)
SELECT pg_sleep(0.5);
$(alone)
$FLUSHED
SELECT FROM ebs_run_mark('counted');
SELECT pg_stat_reset();
SELECT pg_sleep(extract(epoch FROM marked_at - started_at)::float8)
  FROM ebs.run JOIN ebs.run_mark USING (run_id) WHERE label = 'reset';
SELECT FROM ebs_run_end();
SQL
check "after a reset the rest of the run is known" \
  is "SELECT value > 0 AND value <= 600 / 0.5, detail LIKE '%; known for % of the time'
  FROM ebs_workload('reset') WHERE metric = 'rollbacks'" 't|t'
