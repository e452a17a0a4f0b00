# The workloads: databases, load drivers, and what a driver says of itself. Sourced. NAME@TPS is a workload of pgbench as an open loop of that
# rate; RATE is TPCB@$RATE.

SCALE=50           # pgbench: 750 MB, several times the cache
SYSBENCH_TABLES=4
SYSBENCH_ROWS=500000

# workload_describe NAME
workload_describe() {
  case $1 in
    S) echo "pgbench -S" ;;
    TPCB) echo "pgbench, TPC-B" ;;
    N) echo "pgbench -N" ;;
    OLTP) echo "sysbench oltp_read_write" ;;
    RANGE) echo "pgbench, 400 rows by index" ;;
    SCAN) echo "pgbench, 512 pages in sequence" ;;
    ZIPF) echo "pgbench, zipfian update and read" ;;
    TPROCC) echo "HammerDB TPROC-C" ;;
    RATE) echo "pgbench, TPC-B, -R $RATE" ;;
  esac
}

# Reading has a database of its own: what is never updated is neither pruned nor does it get hint bits, so that select-only
# does not write.
workload_database() {
  case ${1%@*} in
    S | RANGE | SCAN) echo bench_select ;;
    OLTP) echo bench_oltp ;;
    TPROCC) echo bench_tproc_c ;;
    *) echo bench ;;
  esac
}

# workload_only_reads NAME: it defers no writes, so that its window needs no checkpoint.
workload_only_reads() { [[ " S RANGE SCAN " == *" ${1%@*} "* ]]; }

# workload_rate NAME: transactions a second of an open loop, nothing of a closed one.
workload_rate() {
  case $1 in
    RATE) echo "$RATE" ;;
    *@*) echo "${1#*@}" ;;
  esac
}

driver_pgbench() { env "${no_pg[@]}" "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres "$@"; }
no_pg=(-u PGHOST -u PGPORT -u PGUSER -u PGDATABASE -u PGSERVICE -u PGPASSWORD -u PGOPTIONS)

sysbench_arguments=(oltp_read_write --db-driver=pgsql --pgsql-port=5432 --pgsql-user=postgres --pgsql-password=none
  --pgsql-db=bench_oltp --tables=$SYSBENCH_TABLES --table-size=$SYSBENCH_ROWS --rand-type=uniform)

workload_fill_pgbench() {
  cluster_sql 'CREATE DATABASE bench'
  driver_pgbench -i -s "$SCALE" -F 85 -q bench
  cluster_sql 'CREATE DATABASE bench_select TEMPLATE bench STRATEGY file_copy'
}

workload_fill_sysbench() {
  cluster_sql 'CREATE DATABASE bench_oltp'
  env "${no_pg[@]}" sysbench "${sysbench_arguments[@]}" --pgsql-host="$CLUSTER" --threads=2 prepare
  cluster_sql 'VACUUM ANALYZE' bench_oltp
}

# driver_command WORKLOAD CLIENTS: sets the array command.
driver_command() {
  local threads=$(($2 < $(nproc) ? $2 : $(nproc))) scripts=$ROOT/scripts/validation rate
  rate=$(workload_rate "$1")
  command=("$PG_BIN/pgbench" --host "$CLUSTER" --username postgres -n -M prepared -c "$2" -j "$threads" -T 3600 -P 1)
  [ -z "$rate" ] || command+=(-R "$rate" --log --log-prefix "$WORK/transactions")
  case ${1%@*} in
    S) command+=(-S bench_select) ;;
    TPCB | RATE) command+=(-b tpcb-like bench) ;;
    N) command+=(-N bench) ;;
    RANGE) command+=(-f "$scripts/range.sql" -D scale="$SCALE" bench_select) ;;
    SCAN) command+=(-f "$scripts/scan.sql" -D pages="$(accounts_pages)" bench_select) ;;
    ZIPF) command+=(-f "$scripts/zipf.sql" -D scale="$SCALE" bench) ;;
    TPROCC) hammerdb_command RUN "$2" ;;
    OLTP) command=(sysbench "${sysbench_arguments[@]}" --pgsql-host="$CLUSTER" --threads="$2" --time=3600
      --report-interval=1 run) ;;
  esac
}

# accounts_pages: of the table that is only read.
accounts_pages() { cluster_sql "SELECT relpages FROM pg_class WHERE relname = 'pgbench_accounts'" bench_select; }

# driver_start WORKLOAD CLIENTS: starts it, outside of the server's group; its lines go to $WORK/progress, each with the
# time when it came.
driver_start() {
  driver_command "$1" "$2"
  rm -f "$WORK"/transactions.*
  (cd "$WORK" && exec env "${no_pg[@]}" "${command[@]}") > >(stamped >"$WORK/progress") 2>&1 &
  DRIVER=$!
}

stamped() {
  local line
  while IFS= read -r line; do printf '%s %s\n' "$EPOCHREALTIME" "$line"; done
}

# driver_stop: its connections end with it.
driver_stop() {
  [ -n "${DRIVER:-}" ] || return 0
  kill -TERM "$DRIVER" 2>/dev/null || true
  wait "$DRIVER" 2>/dev/null || true
  DRIVER=
}

driver_alive() { [ -n "${DRIVER:-}" ] && kill -0 "$DRIVER" 2>/dev/null; }

# driver_cpu_ns: CPU time of its threads so far.
driver_cpu_ns() { cpu_ns_of "$DRIVER"; }

# progress_between FROM TO: of the driver's lines whose second lies in between: seconds they cover, transactions, mean latency
# in ms (a dash where the driver tells none).
progress_between() {
  awk -v from="$1" -v to="$2" '
    function second(tps, ms) {
      if (before >= from && $1 <= to && before > 0) {
        dt = $1 - before; seconds += dt; n += tps * dt
        if (ms == "") unknown = 1; else sum += ms * tps * dt
      }
      before = $1
    }
    $2 == "progress:" { for (i = 3; i < NF; i++) { if ($(i + 1) ~ /^tps/) t = $i; if ($i == "lat") l = $(i + 1) }; second(t, l) }
    $2 == "[" { for (i = 3; i < NF; i++) if ($i == "tps:") second($(i + 1), "") }
    END { printf "%.3f %.1f %s\n", seconds, n, unknown || !n ? "-" : sprintf("%.4f", sum / n) }' "$WORK/progress"
}

# transactions_p99 FROM TO: 99th percentile of what the transactions took that ended in between, ms, from when each was due.
transactions_p99() {
  cat "$WORK"/transactions.* 2>/dev/null |
    awk -v from="$1" -v to="$2" '{ at = $5 + $6 / 1e6 } at >= from && at <= to { print $3 }' | sort -n |
    awk '
      { us[NR] = $1 }
      END {
        if (!NR) { print "-"; exit }
        i = int(NR * 0.99) + 1
        if (i > NR) i = NR
        printf "%.3f\n", us[i] / 1e3
      }'
}
