-- prices that users brought from AWS's price lists

CREATE TABLE ebs.price (
    region      text        NOT NULL,
    platform    text        NOT NULL CHECK (platform IN ('ec2', 'rds')),
    volume_type text        NOT NULL,
    part        text        NOT NULL,
    usd         numeric     NOT NULL CHECK (usd OPERATOR(pg_catalog.>) 0),
    basis       text        NOT NULL,
    published   date        NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    imported_by name        NOT NULL DEFAULT session_user,
    PRIMARY KEY (region, platform, volume_type, part)
);
COMMENT ON TABLE ebs.price IS 'Prices imported from AWS''s price lists; the later published of the imported and the built-in price applies.';
COMMENT ON COLUMN ebs.price.region IS 'AWS region.';
COMMENT ON COLUMN ebs.price.platform IS 'ec2 or rds; RDS in several zones is billed as copies of rds.';
COMMENT ON COLUMN ebs.price.volume_type IS 'Volume type, as in ebs_price.';
COMMENT ON COLUMN ebs.price.part IS 'Billed item: storage, iops, iops above 32000, iops above 64000 or throughput.';
COMMENT ON COLUMN ebs.price.usd IS 'US dollars a month for a GiB, an IOPS or a MiB/s.';
COMMENT ON COLUMN ebs.price.basis IS 'AWS''s offer code and the version of its list.';
COMMENT ON COLUMN ebs.price.published IS 'Time at which AWS published the list.';
COMMENT ON COLUMN ebs.price.imported_at IS 'Time of the import.';
COMMENT ON COLUMN ebs.price.imported_by IS 'Role that imported the price.';

SELECT pg_catalog.pg_extension_config_dump('ebs.price', '');

CREATE FUNCTION ebs_import_prices(prices jsonb) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_prices_wrapper';
COMMENT ON FUNCTION ebs_import_prices(jsonb) IS
    'Imports prices (US dollars a month) that "ebsctl prices" made from AWS''s offer files, all or none, and returns their number (docs/prices.md).';

CREATE FUNCTION ebs_prices_reset() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_prices_reset_wrapper';
COMMENT ON FUNCTION ebs_prices_reset() IS
    'Removes all imported prices, so that the built-in ones apply, and returns their number (docs/prices.md).';

CREATE FUNCTION ebs_prices(region text DEFAULT 'us-east-1', platform text DEFAULT 'ec2',
    OUT volume_type text, OUT part text, OUT unit text, OUT usd numeric, OUT status text, OUT basis text,
    OUT published date) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE ROWS 20 SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_prices_wrapper';
COMMENT ON FUNCTION ebs_prices(text, text) IS
    'Prices of a region, in US dollars a month for one unit above what the type includes, with their status and source (docs/prices.md).';
