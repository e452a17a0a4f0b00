# index_case: one case of index advice. The test file says
#   CASE      what it is, in words
#   EXPECTED  what the advised CREATE INDEX must match; empty where nothing may be advised
#   TEMPTING  where nothing may be advised: the index that looks right, created all the same to see what it does
#   CHANGES   yes: the workload changes the data, which are made anew before it runs again
#   schema    prints what makes the tables, in a schema that is called like the test
#   workload  does the same work each time
# What comes of it is left for the table of all cases, in a file: whether it agreed, and the case's line.

index_case() {
  server
  schema | vacuumed
  measured "$TEST before" workload
  advised "$TEST before"
  local ddl=${TEMPTING:-}
  if [ -n "$EXPECTED" ]; then
    check "advises the right index" matches "SELECT ddl FROM advised WHERE test = '$TEST' ORDER BY rank LIMIT 1" "$EXPECTED"
    check "and no other" is "SELECT count(DISTINCT ddl) FROM advised WHERE test = '$TEST'" 1
    ddl=$(cluster_sql "SELECT ddl FROM advised WHERE test = '$TEST' ORDER BY rank LIMIT 1")
  else
    check "advises nothing" is "SELECT string_agg(DISTINCT ddl, '; ') FROM advised WHERE test = '$TEST'" ''
  fi
  [ -n "$ddl" ] || return 0 # not ok already
  [ -z "${CHANGES:-}" ] || { schema | vacuumed; }
  cluster_sql "$ddl"
  measured "$TEST after" workload
  cluster_sql "INSERT INTO verdict (test, what, ddl, read_before, read_after, saved, estimated, written, device_mib_saved)
    SELECT '$TEST', '$CASE', '${ddl//\'/\'\'}', * FROM judged('$TEST')"
  cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - <"$ROOT/tests/packaged/verdict.sql" >"$VERDICTS/$TEST"
  if [ -n "$EXPECTED" ]; then
    check "it saves reads" is "SELECT saved > 0 FROM verdict WHERE test = '$TEST'" t
  else
    check "rightly: made all the same, it saves no reads or costs as many writes" is "SELECT agreed FROM verdict WHERE test = '$TEST'" t
  fi
}
