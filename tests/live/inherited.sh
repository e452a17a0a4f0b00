# What ebsctl inherits from the program that starts it: signals that are ignored or blocked, closed files, a umask, a locale. A script, a
# service or a scheduler leaves them as it likes.
EBSCTL=$(program ebsctl)
export PGHOST=$SCRATCH/cluster PGUSER=postgres PGDATABASE=postgres
sampling <<<''
"$PG_BIN/pgbench" -i -q -s 1 2>/dev/null

# unusual COMMAND…: runs it with each signal ignored, and all of them blocked, that a program can have so. A program: its id is the command's.
unusual=$SCRATCH/unusual
cat >"$unusual" <<'PERL'
#!/usr/bin/perl
use POSIX ':signal_h';
$SIG{$_} = 'IGNORE' for qw(INT QUIT PIPE CHLD);
sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT, SIGTERM, SIGCHLD));
exec @ARGV or die "$ARGV[0]: $!\n";
PERL
chmod +x "$unusual"

# ends STATUS COMMAND…
ends() {
  local wanted=$1 status=0
  shift
  "$@" >"$SCRATCH/out" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || { echo "exit status $status, not $wanted"; cat "$SCRATCH/out"; return 1; }
}
check "the exit status of a command is its own, where SIGCHLD was ignored" ends 42 "$unusual" "$EBSCTL" run --label status -- sh -c 'exit 42'
check "that of a benchmark, too" ends 0 "$unusual" "$EBSCTL" run --label benchmark -- "$PG_BIN/pgbench" -n -t 10

# interrupted SIGNAL STATUS
interrupted() {
  local pid status=0
  : >"$SCRATCH/said"
  "$unusual" "$EBSCTL" run --label "by-$1" -- "$PG_BIN/pgbench" -n -T 3600 -P 1 >"$SCRATCH/said" 2>&1 </dev/null &
  pid=$!
  await grep -q '^progress: ' "$SCRATCH/said" || return 1
  kill "-$1" "$pid"
  wait "$pid" || status=$?
  [ "$status" = "$2" ] || { echo "exit status $status, not $2"; cat "$SCRATCH/said"; return 1; }
}
check "SIGTERM ends it, where it was blocked" interrupted TERM 143
check "SIGINT ends it, where it was ignored and blocked" interrupted INT 130

# page MASK: writes the page of a run with that umask, and prints its permissions.
page() {
  rm -f "$SCRATCH/page.html"
  (umask "$1" && "$EBSCTL" report benchmark --html "$SCRATCH/page.html" >/dev/null 2>"$SCRATCH/out") || { cat "$SCRATCH/out"; return 1; }
  stat --format=%a "$SCRATCH/page.html"
}
check "a page is its owner's alone under a umask of 077" test "$(page 077)" = 600

closed() { "$EBSCTL" report benchmark 0<&- 2>&- >"$SCRATCH/report"; }
check "a report with standard input and error closed" closed
check "is there" test -s "$SCRATCH/report"
check "nothing is printed where standard output is closed, and nothing fails" ends 0 bash -c '"$1" report benchmark >&-' bash "$EBSCTL"
