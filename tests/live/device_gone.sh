# A device that vanishes from diskstats and comes back with smaller counters: not known in between, never negative.
sampling </dev/null
cp -a "$ROOT/tests/trees/nitro" "$SCRATCH/tree"
# The account of the server may not be able to read this clone.
chmod -R a+rX "$SCRATCH/tree"
stats=$SCRATCH/tree/proc/diskstats
printf '%s\n' "20 1 259:1 / / rw - ext4 /dev/nvme0n1p1 rw" >"$SCRATCH/tree/proc/self/mountinfo"
# change AWK-PROGRAM: at once, for the kernel's is never seen half written.
change() { awk "$1 { print }" "$stats" >"$stats.new" && mv "$stats.new" "$stats"; }
status="SELECT bool_and(ok) FROM ebs_status() WHERE \"check\" = 'device'"
vanish() { grep -v ' nvme0n1' "$stats" >"$stats.new" && mv "$stats.new" "$stats"; }
kept=$SCRATCH/diskstats
change '$3 == "nvme0n1" { $4 = 1000000; $6 = 90000000; $8 = 5; $10 = 500 }'
cp "$stats" "$kept"
for root in procfs_root:proc sysfs_root:sys; do
  cluster_sql "ALTER SYSTEM SET ebs_advisor.${root%:*} = '$SCRATCH/tree/${root#*:}'"
done
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
sleep 1
check "it is found" cluster_await "$status"
# A run begins and ends on a sample each: the first looks where the cluster is, the second reads the device.
cluster_sql "SELECT ebs_run_begin('before')" >/dev/null
cluster_sql 'SELECT ebs_run_end()' >/dev/null
cluster_sql "SELECT ebs_run_drop('before')"
# counted NAME: what changed is in a sample. Short intervals are joined with those beside them, up to one and a half, and what
# is joined with one that knows nothing of the device is not known: so there is more than that before the device vanishes.
counted() { sleep 1.2; cluster_sql "SELECT ebs_run_mark('$1')"; sleep 1.2; }
cluster_sql "SELECT ebs_run_begin('gone')" >/dev/null
change '$3 == "nvme0n1" { $4 += 100; $6 += 1600 }'
counted there
gone_ms=0
for time in first second; do
  vanish
  vanished_ms=$(date +%s%3N)
  sleep 4.5
  check "the status says that it is gone, the $time time" is "$status" f
  check "with one warning" test "$(logged 'WARNING:  ebs_advisor cannot sample block devices: .*(nvme0n1|259:1)')" = "$([ $time = first ] && echo 1 || echo 2)"
  check "and sampling goes on" is "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'" t
  gone_ms=$((gone_ms + $(date +%s%3N) - vanished_ms))
  awk '$3 == "nvme0n1" { $4 = 50; $6 = 400; $8 = 0; $10 = 0 } { print }' "$kept" >"$stats.new" && mv "$stats.new" "$stats"
  check "it is found again" cluster_await "$status"
  sleep 1.2
  change '$3 == "nvme0n1" { $4 += 7; $6 += 112; $8 += 3; $10 += 48 }'
  counted "$time"
done
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "what was counted while it was there is counted, and nothing else" is \
  "SELECT sum(reads), sum(read_bytes), sum(writes), sum(write_bytes), min(least(reads, read_bytes, writes, write_bytes))
   FROM ebs_device_samples('gone')" '114|933888|6|49152|0'
check "what was not is not known" is "SELECT extract(epoch FROM duration) - (SELECT sum(seconds) FROM ebs_device_samples('gone'))
  BETWEEN $gone_ms / 1000.0 AND $gone_ms / 1000.0 + 12 FROM ebs.runs" t
check "and does not make means smaller" is "SELECT abs(mean - 114 / (SELECT sum(seconds) FROM ebs_device_samples('gone'))) < 0.01
  FROM ebs_io_mix('gone') WHERE metric = 'reads'" t
