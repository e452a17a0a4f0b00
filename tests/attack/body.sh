# The attack: a hostile role prepares everything that it can, then every function of ours is called by a superuser, a member of
# pg_monitor and a role with no rights. Its three parts are tests of their own, each on a cluster of its own: attack_statements,
# attack_plans and attack_calls, of tests/live and, with hypopg, of tests/packaged. Sourced by them.
# Calls of a role that may be deaf before the rest is left out.
HUNG=${ATTACK_HUNG:-2}
ATTACK=$ROOT/tests/attack

# attacked: the cluster, with what index advice takes as far as this PostgreSQL has it.
attacked() {
  local extension
  sampling <<CONF
$(disk_settings)
$(cat "$ATTACK/server.conf")
$(! available pg_stat_statements || cat "$ATTACK/statements.conf")
CONF
  for extension in pg_stat_statements hypopg; do
    ! available "$extension" || cluster_sql "CREATE EXTENSION $extension"
  done
}
available() { as_server test -e "$(as_server "$PG_BIN/pg_config" --sharedir)/extension/$1.control"; }

# attack_psql ROLE [OPTION…]: psql as that role, for at most BEARABLE seconds: a session executes up to 100,000 statements.
BEARABLE=$((4 * PATIENCE))
attack_psql() {
  local role=$1
  shift
  cluster_run timeout --kill-after 5 "$BEARABLE" "$PG_BIN/psql" --no-psqlrc --host "$CLUSTER" -U "$role" -d postgres "$@"
}

# run_as ROLE FILE: what fails in it fails for itself; all of it is executed.
run_as() { attack_psql "$1" -qAtX -f - <"$2" >"$SCRATCH/$1.out" 2>"$SCRATCH/$1.err"; }
# prepare ROLE FILE: nothing in it may fail.
prepare() { attack_psql "$1" -qAtX -v ON_ERROR_STOP=1 -f - <"$ATTACK/$2" >"$SCRATCH/prepared" 2>&1 || { cat "$SCRATCH/prepared"; return 1; }; }
has() { [ "$(cluster_sql "SELECT count(*) FROM pg_extension WHERE extname = '$1'")" = 1 ]; }
comes_back() { [ "$(cluster_sql 'SELECT 1' 2>/dev/null)" = 1 ]; }

# quit PID: ends that backend, which is deaf to all else, and waits until it is gone, with which the server restarts.
quit() {
  signal QUIT "$1" || true
  await gone "$1"
}
gone() { ! kill -0 "$1" 2>/dev/null; }

# calls_of LABEL: what is asked about a run, a line each, as calls.txt has them; the answers are kept.
calls_of() {
  local said="INSERT INTO attack.said SELECT '$1', session_user"
  printf '%s\t%s\n' \
    ebs_index_advice "INSERT INTO attack.advised SELECT '$1', session_user, kind, relation, ddl FROM ebs_index_advice('$1')" \
    "ebs_index_advice with a search_path" "INSERT INTO attack.advised SELECT '$1', session_user, kind, relation, ddl FROM ebs_index_advice('$1', search_path => 'mallory, public')" \
    ebs_findings "$said, 'remedy', remedy FROM ebs_findings('$1')" \
    ebs_advise "$said, 'ebs_advise', line FROM ebs_advise('$1') line" \
    ebs_queries "SELECT count(*) FROM ebs_queries('$1')" \
    ebs_report_html "$said, 'ebs_report_html', ebs_report_html('$1')"
}

# call ROLE FILE: each call of the file in one session; where that ends early, the call that ended it is told and the rest goes on in
# another. Prints "ROLE CALL: SQLSTATE or what happened" where a call ended with an error, and one line where the backend was not the
# same to the end.
call() {
  local role=$1 from=1 all hung=0 rc reached pid name failed=0 lost=0
  all=$(wc -l <"$2")
  while [ "$from" -le "$all" ]; do
    {
      echo '\set VERBOSITY sqlstate'
      echo "SELECT 'pid ' || pg_backend_pid();"
      awk -F '\t' -v from="$from" 'NR >= from { printf "\\echo @%d %s\n%s;\n", NR, $1, $2 }' "$2"
      echo "SELECT 'same ' || pg_backend_pid();"
    } >"$SCRATCH/calls.sql"
    rc=0
    attack_psql "$role" -qAtX -f - <"$SCRATCH/calls.sql" >"$SCRATCH/called" 2>&1 || rc=$?
    [ -z "$(sed -n 's/^pid //p' "$SCRATCH/called")" ] || awk -v role="$role" '/^@/ { call = $0 } /ERROR:|FATAL:|PANIC:/ { sub(/^@[0-9]+ /, "", call); print role " " call ": " $NF }' "$SCRATCH/called" >>"$SCRATCH/errors"
    pid=$(sed -n 's/^pid //p' "$SCRATCH/called")
    [ "$(sed -n 's/^same //p' "$SCRATCH/called")" != "$pid" ] || [ -z "$pid" ] || return "$failed"
    # No connection: the server comes back from the call before.
    [ -n "$pid" ] || { lost=$((lost + 1)); sleep 1; [ "$lost" -lt 60 ] || { echo "$role: no connection"; return 1; }; continue; }
    failed=1
    reached=$(grep -oE '^@[0-9]+' "$SCRATCH/called" | tail -n 1 | tr -d @)
    name=$(sed -n "${reached:-$from}p" "$2" | cut -c 1-150 | tr '\t' ' ')
    case $rc in
      124 | 137) echo "$role: after $BEARABLE s still at work: $name"; quit "$pid"; hung=$((hung + 1)) ;;
      *) echo "$role: the backend ended in: $name" ;;
    esac
    await comes_back || { echo "the server does not come back"; return 1; }
    [ "$hung" -lt "$HUNG" ] || { echo "$role: what comes after it is not called"; return 1; }
    from=$((${reached:-$from} + 1))
  done
  return 1
}

# wave LABEL ROLE FILE: the role executes the statements of the file as a run, and advice on it is asked for.
wave() {
  wave_begins "$@"
  wave_ends "$1"
}
wave_begins() {
  ! has pg_stat_statements || cluster_sql 'SELECT pg_stat_statements_reset()' >/dev/null
  cluster_sql "SELECT ebs_run_begin('$1')" >/dev/null
  check "$1: all is executed" run_as "$2" "$3"
}
wave_ends() {
  local ok=0
  WAVES=$((WAVES + 1))
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  calls_of "$1" >"$SCRATCH/calls.txt"
  : >"$SCRATCH/ended"
  call asker "$SCRATCH/calls.txt" >>"$SCRATCH/ended" || ok=1
  call watcher "$SCRATCH/calls.txt" >>"$SCRATCH/ended" || ok=1
  check "$1: the backends that answer go on" bash -c 'cat "$1"; exit "$2"' _ "$SCRATCH/ended" "$ok"
}

nothing() { local found; found=$(cluster_sql "$1" 2>&1) || true; [ -z "$found" ] || { head -c 6000 <<<"$found"; return 1; }; }
# canaries: trap, session's role, role it ran as; each once.
canaries() { sed -nE 's/.*LOG:  canary: (.*) for (.*) as ([a-z]*).*$/\1 \2 \3/p' "$CLUSTER/server.log" | sort -u; }
# Neither as who asks nor as its author: it could keep the one that asks waiting.
no_canary_of_answers() { ! canaries | awk '$2 !~ /^(mallory|clerk|dba)$/' | grep .; }
# sprung ROLE: the traps that ran as that role when it executed statements itself.
sprung() { canaries | awk -v role="$1" '$2 == role && $3 == role { print $1 }' | sort -u; }
all_sprung() {
  local trap missing=0
  for trap in aggregate cast check domain double function inlined index_expression index_predicate json_cast operator partition_key set_returning statistics view zero_arguments default; do
    sprung "$1" | grep -qx "$trap" || { echo "not sprung by $1: $trap"; missing=1; }
  done
  return "$missing"
}
