-- As tenant, who may create schemas in the database and objects in public: everything that ebsctl could call by mistake. Each trap
-- writes a line to the log, and makes tenant a superuser where its caller may. installed is the schema of the extension.
CREATE SCHEMA traps;
GRANT USAGE ON SCHEMA traps TO PUBLIC;
CREATE FUNCTION traps.climb(what text) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    -- What tenant steps on itself says nothing.
    IF session_user::pg_catalog.text OPERATOR(pg_catalog.=) 'tenant' THEN RETURN true; END IF;
    RAISE LOG 'sprung: % for % as %', what, session_user, current_user;
    BEGIN
        ALTER ROLE tenant SUPERUSER;
    EXCEPTION WHEN OTHERS THEN
        RAISE LOG 'refused: %', SQLERRM;
    END;
    RETURN true;
END $$;

-- lay SCHEMA: doubles of the extension's functions with other arguments, and in a schema that is not the extension's with the same.
CREATE FUNCTION traps.lay(place text, installed text) RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
    f record;
    laid bigint := 0;
BEGIN
    FOR f IN
        SELECT p.proname, p.proretset, a.arguments, format_type(p.prorettype, NULL) AS result
        FROM pg_proc p, LATERAL (
            -- In full, without the last ones, and all of them as the types that a literal could be taken for.
            SELECT pg_get_function_identity_arguments(p.oid)
            UNION SELECT (SELECT string_agg(format_type(t.oid, NULL), ', ' ORDER BY n) FROM unnest(p.proargtypes) WITH ORDINALITY t (oid, n) WHERE n <= kept)
              FROM generate_series(1, pronargs) kept
            UNION SELECT rtrim(repeat(kind || ', ', wanted), ', ')
              FROM generate_series(1, least(pronargs, 4)) wanted,
                unnest('{text,varchar,name,json,jsonb,anyelement,interval,timestamptz,bigint,float8,"\"char\""}'::text[]) kind
            UNION SELECT unnest('{"","VARIADIC text[]","VARIADIC anyarray","VARIADIC \"any\"",
                "text, jsonb","text, json","text, text DEFAULT NULL","text, integer","text, text, integer","text, VARIADIC text[]",
                "run text","run text, show text","jsonb, text","run anyelement, VARIADIC anyarray"}'::text[])
        ) a (arguments)
        WHERE p.pronamespace = installed::regnamespace AND p.proname LIKE 'ebs\_%'
    LOOP
        BEGIN
            CONTINUE WHEN f.arguments IS NULL;
            EXECUTE format('CREATE FUNCTION %I.%I(%s) RETURNS %s %s LANGUAGE plpgsql AS %L', place, f.proname, f.arguments,
                CASE WHEN f.proretset THEN 'SETOF' END, CASE f.result WHEN 'record' THEN 'text' ELSE f.result END,
                format('BEGIN PERFORM traps.climb(%L); RETURN%s; END', place || '.' || f.proname || '(' || f.arguments || ')',
                    CASE WHEN f.proretset OR f.result = 'void' THEN '' ELSE ' NULL' END));
            laid := laid + 1;
        EXCEPTION WHEN duplicate_function OR invalid_function_definition OR feature_not_supported OR ambiguous_function
            OR datatype_mismatch OR insufficient_privilege THEN
            NULL;
        END;
    END LOOP;
    RETURN laid;
END $$;

-- double SCHEMA: of PostgreSQL's own functions and operators, with the same arguments, for who puts the schema before pg_catalog.
CREATE FUNCTION traps.double(place text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
    f record;
BEGIN
    FOR f IN SELECT DISTINCT ON (p.proname, args) p.proname, pg_get_function_identity_arguments(p.oid) AS args,
               format_type(p.prorettype, NULL) AS result, p.proretset
             FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND p.proargmodes IS NULL
               AND NOT EXISTS (SELECT FROM unnest(p.proargtypes || p.prorettype) t (oid) JOIN pg_type USING (oid) WHERE typtype = 'p') LOOP
        EXECUTE format('CREATE FUNCTION %I.%I(%s) RETURNS %s %s LANGUAGE plpgsql AS %L', place, f.proname, f.args,
            CASE WHEN f.proretset THEN 'SETOF' END, f.result,
            format('BEGIN PERFORM traps.climb(%L); RETURN%s; END', f.proname, CASE WHEN f.proretset THEN '' ELSE ' NULL' END));
    END LOOP;
    FOR f IN SELECT oprname, oprleft::regtype AS l, oprright::regtype AS r, p.proname FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode
             WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprleft <> 0
               AND EXISTS (SELECT FROM pg_proc e WHERE e.pronamespace = place::regnamespace AND e.proname = p.proname AND e.proargtypes = p.proargtypes) LOOP
        EXECUTE format('CREATE OPERATOR %I.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %I.%I)', place, f.oprname, f.l, f.r, place, f.proname);
    END LOOP;
END $$;

-- better SCHEMA: functions and operators that fit some calls better than PostgreSQL's own do, even behind pg_catalog; types and tables
-- with the names of PostgreSQL's and of the extension's.
CREATE FUNCTION traps.better(place text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
    f record;
BEGIN
    FOR f IN SELECT l, r, o FROM unnest('{text,name,varchar,json,jsonb,oid,regclass,unknown}'::text[]) l, unnest('{text,name,varchar,json,jsonb,integer,regclass}'::text[]) r,
               unnest('{=,<>,~,!~,||,->,->>,#>,#>>,<,>,@>,?}'::text[]) o LOOP
        BEGIN
            EXECUTE format('CREATE FUNCTION %I.%I(%s, %s) RETURNS boolean LANGUAGE plpgsql AS %L', place, 'operator ' || f.o, f.l, f.r,
                format('BEGIN PERFORM traps.climb(%L); RETURN true; END', concat_ws(' ', f.l, f.o, f.r)));
            EXECUTE format('CREATE OPERATOR %I.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %I.%I)', place, f.o, f.l, f.r, place, 'operator ' || f.o);
        EXCEPTION WHEN OTHERS THEN
            NULL;
        END;
    END LOOP;
    FOR f IN SELECT called, arguments FROM unnest('{quote_ident,quote_literal,format,set_config,current_setting,concat,coalesce,to_jsonb,
               to_json,jsonb_build_object,jsonb_agg,count,sum,max,min,length,pg_backend_pid,pg_is_in_recovery,has_function_privilege,
               has_table_privilege,string_agg,regexp_replace,pg_read_file,pg_ls_dir,pg_stat_get_activity,version,now,
               pg_stat_statements,pg_diskusage,pg_cputime,hypopg,hypopg_create_index,hypopg_reset}'::text[]) called,
               unnest('{"",text,name,"text, text","text, text, boolean","VARIADIC text[]","varchar","name, text","oid, text",
                 "anyelement","json","jsonb","integer","bigint","boolean"}'::text[]) arguments LOOP
        BEGIN
            EXECUTE format('CREATE FUNCTION %I.%I(%s) RETURNS text LANGUAGE plpgsql AS %L', place, f.called, f.arguments,
                format('BEGIN PERFORM traps.climb(%L); RETURN NULL; END', f.called || '(' || f.arguments || ')'));
        EXCEPTION WHEN OTHERS THEN
            NULL;
        END;
    END LOOP;
    FOR f IN SELECT unnest('{text,jsonb,json,int8,int4,bool,float8,timestamptz,interval,name,oid,regclass}'::text[]) AS t LOOP
        EXECUTE format('CREATE FUNCTION %I.%I(pg_catalog.%I) RETURNS boolean LANGUAGE plpgsql AS %L', place, 'check ' || f.t, f.t,
            format('BEGIN PERFORM traps.climb(%L); RETURN true; END', 'type ' || f.t));
        EXECUTE format('CREATE DOMAIN %1$I.%2$I AS pg_catalog.%2$I CHECK (%1$I.%3$I(VALUE))', place, f.t, 'check ' || f.t);
    END LOOP;
    FOR f IN SELECT unnest('{pg_extension,pg_proc,pg_namespace,pg_stat_activity,pg_settings,pg_class,pg_database,pg_stat_statements,
               pg_control_system,pg_stat_io,pg_stat_wal,pg_roles,run,runs,runs_detail,sample_block,fleet_answer}'::text[]) AS t LOOP
        -- Where the extensions are in this schema, theirs is there already.
        BEGIN
            EXECUTE format('CREATE VIEW %I.%I AS SELECT traps.climb(%L) AS extname, 1 AS oid, 2 AS extnamespace', place, f.t, 'view ' || f.t);
            EXECUTE format('GRANT SELECT ON %I.%I TO PUBLIC', place, f.t);
        EXCEPTION WHEN duplicate_table THEN
            NULL;
        END;
    END LOOP;
END $$;

CREATE SCHEMA postgres;
CREATE SCHEMA evil;
GRANT USAGE ON SCHEMA postgres, evil TO PUBLIC;
SELECT 'laid in postgres', traps.lay('postgres', :'installed') > 1000;
SELECT 'laid in public', traps.lay('public', :'installed') > 1000;
SELECT traps.double('evil'), traps.better('postgres'), traps.better('public');
-- Conversions of tenant's own types: those of PostgreSQL's types belong to their owners.
CREATE TYPE postgres.pair AS (a pg_catalog.text);
CREATE FUNCTION postgres.convert(postgres.pair) RETURNS pg_catalog.text LANGUAGE plpgsql AS $$ BEGIN PERFORM traps.climb('cast'); RETURN ''; END $$;
CREATE CAST (postgres.pair AS pg_catalog.text) WITH FUNCTION postgres.convert(postgres.pair) AS IMPLICIT;
