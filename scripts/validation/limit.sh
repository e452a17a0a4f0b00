# The limit of a volume, as a setting names it. Sourced.
#   unlimited
#   3000         IOPS; predicted as an io2
#   125MiB       MiB/s; predicted as a gp3, whose throughput is bought apart from its IOPS (from 125 MiB/s on)
#   6400+160MiB  both; predicted as an io2 of these IOPS
#   m6g.large    IOPS and throughput of an instance (its baseline); predicted as an io2 on it

# limit_parse LIMIT: sets LIMIT_IOPS and LIMIT_MIBPS, which may be "unlimited", and LIMIT_INSTANCE, which may be empty.
limit_parse() {
  LIMIT_IOPS=unlimited LIMIT_MIBPS=unlimited LIMIT_INSTANCE=
  case $1 in
    unlimited) ;;
    *+*MiB) LIMIT_IOPS=${1%+*} LIMIT_MIBPS=${1#*+} LIMIT_MIBPS=${LIMIT_MIBPS%MiB} ;;
    *MiB) LIMIT_MIBPS=${1%MiB} ;;
    *.*)
      LIMIT_INSTANCE=$1
      # The catalogue has decimal MB/s, the emulator takes whole MiB/s.
      read -r LIMIT_IOPS LIMIT_MIBPS < <(awk -F, -v type="$1" '
        $1 == type { printf "%d %d\n", $6, $4 * 1e6 / 1048576 + 0.5 }' "$ROOT/crates/aws/data/instances.csv") ||
        die "no instance type is called $1"
      ;;
    *) LIMIT_IOPS=$1 ;;
  esac
}

# limit_or_null VALUE: for a statement.
limit_or_null() { if [ "$1" = unlimited ]; then echo NULL; else echo "$1"; fi; }

# limit_declare LIMIT: declares the volume of it, once parsed, as a DBA would. io2 can be bought with every number of IOPS that is tried.
limit_declare() {
  local volume="'io2', 1000, ${LIMIT_IOPS/unlimited/256000}"
  [ -z "$LIMIT_INSTANCE" ] || volume="'io2', 1000, 256000"
  [[ $1 != [0-9]*MiB || $1 == *+* ]] || volume="'gp3', 1000, 80000, $LIMIT_MIBPS"
  # Each run has a declaration of its own: no notice that the one before keeps its.
  cluster_sql "SET client_min_messages = warning; SELECT ebs_volume_declare('data', $volume)" >/dev/null
  [ "${#VOLUMES[@]}" = 1 ] ||
    cluster_sql "SET client_min_messages = warning; SELECT ebs_volume_declare('wal', $volume)" >/dev/null
}
