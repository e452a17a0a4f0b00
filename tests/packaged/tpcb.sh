# pgbench's own TPC-B: each statement finds its row by its primary key, or inserts.
. "$ROOT/tests/packaged/harness.sh"
server
workload() {
  client env PGOPTIONS="-c synchronous_commit=off" pgbench --no-vacuum --protocol prepared --random-seed 7 --client 2 \
    --transactions 1000 >"$SCRATCH/tpcb.log" 2>&1
}

client pgbench --initialize --quiet --scale 2 >"$SCRATCH/tpcb.log" 2>&1
measured "$TEST" workload
advised "$TEST"
check "advises nothing at all" is "SELECT string_agg(DISTINCT ddl, '; ') FROM advice WHERE test = '$TEST' AND advised" ''
check "looked at what reads most" matches "SELECT string_agg(statement, ';') FROM advice WHERE test = '$TEST'" 'pgbench_accounts'
