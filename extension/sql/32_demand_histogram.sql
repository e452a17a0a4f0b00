-- seconds by demand, as counters for exporters

-- unlogged: it costs no WAL, survives a restart, and begins again after a crash, which a reader of counters takes for a reset
CREATE UNLOGGED TABLE ebs.demand_bin (
    volume        text        NOT NULL,
    device        text        NOT NULL,
    metric        text        NOT NULL CHECK (metric IN ('requests', 'bytes')),
    le            float8      NOT NULL,
    us            bigint      NOT NULL,
    amount        bigint      NOT NULL,
    counted_until timestamptz NOT NULL,
    PRIMARY KEY (volume, device, metric, le)
) WITH (fillfactor = 50);
COMMENT ON TABLE ebs.demand_bin IS 'Sampled time of each volume by demand, counted since the volume was first sampled or the server last crashed; ebs_demand_histogram reads it. Neither replicated nor dumped.';
COMMENT ON COLUMN ebs.demand_bin.volume IS 'EBS volume ID; the device where none is known.';
COMMENT ON COLUMN ebs.demand_bin.device IS 'Device.';
COMMENT ON COLUMN ebs.demand_bin.metric IS 'requests (as EBS counts them on SSD volumes) or bytes.';
COMMENT ON COLUMN ebs.demand_bin.le IS 'Largest demand of the bin, per second; the bin begins above the bound before it.';
COMMENT ON COLUMN ebs.demand_bin.us IS 'Time with such demand, microseconds.';
COMMENT ON COLUMN ebs.demand_bin.amount IS 'Requests or bytes of that time.';
COMMENT ON COLUMN ebs.demand_bin.counted_until IS 'End of the samples that were added last.';

CREATE FUNCTION ebs_demand_histogram(
    OUT volume text, OUT device text, OUT metric text, OUT le float8, OUT seconds float8, OUT total float8)
    RETURNS SETOF record
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_demand_histogram_wrapper';
COMMENT ON FUNCTION ebs_demand_histogram() IS
    'Seconds in which demand was at most le, by volume, as counters for postgres_exporter and sql_exporter (docs/fleet.md).';

CREATE FUNCTION ebs_demand_metrics() RETURNS SETOF text
    LANGUAGE c STABLE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_demand_metrics_wrapper';
COMMENT ON FUNCTION ebs_demand_metrics() IS
    'The rows of ebs_demand_histogram, in seconds, in Prometheus'' text format for node_exporter''s textfile collector (docs/fleet.md).';
