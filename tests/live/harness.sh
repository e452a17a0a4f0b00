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

# history: something in each of our tables; run "kept" is imported, run "live" was sampled, and the block in which it ended is
# written: what is held of that until then grows beyond the run.
history() {
  cluster_sql "SELECT ebs_import_samples('kept', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01' + i * interval '1 s',
    'reads', 5000 + i, 'writes', 100, 'read_bytes', 40960000, 'write_bytes', 819200))) FROM generate_series(1, 60) i" >/dev/null
  cluster_sql "SELECT ebs_run_result('kept', tps => 42)"
  cluster_sql "SELECT ebs_run_begin('live')" >/dev/null
  cluster_sql "SELECT ebs_run_mark('measure')" >/dev/null
  sleep 1.2
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 500); SELECT ebs_instance_declare('m5.large')" >/dev/null
  cluster_sql "SELECT ebs_import_prices('{\"offer\": \"AmazonEC2\", \"version\": \"1\", \"published\": \"2026-12-01\", \"prices\": [
    {\"region\": \"us-east-1\", \"volume_type\": \"gp3\", \"part\": \"storage\", \"usd\": \"0.07\"}]}')" >/dev/null
  cluster_sql "SELECT ebs_run_tag('kept', 'final')" >/dev/null
  cluster_sql "SELECT ebs_import_fio('kept', '{\"fio version\": \"fio-3.33\", \"timestamp\": 1, \"jobs\": [{\"jobname\": \"kept by fio\"}]}')" >/dev/null
  cluster_await "SELECT EXISTS (SELECT FROM ebs.sample_block b WHERE b.run_id IS NULL AND started_at > (SELECT max(ended_at) FROM ebs.run))" 20
}

# without_rows [DATABASE]: those of our tables that have none.
without_rows() {
  cluster_psql -d "${1:-postgres}" -qAtX -v ON_ERROR_STOP=1 -f - <<'SQL'
SELECT format('SELECT %L WHERE NOT EXISTS (SELECT FROM %s)', kept, kept)
FROM (SELECT unnest(extconfig)::regclass AS kept FROM pg_extension WHERE extname = 'ebs_advisor') t
JOIN pg_class c ON c.oid = kept AND relkind = 'r' \gexec
SQL
}

# answers [DATABASE]: what is said of the runs of history, and all that is kept of them.
answers() {
  cluster_psql -d "${1:-postgres}" -qAtX -v ON_ERROR_STOP=1 -f - <<'SQL'
SELECT ebs_advise('kept');
SELECT ebs_advise('live');
SELECT * FROM ebs_options('kept', min_size_gib => 100);
SELECT * FROM ebs_whatif('kept', 'io2', 20000);
SELECT * FROM ebs_io_mix('live');
SELECT * FROM ebs_io_sources('live');
SELECT * FROM ebs_balance('live');
SELECT * FROM ebs_waits('live');
SELECT * FROM ebs_workload('live');
SELECT * FROM ebs_device_samples('live');
SELECT * FROM ebs_price('gp3', 100);
SELECT * FROM ebs.runs ORDER BY run_id;
SELECT * FROM ebs.run_mark ORDER BY run_id, marked_at;
SELECT ebs_run_export('*');
SQL
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
  [ -e "$path" ] || return 1
  [ ! -e "$path/partition" ] || path=$path/..
  basename "$(readlink -f "$path")"
}
