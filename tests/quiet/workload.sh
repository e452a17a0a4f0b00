# CPU time against the kernel's own account of it, and sessions against how long pgbench says that its clients were there.
sampling <<CONF
autovacuum = off
fsync = on
CONF
bench() { cluster_run "$PG_BIN/pgbench" -h "$CLUSTER" -U postgres "$@" postgres 2>/dev/null; }
begin() { cluster_sql "SELECT ebs_run_begin('$1')" >/dev/null; }
end() { cluster_sql 'SELECT ebs_run_end()' >/dev/null; }
# total RUN METRIC: over the whole run.
total() {
  cluster_sql "SELECT value * extract(epoch FROM duration) FROM ebs.runs_detail, ebs_workload('$1')
    WHERE label = '$1' AND metric = '$2'"
}
ticks_per_second=$(getconf CLK_TCK)
# cpu_of FIELDS PID…: seconds in these fields of /proc/PID/stat, counted after the name; 14 to 17 there are 12 to 15 here. A
# process may end between its listing and the reading of it, the session of the statement before for one, and has no file then.
cpu_of() {
  local fields=$1
  shift
  { cat $(printf '/proc/%s/stat ' "$@") 2>/dev/null || true; } | sed 's/^.*) //' |
    awk -v fields="$fields" -v hz="$ticks_per_second" 'BEGIN { n = split(fields, f, " ") }
      { for (i = 1; i <= n; i++) sum += $f[i] } END { printf "%.2f\n", sum / hz }'
}
bench -i -s 1 -q >/dev/null

# The sampler writes every second, and commits each time: none of that is anybody's work. These are the statements that ask.
begin idle
sleep 4
end
check "the sampler's own transactions are left out" is "SELECT value * extract(epoch FROM duration) < 3
  FROM ebs.runs_detail, ebs_workload('idle') WHERE label = 'idle' AND metric = 'transactions'" t

begin busy
bench -n -N -c 4 -T 6 >"$SCRATCH/bench"
# A session may count its last second as late as it ends, which is after its client has.
cluster_await "SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'pgbench'"
end
done=$(sed -n 's/^number of transactions actually processed: \([0-9]*\).*/\1/p' "$SCRATCH/bench")
# Those who ask commit some too, which are more than 2 % where the disk is slow.
of_bench() { awk -v a="$1" -v b="$done" 'BEGIN { d = a - b; if (d < 0) d = -d; print a, b; exit !(d <= 0.02 * b + 5) }'; }
check "transactions are those of pgbench" of_bench "$(total busy transactions)"
check "which committed them" of_bench "$(total busy commits)"
# Four for six seconds: their average is less where the run lasted longer.
check "sessions are those of pgbench, and one that began the run" is "SELECT value * extract(epoch FROM duration)
  BETWEEN 22 AND 26 + extract(epoch FROM duration) FROM ebs.runs_detail, ebs_workload('busy')
  WHERE label = 'busy' AND metric = 'sessions'" t
check "each has one flush, or shares it" is "SELECT f.value > 0 AND f.value <= 1.1 * t.value
  FROM ebs_workload('busy') f, ebs_workload('busy') t WHERE f.metric = 'WAL flushes' AND t.metric = 'transactions'" t

# CPU time: of clients that stay, read before and after by ps's own source.
mkfifo "$SCRATCH/talk"
chmod 666 "$SCRATCH/talk"
(cluster_run "$PG_BIN/psql" -X -h "$CLUSTER" -U postgres -d postgres -qAt <"$SCRATCH/talk" >/dev/null 2>&1) &
exec 7>"$SCRATCH/talk"
echo "SET application_name = 'stays';" >&7
cluster_await "SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'stays'"
stays=$(cluster_sql "SELECT pid FROM pg_stat_activity WHERE application_name = 'stays'")
postmaster=$(head -1 "$CLUSTER/data/postmaster.pid")
server() { cpu_of "12 13 14 15" "$postmaster" $(cat "/proc/$postmaster/task/$postmaster/children"); }
begin cpu
client_before=$(cpu_of "12 13" "$stays") server_before=$(server)
echo "SELECT count(*) FROM generate_series(1, 3000000) a, generate_series(1, 3) b;" >&7
sleep 5
cluster_await "SELECT state = 'idle' FROM pg_stat_activity WHERE application_name = 'stays'"
client_after=$(cpu_of "12 13" "$stays") server_after=$(server)
end
used() { awk -v before="$1" -v after="$2" 'BEGIN { print after - before }'; }
check "CPU time of clients is what the kernel says" \
  within 25 "$(total cpu 'CPU of clients')" "$(used "$client_before" "$client_after")"
check "of the server too" within 25 "$(total cpu 'CPU of the server')" "$(used "$server_before" "$server_after")"
check "the machine has no more than its CPUs" is "SELECT m.value <= 1.05 * $(getconf _NPROCESSORS_ONLN)
  FROM ebs_workload('cpu') m WHERE metric = 'CPU of the machine'" t
exec 7>&-
wait
# The session's process ends after its client, and until then is neither among the postmaster's own nor among those that ended.
await test ! -e "/proc/$stays"

# Sessions that live for one transaction: what they used is the server's, once they have ended.
server_before=$(server)
begin brief
bench -n -S -C -c 2 -T 3 >/dev/null
end
server_after=$(server)
check "what ended is the server's" within 25 "$(total brief 'CPU of the server')" "$(used "$server_before" "$server_after")"
