-- what to order

CREATE FUNCTION ebs_options(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1', instance text DEFAULT NULL,
    percentile float8 DEFAULT 99, headroom float8 DEFAULT 0.2, max_throttled_pct float8 DEFAULT 1,
    min_throughput_ratio float8 DEFAULT NULL, latency_target_ms float8 DEFAULT NULL,
    durability_pct float8 DEFAULT NULL, budget_usd numeric DEFAULT NULL, max_volumes integer DEFAULT NULL,
    min_size_gib bigint DEFAULT NULL,
    OUT rank integer, OUT role text, OUT volume_type text, OUT volumes integer, OUT size_gib bigint, OUT iops bigint,
    OUT throughput_mibps bigint, OUT usd_month numeric, OUT usd_month_saved numeric, OUT throttled_pct float8,
    OUT read_ms float8, OUT write_ms float8, OUT throughput_ratio float8, OUT throughput_ratio_low float8,
    OUT throughput_ratio_high float8, OUT risk text, OUT bound_by text, OUT feasible boolean, OUT reason text,
    OUT usd_storage numeric, OUT usd_iops numeric, OUT usd_throughput numeric, OUT price_doubt text,
    OUT throttled_pct_high float8, OUT added_ms_p99 float8, OUT credits_last_s float8, OUT missed_by_pct float8)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_options_wrapper';
COMMENT ON FUNCTION ebs_options(text, interval, text, text, text, float8, float8, float8, float8, float8, float8, numeric, integer, bigint) IS
    'Volumes that would carry the demand of a run or a look-back, cheapest first, near-misses below with feasible = false, the limit each broke (bound_by) and by how many per cent (missed_by_pct). Sized for the upper end of the interval of the percentile (per cent) of one-second demand, times 1 + headroom, and replayed over the recorded intervals: no more than max_throttled_pct per cent of the time may be throttled, at the upper end of its interval (throttled_pct_high). Size, IOPS and throughput are each volume''s, dollars are of all, a month; usd_month_saved is against what ebs_volume_declare said, by the same prices. read_ms and write_ms are predicted, waiting for the limit included; without a prediction they are published means of the type, one random 16 KiB request at a time. latency_target_ms is compared with their mean as reads and writes were mixed. throughput_ratio is the database''s throughput compared with now, predicted from the sessions'' waits; NULL where the evidence has none, and then min_throughput_ratio rules nothing out. platform is ec2, outposts, rds, rds-multi-az or rds-cluster; instance defaults to what ebs_instance_declare said or the machine tells, its baseline counts. budget_usd is for all roles together, min_size_gib is of each; max_volumes defaults to as many as the volumes are made of now, else 1. Where roles are on several volumes, rows for all of them on one volume follow; on RDS there are only these, and where WAL is on its own volume a row for the dedicated log volume. NULL for an argument is its default.';

CREATE FUNCTION ebs_advise(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1', instance text DEFAULT NULL,
    percentile float8 DEFAULT 99, headroom float8 DEFAULT 0.2, max_throttled_pct float8 DEFAULT 1,
    min_throughput_ratio float8 DEFAULT NULL, latency_target_ms float8 DEFAULT NULL,
    durability_pct float8 DEFAULT NULL, budget_usd numeric DEFAULT NULL, max_volumes integer DEFAULT NULL,
    min_size_gib bigint DEFAULT NULL) RETURNS SETOF text
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_advise_wrapper';
COMMENT ON FUNCTION ebs_advise(text, interval, text, text, text, float8, float8, float8, float8, float8, float8, numeric, integer, bigint) IS
    'The report: which EBS volume, at what price, why, and with how much doubt. Arguments as of ebs_options. At most 110 columns wide.';

CREATE FUNCTION ebs_advise_json(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    platform text DEFAULT 'ec2', region text DEFAULT 'us-east-1', instance text DEFAULT NULL,
    percentile float8 DEFAULT 99, headroom float8 DEFAULT 0.2, max_throttled_pct float8 DEFAULT 1,
    min_throughput_ratio float8 DEFAULT NULL, latency_target_ms float8 DEFAULT NULL,
    durability_pct float8 DEFAULT NULL, budget_usd numeric DEFAULT NULL, max_volumes integer DEFAULT NULL,
    min_size_gib bigint DEFAULT NULL) RETURNS jsonb
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_advise_json_wrapper';
COMMENT ON FUNCTION ebs_advise_json(text, interval, text, text, text, float8, float8, float8, float8, float8, float8, numeric, integer, bigint) IS
    'The report of ebs_advise as one document: schema_version (grows when a key changes its meaning or goes), request, instance, evidence, sources, waits, roles with demand, need, size, options, variations, decision and procedure, all of it on one volume, findings as of ebs_findings, what would change the answer, what is not known. Arguments as of ebs_options, units in the names, null for what is not known.';

CREATE FUNCTION ebs_price(volume_type text, size_gib bigint, iops bigint DEFAULT NULL,
    throughput_mibps bigint DEFAULT NULL, volumes integer DEFAULT 1, platform text DEFAULT 'ec2',
    region text DEFAULT 'us-east-1',
    OUT usd_month numeric, OUT usd_storage numeric, OUT usd_iops numeric, OUT usd_throughput numeric,
    OUT price_date date, OUT price_status text, OUT price_doubt text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE ROWS 1 SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_price_wrapper';
COMMENT ON FUNCTION ebs_price(text, bigint, bigint, bigint, integer, text, text) IS
    'One row: what these volumes cost a month in US dollars, the date of the oldest price list used, how sure its least sure price is (price_status, as of ebs_prices), and what of it is not straight from AWS''s list (price_doubt). Size, IOPS and throughput are each volume''s; left out they are what the type includes. Refuses what EBS does not sell.';
