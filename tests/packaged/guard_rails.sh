# What index advice must never do: execute a statement, run code of the statements' authors, plan for who may not read, leave hypothetical
# indexes behind or touch those of the session, go on when it is cancelled, fail because one statement fails.
. "$ROOT/tests/packaged/harness.sh"
server
vacuumed <<'SQL'
CREATE SCHEMA guard_rails;
CREATE TABLE guard_rails.t (id int PRIMARY KEY, a int, b int, pad text);
INSERT INTO guard_rails.t SELECT i, i % 20000, i % 7, repeat('x', 200) FROM generate_series(1, 200000) i;
CREATE TABLE guard_rails.gone (id int);
INSERT INTO guard_rails.gone SELECT generate_series(1, 200000);
-- Says that it depends on nothing, and so would be run while a statement is planned.
CREATE FUNCTION guard_rails.mark() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN RAISE LOG 'guard_rails: planned as %', current_user; RETURN 5; END $$;
CREATE ROLE guard_rails_author;
CREATE ROLE guard_rails_reader IN ROLE pg_monitor;
GRANT USAGE ON SCHEMA guard_rails TO guard_rails_author;
GRANT ALL ON ALL TABLES IN SCHEMA guard_rails TO guard_rails_author;
SQL
cold
cluster_sql "SELECT pg_stat_statements_reset()" >/dev/null
sql_file <<'SQL'
SET ROLE guard_rails_author;
SELECT count(pad) FROM guard_rails.t WHERE a = guard_rails.mark();
WITH d AS (DELETE FROM guard_rails.t WHERE a = 17 AND b = 3 RETURNING 1) SELECT count(*) FROM d;
UPDATE guard_rails.t SET b = 9 WHERE a = 19;
SELECT count(*) FROM guard_rails.gone;
RESET ROLE;
DROP TABLE guard_rails.gone;
SQL
rows=$(cluster_sql 'SELECT count(*), sum(b) FROM guard_rails.t')
SINCE=$(wc -l <"$CLUSTER/server.log")
since() { tail -n "+$((SINCE + 1))" "$CLUSTER/server.log" | grep -c "$1" || true; }

cluster_sql "CREATE TABLE guard_rails.advice AS SELECT * FROM ebs_index_advice()"
check "an index for what its author wrote is advised" \
  matches "SELECT string_agg(ddl, ' ') FROM guard_rails.advice WHERE advised AND kind = 'index'" 'guard_rails\.t \(a\)'
check "nothing was executed" is 'SELECT count(*), sum(b) FROM guard_rails.t' "$rows"
check "nothing was created" is "SELECT count(*) FROM pg_index WHERE indrelid = 'guard_rails.t'::regclass" 1
check "a statement that cannot be planned is a row" \
  matches "SELECT string_agg(reason, ' ') FROM guard_rails.advice WHERE kind = 'statement'" 'not planned: relation "guard_rails.gone" does not exist'
runs_nothing() { [ "$(since 'guard_rails: planned as')" = 0 ]; }
check "functions of the statements are not run" runs_nothing

# reader REASON: what a member of pg_monitor that did not execute the statements is told.
reader() { matches "SET ROLE guard_rails_reader; SELECT string_agg(coalesce(ddl, reason), '; ') FROM ebs_index_advice()" "$1"; }
# granted PATTERN: executes the command that the reason has.
granted() {
  local command
  command=$(cluster_sql "SET ROLE guard_rails_reader; SELECT DISTINCT substring(reason FROM ': (GRANT .*)$') FROM ebs_index_advice() WHERE reason ~ '$1'") || return 1
  cluster_sql "$command"
}
check "who may not use the schema is told so" reader 'not planned: role guard_rails_reader lacks USAGE on schema guard_rails: GRANT USAGE ON SCHEMA guard_rails TO guard_rails_reader'
check "with the command that grants it" granted 'lacks USAGE'
check "who may not read the table is told so" reader 'not planned: role guard_rails_reader lacks SELECT on table guard_rails.t: GRANT SELECT ON guard_rails.t TO guard_rails_reader'
check "with the command that grants it, too" granted 'lacks SELECT'
check "with both it is answered as others are" reader 'CREATE INDEX CONCURRENTLY ON guard_rails\.t \(a\)'

check "hypothetical indexes of the session stay, and none of ours" \
  is "SELECT count(*) FROM hypopg_create_index('CREATE INDEX ON guard_rails.t (a)');
      CREATE TEMP TABLE x AS SELECT * FROM ebs_index_advice(); SELECT count(*), (SELECT count(*) FROM x WHERE advised AND kind = 'index' AND ddl ~ '\(a\)') FROM hypopg_list_indexes;
      SELECT count(*) FROM hypopg_hidden_indexes()" "1
1|1
0"
# Once an index is tried, whoever asks for it waits as long as it takes to be cancelled.
sql_file <<'SQL'
ALTER FUNCTION hypopg_relation_size(oid) RENAME TO size_of_hypopg;
CREATE FUNCTION hypopg_relation_size(oid) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guard_rails.wait', true) = 'yes' THEN
    RAISE LOG 'guard_rails: waits with % indexes', (SELECT count(*) FROM public.hypopg());
    PERFORM pg_sleep(600);
  END IF;
  RETURN public.size_of_hypopg($1);
END $$;
SQL
cancelled() {
  cluster_psql -d postgres -qAtX 2>&1 <<'SQL'
SET application_name = 'cancelled';
SET guard_rails.wait = 'yes';
SELECT count(*) FROM ebs_index_advice();
RESET guard_rails.wait;
SELECT 'left: ' || count(*) FROM hypopg_list_indexes;
SELECT 'plans: ' || (count(*) > 0)::text FROM ebs_index_advice();
SQL
}
waits_again() { [ "$(logged 'guard_rails: waits with 1 indexes')" -gt "$1" ]; }
cancels() {
  local waited client
  waited=$(logged 'guard_rails: waits with 1 indexes')
  cancelled >"$SCRATCH/cancelled" &
  client=$!
  await waits_again "$waited" || return 1
  cluster_sql "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'cancelled'" >/dev/null
  wait "$client"
  cat "$SCRATCH/cancelled"
  [ "$(grep -cxE 'ERROR:  canceling statement due to user request|left: 0|plans: true' "$SCRATCH/cancelled")" = 3 ]
}
check "it ends when it is cancelled, and leaves nothing" cancels
check "so many plans and no more" matches "SELECT string_agg(reason, ' ') FROM ebs_index_advice(max_plans => 3)" 'plans ran out \(max_plans\)'
