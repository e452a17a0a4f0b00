# How soon every function ends when its statement is to end: cancelled or timed out at four points of its longest input.
fresh </dev/null
cluster_sql 'CREATE EXTENSION ebs_advisor'
made_documents 8000000
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -v seconds=100000 -f - \
  <"$ROOT/tests/live/cancel_input.sql" >/dev/null
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - <<'SQL'
-- Ends with the SQLSTATE, EB000 where it was over before; leaves nothing.
CREATE FUNCTION attempted(statement text, OUT ended text, OUT at float8, OUT took_ms float8) LANGUAGE plpgsql AS $$ BEGIN
  BEGIN
    EXECUTE statement;
    RAISE EXCEPTION USING ERRCODE = 'EB000', MESSAGE = 'it is over';
  EXCEPTION WHEN query_canceled OR OTHERS THEN
    ended := SQLSTATE;
  END;
  at := extract(epoch FROM clock_timestamp());
  took_ms := 1000 * extract(epoch FROM clock_timestamp() - statement_timestamp());
END $$;
SQL
cancel_calls | tr -d '!' >"$SCRATCH/calls"
open_session
# attempt STATEMENT: begins it. attempted: how it ended, when, and after how many milliseconds.
attempt() { send "SELECT ended, at, took_ms FROM attempted(\$call\$$1\$call\$);"; }
attempted() { receive; IFS='|' read -r ended at took_ms <<<"${reply:-over|0|0}"; }

# Shorter than this, a statement may be over before it is cancelled.
LONG_MS=400
# What only a defect takes; what there is on an idle machine is in a comment below.
MOST_MS=5000
ms() { awk -v a="$1" -v b="$2" "BEGIN { printf \"%d\", $3 }"; }

# cancelled STATEMENT AFTER_MS, timed_out STATEMENT AFTER_MS: how it ended, and milliseconds from when it should have.
cancelled() {
  local since
  attempt "$1"
  since=$(cluster_sql "SELECT extract(epoch FROM clock_timestamp()) FROM pg_sleep($2 / 1000.0), pg_cancel_backend($pid)")
  attempted
  late_ms=$(ms "$at" "$since" '1000 * (a - b)')
}
timed_out() {
  send "SET statement_timeout = $2;"
  receive
  attempt "$1"
  attempted
  late_ms=$(ms "$took_ms" "$2" 'a - b')
  send 'SET statement_timeout = 0;'
  receive
}

# ends HOW FUNCTION STATEMENT WHOLE_MS: notes what is wrong, and how late the latest was.
ends() {
  local part whole_ms=$4 latest=0 attempts
  for part in 10 30 50 70; do
    for attempts in 1 2 3 4 5; do
      "$1" "$3" $((1 + whole_ms * part / 100))
      [ "$ended" != 57014 ] && [ "$whole_ms" -ge $LONG_MS ] || break
      # It was over before: a machine that is less busy than at first takes less for the whole.
      [ "$ended" != EB000 ] || [ "${took_ms%.*}" -ge "$whole_ms" ] || whole_ms=${took_ms%.*}
    done
    case $ended in
      57014) ;;
      EB000 | over) [ "$whole_ms" -lt $LONG_MS ] || echo "$2: $1 at $part % of $whole_ms ms did not end it" >>"$SCRATCH/wrong" ;;
      *) echo "$2: $1 ended in $ended" >>"$SCRATCH/wrong" ;;
    esac
    if [ "$ended" = 57014 ]; then
      [ "$late_ms" -le $MOST_MS ] || echo "$2: $1 took $late_ms ms" >>"$SCRATCH/wrong"
      [ "$late_ms" -le "$latest" ] || latest=$late_ms
    fi
  done
  echo "$latest $1 $2 of $4 ms" >>"$SCRATCH/latest"
}

: >"$SCRATCH/wrong"
while IFS='|' read -r function statement; do
  attempt "$statement"
  attempted
  [ "$ended" = EB000 ] || echo "$function does not answer: $ended" >>"$SCRATCH/wrong"
  whole_ms=${took_ms%.*}
  ends cancelled "$function" "$statement" "$whole_ms"
  ends timed_out "$function" "$statement" "$whole_ms"
done <"$SCRATCH/calls"
none_wrong() { cat "$SCRATCH/wrong"; [ ! -s "$SCRATCH/wrong" ]; }
check "every function ends when its statement is cancelled or timed out" none_wrong
echo "# latest, ms: $(sort -rn "$SCRATCH/latest" | head -n 5 | paste -sd ';')"
[ -z "${CANCEL_LATEST:-}" ] || sort -rn "$SCRATCH/latest" >"$CANCEL_LATEST"
send 'SELECT pg_backend_pid();'
receive
check "the connection lives" [ "$reply" = "$pid" ]
