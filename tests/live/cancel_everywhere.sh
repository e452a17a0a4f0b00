# Every function ends when its statement is to end: cancelled, timed out or at a shutdown, in the midst of a long input. How soon
# is measured by tests/quiet. Of what ends a statement the server logs where that was: a function that never looks is not in
# the backtrace, for it has returned before.
fresh <<<"backtrace_functions = 'ProcessInterrupts'"
cluster_sql 'CREATE EXTENSION ebs_advisor'
made_documents 2000000
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -v seconds=30000 -f - \
  <"$ROOT/tests/live/cancel_input.sql" >/dev/null

# Of each function the statement that takes it longest. One with a ! is at work for so much of that time that its end can be put
# into its midst.
calls=$SCRATCH/calls
cancel_calls >"$calls"
none_without_call() {
  diff <(cluster_sql "SELECT DISTINCT proname FROM pg_proc WHERE proname LIKE 'ebs\\_%' ORDER BY 1") \
    <(cut -d '|' -f 1 "$calls" | tr -d '!' | LC_ALL=C sort -u)
}
check "every function is called" none_without_call

open_session
# Another one, who cancels.
mkfifo "$SCRATCH/cancel" "$SCRATCH/sent"
exec 5<>"$SCRATCH/cancel" 6<>"$SCRATCH/sent"
cluster_psql -d postgres -qAtX <&5 >&6 &

# attempt STATEMENT TIMEOUT_MS: begins it, as one message; attempted: how it ended, and after how many milliseconds.
attempt() {
  # Within the transaction: what comes before and after it is not to be timed out.
  send 'BEGIN;' "SET LOCAL statement_timeout = $2;"
  receive
  began=${EPOCHREALTIME/./}
  send '\o /dev/null' "${1//; /\\; };" '\o' '\echo :SQLSTATE'
}
attempted() {
  receive
  took_ms=$(((${EPOCHREALTIME/./} - began) / 1000))
  ended=$reply
}
# undone: of what was attempted nothing is left. A cancel or timeout that came too late may end the first of them.
undone() {
  send 'ROLLBACK;' 'ROLLBACK;'
  receive
}
cancelled() {
  local sent
  attempt "$1" 0
  printf "SELECT pg_cancel_backend(%s) FROM pg_sleep(%s / 1000.0);\n" "$pid" "$2" >&5
  attempted
  read -r -t "$PATIENCE" sent <&6 || true
  undone
}
timed_out() {
  attempt "$1" "$2"
  attempted
  undone
}
# The formats of demand share a symbol.
inside() { logged "ebs_advisor\\.so\\($(cluster_sql "SELECT CASE WHEN probin IS NULL THEN proname ELSE prosrc END FROM pg_proc WHERE proname = '$1'")"; }

# ends HOW FUNCTION STATEMENT WHOLE_MS LONG: notes what is wrong. When it is to end is a guess, so that it may take several until
# one is in the midst of a long answer; each tells more of how long that takes now.
ends() {
  local tries part before whole_ms=$4
  before=$(inside "$2")
  for ((tries = 1; tries <= 60; tries++)); do
    part=$((10 + tries * 40 % 90))
    "$1" "$3" $((1 + whole_ms * part / 100))
    case $ended in
      57014) [ "$(inside "$2")" = "$before" ] || [ "$tries" = 1 ] || return 0; whole_ms=$((whole_ms * 9 / 8 + 1)) ;;
      00000) [ "$took_ms" -ge "$whole_ms" ] || whole_ms=$took_ms ;;
      *) echo "$2: $1 at $part % of $whole_ms ms ended in $ended" >>"$SCRATCH/wrong"; return ;;
    esac
    [ "$5" = yes ] || [ "$tries" = 1 ] || return 0
  done
  echo "$2: $1 never ended it while it was at work, which took $4 ms" >>"$SCRATCH/wrong"
}

: >"$SCRATCH/wrong"
while IFS='|' read -r function statement; do
  long=no
  [ "${function#!}" = "$function" ] || long=yes
  function=${function#!}
  attempt "$statement" 0
  attempted
  undone
  whole_ms=$took_ms
  [ "$ended" = 00000 ] || echo "$function does not answer: $ended" >>"$SCRATCH/wrong"
  ends cancelled "$function" "$statement" "$whole_ms" $long
  ends timed_out "$function" "$statement" "$whole_ms" $long
  echo "$whole_ms $function $(inside "$function")" >>"${CANCEL_SEEN:-/dev/null}"
done <"$calls"
none_wrong() { cat "$SCRATCH/wrong"; [ ! -s "$SCRATCH/wrong" ]; }
check "every function ends when its statement is cancelled or timed out, those with a ! in their midst" none_wrong
send 'SELECT pg_backend_pid();'
receive
check "the connection lives" [ "$reply" = "$pid" ]

# A shutdown waits for no answer. The next begins where one ends, and the sequence tells that there was one: what comes before the
# first is over. A shutdown may come while an answer is handed over: one of several is in the midst of one.
cluster_sql 'CREATE SEQUENCE answers'
# shut_down: shuts the server down under long answers; fails where that was in the midst of none.
shut_down() {
  local before
  [ -e "$CLUSTER/data/postmaster.pid" ] || { cluster_start && open_session; } || return
  cluster_sql "SELECT setval('answers', 1, false)" >/dev/null
  send "SELECT max(length(ebs_report_html('long', baseline => 'long too')) + nextval('answers')) FROM generate_series(1, 1000);"
  cluster_await "SELECT a.is_called AND s.state = 'active' AND s.query LIKE '%ebs_report_html%'
    FROM answers a, pg_stat_activity s WHERE s.pid = $pid" || return
  before=$(inside ebs_report_html)
  cluster_run "$PG_BIN/pg_ctl" --pgdata data --mode fast --wait --timeout "$PATIENCE" stop >/dev/null || return
  [ "$(inside ebs_report_html)" -gt "$before" ]
}
in_its_midst() {
  local tries
  for ((tries = 1; tries <= 20; tries++)); do
    shut_down && return
  done
  return 1
}
check "a shutdown ends a long answer in its midst" in_its_midst
check "and its session" await grep -q 'terminating connection due to administrator command' "$SCRATCH/session.log"
check "without an answer" [ ! -e "$CLUSTER/data/postmaster.pid" ]
