# Answers that are looked at again and again: \watch runs them until it is told to stop.
# On every major: psql's \watch.
sampling </dev/null
own_disk
# watched "statement": it runs three times, and each time has rows and no error.
watched() {
  local shown
  shown=$(printf '%s \\watch i=0.1 c=3\n' "$1" | cluster_psql -d postgres -qX -v ON_ERROR_STOP=1 2>&1) ||
    { echo "$shown"; return 1; }
  [ "$(grep -c '(every 0.1s)' <<<"$shown")" = 3 ] &&
    [ "$(grep -cE '^\([1-9][0-9]* rows?\)' <<<"$shown")" = 3 ] || { echo "$shown"; return 1; }
}
check "ebs_status() can be watched" watched 'SELECT * FROM ebs_status()'
check "ebs_io_mix() can be watched" watched "SELECT volume, metric, mean, max FROM ebs_io_mix(lookback => '1 minute')"
check "ebs_chart() can be watched" watched "SELECT ebs_chart(lookback => '1 minute')"
