# Who may create objects where the extension is, or comes to be, must not have them run by a superuser: not while the extension is
# created, not when its functions are called, whatever the search_path. Every trap writes a line to the log and climbs if it can.
fresh <<<"ebs_advisor.database = 'theirs'"
cluster_sql 'CREATE ROLE mallory LOGIN'
cluster_sql 'CREATE DATABASE theirs OWNER mallory'
mallory() { cluster_psql -d theirs -qAtX -v ON_ERROR_STOP=1 -c "SET SESSION AUTHORIZATION mallory" -c "$1" >/dev/null; }
nothing_sprung() { not_logged 'LOG:  sprung: '; }

# Better fits for what the extension's script calls than what PostgreSQL has: exact types where those are cast to.
mallory "$(cat <<'SQL'
CREATE FUNCTION public.climb(what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE LOG 'sprung: %', what;
    IF pg_catalog.current_setting('is_superuser') OPERATOR(pg_catalog.=) 'on' THEN ALTER ROLE mallory SUPERUSER; END IF;
END $$;
CREATE FUNCTION public.format(text, regprocedure) RETURNS text LANGUAGE sql AS $$ SELECT public.climb('format'); SELECT pg_catalog.format($1, $2) $$;
CREATE FUNCTION public.format(text, regprocedure, text) RETURNS text LANGUAGE sql AS $$ SELECT public.climb('format'); SELECT pg_catalog.format($1, $2, $3) $$;
CREATE FUNCTION public.same(oid, regclass) RETURNS boolean LANGUAGE sql AS $$ SELECT public.climb('='); SELECT $1 OPERATOR(pg_catalog.=) $2 $$;
CREATE OPERATOR public.= (LEFTARG = oid, RIGHTARG = regclass, FUNCTION = public.same);
CREATE FUNCTION public.more(numeric, integer) RETURNS boolean LANGUAGE sql AS $$ SELECT public.climb('>'); SELECT true $$;
CREATE OPERATOR public.> (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = public.more);
CREATE FUNCTION public.num_nulls(text, bigint, bigint, bigint, integer) RETURNS integer LANGUAGE sql AS $$ SELECT public.climb('num_nulls'); SELECT 0 $$;
CREATE FUNCTION public.pg_extension_config_dump(text, text) RETURNS void LANGUAGE sql AS $$ SELECT public.climb('pg_extension_config_dump') $$;
CREATE FUNCTION public.pg_extension_config_dump(regclass, varchar) RETURNS void LANGUAGE sql AS $$ SELECT public.climb('pg_extension_config_dump') $$;
CREATE FUNCTION public.gather(jsonb, text, timestamptz) RETURNS jsonb LANGUAGE sql AS $$ SELECT public.climb('jsonb_object_agg'); SELECT $1 $$;
CREATE AGGREGATE public.jsonb_object_agg(text, timestamptz) (SFUNC = public.gather, STYPE = jsonb);
CREATE FUNCTION public.current_setting("char") RETURNS text LANGUAGE sql AS $$ SELECT public.climb('current_setting'); SELECT 'UTF8' $$;
SQL
)"

# What is there already is not taken over.
mallory 'CREATE SCHEMA ebs'
created() { cluster_sql 'CREATE EXTENSION ebs_advisor' theirs; }
refused() { ! created >"$SCRATCH/said" 2>&1 && grep -q "$1" "$SCRATCH/said"; }
check "a schema ebs of somebody's is not adopted" refused 'schema "ebs" already exists'
mallory 'DROP SCHEMA ebs; CREATE FUNCTION public.ebs_run_end() RETURNS text LANGUAGE sql AS $$ SELECT public.climb($x$ebs_run_end$x$); SELECT $x$none$x$ $$'
check "nor a function of somebody's" refused 'function "ebs_run_end" already exists'
mallory 'DROP FUNCTION public.ebs_run_end()'
check "and nothing is left of it" test "$(cluster_sql "SELECT count(*) FROM pg_extension, pg_namespace WHERE extname = 'ebs_advisor' OR nspname = 'ebs' AND extname <> 'plpgsql'" theirs)" = 0
check "it is created among them" created
check "and runs nothing of theirs" nothing_sprung

# Nothing that it is made of is theirs: a CHECK, a view, a default would run it later. What were would stand in the way here.
check "nothing of it would go with theirs" cluster_sql 'BEGIN; DROP OWNED BY mallory; ROLLBACK' theirs
cluster_sql "SELECT ebs_prices('us-east-1')" theirs >/dev/null
cluster_sql "INSERT INTO ebs.volume_declared (volume, volume_type, size_gib, iops, throughput_mibps, volumes) VALUES ('x', 'gp3', 1, 1, 1, 1)" theirs
cluster_sql "INSERT INTO ebs.price VALUES ('xx', 'ec2', 'gp3', 'storage', 1, 'x', '2026-01-01')" theirs
check "not its constraints and views either" nothing_sprung

# A schema in which every function and operator of PostgreSQL has a double, tables and types of ours and its names too, in front of
# pg_catalog; and in pg_temp.
cluster_psql -d theirs -qAtX -v ON_ERROR_STOP=1 >/dev/null <<'SQL'
CREATE SCHEMA evil AUTHORIZATION mallory;
SET SESSION AUTHORIZATION mallory;
DO $$
DECLARE
    f record;
BEGIN
    FOR f IN SELECT DISTINCT ON (p.proname, args) p.proname, pg_get_function_identity_arguments(p.oid) AS args, format_type(p.prorettype, NULL) AS result, p.proretset
             FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND p.proargmodes IS NULL
               AND NOT EXISTS (SELECT FROM unnest(p.proargtypes || p.prorettype) t (oid) JOIN pg_type USING (oid) WHERE typtype = 'p') LOOP
        EXECUTE format('CREATE FUNCTION evil.%I(%s) RETURNS %s %s LANGUAGE plpgsql AS %L', f.proname, f.args, CASE WHEN f.proretset THEN 'SETOF' END, f.result,
            format('BEGIN PERFORM public.climb(%L); RETURN%s; END', f.proname, CASE WHEN f.proretset THEN '' ELSE ' NULL' END));
    END LOOP;
    FOR f IN SELECT oprname, oprleft::regtype AS l, oprright::regtype AS r, p.proname FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode
             WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprleft <> 0
               AND EXISTS (SELECT FROM pg_proc e WHERE e.pronamespace = 'evil'::regnamespace AND e.proname = p.proname AND e.proargtypes = p.proargtypes) LOOP
        EXECUTE format('CREATE OPERATOR evil.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = evil.%I)', f.oprname, f.l, f.r, f.proname);
    END LOOP;
END $$;
CREATE FUNCTION evil.counted(bigint) RETURNS bigint LANGUAGE plpgsql AS 'BEGIN PERFORM public.climb($x$count$x$); RETURN 0; END';
CREATE AGGREGATE evil.count(*) (SFUNC = evil.counted, STYPE = bigint, INITCOND = '0');
CREATE DOMAIN evil.text AS pg_catalog.text; CREATE DOMAIN evil.jsonb AS pg_catalog.jsonb; CREATE DOMAIN evil.int8 AS pg_catalog.int8;
CREATE DOMAIN evil.timestamptz AS pg_catalog.timestamptz; CREATE DOMAIN evil.interval AS pg_catalog.interval;
CREATE TABLE evil.pg_class (oid oid); CREATE TABLE evil.pg_settings (name pg_catalog.text); CREATE TABLE evil.pg_extension (extname name);
CREATE TABLE evil.run (run_id bigint); CREATE TABLE evil.sample_block (run_id bigint);
RESET SESSION AUTHORIZATION;
SQL
doubles=$(cluster_sql "SELECT count(*) FROM pg_proc WHERE pronamespace = 'evil'::regnamespace" theirs)
check "there are doubles of most of what PostgreSQL has ($doubles)" test "$doubles" -gt 1500

# Calls of every function, as somebody who looks there first; written down before the search_path is theirs.
cluster_sql "SELECT pg_catalog.format('SELECT pg_catalog.count(x.*) FROM public.%I(%s) x;', proname,
    (SELECT pg_catalog.string_agg('NULL', ', ') FROM generate_series(1, pronargs)))
  FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname LIKE 'ebs\\_%' ORDER BY proname = 'ebs_run_end', proname" theirs >"$SCRATCH/calls.sql"
check "there are calls" test "$(grep -c . "$SCRATCH/calls.sql")" -gt 40
cat >"$SCRATCH/hostile.sql" <<SQL
CREATE TEMP TABLE pg_class (oid pg_catalog.oid); CREATE TEMP TABLE pg_settings (name pg_catalog.text); CREATE TEMP TABLE run (run_id pg_catalog.int8);
SET search_path = evil, pg_temp, public, pg_catalog;
SELECT public.ebs_run_begin('hostile', '{"a": 1}');
SELECT public.ebs_run_mark('measure');
SELECT public.ebs_volume_declare('data', 'gp3', 100);
SELECT public.ebs_run_end();
SELECT public.ebs_run_result('hostile', tps => 1);
SELECT public.ebs_run_tag('hostile', 'a'), public.ebs_run_note('hostile', '{"b": 1}'), public.ebs_run_untag('hostile', 'a');
SELECT public.ebs_run_import(r::pg_catalog.text, 'again') FROM public.ebs_run_export('hostile') r;
SELECT pg_catalog.count(x.*) FROM public.ebs_options_detail('hostile', min_size_gib => 100) x;
SELECT pg_catalog.count(x.*) FROM public.ebs_compare('hostile', 'again') x;
SELECT pg_catalog.length(public.ebs_report_html('hostile', 'again'));
SELECT pg_catalog.count(x.*) FROM ebs.runs_detail x;
$(cat "$SCRATCH/calls.sql")
SQL
cluster_psql -d theirs -qAtX -f - <"$SCRATCH/hostile.sql" >"$SCRATCH/answers" 2>&1 || true
check "they answer" test "$(grep -c '^[0-9]' "$SCRATCH/answers")" -gt 25
check "none of them runs anything of theirs" nothing_sprung
# It writes twice in their database, and looks up the names of all that it does.
look theirs
check "nor does the sampler" nothing_sprung
check "nobody climbed" is "SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'" f
cluster_sql 'SELECT evil.upper($$a$$)' theirs >/dev/null
check "a trap that is stepped on is seen" test "$(logged 'LOG:  sprung: ')" = 1
check "and would have climbed" is "SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'" t
