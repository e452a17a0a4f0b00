# What EBS counts itself: pages as ebs-nvme-stats publishes them, synthesized here, from the file to the answer.
sampling </dev/null
cp -a "$ROOT/tests/trees/nitro" "$SCRATCH/nitro"
chmod -R a+rX "$SCRATCH/nitro"
pages=$SCRATCH/pages
mkdir -p "$pages" "$SCRATCH/other"

# mounted LINE…: what is mounted, as the server sees it.
mounted() { printf '%s\n' "$@" >"$SCRATCH/nitro/proc/self/mountinfo"; }

# look: two blocks now, as a run begins and ends: the first looks where the cluster is, the second reads the pages of there.
look() {
  cluster_sql "SELECT ebs_run_begin('look')" >/dev/null
  cluster_sql "SELECT ebs_run_end(); SELECT ebs_run_drop('look')" >/dev/null
}

# set_to NAME VALUE…: sets ebs_advisor.NAME and waits until the sampler has gone by it.
set_to() {
  while [ $# -gt 0 ]; do cluster_sql "ALTER SYSTEM SET ebs_advisor.$1 = '$2'"; shift 2; done
  cluster_sql 'SELECT pg_reload_conf()' >/dev/null
  sleep 1
  look
}

u64() { local i; for i in 0 1 2 3 4 5 6 7; do printf "\\x$(printf %02x $(($1 >> 8 * i & 255)))"; done; }
zeros() { head -c "$1" /dev/zero; }
# bins LOWER:UPPER:COUNT…: a histogram; the 4 bytes above a count are reserved.
bins() {
  local bin
  u64 $#
  for bin in "$@"; do u64 "${bin%%:*}"; bin=${bin#*:}; u64 "${bin%%:*}"; u64 "${bin#*:}"; done
  zeros $(((64 - $#) * 24))
}
# page FILE MTIME "ELEVEN FIGURES" "READ BINS" "WRITE BINS": published as the program does it, as of this second.
page() {
  {
    printf '\x10\xb5\x23\x3c'
    zeros 4
    for figure in $3; do u64 "$figure"; done
    zeros 416
    bins $4
    bins $5
    zeros 496
  } >"$1.new"
  touch -d "@$2" "$1.new"
  chmod 644 "$1.new"
  mv "$1.new" "$1"
}
b=$pages/vol0b11111111111111b.page
c=$pages/vol0c22222222222222c.page
status() { echo "SELECT ok, $1 FROM ebs_status() WHERE \"check\" = 'nvme'"; }
figure() { echo "SELECT round(value::numeric, 2) FROM ebs_nvme('$1') WHERE volume = '$2' AND metric = '$3'"; }
begin() { cluster_sql "SELECT ebs_run_begin('$1')" >/dev/null; }
end() { cluster_sql 'SELECT ebs_run_end()' >/dev/null; }

mounted "20 1 259:7 / / rw - ext4 /dev/nvme5n1 rw"
set_to procfs_root "$SCRATCH/nitro/proc" sysfs_root "$SCRATCH/nitro/sys" nvme_directory "$pages"
check "on an instance store there is nothing to know" is "$(status detail)" '|no EBS volume found'
# Two volumes under the data directory (md0) and two under pg_wal (dm-0).
mounted "20 1 259:1 / / rw - ext4 /dev/nvme0n1p1 rw" "21 20 9:0 / $CLUSTER/data rw - xfs /dev/md0 rw" \
  "22 21 253:0 / $CLUSTER/data/pg_wal rw - xfs /dev/mapper/vgwal-wal rw"
look
check "without the program the status says how to start it" matches "$(status 'detail, hint')" \
  '^\|vol-0b11111111111111b: no page; .*vol-0e44444444444444e: no page\|.*systemctl enable --now ebs-nvme-stats \(docs/nvme.md\)'
check "which is no failure" test "$(logged 'cannot use statistics of EBS')" = 0

# Four seconds from one page to the next: 400 reads of 8 KiB in 0.6 ms each, a quarter of the time over the volume's limit.
at=$(($(date +%s) - 10))
page "$b" $at "1000 50 8192000 409600 700000 9000 5000000 0 7 0 4" "0:512:900 512:1024:100" "0:0:50"
page "$c" $at "10 10 81920 81920 1000 1000 0 0 0 0 0" "" ""
begin counted
page "$b" $((at + 4)) "1400 50 11468800 409600 940000 9000 6000000 0 7 2000000 6" "0:512:1000 512:1024:400" "0:0:50"
sleep 1.5
end
check "pages of some volumes and not of others are a failure" matches "$(status 'detail, hint')" \
  '^f\|vol-0b11111111111111b: page [0-9.]+ s old; .*; vol-0d33333333333333d: no page; .*\|.*journalctl'
# Before they grow old while we ask, which is a warning each.
rm "$b" "$c"
check "reads a second" is "$(figure counted vol-0b11111111111111b reads)" 100.00
check "MiB a second" is "$(figure counted vol-0b11111111111111b throughput)" 0.78
check "milliseconds a read" is "$(figure counted vol-0b11111111111111b 'read latency')" 0.60
check "no writes have no latency" is "$(figure counted vol-0b11111111111111b 'write latency')" ''
check "time over the volume's limit" is "$(figure counted vol-0b11111111111111b 'over volume IOPS limit')" 25.00
check "and over the instance's" is "$(figure counted vol-0b11111111111111b 'over instance throughput limit')" 50.00
check "but not over another" is "$(figure counted vol-0b11111111111111b 'over instance IOPS limit')" 0.00
check "the queue is a gauge" is "$(figure counted vol-0b11111111111111b 'queue max')" 6.00
check "what was counted before the run is not in its histogram" is \
  "SELECT string_agg(format('%s %s-%s %s %s', operation, lower_us, upper_us, requests, share_pct), ', ')
   FROM ebs_nvme_histogram('counted') WHERE volume = 'vol-0b11111111111111b'" 'read 0-512 100 25, read 512-1024 300 75'
check "the report card's histogram has the same" is \
  "SELECT string_agg(format('%s %s %s %s-%s %s', source, device, kind, from_us, to_us, requests), ', ') FROM ebs_latency_histogram('counted')" \
  'EBS statistics vol-0b11111111111111b read 0-512 100, EBS statistics vol-0b11111111111111b read 512-1024 300'
check "a page that was not renewed tells nothing, and no page is no volume" is \
  "SELECT string_agg(DISTINCT volume, ', ') FROM ebs_nvme('counted')" vol-0b11111111111111b

# A last bin without an upper bound, whichever number stands for that.
at=$(($(date +%s) - 10))
page "$c" $at "10 10 81920 81920 1000 1000 0 0 0 0 0" "0:512:10 512:0:0" ""
begin open
page "$c" $((at + 2)) "12 10 98304 81920 2000000 1000 0 0 0 0 0" "0:512:10 512:0:2" ""
end
check "an open-ended bin has no upper bound" is "SELECT lower_us, upper_us IS NULL, requests FROM ebs_nvme_histogram('open')" '512|t|2'

# Pages that cannot be used: one of the past, one that is none, a pipe that nobody writes to.
samples="SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
page "$b" $((at - 60)) "1400 50 11468800 409600 940000 9000 6000000 0 7 2000000 6" "" ""
begin unusable
sleep 1.2
page "$c" $((at + 5)) "40 10 98304 81920 2000000 1000 0 0 0 0 0" "0:512:10 512:0:30" ""
end
# It stays of now: one that grows old is one more warning.
touch "$c"
check "a page of the past is not known, and the others are" is "SELECT string_agg(DISTINCT volume, ', ') FROM ebs_nvme('unusable')" \
  vol-0c22222222222222c
check "the status says so" matches "$(status detail)" '^f\|vol-0b11111111111111b: page .* was written more than 30 s ago'
look
check "and the log, once" test "$(logged 'cannot use statistics of EBS volumes: page .*vol0b.* more than 30 s ago')" = 1
head -c 100 /dev/zero >"$b.new" && mv "$b.new" "$b"
look
check "a malformed page is refused" matches "$(status detail)" '^f\|vol-0b11111111111111b: page .* is malformed: page has 100 bytes, not 4096'
check "and logged once" test "$(logged 'cannot use statistics of EBS volumes: page .*vol0b.* is malformed')" = 1
touch "$c"
rm "$b" && mkfifo "$b"
look
check "a pipe is no page, and nobody waits for it" matches "$(status detail)" '^f\|vol-0b11111111111111b: .*not a regular file'
check "sampling goes on" is "$samples" t

# A detached volume loses its page.
rm "$b" "$c"
look
check "a page that was taken away is no failure" matches "$(status detail)" '^\|vol-0b11111111111111b: no page; vol-0c22222222222222c: no page'
check "nor a warning" test "$(logged 'cannot use statistics of EBS')" = 3

at=$(($(date +%s) - 10))
c=$SCRATCH/other/vol0c22222222222222c.page
page "$c" $at "0 0 0 0 0 0 0 0 0 0 0" "" ""
set_to nvme_directory "$SCRATCH/other"
begin other
page "$c" $((at + 5)) "0 35 0 0 0 70000 0 5000000 0 0 0" "" "0:512:35"
end
check "another directory counts from a reload on" is "$(figure other vol-0c22222222222222c writes)" 7.00
check "all of the time over the limit is 100 %" is "$(figure other vol-0c22222222222222c 'over volume throughput limit')" 100.00
set_to nvme_directory ''
check "an empty one is off" is "$(status detail)" '|off: ebs_advisor.nvme_directory is empty'
begin off
sleep 1.2
end
check "and nothing is read" matches "SELECT * FROM ebs_nvme('off')" '^NOTICE:  no page of an EBS volume was read in run off$'
check "sampling is well after all that" is "$samples" t
