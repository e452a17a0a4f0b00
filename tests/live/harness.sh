# What the live tests share. Each test file is sourced on its own, in the directory of no cluster, with PG_BIN set; it
# prints a line for each thing it checked: ok, not ok, or skipped and why.

# fresh [DIRECTORY]: a fresh cluster that samples into database postgres; more settings come on standard input.
fresh() {
  CLUSTER=${1:-$SCRATCH/cluster}
  { printf '%s\n' "fsync = off" "ebs_advisor.flush_interval = 1s"; cat; } | cluster_create
  cluster_start
}

# sampling: a fresh cluster with the extension, on which the sampler is at work.
sampling() {
  fresh "$@"
  cluster_sql 'CREATE EXTENSION ebs_advisor'
  cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'" 20
}

# check "what holds" COMMAND…: ok if the command succeeds.
check() {
  local name=$1
  shift
  if "$@" >"$SCRATCH/output" 2>&1; then
    echo "ok - $TEST: $name"
  else
    echo "not ok - $TEST: $name"
    sed 's/^/    /' "$SCRATCH/output"
  fi
}

skip() { echo "skipped - $TEST: $1"; }

# is "statement" VALUE: the statement gives the value.
is() {
  local got
  got=$(cluster_sql "$1")
  [ "$got" = "$2" ] || { printf '%s\ngave: %s\nnot:  %s\n' "$1" "$got" "$2"; return 1; }
}

# matches "statement" PATTERN: what the statement gives matches.
matches() {
  local got
  got=$(cluster_sql "$1" 2>&1) || true
  grep -qE "$2" <<<"$got" || { printf '%s\ngave: %s\nwithout: %s\n' "$1" "$got" "$2"; return 1; }
}

# within PERCENT A B: the two differ by no more than that of the second.
within() { awk -v p="$1" -v a="$2" -v b="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; print a, b; exit !(d <= p / 100 * b) }'; }

# The shell's own kill: a minimal machine has no other.
signal() { as_server bash -c "kill -$1 $2"; }
sampler_pid() { cluster_sql "SELECT pid FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"; }
logged() { grep -cE "$1" "$CLUSTER/server.log" || true; }

# whole_device: the name of the disk that holds the cluster; fails where it is on none.
whole_device() {
  local number
  number=$(stat --format '%Hd:%Ld' "$CLUSTER")
  [[ $number != 0:* ]] || return 1
  local path=/sys/dev/block/$number
  [ ! -e "$path/partition" ] || path=$path/..
  basename "$(readlink -f "$path")"
}
