# Statements of a run, against pg_stat_statements itself: what is evicted or reset in between is said, and texts are shown to whom
# pg_stat_statements shows them. PostgreSQL without contrib modules (the wheel of 16) has none.
# On every major: pg_stat_statements has other columns, checkpoints are counted in another view.
if [ ! -e "$("$PG_BIN/pg_config" --sharedir)/extension/pg_stat_statements.control" ]; then
  sampling </dev/null
  check "without the module: what is missing is said" matches "SELECT count(*) FROM ebs_queries()" 'pg_stat_statements is not preloaded'
  skip "statements: this PostgreSQL has no pg_stat_statements"
  return
fi
sampling <<<"$(own_disk_settings)
shared_preload_libraries = 'ebs_advisor, pg_stat_statements'
track_io_timing = on
pg_stat_statements.max = 100
autovacuum = off"
app() { cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -U app "$@"; }
run() { cluster_sql "SELECT ebs_run_$1" >/dev/null; }

run "begin('uncreated')"
run 'end()'
check "not created: it is said where and how" matches "SELECT count(*) FROM ebs_queries('uncreated')" 'not created in database postgres'
cluster_sql 'CREATE EXTENSION pg_stat_statements'
cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username postgres -i -s 2 -q postgres >/dev/null 2>&1
cluster_sql 'CREATE ROLE app LOGIN; GRANT pg_read_all_data, pg_write_all_data TO app'

# A load of which everything is known by pg_stat_statements itself.
cluster_sql 'SELECT pg_stat_statements_reset()' >/dev/null
run "begin('load')"
cluster_run "$PG_BIN/pgbench" --host "$CLUSTER" --username app -n -t 200 -c 2 postgres >/dev/null 2>&1
disk_reads 1000
run 'end()'
same="SELECT count(*) >= 5 AND bool_and(q.calls = s.calls AND q.wal_bytes = s.wal_bytes AND q.blocks_read = s.shared_blks_read + s.local_blks_read
    AND q.temp_blocks_written = s.temp_blks_written AND q.statement = s.query AND q.note IS NULL)
  FROM pg_stat_statements s JOIN ebs_queries('load') q ON q.query_id = s.queryid AND q.role = 'app' AND q.database = 'postgres'
  WHERE s.userid = 'app'::regrole AND s.query ~ 'pgbench_'"
check "a run counts what pg_stat_statements counted since its reset" is "$same" t
check "400 of each, and none of the run's own" is \
  "SELECT DISTINCT calls FROM ebs_queries('load') WHERE role = 'app' AND statement ~ '^(UPDATE|INSERT)'" 400
check "shares are shares" is "SELECT count(*) FROM ebs_queries('load') WHERE NOT (coalesce(demand_pct, 0) BETWEEN 0 AND 100.001
  AND coalesce(wal_pct, 0) BETWEEN 0 AND 100.001 AND coalesce(device_reads_s_low <= device_reads_s AND device_reads_s <= device_reads_s_high, true))" 0
check "the rows' reads are all the device's" is "SELECT round((sum(device_reads_s) / (SELECT mean FROM ebs_io_mix('load')
  WHERE metric = 'reads'))::numeric, 3), sum(device_reads_s) > 0 FROM ebs_queries('load')" '1.000|t'   # the rows are rounded

# In one transaction, with statistics as of its first look.
cluster_sql "BEGIN; SET LOCAL stats_fetch_consistency = snapshot; SELECT ebs_run_begin('atomic'); SELECT count(*) FROM pgbench_tellers; SELECT ebs_run_end(); COMMIT" >/dev/null
check "in one transaction too" is "SELECT calls FROM ebs_queries('atomic') WHERE statement ~ 'pgbench_tellers'" 1

# A temporary file that can be counted, and an open run that is compared with now.
run "begin('spill')"
app -c "SET work_mem = '64kB'" -c 'SELECT count(*) FROM (SELECT * FROM pgbench_accounts ORDER BY filler, aid DESC OFFSET 1) s' >/dev/null
check "an open run is compared with now" matches "SELECT temp_blocks_written FROM ebs_queries('spill') WHERE statement ~ 'ORDER BY filler'" '^[1-9]'
check "temporary files by statement are those of the kernel's names" is "SELECT temp_blocks_written > 1000 AND temp_blocks_read > 1000
  FROM ebs_queries('spill') WHERE statement ~ 'ORDER BY filler'" t
run 'end()'

# Reset in between.
run "begin('reset')"
app -c 'SELECT count(*) FROM pgbench_branches' >/dev/null
cluster_sql 'SELECT pg_stat_statements_reset()' >/dev/null
app -c 'SELECT count(*) FROM pgbench_branches' >/dev/null
run 'end()'
check "a reset of all is said" matches "SELECT calls || note FROM ebs_queries('reset') WHERE statement ~ 'pgbench_branches'" '^1pg_stat_statements was reset'
app -c 'SELECT count(*) FROM pgbench_branches' -c 'SELECT count(*) FROM pgbench_branches' >/dev/null
run "begin('single')"
cluster_sql "SELECT pg_stat_statements_reset(userid, dbid, queryid) FROM pg_stat_statements WHERE query ~ 'pgbench_branches'" >/dev/null
app -c 'SELECT count(*) FROM pgbench_branches' >/dev/null
run 'end()'
check "a reset of one is said" matches "SELECT calls || note FROM ebs_queries('single') WHERE statement ~ 'count.*pgbench_branches' AND role = 'app'" \
  '^1.*counted from zero'

# Evicted: more statements than there is room for.
run "begin('evicted')"
cluster_sql "DO \$\$ BEGIN FOR i IN 1 .. 300 LOOP EXECUTE format('CREATE TEMP TABLE t%s (c%s int)', i, i); EXECUTE format('SELECT c%s FROM t%s', i, i);
  END LOOP; END \$\$" >/dev/null
for i in $(seq 1 150); do echo "SELECT $(printf 'relname, %.0s' $(seq 1 "$i")) 1 FROM pg_class LIMIT 0;"; done | app -f - >/dev/null
run 'end()'
check "evictions are said" matches "SELECT string_agg(note, ' ') FROM ebs_queries('evicted')" 'evicted [0-9]+ times'
check "and those that went are named without figures" is "SELECT count(*) > 0 AND bool_and(calls IS NULL AND blocks_read IS NULL) FROM ebs_queries('evicted')
  WHERE note ~ 'not back'" t
check "and new ones did at least what is shown" is "SELECT count(*) > 0 FROM ebs_queries('evicted') WHERE note ~ 'at least'" t

# Texts are for those who may read them.
cluster_sql "CREATE ROLE reader LOGIN; GRANT EXECUTE ON FUNCTION ebs_queries TO reader; GRANT USAGE ON SCHEMA ebs TO reader;
  GRANT SELECT ON ALL TABLES IN SCHEMA ebs TO reader" >/dev/null
run "begin('private')"
app -c "SELECT 1 AS mine, 'secret' WHERE 2 > 1" >/dev/null
cluster_psql -d postgres -qAtX -U reader -c 'SELECT 1 AS own, 3 AS three' >/dev/null
run 'end()'
shown() { cluster_psql -d postgres -qAtX -U "$1" -c "SELECT string_agg(coalesce(statement, '-'), ' ') FROM ebs_queries('private')" 2>&1; }
check "pg_read_all_stats sees texts" bash -c "grep -q 'AS mine' <<<\"\$1\"" _ "$(shown postgres)"
check "without it none but one's own" bash -c "grep -q 'AS own' <<<\"\$1\" && ! grep -q 'AS mine' <<<\"\$1\"" _ "$(shown reader)"
check "and no text is kept with runs" is "SELECT count(*) FROM ebs.run_reading WHERE reading::text ~ 'AS mine|AS own|secret'" 0

# Wherever it was created.
cluster_sql 'CREATE SCHEMA "odd Schema"; DROP EXTENSION IF EXISTS pg_stat_statements; CREATE EXTENSION pg_stat_statements SCHEMA "odd Schema"'
run "begin('odd')"
app -c 'SELECT count(*) FROM pgbench_tellers' >/dev/null
run 'end()'
check "wherever it was created" is "SELECT calls FROM ebs_queries('odd') WHERE statement ~ 'pgbench_tellers'" 1
cluster_sql "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA \"odd Schema\" FROM PUBLIC"
check "who may not use it is answered without texts" bash -c "[ \"\$1\" = '' ] || ! grep -q tellers <<<\"\$1\"" _ \
  "$(cluster_psql -d postgres -qAtX -U reader -c "SELECT statement FROM ebs_queries('odd')" 2>&1)"

# Dumped and restored.
cluster_run "$PG_BIN/pg_dump" --host "$CLUSTER" --username postgres --file "$CLUSTER/dump.sql" postgres
cluster_sql 'CREATE DATABASE restored'
cluster_psql -d restored -qX -f "$CLUSTER/dump.sql" >/dev/null 2>&1
query="SELECT md5(string_agg(concat(query_id, calls, blocks_read, device_reads_s, note), '|')) FROM ebs_queries('load')"
check "a dump keeps it" same_in restored "$query"

# Findings: updates without room, checkpoints forced by WAL; what they wrote is a part of what the disk did. The same on a real
# disk, with its share of it, is measured (tests/quiet/queries.sh).
cluster_sql "ALTER SYSTEM SET min_wal_size = '32MB'"
cluster_sql "ALTER SYSTEM SET max_wal_size = '32MB'"
reload
cluster_sql 'DROP EXTENSION pg_stat_statements; CREATE EXTENSION pg_stat_statements'
without_room
run "begin('causes')"
for _ in 1 2 3; do cluster_sql 'UPDATE narrow SET n = n + 1'; done
app -c "SET work_mem = '64kB'" -c 'SELECT count(*) FROM (SELECT * FROM pgbench_accounts ORDER BY filler, aid DESC OFFSET 1) s' >/dev/null
cluster_sql CHECKPOINT
disk_reads 0 10000
# Who wrote what is counted when sessions have ended and the checkpointer has said so, a moment later.
check "an open run has its findings, too" cluster_await "SELECT count(DISTINCT finding) = 2
  FROM ebs_findings('causes') WHERE finding IN ('fillfactor', 'checkpoints')"
run 'end()'
causes_found causes
