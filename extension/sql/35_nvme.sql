-- what EBS counts itself

CREATE FUNCTION ebs_nvme(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT volume text, OUT metric text, OUT unit text, OUT value float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_nvme_wrapper';
COMMENT ON FUNCTION ebs_nvme(text, interval) IS
    'What EBS counted of each volume while ebs-nvme-stats published it (docs/nvme.md): reads and writes a second, MiB/s, latency in ms, for how much of the time more was asked for than the volume or the instance gives (requests or throughput), and requests waiting at the moments they were looked at, once a flush. NULL is not known.';

CREATE FUNCTION ebs_nvme_histogram(run text DEFAULT NULL, lookback interval DEFAULT '14 days',
    OUT volume text, OUT operation text, OUT lower_us bigint, OUT upper_us bigint,
    OUT requests bigint, OUT share_pct float8) RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_nvme_histogram_wrapper';
COMMENT ON FUNCTION ebs_nvme_histogram(text, interval) IS
    'Reads and writes of each volume by latency as EBS measured it: requests between two bounds in microseconds (upper_us NULL: no upper bound) and their share of all reads or writes. Bins without requests have no row; a stretch in which a bin started again from 0 is left out.';
