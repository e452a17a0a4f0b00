# What EBS counts itself: pages as ebs-nvme-stats publishes them, synthesized here, from the file to the answer.
sampling </dev/null
cp -a "$ROOT/tests/trees/nitro" "$SCRATCH/nitro"
chmod -R a+rX "$SCRATCH/nitro"
pages=$SCRATCH/pages
mkdir -p "$pages" "$SCRATCH/other"

# mounted LINE…: what is mounted, as the server sees it.
mounted() { printf '%s\n' "$@" >"$SCRATCH/nitro/proc/self/mountinfo"; }

u64() {
  local i byte bytes=
  for i in 0 1 2 3 4 5 6 7; do printf -v byte '\\x%02x' $(($1 >> 8 * i & 255)); bytes+=$byte; done
  printf "$bytes"
}
zeros() { head -c "$1" /dev/zero; }
# bins LOWER:UPPER:COUNT…: a histogram; the 4 bytes above a count are reserved.
bins() {
  local bin
  u64 $#
  for bin in "$@"; do u64 "${bin%%:*}"; bin=${bin#*:}; u64 "${bin%%:*}"; u64 "${bin#*:}"; done
  zeros $(((64 - $#) * 24))
}
# page FILE TIME "ELEVEN FIGURES" "READ BINS" "WRITE BINS": published as the program does it, as of this time, in
# seconds since 1970. One that is not yet over is of now, and never grows too old.
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
figure() { echo "SELECT value FROM ebs_nvme('$1') WHERE volume = '$2' AND metric = '$3'"; }
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
check "which is no failure" not_logged 'cannot use statistics of EBS'

# renewed RUN PAGE SECONDS: a run that begins with what is in $SCRATCH/first as that page, and ends with what is in $SCRATCH/next,
# written so many seconds later. They are made beforehand, since one that is older than 30 s would not be read.
renewed() {
  local at from=$EPOCHREALTIME
  at=$(($(date +%s) - $3 - 1))
  touch -d "@$at" "$SCRATCH/first"
  touch -d "@$((at + $3))" "$SCRATCH/next"
  mv "$SCRATCH/first" "$2"
  begin "$1"
  mv "$SCRATCH/next" "$2"
  end
  SPENT=$(awk -v from="$from" -v to="$EPOCHREALTIME" 'BEGIN { print to - from }')
}
# a_second COUNT SECONDS FIGURE: the figure is COUNT in SECONDS. A page's age is read a moment before the clock by which the time
# from page to page is told, which so may be too short or too long: by no more than all that was done took, SPENT.
a_second() {
  awk -v n="$1" -v seconds="$2" -v figure="$(cluster_sql "$3")" -v spent="$SPENT" 'BEGIN {
    print n, seconds, figure, spent
    exit !(figure * (seconds - spent) <= n * 1.001 && figure * (seconds + spent) >= n * 0.999) }'
}
# ratio FIGURE FIGURE VALUE: of the same run and volume, exact whatever time it was.
ratio() { is "SELECT round((($1) / nullif(($2), 0))::numeric, 6) = $3" t; }

# Four seconds from one page to the next: 400 reads of 8 KiB in 0.6 ms each, a quarter of the time over the volume's limit.
page "$SCRATCH/first" 0 "1000 50 8192000 409600 700000 9000 5000000 0 7 0 4" "0:512:900 512:1024:100" "0:0:50"
page "$SCRATCH/next" 0 "1400 50 11468800 409600 940000 9000 6000000 0 7 2000000 6" "0:512:1000 512:1024:400" "0:0:50"
page "$c" $(($(date +%s) + 3600)) "10 10 81920 81920 1000 1000 0 0 0 0 0" "" ""
renewed counted "$b" 4
check "pages of some volumes and not of others are a failure" matches "$(status 'detail, hint')" \
  '^f\|vol-0b11111111111111b: page [0-9.]+ s old; .*; vol-0d33333333333333d: no page; .*\|.*journalctl'
rm "$b" "$c"
of_b() { figure counted vol-0b11111111111111b "$1"; }
check "reads a second" a_second 400 4 "$(of_b reads)"
check "MiB a second: 8 KiB a read" ratio "$(of_b throughput)" "$(of_b reads)" 0.007813
check "milliseconds a read" is "$(of_b 'read latency')" 0.6
check "no writes have no latency" is "$(of_b 'write latency')" ''
check "time over the volume's limit" a_second 100 4 "$(of_b 'over volume IOPS limit')"
check "a quarter of it, while there were 100 reads a second" ratio "$(of_b 'over volume IOPS limit')" "$(of_b reads)" 0.25
check "and over the instance's, twice as long" ratio "$(of_b 'over instance throughput limit')" "$(of_b 'over volume IOPS limit')" 2
check "but not over another" is "$(of_b 'over instance IOPS limit')" 0
check "the queue is a gauge" is "$(of_b 'queue max')" 6
check "what was counted before the run is not in its histogram" is \
  "SELECT string_agg(format('%s %s-%s %s %s', operation, lower_us, upper_us, requests, share_pct), ', ')
   FROM ebs_nvme_histogram('counted') WHERE volume = 'vol-0b11111111111111b'" 'read 0-512 100 25, read 512-1024 300 75'
check "the report card's histogram has the same" is \
  "SELECT string_agg(format('%s %s %s %s-%s %s', source, device, kind, from_us, to_us, requests), ', ')
   FROM ebs_latency_histogram('counted')" \
  'EBS statistics vol-0b11111111111111b read 0-512 100, EBS statistics vol-0b11111111111111b read 512-1024 300'
check "a page that was not renewed tells nothing, and no page is no volume" is \
  "SELECT string_agg(DISTINCT volume, ', ') FROM ebs_nvme('counted')" vol-0b11111111111111b

# A last bin without an upper bound, whichever number stands for that.
at=$(($(date +%s) + 3600))
page "$c" $at "10 10 81920 81920 1000 1000 0 0 0 0 0" "0:512:10 512:0:0" ""
begin open
page "$c" $((at + 2)) "12 10 98304 81920 2000000 1000 0 0 0 0 0" "0:512:10 512:0:2" ""
end
check "an open-ended bin has no upper bound" is "SELECT lower_us, upper_us IS NULL, requests FROM ebs_nvme_histogram('open')" '512|t|2'

# Pages that cannot be used: one of the past, one that is none, a pipe that nobody writes to.
samples="SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
page "$b" $(($(date +%s) - 60)) "1400 50 11468800 409600 940000 9000 6000000 0 7 2000000 6" "" ""
begin unusable
page "$c" $((at + 5)) "40 10 98304 81920 2000000 1000 0 0 0 0 0" "0:512:10 512:0:30" ""
end
check "a page of the past is not known, and the others are" is "SELECT string_agg(DISTINCT volume, ', ') FROM ebs_nvme('unusable')" \
  vol-0c22222222222222c
check "the status says so" matches "$(status detail)" '^f\|vol-0b11111111111111b: page .* was written more than 30 s ago'
look
check "and the log, once" test "$(logged 'cannot use statistics of EBS volumes: page .*vol0b.* more than 30 s ago')" = 1
head -c 100 /dev/zero >"$b.new" && mv "$b.new" "$b"
look
check "a malformed page is refused" matches "$(status detail)" \
  '^f\|vol-0b11111111111111b: page .* is malformed: page has 100 bytes, not 4096'
check "and logged once" test "$(logged 'cannot use statistics of EBS volumes: page .*vol0b.* is malformed')" = 1
rm "$b" && mkfifo "$b"
look
check "a pipe is no page, and nobody waits for it" matches "$(status detail)" '^f\|vol-0b11111111111111b: .*not a regular file'
check "sampling goes on" cluster_await "$samples"

# A detached volume loses its page.
rm "$b" "$c"
look
check "a page that was taken away is no failure" matches "$(status detail)" \
  '^\|vol-0b11111111111111b: no page; vol-0c22222222222222c: no page'
check "nor a warning" test "$(logged 'cannot use statistics of EBS')" = 3

c=$SCRATCH/other/vol0c22222222222222c.page
page "$SCRATCH/next" 0 "0 35 0 0 0 70000 0 5000000 0 0 0" "" "0:512:35"
page "$SCRATCH/first" 0 "0 0 0 0 0 0 0 0 0 0 0" "" ""
set_to nvme_directory "$SCRATCH/other"
renewed other "$c" 5
of_c() { figure other vol-0c22222222222222c "$1"; }
check "another directory counts from a reload on" a_second 35 5 "$(of_c writes)"
check "all of the time over the limit is 100 %" a_second 500 5 "$(of_c 'over volume throughput limit')"
check "which is 100 for 7 writes a second" ratio "$(of_c 'over volume throughput limit')" "$(of_c writes)" 14.285714
set_to nvme_directory ''
check "an empty one is off" is "$(status detail)" '|off: ebs_advisor.nvme_directory is empty'
begin off
end
check "and nothing is read" matches "SELECT * FROM ebs_nvme('off')" '^NOTICE:  no page of an EBS volume was read in run off$'
check "sampling is well after all that" cluster_await "$samples"
