# Where the system refuses memory, each function ends with an ERROR or an answer, whatever it is given and whenever that happens;
# the sampler goes on. The address space of the process is limited to what it has and so much more, in ever larger steps.
if ! command -v prlimit >/dev/null; then
  skip "memory that is refused (no prlimit, of util-linux)"
  return
fi
sampling
made_documents 1000000
cluster_psql -qX -v ON_ERROR_STOP=1 -f - <"$ROOT/tests/live/memory.sql" >/dev/null
check "the import of every format answers" prints_nothing cluster_sql "SELECT function FROM made WHERE function IS NOT NULL
  EXCEPT SELECT split_part(statement, '(', 1) FROM call WHERE ends_with = '00000'"
check "and so does that of each of its documents" is "SELECT count(*) FROM call WHERE statement LIKE '% FROM made %' AND ends_with <> '00000'" 0

# KiB beyond what the process has. What nearly all take less of than 8 MiB is looked at closely.
STEPS=(0 64 256 512 1024 1536 2048 3072 4096 6144 8192 12288 16384 24576 32768 49152 65536 98304 131072 196608 262144)
# LONG=yes takes all of them for each call. Else each takes the first, and every seventh of the others: calls that follow each
# other take those beside, so that all together take all.
steps() {
  local n
  for n in "${!STEPS[@]}"; do
    [ "${LONG:-}" != yes ] && [ "$n" != 0 ] && [ $(((n + $1) % 7)) != 0 ] || echo "${STEPS[n]}"
  done
}

# limit PID KIB: only the soft limit, so that it can be taken back.
cat >"$SCRATCH/limit" <<'SCRIPT'
#!/bin/sh
[ "$2" != none ] || exec prlimit --pid "$1" --as=unlimited:
while read -r key value _; do
  [ "$key" != VmSize: ] || exec prlimit --pid "$1" --as=$(((value + $2) * 1024)):
done <"/proc/$1/status"
SCRIPT
chmod 755 "$SCRATCH/limit"

# script PLACE STATEMENT: calls it once at each limit and undoes that, then once without one. The stack, which is refused by a
# signal whoever asks for it, gets its whole length before.
script() {
  local step
  echo "SELECT (repeat('[', 100000))::json;
\\set VERBOSITY verbose
SELECT pg_backend_pid() AS pid \\gset
\\setenv BACKEND :pid"
  for step in $(steps "$1") none; do
    # What it waits for is a second, not memory.
    [[ $2 != ebs_sample* || " 0 1024 4096 none " == *" $step "* ]] || continue
    [ "$step" = none ] && echo "SET client_min_messages = debug1;" || echo "BEGIN;"
    echo "\\! $SCRATCH/limit \$BACKEND $step
SELECT count(*) FROM (SELECT $2) called;
\\echo $step :SQLSTATE
\\! $SCRATCH/limit \$BACKEND none"
    [ "$step" = none ] || echo "ROLLBACK;"
  done
  echo "\\echo alive"
}

# survives PLACE STATEMENT SQLSTATE: it ends with that where memory is not short, and else for want of memory or the same way;
# what it took was there beforehand. PostgreSQL has errors of its own for memory that the C library is refused (XX000).
survives() {
  script "$1" "$2" | cluster_psql -XAtq -o /dev/null >"$SCRATCH/states" 2>"$SCRATCH/messages" || true
  local bad
  bad=$(grep -vE "^([0-9]+|none) (53200|XX000|$3)$|^alive$" "$SCRATCH/states" || true)
  if [ -n "$bad" ] || ! grep -qx alive "$SCRATCH/states" || ! grep -qx "none $3" "$SCRATCH/states" ||
    grep '^ERROR:  XX000' "$SCRATCH/messages" | grep -qv 'Cannot allocate memory' ||
    grep -qE "[1-9][0-9]* of them without a reserve" "$SCRATCH/messages"; then
    cat "$SCRATCH/states"
    grep -E "^(ERROR|FATAL|PANIC|DETAIL|server closed)|without a reserve" "$SCRATCH/messages" | tail -n 20
    return 1
  fi
  grep -c "53200" "$SCRATCH/states" >>"$SCRATCH/refusals" || true
}

not_called() {
  cluster_sql "SELECT p.proname FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'ebs_advisor'
    JOIN pg_proc p ON p.oid = d.objid AND d.classid = 'pg_proc'::regclass WHERE d.deptype = 'e' AND p.proname LIKE 'ebs\\_%'
    EXCEPT SELECT split_part(statement, '(', 1) FROM call"
}
check "each function is called" prints_nothing not_called
: >"$SCRATCH/refusals"
while IFS='|' read -r place statement state; do
  check "memory is refused in $statement" survives "$place" "$statement" "$state"
done < <(cluster_sql "SELECT place, statement, ends_with FROM call ORDER BY place")
check "much of that was refused" [ "$(awk '{ sum += $1 } END { print sum + 0 }' "$SCRATCH/refusals")" -ge 100 ]

# The sampler, which is asked for a flush meanwhile; where it ends, another comes. At work it needs no more than it has: nothing was
# ever seen refused to it.
sampler_survives() {
  local step pid
  for step in 0 64 256 1024; do
    cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'" || return 1
    pid=$(sampler_pid)
    as_server "$SCRATCH/limit" "$pid" "$step" || return 1
    cluster_sql "SELECT ebs_run_begin('at $step'); SELECT ebs_run_mark('measure'); SELECT ebs_run_end()" >/dev/null || return 1
    as_server "$SCRATCH/limit" "$pid" none 2>/dev/null || true
  done
  cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
}
check "the sampler goes on where it gets no more memory" sampler_survives
check "no process ended by a signal" not_logged -B 30 -A 1 'terminated by signal|memory allocation of'
