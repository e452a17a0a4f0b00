-- what to order

CREATE FUNCTION ebs_options(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1', instance text DEFAULT NULL,
    percentile float8 DEFAULT 99, headroom float8 DEFAULT 0.2, max_throttled_pct float8 DEFAULT 1,
    durability_pct float8 DEFAULT NULL, budget_usd numeric DEFAULT NULL, max_volumes integer DEFAULT 1,
    min_size_gib bigint DEFAULT NULL,
    OUT rank integer, OUT role text, OUT volume_type text, OUT volumes integer, OUT size_gib bigint, OUT iops bigint,
    OUT throughput_mibps bigint, OUT usd_month numeric, OUT usd_month_saved numeric, OUT throttled_pct float8,
    OUT read_ms float8, OUT write_ms float8, OUT throughput_ratio float8, OUT throughput_ratio_low float8,
    OUT throughput_ratio_high float8, OUT risk text, OUT bound_by text, OUT feasible boolean, OUT reason text)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_options_wrapper';
COMMENT ON FUNCTION ebs_options(text, interval, text, text, text, float8, float8, float8, float8, numeric, integer, bigint) IS
    'Volumes that would carry the demand of a run or a look-back, cheapest first, near-misses below with feasible = false. Sized for the upper end of the interval of the percentile (per cent) of one-second demand, times 1 + headroom, and replayed second by second: no more than max_throttled_pct per cent of seconds may be throttled. Size, IOPS and throughput are each volume''s, dollars are of all. Size is the filesystem''s, or min_size_gib in all. read_ms and write_ms are published latencies of the type, one 16 KiB request at a time. usd_month_saved and throughput_ratio are NULL: not known to this version.';

CREATE FUNCTION ebs_advise(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1', instance text DEFAULT NULL,
    percentile float8 DEFAULT 99, headroom float8 DEFAULT 0.2, max_throttled_pct float8 DEFAULT 1,
    durability_pct float8 DEFAULT NULL, budget_usd numeric DEFAULT NULL, max_volumes integer DEFAULT 1,
    min_size_gib bigint DEFAULT NULL) RETURNS SETOF text
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_advise_wrapper';
COMMENT ON FUNCTION ebs_advise(text, interval, text, text, text, float8, float8, float8, float8, numeric, integer, bigint) IS
    'The report: which EBS volume, at what price, why, and with how much doubt. Arguments as of ebs_options.';

CREATE FUNCTION ebs_price(volume_type text, size_gib bigint, iops bigint DEFAULT NULL,
    throughput_mibps bigint DEFAULT NULL, volumes integer DEFAULT 1, platform text DEFAULT 'ec2',
    region text DEFAULT 'us-east-1',
    OUT usd_month numeric, OUT usd_storage numeric, OUT usd_iops numeric, OUT usd_throughput numeric,
    OUT price_date date) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL SAFE ROWS 1
    AS 'MODULE_PATHNAME', 'ebs_price_wrapper';
COMMENT ON FUNCTION ebs_price(text, bigint, bigint, bigint, integer, text, text) IS
    'One row: what these volumes cost a month in US dollars, and the date of the price list. Size, IOPS and throughput are each volume''s; left out they are what the type includes. Refuses what EBS does not sell.';
