# step "description" expected_seconds COMMAND…: runs a long command with a progress line: description, elapsed and expected seconds.
# Its output is shown only if it fails. Without a terminal it prints plain lines.

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
