# A tenant of the database that ebsctl connects to as a superuser: whatever schemas, functions, operators, types, tables and settings it
# has put in the way, none of them is used, and every command does its work. The extension is once in a schema of its own, and once in
# public, where the tenant may create overloads of its functions.
# On every major: which functions and operators PostgreSQL takes for the better fit.
EBSCTL=$(program ebsctl)
CLIENT=$SCRATCH/client
mkdir "$CLIENT"
. "$ROOT/tests/attack/client.sh"
. "$ROOT/tests/attack/commands.sh"
. "$ROOT/tests/attack/body.sh"
export XDG_STATE_HOME=$SCRATCH/state
command_inputs

tenant() { cluster_psql -d theirs -U tenant -qAtX -v ON_ERROR_STOP=1 "$@"; }
# database SCHEMA: a fresh cluster whose database "theirs" has the extension in that schema, and a tenant.
database() {
  fresh "$SCRATCH/$1" <<CONF
ebs_advisor.database = 'theirs'
$(! available pg_stat_statements || cat "$ATTACK/statements.conf")
CONF
  cluster_sql 'CREATE ROLE checker SUPERUSER LOGIN; CREATE ROLE tenant LOGIN; CREATE ROLE planner LOGIN;
    GRANT pg_read_all_data TO planner'
  cluster_sql 'CREATE DATABASE theirs'
  plain_sql theirs "CREATE SCHEMA IF NOT EXISTS $1; CREATE EXTENSION ebs_advisor SCHEMA $1"
  plain_sql theirs 'GRANT CREATE ON DATABASE theirs TO tenant; GRANT CREATE ON SCHEMA public TO tenant'
  plain_sql theirs "GRANT USAGE ON SCHEMA $1 TO tenant"
  ! available pg_stat_statements || plain_sql theirs "CREATE EXTENSION pg_stat_statements SCHEMA $1"
  await holds "SELECT ok FROM $1.ebs_status() WHERE \"check\" = 'samples'"
  kept_run theirs "$1"
  server="host=$CLUSTER user=postgres dbname=theirs"
}
holds() { [ "$(plain_sql theirs "$1")" = t ]; }
not_climbed() { holds "SELECT NOT rolsuper FROM pg_roles WHERE rolname = 'tenant'" || { echo "tenant is a superuser"; plain_sql theirs 'ALTER ROLE tenant NOSUPERUSER'; return 1; }; }
# nothing_sprung: no trap was stepped on since the last call.
seen_lines=0
nothing_sprung() {
  local before=$seen_lines
  seen_lines=$(wc -l <"$CLUSTER/server.log")
  ! sed "1,${before}d" "$CLUSTER/server.log" | grep -aoE 'LOG:  sprung: .*' | sort | uniq -c | sort -rn | head -n 20 | grep .
}
withstood() {
  local wrong=0
  command_run "$1" "$server" || { told; wrong=1; }
  clean || wrong=1
  not_climbed || wrong=1
  nothing_sprung || wrong=1
  [ "${2:-}" != worked ] || worked "$1" theirs || wrong=1
  return "$wrong"
}
every_command() {
  local name
  forget theirs
  seen_lines=$(wc -l <"$CLUSTER/server.log")
  for name in $(command_names); do check "$1: $name" withstood "$name" "${2:-}"; done
}

for schema in advisor public; do
  database "$schema"
  every_command "extension in $schema, nothing in wait" worked
  tenant -f - <"$ROOT/tests/attack/tenant-superuser.sql"
  every_command "extension in $schema, one function in the operator's schema" worked
  plain_sql theirs 'DROP SCHEMA postgres CASCADE' 2>/dev/null
  tenant -v installed="$schema" -f - <"$ROOT/tests/attack/tenant.sql" >"$SCRATCH/laid"
  check "extension in $schema: the traps are laid" test "$(grep -c '^laid in .*|t$' "$SCRATCH/laid")" = 2
  every_command "extension in $schema, a schema of the operator's name and public" worked

  # A session of tenant's that stays, with functions in its temporary schema.
  (cluster_psql -d theirs -U tenant -qAtX -c "CREATE FUNCTION pg_temp.ebs_import_configuration(text) RETURNS SETOF text LANGUAGE plpgsql AS
      'BEGIN PERFORM traps.climb(\$\$temporary\$\$); RETURN; END'; CREATE TABLE pg_temp.pg_extension (extname name)" -c 'SELECT pg_sleep(3600)' >/dev/null 2>&1) &
  await holds "SELECT count(*) > 0 FROM pg_stat_activity WHERE usename = 'tenant' AND wait_event = 'PgSleep'"
  temporary=$(plain_sql theirs "SELECT nspname FROM pg_namespace n JOIN pg_proc p ON p.pronamespace = n.oid WHERE nspname ~ '^pg_temp' LIMIT 1")
  path="evil, postgres, public, ${temporary:-pg_temp}, pg_temp, pg_catalog"
  plain_sql theirs "ALTER DATABASE theirs SET search_path = $path; ALTER ROLE postgres SET search_path = $path;
    ALTER ROLE postgres IN DATABASE theirs SET search_path = $path"
  every_command "extension in $schema, the tenant's schemas before pg_catalog" worked

  plain_sql theirs "ALTER DATABASE theirs SET standard_conforming_strings = off; ALTER DATABASE theirs SET backslash_quote = on;
    ALTER DATABASE theirs SET client_min_messages = debug5; ALTER DATABASE theirs SET bytea_output = escape;
    ALTER DATABASE theirs SET DateStyle = 'German, DMY'; ALTER DATABASE theirs SET IntervalStyle = sql_standard;
    ALTER DATABASE theirs SET extra_float_digits = -15; ALTER DATABASE theirs SET TimeZone = 'Asia/Kathmandu';
    ALTER DATABASE theirs SET client_encoding = 'LATIN1'; ALTER DATABASE theirs SET array_nulls = off;
    ALTER DATABASE theirs SET transform_null_equals = on; ALTER DATABASE theirs SET xmloption = document;
    ALTER DATABASE theirs SET lc_messages = 'C'; ALTER DATABASE theirs SET plpgsql.variable_conflict = use_column"
  every_command "extension in $schema, settings that bend a client" worked
  # Of these an error is an answer, too.
  plain_sql theirs "ALTER DATABASE theirs SET default_transaction_read_only = on; ALTER DATABASE theirs SET default_transaction_isolation = serializable;
    ALTER ROLE postgres IN DATABASE theirs SET role = tenant; ALTER DATABASE theirs SET statement_timeout = '1ms'"
  every_command "extension in $schema, settings that bar a client"

  seen_lines=$(wc -l <"$CLUSTER/server.log")
  plain_sql theirs "SELECT evil.upper('a')" >/dev/null
  check "a trap that is stepped on is seen" eval '! nothing_sprung'
  check "and would have climbed" eval '! not_climbed'
  cluster_stop
done
