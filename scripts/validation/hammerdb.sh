# HammerDB's TPROC-C, where HammerDB is: its directory is HAMMERDB, or that of hammerdbcli on PATH. Sourced.

WAREHOUSES=8   # about 100 MB each: several times the cache

# hammerdb_directory: prints it; fails where there is none.
hammerdb_directory() {
  local program
  if [ -n "${HAMMERDB:-}" ]; then
    [ -x "$HAMMERDB/hammerdbcli" ] || die "HAMMERDB has no hammerdbcli: $HAMMERDB" "Name the directory that HammerDB was unpacked to."
    (cd "$HAMMERDB" && pwd)
  else
    program=$(command -v hammerdbcli) || return 1
    dirname "$(readlink -f "$program")"
  fi
}

# hammerdb_script BUILD|RUN USERS: prints what hammerdbcli is to do. A setting that a script omits keeps its last value: each has all.
hammerdb_script() {
  cat <<TCL
dbset db pg
dbset bm TPC-C
diset connection pg_host $CLUSTER
diset connection pg_port 5432
diset connection pg_sslmode disable
diset tpcc pg_superuser postgres
diset tpcc pg_superuserpass none
diset tpcc pg_defaultdbase postgres
diset tpcc pg_user tpcc
diset tpcc pg_pass none
diset tpcc pg_dbase bench_tproc_c
diset tpcc pg_count_ware $WAREHOUSES
diset tpcc pg_num_vu 2
diset tpcc pg_storedprocs true
TCL
  if [ "$1" = BUILD ]; then
    echo buildschema
  else
    cat <<TCL
diset tpcc pg_driver timed
diset tpcc pg_total_iterations 100000000
diset tpcc pg_rampup 0
diset tpcc pg_duration 60
diset tpcc pg_allwarehouse true
diset tpcc pg_timeprofile false
loadscript
vuset vu $2
vucreate
vurun
TCL
  fi
}

# hammerdb_command BUILD|RUN USERS: sets the array command. HammerDB finds its parts from its own directory, and writes to TMP.
hammerdb_command() {
  hammerdb_script "$1" "$2" >"$WORK/hammerdb.tcl"
  command=(env TMP="$WORK" bash -c 'cd "$1" && exec ./hammerdbcli auto "$2"' bash "$(hammerdb_directory)" "$WORK/hammerdb.tcl")
}

# workload_fill_hammerdb: builds the schema. Its exit status is 0 either way.
workload_fill_hammerdb() {
  local command
  hammerdb_command BUILD 2
  env "${no_pg[@]}" "${command[@]}" | tee "$WORK/hammerdb.log"
  grep -q 'TPCC SCHEMA COMPLETE' "$WORK/hammerdb.log" || { echo "HammerDB did not build its schema" >&2; return 1; }
  cluster_sql 'VACUUM ANALYZE' bench_tproc_c
}
