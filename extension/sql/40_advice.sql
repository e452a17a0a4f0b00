-- what to order

CREATE FUNCTION ebs_options(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    {{advice_arguments}},
    OUT rank integer, OUT role text, OUT volume_type text, OUT volumes integer, OUT size_gib bigint, OUT iops bigint,
    OUT throughput_mibps bigint, OUT usd_month numeric, OUT feasible boolean)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_options_wrapper';
COMMENT ON FUNCTION ebs_options(text, interval, {{advice_types}}) IS
    'Volumes for the demand of a run or look-back, cheapest first, infeasible ones last; sizes of each volume, US dollars a month of all (docs/advice.md).';

CREATE FUNCTION ebs_options_detail(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    {{advice_arguments}},
    OUT rank integer, OUT role text, OUT volume_type text, OUT volumes integer, OUT size_gib bigint, OUT iops bigint,
    OUT throughput_mibps bigint, OUT usd_month numeric, OUT usd_month_saved numeric, OUT throttled_pct float8,
    OUT read_ms float8, OUT write_ms float8, OUT throughput_ratio float8, OUT throughput_ratio_low float8,
    OUT throughput_ratio_high float8, OUT risk text, OUT bound_by text, OUT feasible boolean, OUT reason text,
    OUT usd_storage numeric, OUT usd_iops numeric, OUT usd_throughput numeric, OUT price_doubt text,
    OUT throttled_pct_high float8, OUT added_ms_p99 float8, OUT credits_last_s float8, OUT missed_by_pct float8)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_options_detail_wrapper';
COMMENT ON FUNCTION ebs_options_detail(text, interval, {{advice_types}}) IS
    'The rows of ebs_options with every column: prediction, limit, risk, parts of the price in US dollars a month, reason (docs/advice.md).';

CREATE FUNCTION ebs_advise(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    {{advice_arguments}}, show text DEFAULT 'screen') RETURNS SETOF text
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_advise_wrapper';
COMMENT ON FUNCTION ebs_advise(text, interval, {{advice_types}}, text) IS
    'Recommended EBS volume with its price in US dollars a month, expected performance, reason and confidence; more with show => ''all'' or ''commands'' (docs/report.md).';

CREATE FUNCTION ebs_advise_json(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    {{advice_arguments}}) RETURNS jsonb
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_advise_json_wrapper';
COMMENT ON FUNCTION ebs_advise_json(text, interval, {{advice_types}}) IS
    'The answer of ebs_advise as one JSON document with schema_version, units in the names and null for unknown (docs/advice.md).';

CREATE FUNCTION ebs_price(volume_type text, size_gib bigint, iops bigint DEFAULT NULL,
    throughput_mibps bigint DEFAULT NULL, volumes integer DEFAULT 1, platform text DEFAULT 'ec2',
    region text DEFAULT 'us-east-1',
    OUT usd_month numeric, OUT usd_storage numeric, OUT usd_iops numeric, OUT usd_throughput numeric,
    OUT price_date date, OUT price_status text, OUT price_doubt text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE ROWS 1 SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_price_wrapper';
COMMENT ON FUNCTION ebs_price(text, bigint, bigint, bigint, integer, text, text) IS
    'Price of volumes in US dollars a month with its parts, date and status; size, IOPS and MiB/s are each volume''s (docs/prices.md).';

CREATE FUNCTION ebs_restore_time(run text DEFAULT NULL, size_gib bigint DEFAULT NULL, data_gib bigint DEFAULT NULL,
    volumes integer DEFAULT NULL, copies integer DEFAULT 1, region text DEFAULT NULL,
    OUT volume text, OUT way text, OUT available_hours float8, OUT fast_hours float8, OUT usd numeric,
    OUT usd_month numeric, OUT source text, OUT note text) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE ROWS 6 SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_restore_time_wrapper';
COMMENT ON FUNCTION ebs_restore_time(text, bigint, bigint, integer, integer, text) IS
    'Hours until volumes are restored, and until they are fast, by each way that EBS has, with its price in US dollars (docs/restore.md).';
