# The demo's emulated EBS volume: today's, as it is declared, and then the recommended one. Sourced by scripts/demo, which sets DEMO (the mount
# point) and CLUSTER.

# Of this cache alone: another demo may run beside it.
DEMO_VOLUME=ebs-demo-$(cksum <<<"$CACHE" | cut -d ' ' -f 1)
# What many order for a small database, because "production needs io2".
DEMO_TYPE=io2 DEMO_GIB=100 DEMO_IOPS=6000
# What it takes where its data are kept in memory: 300 MB of tables, and the WAL of both runs.
DEMO_STORE_GIB=4

# A copy, which ends the volume after `make clean`, too.
DEMO_EMULATOR=$CACHE/demo-emulator
emulator() { "$DEMO_EMULATOR" "$@" 9>&-; }

# demo_volume_missing: prints what this machine lacks for it, on one line; nothing where all of it is there.
demo_volume_missing() {
  if [ "$(id -u)" = 0 ]; then emulator probe 2>&1 | paste -s -d ';' || true; else echo "not root"; fi
}

# demo_volume_store: where its data are kept: in memory, which excludes the speed of another disk, where there is enough.
demo_volume_store() {
  local free
  free=$(df --output=avail --block-size=1G /dev/shm 2>/dev/null | tail -n 1)
  if [ -w /dev/shm ] && [ "${free:-0}" -ge "$DEMO_STORE_GIB" ] &&
    [ "$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)" -ge $((2 * DEMO_STORE_GIB)) ]; then
    echo "/dev/shm/$DEMO_VOLUME"
  else
    echo "$CACHE/demo_store"
  fi
}

# demo_volume_create: one that is fast, for filling.
demo_volume_create() {
  emulator start "$DEMO_VOLUME" plain --size "$DEMO_GIB" --read-ms 0.05 --write-ms 0.05 --store "$(demo_volume_store)" --mount "$DEMO" \
    --owner "$SERVER_ACCOUNT"
}

# demo_volume_remove: with its data, if it is there. Nothing below its mount point is touched where it stays mounted; after a restart of the
# machine only the data in the cache are left.
demo_volume_remove() {
  [ ! -x "$DEMO_EMULATOR" ] || emulator stop "$DEMO_VOLUME" --force >/dev/null 2>&1 || true
  ! mountpoint -q "$DEMO" || die "the demo's volume is still mounted on $DEMO" "Something uses it: fuser -m $DEMO names it."
  rm -rf "/dev/shm/$DEMO_VOLUME" "$CACHE/demo_store"
}

# demo_volume_become TYPE IOPS [MIBPS]: makes it that volume, and declares it so, for the device has no volume ID.
demo_volume_become() {
  emulator set "$DEMO_VOLUME" "$1" --iops "$2" ${3:+--throughput "$3"}
  cluster_sql "SELECT ebs_volume_declare('data', '$1', $DEMO_GIB, $2${3:+, $3})"
  cluster_sql CHECKPOINT
  emulator stats "$DEMO_VOLUME" --reset
}

# demo_volume_late: prints why the measurement since the last reset is not valid; nothing of a valid one.
demo_volume_late() {
  local said
  said=$(emulator stats "$DEMO_VOLUME" --check 2>&1) || printf '%s' "${said##*$'\n'} "
}

# demo_volume_check: makes it the recommended volume, runs the same load again as run "check", and prints what was predicted beside what was
# measured, which stays in $CLUSTER/check.
demo_volume_check() {
  local type volumes iops mibps late
  IFS='|' read -r type volumes iops mibps < <(cluster_sql "SELECT volume_type, volumes, iops, throughput_mibps
    FROM ebs_options_detail('demo') WHERE rank = 1 AND feasible")
  if [ "${volumes:-0}" != 1 ]; then
    printf '\n%s\n' "CHECK        none: the answer is no single volume that the emulated one could become"
    return
  fi
  printf '\n' >&2
  late=$(demo_volume_late)
  step "making the volume the recommended one, $type with $iops IOPS" 3 demo_volume_become "$type" "$iops" "$mibps"
  step "running the same load on it as run \"check\"" "$SECONDS_OF_LOAD" load check
  late=$late$(demo_volume_late)
  cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -v type="$type" -v iops="$iops" -v mibps="$mibps" -v gib="$DEMO_GIB" \
    -v late="$late" <"$ROOT/scripts/demo-check.sql" | cluster_run tee check
}
