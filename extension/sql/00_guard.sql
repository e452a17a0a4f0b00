-- ebs_advisor: which EBS volume should this PostgreSQL run on, and how do you know?
--
-- Concatenated from extension/sql/ in the order of the file names. The first line of each file is a heading of
-- docs/reference.md. Functions go where the extension is created; tables and views go to schema ebs. Every function's SQL
-- names its C symbol: `make test` checks that each exists in the library and that none is left undeclared. Each function
-- that runs SQL has its own search_path: an operator in a schema of the caller must not be used in place of PostgreSQL's.
-- This script runs as a superuser and also looks names up in the schema that the extension is created in: where another
-- user's function or operator could fit the arguments better than PostgreSQL's, the name is qualified with pg_catalog
-- (tests/live/hostile_schema.sh).

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION ebs_advisor" to load this file. \quit

-- reports are written in UTF-8
DO $$
BEGIN
    IF pg_catalog.current_setting('server_encoding') NOT IN ('UTF8', 'SQL_ASCII') THEN
        RAISE EXCEPTION 'ebs_advisor needs a database with encoding UTF8, not %', current_setting('server_encoding')
            USING ERRCODE = 'feature_not_supported',
                  HINT = 'Create it in another database and set ebs_advisor.database to that: one watches the whole server.';
    END IF;
END $$;
