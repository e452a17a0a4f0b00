# What sampling costs: what the status says is what the kernel's scheduler counted, and an idle server's sampler takes next to nothing.
sampling </dev/null
pid=$(sampler_pid)
sleep 20
said=$(cluster_sql "SELECT substring(detail FROM '^[0-9.]+') FROM ebs_status() WHERE \"check\" = 'cost'")
counted=$(awk '{ print $1 / 1e9 }' "/proc/$pid/schedstat")
lives=$(cluster_sql "SELECT extract(epoch FROM now() - backend_start) FROM pg_stat_activity WHERE pid = $pid")
echo "# $said s of CPU time said, $counted s counted, in $lives s"
# The status has it as of the last flush, a second before.
check "CPU time is what the scheduler counted" \
  awk -v a="$said" -v b="$counted" 'BEGIN { print a, b; exit !(a > 0 && a <= b + 0.01 && a > 0.8 * b - 0.02) }'
check "which is at most 1 % of a core" awk -v c="$counted" -v s="$lives" 'BEGIN { print c / s; exit !(c < 0.01 * s) }'
