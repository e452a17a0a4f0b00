-- As superuser of the server that ebsctl talks to: what it calls to quote a name gives code for psql. The search_path gives the same to
-- whoever reads a setting.
CREATE FUNCTION pg_catalog.quote_ident(name) RETURNS text LANGUAGE sql AS $f$ SELECT 'x \! touch ran-on-client #'::text $f$;
