-- Executed by a superuser: functions as superusers write them, which name helpers without a schema, and operator classes, which only
-- superusers can make, over functions of mallory.
SET client_min_messages = warning;
SET check_function_bodies = off;
CREATE FUNCTION public.trusted_sql(text, integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT helper($1, $2)';
CREATE FUNCTION public.trusted_plpgsql(text, integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN helper($1, $2); END $$;
CREATE FUNCTION public.trusted_definer(text, integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER AS $$ BEGIN RETURN helper($1, $2); END $$;
CREATE FUNCTION public.trusted_setting(text, integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE SET work_mem = '1MB' AS $$ BEGIN RETURN helper($1, $2); END $$;
CREATE FUNCTION public.trusted_swallows(text, integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS
    $$ DECLARE x integer; BEGIN x := helper($1, $2); RETURN x; EXCEPTION WHEN OTHERS THEN RETURN 5; END $$;
CREATE FUNCTION public.trusted_query(text, integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$ DECLARE x integer; BEGIN SELECT helper($1, $2) INTO x; RETURN x; END $$;
CREATE FUNCTION public.trusted_literal(integer) RETURNS integer LANGUAGE sql IMMUTABLE AS $$ SELECT $1 + array_length('{t5}'::trusted_domain[], 1) $$;
CREATE FUNCTION public.trusted_operator(integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 &=& 5';
CREATE FUNCTION public.trusted_operator_lock(integer) RETURNS boolean LANGUAGE sql VOLATILE AS 'SELECT $1 &!& 5';
CREATE FUNCTION public.trusted_rows() RETURNS TABLE (id integer, amount integer, kind varchar, pad text) LANGUAGE sql STABLE AS 'SELECT id, amount, kind, pad FROM chosen';
CREATE FUNCTION public.trusted_far() RETURNS TABLE (id integer, amount integer, kind varchar, pad text) LANGUAGE sql STABLE AS 'SELECT id, amount, kind, pad FROM chosen_far';
CREATE OPERATOR CLASS mallory.hash_owned FOR TYPE integer USING hash AS OPERATOR 1 =, FUNCTION 1 hashint4(integer), FUNCTION 2 mallory.hash_owned(integer, bigint);
CREATE OPERATOR CLASS mallory.held_ops DEFAULT FOR TYPE mallory.held USING btree AS OPERATOR 1 mallory.*<, OPERATOR 2 mallory.*<@, OPERATOR 3 mallory.*=@,
    OPERATOR 4 mallory.*>@, OPERATOR 5 mallory.*>, FUNCTION 1 mallory.held_compare(mallory.held, mallory.held);
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO PUBLIC;
SELECT 'CREATE EXTENSION ' || name FROM pg_available_extensions WHERE name IN ('postgres_fdw', 'file_fdw') \gexec
SELECT format('CREATE SERVER here FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, dbname ''postgres'', use_remote_estimate ''true'')',
        current_setting('unix_socket_directories')) FROM pg_extension WHERE extname = 'postgres_fdw' \gexec
SELECT 'GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO mallory' FROM pg_extension WHERE extname = 'postgres_fdw' \gexec
SELECT 'ALTER SERVER here OWNER TO mallory' FROM pg_extension WHERE extname = 'postgres_fdw' \gexec
-- Honest statements: of the owner of the tables, and of a superuser's function that names everything.
CREATE FUNCTION public.honest(integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT $1 OPERATOR(pg_catalog.+) 1';
