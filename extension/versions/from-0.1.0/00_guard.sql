-- ebs_advisor: from 0.1.0 to this version.
--
-- Put together from extension/versions/from-0.1.0/ in the order of the file names, links to what a fresh installation runs
-- too among them.

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION ebs_advisor UPDATE" to load this file. \quit
