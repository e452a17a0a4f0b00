# pg_upgrade takes a cluster of the major before to this one, with all its history; the sampler keeps quiet meanwhile. Runs on 17,
# which is tested after 18 (.ci/run), so that 18 has the same extension by then.
# On every major: 17 is the one that is upgraded.
from=$(major_of "$PG_BIN/pg_config")
to=18
other=$CACHE/pg$to/bin/pg_config
script=extension/ebs_advisor--$(sed -n "s/^default_version = '\(.*\)'/\1/p" "$ROOT/extension/ebs_advisor.control").sql
if [ "$from" != $((to - 1)) ]; then
  skip "pg_upgrade to $to is tried from $((to - 1))"
  return
elif [ ! -x "$other" ]; then
  skip "there is no PostgreSQL $to in $CACHE (make test PG=$to puts it there)"
  return
elif ! cmp -s "$("$PG_BIN/pg_config" --sharedir)/$script" "$("$other" --sharedir)/$script"; then
  skip "PostgreSQL $to has no ebs_advisor like this one (make install PG_CONFIG=$other)"
  return
elif grep -q pg_attver "$PG_BIN/postgres" && ! grep -q pg_attver "$("$other" --bindir)/postgres"; then
  skip "this PostgreSQL $to is older than what $from keeps with columns (pg_attver, 17.12): pg_upgrade wants a newer one"
  return
fi

. "$ROOT/tests/live/predecessor.bash"
predecessor
old_bin=$(with_scripts "$PG_BIN")
new_bin=$(with_scripts "$("$other" --bindir)")
PG_BIN=$old_bin
old=$SCRATCH/old
new=$SCRATCH/new
sampling "$old" </dev/null
history
check "there is something in each table" prints_nothing without_rows
cluster_sql 'CREATE DATABASE older'
cluster_sql "CREATE EXTENSION ebs_advisor VERSION '$first'" older
cluster_sql "SELECT ebs_import_samples('kept', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01' + i * interval '1 s',
  'reads', 5000 + i, 'writes', 100, 'read_bytes', 40960000, 'write_bytes', 819200))) FROM generate_series(1, 60) i" older >/dev/null
advice="SELECT ebs_advise('kept', show => 'all')"
cluster_sql "$advice" older >"$SCRATCH/advice.before"
answers >"$SCRATCH/before"
cluster_stop
# From 18 on initdb makes clusters with checksums, and pg_upgrade wants both alike.
cluster_run "$PG_BIN/pg_checksums" --pgdata data --enable >/dev/null
stopped=$(date +%s)

PG_BIN=$new_bin
CLUSTER=$new
# The template is of the old major.
CLUSTER_TEMPLATE= cluster_create <<<"fsync = off
ebs_advisor.flush_interval = 1s"
upgraded() {
  cluster_run "$PG_BIN/pg_upgrade" --old-bindir "$old_bin" --new-bindir "$new_bin" --old-datadir "$old/data" --new-datadir "$new/data" \
    --username postgres --socketdir "$new" --retain
}
check "pg_upgrade takes it to $to" upgraded
started=$(date +%s)
cluster_start
check "the sampler was quiet meanwhile" \
  is "SELECT count(*) FROM ebs.sample_block WHERE run_id IS NULL AND ended_at > to_timestamp($stopped + 1) AND started_at < to_timestamp($started - 1)" 0
cat "$new"/data/pg_upgrade_output.d/*/log/pg_upgrade_server.log >"$SCRATCH/servers"
check "its servers left a log" grep -q 'ready to accept connections' "$SCRATCH/servers"
# By severity and by worker: paths of sockets may hold our name, too.
check "and told of no trouble" diff /dev/null <(grep -E '(WARNING|ERROR|PANIC):|worker "ebs_advisor' "$SCRATCH/servers")
answers >"$SCRATCH/after"
check "answers are what they were, digit for digit, and all that is kept" diff "$SCRATCH/before" "$SCRATCH/after"
check "sampling goes on" cluster_await "SELECT EXISTS (SELECT FROM ebs.sample_block WHERE run_id IS NULL AND started_at > to_timestamp($started))"
check "a new run has a number of its own" is "SELECT ebs_run_begin('later') > (SELECT max(run_id) FROM ebs.runs_detail WHERE label <> 'later')" t
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "a dump has the rows still" matches "SELECT count(*) FROM pg_extension, unnest(extconfig, extcondition) k (kept, condition)
  JOIN pg_class c ON c.oid = kept WHERE extname = 'ebs_advisor' AND condition = '' AND relnamespace = 'ebs'::regnamespace" '^1[0-9]$'

cluster_sql 'CREATE DATABASE made'
cluster_sql 'CREATE EXTENSION ebs_advisor' made
objects() { cluster_psql -d "$1" -qAtX -v ON_ERROR_STOP=1 -f - <"$ROOT/tests/live/extension_objects.sql"; }
objects postgres >"$SCRATCH/objects"
objects made >"$SCRATCH/objects.made"
check "nothing differs from a fresh database of $to" diff "$SCRATCH/objects.made" "$SCRATCH/objects"
check "a database of $first is one still" test "$(cluster_sql "SELECT extversion FROM pg_extension WHERE extname = 'ebs_advisor'" older)" = "$first"
check "and answers the same" diff "$SCRATCH/advice.before" <(cluster_sql "$advice" older)
check "and can be updated" cluster_sql 'ALTER EXTENSION ebs_advisor UPDATE' older
objects older >"$SCRATCH/objects.older"
check "to the same" diff "$SCRATCH/objects.made" "$SCRATCH/objects.older"
check "and answers the same then" diff "$SCRATCH/advice.before" <(cluster_sql "$advice" older)
