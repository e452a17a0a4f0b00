-- ebs_advisor: which EBS volume should this PostgreSQL run on, and how do you know?
--
-- Put together from extension/sql/ in the order of the file names. Functions go where the extension is created; tables
-- and views go to schema ebs. Every function's SQL names its C symbol: `make test` checks that each exists in the
-- library and that none is left undeclared. Each function that runs SQL has its own search_path: an operator in a schema
-- of the caller's must not be taken for PostgreSQL's.

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION ebs_advisor" to load this file. \quit
