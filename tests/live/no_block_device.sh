# A data directory on tmpfs has no device: said, not guessed.
memory=$(mktemp -d /dev/shm/ebs_advisor.XXXXXX 2>/dev/null) || memory=
[ -z "$memory" ] || at_exit+=(cluster_stop "rm -rf $memory")
if [ -z "$memory" ] || [ "$(stat --file-system --format %T "$memory")" != tmpfs ]; then
  skip "data directory on tmpfs (/dev/shm is none)"
elif [ "$(df --output=avail --block-size=1M "$memory" | tail -n 1)" -lt 128 ]; then
  # As containers have it: a cluster does not fit.
  skip "data directory on tmpfs (/dev/shm has less than 128 MiB free)"
else
  chmod 755 "$memory"
  sampling "$memory/cluster" </dev/null
  cluster_sql "SELECT ebs_run_begin('memory')" >/dev/null
  check "waits are sampled all the same" cluster_await "SELECT count(*) > 0 FROM ebs_waits('memory')"
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  check "the status names tmpfs" matches "SELECT ok, detail FROM ebs_status() WHERE \"check\" = 'device'" '^f\|data unknown: .* is on tmpfs'
  check "the report says why there is no advice" matches "$(report "'memory'")" 'Insufficient data: .* is on tmpfs'
  check "the options too" matches "SELECT feasible, reason FROM ebs_options_detail('memory')" '^f\|insufficient data: .* tmpfs'
fi
