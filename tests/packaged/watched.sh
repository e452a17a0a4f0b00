# Index advice on a server that is watched over connections, beside that of the extension on the same server, of the same minute: the
# planner is asked by SQL there and through C here, and both have to propose the same. With the schemas of the cases whose right index is
# known, with one whose index would cost more than it saves, and with the questions of TPROC-H.
. "$ROOT/tests/packaged/harness.sh"
server 16MB
cluster_sql "CREATE ROLE app LOGIN; CREATE ROLE watcher LOGIN; GRANT pg_monitor TO watcher; ALTER ROLE app SET search_path = tproc_h;
  CREATE ROLE ebs_planner LOGIN; ALTER ROLE ebs_planner SET search_path = tproc_h" >/dev/null

# of_case NAME: has schema and workload be those of the case.
of_case() { eval "$(sed '/^\. /d; /^index_case$/,$d' "$ROOT/tests/packaged/$1.sh")"; }
# made SCHEMA: the SQL on standard input makes the schema, of which role app may use all, and role ebs_planner only read.
made() {
  TEST=$1 vacuumed
  cluster_sql "GRANT USAGE ON SCHEMA $1 TO app; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA $1 TO app;
    GRANT USAGE ON SCHEMA $1 TO ebs_planner; GRANT SELECT ON ALL TABLES IN SCHEMA $1 TO ebs_planner" >/dev/null
}
cases=(foreign_key multi_column order_by_limit partial covering dear_index)
for name in "${cases[@]}"; do
  of_case "$name"
  schema | made "$name"
done
made tproc_h <"$ROOT/tests/packaged/tproc_h.sql"

# The statements of role app.
client() { cluster_run env PGHOST="$CLUSTER" PGUSER=app PGDATABASE=postgres "$@"; }
# Two cases read about 0.5 % of all, the least for which a statement is analyzed: the same statement would be above it in one run and
# below it in the other. Three rounds of them read 1.6 % and more.
worked() {
  local name
  for name in "${cases[@]}" covering dear_index covering dear_index; do
    of_case "$name"
    workload
  done
  cluster_psql -d postgres -U app -qX -v ON_ERROR_STOP=1 -f - <"$ROOT/tests/packaged/tproc_h_queries.sql" >/dev/null
}

cold
cluster_sql "SELECT pg_stat_statements_reset(); SELECT ebs_run_begin('sampled')" >/dev/null
watching watcher watched --planner "host=$CLUSTER user=ebs_planner dbname=postgres"
worked
check "a watch with a connection of a role that only reads keeps its advice" watch_ends
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "it names the roles that plan" \
  grep -q 'indexes *hypopg and the planner, at the end, as role "watcher", "ebs_planner"' "$SCRATCH/watched.log"
# Of the same statements the same rows: rates apart, since both runs do not begin and end at the same moment. Statements about the two
# limits, 0.5 % of all reads to be analyzed and 1 % to be saved, are left out for the same reason: two of TPROC-H, with 0.7 % each.
rows="SELECT kind, advised, relation, ddl, query_id, statement, round(blocks_before) AS before, round(blocks_after) AS after, size_bytes,
    regexp_replace(reason, 'spares: .*', 'spares') AS reason
  FROM (SELECT *, reads_s / sum(reads_s) OVER () AS share FROM ebs_index_advice('LABEL'))
  WHERE kind IN ('index', 'statement') AND share > 0.012 AND statement !~ 'pg_stat_|ebs_|measured'"
sampled=${rows/\'LABEL\'/\'sampled\', search_path => \'tproc_h\'}
check "there are indexes to create" is "SELECT count(*) >= 5 FROM (${rows/LABEL/watched}) r WHERE advised" t
check "both propose the same, and say the same of what they do not propose" \
  is "SELECT json_agg(r) FROM ((($sampled) EXCEPT ALL (${rows/LABEL/watched})) UNION ALL ((${rows/LABEL/watched}) EXCEPT ALL ($sampled))) r" ''
drop="SELECT kind, ddl FROM ebs_index_advice('LABEL') WHERE kind IN ('duplicate', 'unused') ORDER BY ddl"
check "and the same to drop" is "${drop/LABEL/watched}" "$(cluster_sql "${drop/LABEL/sampled}")"
check "findings have the indexes" matches "SELECT string_agg(finding, ' ') FROM ebs_findings('watched')" 'index'
check "the questions leave few entries in pg_stat_statements" is "SELECT count(*) < 20 FROM pg_stat_statements WHERE query ~ 'hypopg|ebsctl'" t
check "nothing was created at the server" is "SELECT count(*) FROM pg_class WHERE relname LIKE '%btree%'" 0

# A table that another session has locked is left out, its statements too, and the others are planned.
watching watcher locked --planner "host=$CLUSTER user=ebs_planner dbname=postgres"
worked
(cluster_run env PGAPPNAME=locker "$PG_BIN/psql" -X -h "$CLUSTER" -U postgres -d postgres -qAtc \
  "BEGIN; LOCK TABLE partial.job IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(3600)" >/dev/null 2>&1) &
cluster_await "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE application_name = 'locker'"
check "a watch beside a locked table keeps what it saw" watch_ends
cluster_sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'locker'" >/dev/null
check "the statement on it says why it was not planned" is "SELECT DISTINCT reason FROM ebs_index_advice('locked') WHERE statement ~ 'partial\.job'" \
  'not planned: canceling statement due to lock timeout'
check "the others are planned" is "SELECT count(*) >= 4 FROM ebs_index_advice('locked') WHERE kind = 'index' AND advised" t

# A role that may read none of its tables plans nothing of it.
watching watcher unplanned
worked
check "a watch without a planner of its own keeps what it saw" watch_ends
check "statements on tables that its role may not read are not planned" is "SELECT count(*) > 0 AND bool_and(reason ~ 'not planned: (permission denied|relation .* does not exist)')
  FROM ebs_index_advice('unplanned') WHERE statement ~ '^SELECT .*tproc_h|^SELECT .*foreign_key'" t

# A function of a role that may not act as the planner's is never run: not by a view, a check, nor an index.
cluster_sql "CREATE SCHEMA tenant AUTHORIZATION app; GRANT USAGE ON SCHEMA tenant TO ebs_planner" >/dev/null
cluster_psql -d postgres -U app -qX -v ON_ERROR_STOP=1 -c "SET search_path = pg_catalog" -f - >/dev/null <<'SQL'
CREATE FUNCTION tenant.spy(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE LOG 'spy ran as %', current_user; RETURN $1; END $$;
CREATE TABLE tenant.t AS SELECT g AS a, repeat('x', 500) AS b FROM generate_series(1, 100000) g;
ALTER TABLE tenant.t ADD CHECK (tenant.spy(1) = 1);
CREATE VIEW tenant.v AS SELECT * FROM tenant.t WHERE a = tenant.spy(3);
GRANT SELECT ON ALL TABLES IN SCHEMA tenant TO ebs_planner;
SQL
watching watcher spied --planner "host=$CLUSTER user=ebs_planner dbname=postgres"
cluster_psql -d postgres -U app -qX -c 'SELECT * FROM tenant.v' -c 'SELECT * FROM tenant.t WHERE a = 5' -c "SELECT tenant.spy(1) FROM tenant.t WHERE b = 'y'" >/dev/null
check "a watch beside a tenant's functions keeps what it saw" watch_ends
check "what reaches them is not planned, and says whose they are" is "SELECT count(*) >= 2 AND bool_and(reason ~
  'not planned: function tenant.spy\(integer\) belongs to role \"app\", which may not act as role \"ebs_planner\"')
  FROM ebs_index_advice('spied') WHERE statement ~ 'tenant\.'" t
check "they ran as their owner alone" bash -c "! grep -r 'spy ran as' '$CLUSTER' --include='*log*' | grep -v 'spy ran as app'"

# refused PATTERN COMMAND…: it fails, and says why.
refused() {
  local said
  said=$("${@:2}" 2>&1) && { echo "$said"; return 1; }
  grep -qE "$1" <<<"$said" || { echo "$said"; return 1; }
}
cluster_sql 'CREATE DATABASE other'
check "a planner of another database is refused before anything is watched" refused 'leads to database "other" and not to "postgres"' \
  watch watcher other --for 1h --planner "host=$CLUSTER user=ebs_planner dbname=other"
check "so is a password" refused 'password on a command line' \
  watch watcher other --for 1h --planner "host=$CLUSTER user=app password=x dbname=postgres"

# harmful SQL PATTERN: role harmful, of which SQL is true, is refused for this reason before anything is watched.
harmful() {
  cluster_sql "DROP ROLE IF EXISTS harmful; CREATE ROLE harmful LOGIN; $1" >/dev/null
  check "a planner's role is refused: $2" refused "$2" watch watcher harmful --for 1h --planner "host=$CLUSTER user=harmful dbname=postgres"
  cluster_sql "DROP OWNED BY harmful" >/dev/null
}
harmful 'ALTER ROLE harmful SUPERUSER' 'it is a superuser'
harmful 'ALTER ROLE harmful CREATEROLE' 'ALTER ROLE "harmful" NOCREATEROLE;'
harmful 'ALTER ROLE harmful REPLICATION' 'it has REPLICATION'
harmful 'ALTER ROLE harmful BYPASSRLS' 'it has BYPASSRLS'
for role in pg_write_all_data pg_execute_server_program pg_read_server_files pg_write_server_files; do
  harmful "GRANT $role TO harmful" "REVOKE \"$role\" FROM \"harmful\";"
done
for right in INSERT UPDATE DELETE TRUNCATE 'UPDATE (a)'; do
  harmful "GRANT $right ON tenant.t TO harmful" "it has $(sed 's/[()]/\\&/g' <<<"$right") on table tenant.t"
done
harmful 'ALTER ROLE harmful NOINHERIT; GRANT app TO harmful' 'it is a member of "app", which owns'
harmful 'CREATE TABLE public.of_harmful (); ALTER TABLE public.of_harmful OWNER TO harmful' 'it owns table public.of_harmful'

# A role that may not connect any more when the planner is asked.
watching watcher lost --planner "host=$CLUSTER user=ebs_planner dbname=postgres"
cluster_sql 'ALTER ROLE ebs_planner NOLOGIN'
check "a watch whose planner is gone keeps what it saw" watch_ends
check "and says so" grep 'warning: statements are not planned: role ebs_planner: the server was not reached: .*not permitted to log in' "$SCRATCH/lost.log"
cluster_sql 'ALTER ROLE ebs_planner LOGIN'

# Where hypopg is not there, indexes without use are listed all the same.
cluster_sql 'DROP EXTENSION hypopg'
watching watcher without --planner "host=$CLUSTER user=ebs_planner dbname=postgres"
check "a watch without hypopg keeps what it saw" watch_ends
check "it names the remedy" grep -A 2 'indexes *unknown: hypopg is not in database "postgres"' "$SCRATCH/without.log"
check "and so does the answer" is "SELECT ddl FROM ebs_index_advice('without') WHERE kind = 'missing'" 'CREATE EXTENSION hypopg'
