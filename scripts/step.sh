# step "what" expected_seconds COMMAND…: runs a long command with one progress line: what runs, for how long, and about
# how long it takes. Output goes to a log that is shown only if the command fails. Plain lines where there is no terminal.

step() {
  local what=$1 expected=$2 log started pid rc=0
  shift 2
  log=$(mktemp "${TMPDIR:-/tmp}/ebs_advisor.XXXXXX")
  started=$SECONDS
  [ -t 2 ] || printf '  … %s (about %s s)\n' "$what" "$expected" >&2
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  while [ -t 2 ] && kill -0 "$pid" 2>/dev/null; do
    printf '\r\033[K  … %s  %d s of about %s s' "$what" $((SECONDS - started)) "$expected" >&2
    sleep 1
  done
  wait "$pid" || rc=$?
  [ ! -t 2 ] || printf '\r\033[K' >&2
  if [ "$rc" = 0 ]; then
    printf '  ✓ %s (%d s)\n' "$what" $((SECONDS - started)) >&2
  else
    printf '  ✗ %s (%d s, exit status %d)\n' "$what" $((SECONDS - started)) "$rc" >&2
    tail -n 40 "$log" >&2
    printf 'the whole log: %s\n' "$log" >&2
    return "$rc"
  fi
  rm -f "$log"
}
