# An answer over a long history ends when the statement is to end, in the midst of its work: the server logs where that was.
fresh <<<"ebs_advisor.enabled = off
backtrace_functions = 'ProcessInterrupts'"
cluster_sql 'CREATE EXTENSION ebs_advisor'
peaks_apart 50000

# answer TIMEOUT: what it ended with, and the milliseconds that took.
answer() {
  local began=${EPOCHREALTIME/./}
  ended=$(cluster_psql -d postgres -qAtX -v VERBOSITY=sqlstate -c "SET statement_timeout = '$1'" \
    -c "SELECT count(*) > 0 FROM ebs_options_detail('long', min_size_gib => 500, percentile => 95, max_volumes => 4)" 2>&1) || true
  took_ms=$(((${EPOCHREALTIME/./} - began) / 1000))
}
answer 0
whole_ms=$took_ms
check "it answers" [ "$ended" = t ]
inside() { logged 'ebs_advisor\.so\(ebs_options_detail_wrapper'; }
# What was at work when it was to end: the function of ours that looked, or PostgreSQL, which reads the samples for it.
looked() { server_log -A 1 'BACKTRACE' | grep -c 'ebs_advisor\.so' || true; }

# ends_after SHARE WHAT: it is ended after that share of its time, in WHAT. How long it takes now is a guess: from one attempt to
# the next it is to end sooner if it was over, and later if it had not begun.
ends_after() {
  local tries before after_ms=$((whole_ms * $1 / 100))
  before=$("$2")
  for tries in $(seq 60); do
    answer "$((after_ms + 1))ms"
    case $ended in
      t) after_ms=$((after_ms * 3 / 4)) ;;
      *57014*) [ "$("$2")" = "$before" ] || return 0; after_ms=$((after_ms * 5 / 4 + 1)) ;;
      *) break ;;
    esac
  done
  echo "after $after_ms of $whole_ms ms it ended in $ended"
  return 1
}
for share in 10 60; do
  check "after $share % of its time it is cancelled" ends_after $share inside
  check "by a look of its own" ends_after $share looked
done
