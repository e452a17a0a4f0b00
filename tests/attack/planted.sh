# What another account has put in the way in a directory that all may write to. Sourced by tests/live/attack_files.sh.
if [ "$(id -u)" != 0 ]; then
  skip "links and directories of another account (takes root, for another account)"
  return
fi
sampling </dev/null
cluster_sql 'CREATE ROLE checker SUPERUSER LOGIN'
kept_run postgres public
server="host=$CLUSTER user=postgres dbname=postgres"
sticky=$SCRATCH/sticky
install -d -m 1777 "$sticky"
other() { setpriv --reuid nobody --regid "$(id -g nobody)" --clear-groups "$@"; }

# The file that the link names is the user's own, so that only who made the link makes the difference.
echo precious >"$SCRATCH/precious"
chmod 644 "$SCRATCH/precious"
other ln -s "$SCRATCH/precious" "$sticky/page.html"
untouched() { [ "$(cat "$SCRATCH/precious")" = precious ] || { head -c 200 "$SCRATCH/precious"; echo; return 1; }; }
check "a page through a link of another account" ended report kept --html "$sticky/page.html" -d "$server"
check "does not replace what it names" untouched
echo precious >"$SCRATCH/precious"
check "rows through it" ended fleet --rows "$inputs/rows.jsonl" --format csv --output "$sticky/page.html"
check "do not replace it either" untouched
echo precious >"$SCRATCH/precious"
check "a run through it" ended watch "$server" --label seen --for 1s --output "$sticky/page.html"
check "does not either" untouched
echo precious >"$SCRATCH/precious"
ln -s "$SCRATCH/precious" "$SCRATCH/own.html"
check "a link of one's own is followed" bounded report kept --html "$SCRATCH/own.html" -d "$server"
check "to the page" grep -qi '<!doctype html>' "$SCRATCH/precious"
# A pipe of another account would have the page wait for a reader, or be read by it.
other mkfifo "$sticky/pipe.html"
check "a pipe of another account" refused report kept --html "$sticky/pipe.html" -d "$server"
# In the place of the lock of a run that is watched in that directory.
other mkfifo "$sticky/piped.ebs-run.json.lock"
watched_there() { (CLIENT=$sticky; bounded watch "$server" --label piped --for 1s --output "$SCRATCH/piped.json"); }
check "a pipe of another account as a lock" watched_there

# The state of an account without a home: a directory or a link that is there before is another's. A directory shows by its time whether
# anything was made in it, although a journal is removed in the end.
planted() {
  local temporary=$1
  (unset HOME XDG_STATE_HOME; export TMPDIR=$temporary
    ended "${fleet[@]}" "${configuration[@]}")
}
unchanged() { [ "$(stat --format %Y "$1")" = "$(date --date '2001-01-01 UTC' +%s)" ] || { stat "$1"; return 1; }; }
for kind in directory link; do
  install -d -m 1777 "$SCRATCH/tmp-$kind"
  case $kind in
    directory) other mkdir "$SCRATCH/tmp-$kind/ebsctl" && place=$SCRATCH/tmp-$kind/ebsctl ;;
    link) mkdir "$SCRATCH/elsewhere" && place=$SCRATCH/elsewhere && other ln -s "$place" "$SCRATCH/tmp-$kind/ebsctl" ;;
  esac
  chmod 777 "$place"
  touch --date '2001-01-01 UTC' "$place"
  check "a journal where there is no home, and a $kind of another account" planted "$SCRATCH/tmp-$kind"
  check "is not kept there" unchanged "$place"
done
