# Nothing that the owner of a database sets for its sessions, or a superuser for itself, reaches the sampler: it keeps its process, goes on
# writing, and its session has what the server's configuration says. With and without a preloaded library.
# On every major: which settings there are, and which of them the first transaction obeys.
fresh <<CONF
ebs_advisor.database = 'theirs'
work_mem = 5MB
$(own_disk_settings)
CONF
cluster_sql 'CREATE ROLE mallory LOGIN'
cluster_sql 'CREATE DATABASE theirs OWNER mallory'
cluster_sql 'CREATE EXTENSION ebs_advisor' theirs
cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'" theirs
# What the test's own sessions there say for themselves.
exempt="-c role=none -c statement_timeout=0 -c idle_session_timeout=0 -c default_transaction_read_only=off -c exit_on_error=off"
[ "$("$PG_BIN/psql" --version | grep -oE '[0-9]+' | head -n 1)" = 16 ] || exempt="$exempt -c transaction_timeout=0"
theirs="dbname=theirs options='$exempt'"

# again: ends the sampler; the next one has a session with what is set now.
again() {
  pid=$(sampler_pid)
  [ -z "$pid" ] || cluster_sql "SELECT pg_terminate_backend($pid)" >/dev/null
  cluster_await "SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler' AND pid <> ${pid:-0} AND query = 'sampling'"
  pid=$(sampler_pid)
}
# goes_on: the same process writes, and is there after that.
blocks="SELECT coalesce(max(block_id), 0) FROM ebs.sample_block"
goes_on() {
  local before
  before=$(cluster_sql "$blocks" "$theirs")
  look "$theirs"
  [ "$(cluster_sql "$blocks" "$theirs")" -gt "$before" ] && [ "$(sampler_pid)" = "$pid" ]
}
again_and_goes_on() { again && goes_on; }

# Those that end a session, or what it does. Each by the database's owner, if that role may set it, or else by a superuser.
while read -r name value; do
  if ! [[ $name = @(role|session_authorization) ]] &&
    [ "$(cluster_sql "SELECT count(*) FROM pg_settings WHERE name = '$name'")" = 0 ]; then
    skip "$name (this server has no such setting)"
    continue
  fi
  set_there="ALTER DATABASE theirs SET $name = $value"
  cluster_sql "SET SESSION AUTHORIZATION mallory; $set_there" >/dev/null 2>&1 || cluster_sql "$set_there"
  check "$name = $value" again_and_goes_on
  cluster_sql "ALTER DATABASE theirs RESET ALL"
done <<'SETTINGS'
transaction_timeout 1
statement_timeout 1
idle_in_transaction_session_timeout 1
idle_session_timeout 1
lock_timeout 1
default_transaction_read_only on
default_transaction_isolation serializable
default_transaction_deferrable on
exit_on_error on
role mallory
session_authorization mallory
session_replication_role replica
SETTINGS

# Every setting that a session may change, to another value than the configuration gives it. What the sampler's session has is written
# by a trigger of the superuser's.
cluster_sql "CREATE TABLE seen AS SELECT name, setting, source, ''::text AS who FROM pg_settings LIMIT 0;
  CREATE FUNCTION look_around() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN
    INSERT INTO public.seen SELECT name, setting, source, session_user || ' ' || current_user FROM pg_settings; RETURN NULL; END \$\$;
  CREATE TRIGGER look_around AFTER INSERT ON ebs.sample_block FOR EACH STATEMENT EXECUTE FUNCTION look_around()" theirs
cat >"$SCRATCH/all.sql" <<'SQL'
CREATE TABLE hostile (name text, value text);
DO $$
DECLARE
    s record;
BEGIN
    FOR s IN
        SELECT name, CASE vartype
                WHEN 'bool' THEN CASE setting WHEN 'on' THEN 'off' ELSE 'on' END
                WHEN 'enum' THEN (SELECT v FROM unnest(enumvals) v WHERE v <> setting ORDER BY v LIMIT 1)
                WHEN 'string' THEN CASE name WHEN 'search_path' THEN 'public' WHEN 'TimeZone' THEN 'Asia/Tokyo' WHEN 'DateStyle' THEN 'SQL, DMY'
                    WHEN 'client_encoding' THEN 'LATIN1' WHEN 'temp_tablespaces' THEN 'pg_default' WHEN 'default_tablespace' THEN 'pg_default'
                    WHEN 'local_preload_libraries' THEN 'no_such_library' WHEN 'session_preload_libraries' THEN 'no_such_library'
                    WHEN 'application_name' THEN 'ending: no run is open' END
                ELSE CASE WHEN name LIKE '%timeout' THEN '1' WHEN setting <> min_val THEN min_val ELSE max_val END END AS value
        -- Those of plpgsql count once a trigger loads it: no library of the sampler's reads them.
        FROM pg_settings WHERE context IN ('user', 'superuser') AND name NOT LIKE 'plpgsql.%'
        UNION ALL VALUES ('role', 'mallory'), ('session_authorization', 'mallory'), ('somebody.elses', 'x')
    LOOP
        CONTINUE WHEN s.value IS NULL;
        BEGIN
            EXECUTE format('ALTER ROLE postgres IN DATABASE theirs SET %I = %L', s.name, s.value);
            EXECUTE format('ALTER DATABASE theirs SET %I = %L', s.name, s.value);
            INSERT INTO hostile VALUES (s.name, s.value);
        EXCEPTION WHEN OTHERS THEN RAISE LOG 'not set: % = %: %', s.name, s.value, SQLERRM;
        END;
    END LOOP;
END $$;
SQL
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - <"$SCRATCH/all.sql" >/dev/null
check "there are many of them" is 'SELECT count(*) > 150 FROM hostile' t
again
cluster_sql 'ALTER DATABASE theirs RESET ALL; ALTER ROLE postgres IN DATABASE theirs RESET ALL'
cluster_sql 'TRUNCATE seen' theirs
check "all of them at once" goes_on
here() { [ "$(cluster_sql "$1" theirs)" = "$2" ] || { cluster_sql "$1" theirs; return 1; }; }
check "none is in the sampler's session" here \
  "SELECT string_agg(DISTINCT format('%s = %s (%s)', name, setting, source), ', ') FROM seen WHERE source IN ('global', 'database', 'user', 'database user')" ''
check "which has what the configuration says" here "SELECT DISTINCT setting FROM seen WHERE name = 'work_mem'" 5120
check "or what PostgreSQL has" here "SELECT string_agg(DISTINCT s.name || ' = ' || s.setting, ', ') FROM seen s JOIN pg_settings here USING (name)
  WHERE s.source = 'session' AND s.setting <> here.reset_val AND name NOT IN ('application_name', 'client_encoding')" ''
check "and the superuser's rights" here 'SELECT DISTINCT who FROM seen' 'postgres postgres'
check "nothing of it was said" not_logged 'could not (write|prepare|age)|FATAL: .* timeout|role "" does not exist|PANIC'

# What is set later is for later sessions, and a reload changes nothing of it.
cluster_sql 'ALTER DATABASE theirs SET lock_timeout = 1; ALTER DATABASE theirs SET default_transaction_read_only = on'
cluster_sql "ALTER SYSTEM SET work_mem = '6MB'"
cluster_sql 'SELECT pg_reload_conf()' >/dev/null
check "what is set while it runs" goes_on
cluster_sql 'ALTER DATABASE theirs RESET ALL'
cluster_stop

# A sampler on demand.
not_matched() { cluster_sql "$1" "$theirs" >"$SCRATCH/said" 2>&1 && ! grep "$2" "$SCRATCH/said"; }
fresh "$SCRATCH/on_demand" <<<"shared_preload_libraries = ''"
cluster_sql 'CREATE DATABASE theirs'
cluster_sql 'CREATE EXTENSION ebs_advisor' theirs
while read -r name value; do
  [ "$(cluster_sql "SELECT count(*) FROM pg_settings WHERE name = '$name'")" = 0 ] || cluster_sql "ALTER DATABASE theirs SET $name = $value"
done <<<'transaction_timeout 1
statement_timeout 1
default_transaction_read_only on
exit_on_error on'
check "on demand: a run begins and is sampled" not_matched "SELECT ebs_run_begin('theirs')" 'may be missing samples'
pid=$(cluster_sql "SELECT pid FROM pg_stat_activity WHERE backend_type = 'ebs_advisor on-demand sampler'")
check "it goes on writing" cluster_await "SELECT count(*) >= 3 FROM ebs.sample_block" "$theirs"
check "in the same process" is "SELECT string_agg(pid::text, ' ') FROM pg_stat_activity WHERE backend_type = 'ebs_advisor on-demand sampler'" "$pid"
