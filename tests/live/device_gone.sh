# A device that vanishes from diskstats and comes back with smaller counters: not known in between, never negative.
sampling <<<'ebs_advisor.sample_interval = 200ms'
own_disk_settings >"$SCRATCH/tree.conf"
stats=$SCRATCH/tree/proc/diskstats
# change AWK-PROGRAM: at once, for the kernel's is never seen half written.
change() { awk "$1 { print }" "$stats" >"$stats.new" && mv "$stats.new" "$stats"; }
status="SELECT bool_and(ok) FROM ebs_status() WHERE \"check\" = 'device'"
vanish() { grep -v ' nvme0n1' "$stats" >"$stats.new" && mv "$stats.new" "$stats"; }
kept=$SCRATCH/diskstats
change '$3 == "nvme0n1" { $4 = 1000000; $6 = 90000000; $8 = 5; $10 = 500 }'
cp "$stats" "$kept"
set_to procfs_root "$SCRATCH/tree/proc" sysfs_root "$SCRATCH/tree/sys"
check "it is found" cluster_await "$status"
look
known="FROM ebs_device_samples('gone')"
# counted READS: waits until so many are in an interval that stays known. A short interval is joined with the one beside it, and
# with one that is not known neither is; but nothing is joined any more with what has another interval behind it.
counted() { cluster_await "SELECT sum(reads) = $1 AND max(ended_at) > max(ended_at) FILTER (WHERE reads > 0) $known"; }

cluster_sql "SELECT ebs_run_begin('gone')" >/dev/null
change '$3 == "nvme0n1" { $4 += 100; $6 += 1600 }'
counted 100
reads=100 warnings=0
for time in first second; do
  vanish
  # Two samples without it, on which stand the marks between which nothing is known.
  cluster_sql "SELECT ebs_run_mark('gone the $time time')"
  check "the status says that it is gone, the $time time" is "$status" f
  check "and sampling goes on" cluster_await "SELECT $SAMPLES_TAKEN >= $(cluster_sql "SELECT $SAMPLES_TAKEN") + 5"
  cluster_sql "SELECT ebs_run_mark('back the $time time')"
  warnings=$((warnings + 1))
  check "with one warning" test "$(logged 'WARNING:  ebs_advisor cannot sample block devices: .*(nvme0n1|259:1)')" = "$warnings"
  awk '$3 == "nvme0n1" { $4 = 50; $6 = 400; $8 = 0; $10 = 0 } { print }' "$kept" >"$stats.new" && mv "$stats.new" "$stats"
  check "it is found again" cluster_await "$status"
  cluster_await "SELECT max(ended_at) > (SELECT max(marked_at) FROM ebs.run_mark) $known"
  change '$3 == "nvme0n1" { $4 += 7; $6 += 112; $8 += 3; $10 += 48 }'
  counted $((reads += 7))
done
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "what was counted while it was there is counted, and nothing else" is \
  "SELECT sum(reads), sum(read_bytes), sum(writes), sum(write_bytes), min(least(reads, read_bytes, writes, write_bytes)) $known" \
  '114|933888|6|49152|0'
check "what was not is not known" is "SELECT count(*) FROM ebs_device_samples('gone') s
  JOIN (SELECT min(marked_at) AS gone, max(marked_at) AS back FROM ebs.run_mark GROUP BY split_part(phase, ' the ', 2)) m
  ON s.ended_at > gone AND s.ended_at - s.seconds * interval '1 s' < back" 0
check "and does not make means smaller" is "SELECT abs(mean - 114 / (SELECT sum(seconds) FROM ebs_device_samples('gone'))) < 0.01
  FROM ebs_io_mix('gone') WHERE metric = 'reads'" t
