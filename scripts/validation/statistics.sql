-- What the measurements and the predictions come to.

CREATE FUNCTION validation.workloads() RETURNS text[] LANGUAGE sql IMMUTABLE
    RETURN '{S,RANGE,SCAN,TPCB,N,ZIPF,OLTP,TPROCC,RATE}'::text[];
COMMENT ON FUNCTION validation.workloads() IS 'Workloads in the order of the tables.';

CREATE FUNCTION validation.classes() RETURNS text[] LANGUAGE sql IMMUTABLE
    RETURN '{same clients,saturated,other clients,16 to 1 clients,open loop}'::text[];
COMMENT ON FUNCTION validation.classes() IS 'Kinds of predictions in the order of the tables.';

CREATE VIEW validation.outcome AS
    SELECT r.*, e.device_iops, e.host_cpu_util,
           CASE WHEN u.volume >= 0.95 THEN 'volume' WHEN e.host_cpu_util > 0.7 THEN 'CPU' ELSE 'latency' END AS regime,
           coalesce(r.latency_ms, 1e3 * r.clients / r.tps) AS response_ms,
           r.part = 'grid' AND r.nominal_ms = 0.7 AND NOT r.limited AND r.clients = CASE r.workload WHEN 'RATE' THEN 8 ELSE 4 END
               AND r.cycles > 1 AS is_reference,
           r.part = 'grid' AND r.nominal_ms = 0.7 AND r.limited AND r.clients = 4 AND r.cycles > 1 AS is_truncated
    FROM validation.counts r JOIN validation.exported e ON e.run = r.run_id
    CROSS JOIN LATERAL (SELECT greatest(e.device_iops / r.cap_iops, e.device_bytes_per_s / (r.cap_mibps * 1048576)) AS volume) u;
COMMENT ON VIEW validation.outcome IS
    'What each run came to. Held back by the volume: within 5 % of its limit; by the CPUs: more than 70 % busy; else by latency.';

CREATE FUNCTION validation.regimes(bound_by text) RETURNS text[] LANGUAGE sql IMMUTABLE AS
$$
    SELECT array_agg(DISTINCT CASE WHEN name ~ '^(volume|WAL volume|instance) ' THEN 'volume' WHEN name = 'CPU' THEN 'CPU'
                                   ELSE 'latency' END)
    FROM regexp_split_to_table(bound_by, '\s*(,|/|;|\+|\yand\y|\yor\y)\s*') name
$$;
COMMENT ON FUNCTION validation.regimes(text) IS 'What a prediction names as the bottleneck, which may be two things: volume, CPU, latency.';

CREATE VIEW validation.compared AS
    SELECT p.declared, t.workload,
           CASE WHEN t.workload = 'RATE' THEN 'open loop'
                WHEN r.clients = 16 AND NOT r.limited AND t.clients = 1 THEN '16 to 1 clients'
                WHEN t.clients <> r.clients THEN 'other clients'
                WHEN r.regime = 'volume' AND NOT t.limited THEN 'saturated'
                ELSE 'same clients' END AS class,
           r.is_reference OR (r.is_truncated AND t.clients = r.clients AND NOT t.limited)
               OR (r.clients = 16 AND NOT r.limited AND t.clients = 1) AS main,
           r.run_id AS reference, t.run_id AS target, r.label AS reference_label, t.label AS target_label,
           r.tps AS reference_tps, t.tps, p.tps AS predicted, p.tps_low, p.tps_high, p.tps / t.tps - 1 AS error,
           t.tps BETWEEN p.tps_low AND p.tps_high AS covered, (p.tps_high - p.tps_low) / 2 / p.tps AS half_width,
           t.response_ms, p.response_ms AS predicted_ms, t.regime, p.bound_by, p.basis, p.note,
           array_to_string(b.names, ' and ') AS predicted_regime, t.regime = ANY (b.names) AS regime_right,
           -- Also right if what was measured is within 5 points of being predicted: of the limit, or of the CPUs' 70 %, of which the
           -- measured CPUs are within 10 points themselves.
           t.regime = ANY (b.names) OR t.regime = 'volume' AND coalesce(b.volume >= 0.95, false)
               OR t.regime <> 'volume' AND NOT 'volume' = ANY (b.names) AND coalesce(p.cpu_pct BETWEEN 65 AND 75, false)
                  AND coalesce(t.host_cpu_util BETWEEN 0.6 AND 0.8, false) AS border_right,
           cardinality(b.names) > 1 AS names_two,
           -- An instance's limit and the emulated one differ by rounding.
           coalesce(b.volume > 1.005, false) AS above_limit
    FROM validation.prediction p
    JOIN validation.outcome r ON r.run_id = p.reference
    JOIN validation.outcome t ON t.run_id = p.target
    CROSS JOIN LATERAL (SELECT validation.regimes(p.bound_by) AS names,
                               greatest(p.device_iops / t.cap_iops, p.device_mibps / t.cap_mibps) AS volume) b
    WHERE p.failed IS NULL AND t.part = 'grid' AND r.part = 'grid'
      AND (r.clients, r.nominal_ms, r.limit_set) <> (t.clients, t.nominal_ms, t.limit_set);
COMMENT ON VIEW validation.compared IS
    'Predicted against measured; pairs of one setting are left out. main: from the one reference of a workload, from the limited one to no limit, or from 16 clients to one.';

CREATE FUNCTION validation.table_of(main boolean, declared boolean)
    RETURNS TABLE (workload text, class text, n bigint, mean_pct numeric, bias_pct numeric, worst_pct numeric,
                   within_20_pct numeric, covered_pct numeric, half_width_pct numeric, regime_pct numeric)
    LANGUAGE sql STABLE AS
$$
    SELECT coalesce(c.workload, 'all'), coalesce(c.class, 'all'), count(*), round(100 * avg(abs(c.error))::numeric, 1),
           round(100 * avg(c.error)::numeric, 1), round(100 * (max(array[abs(c.error), c.error]))[2]::numeric, 1),
           round(100 * avg((abs(c.error) <= 0.2)::int), 0), round(100 * avg(c.covered::int), 0),
           round(100 * (percentile_cont(0.5) WITHIN GROUP (ORDER BY c.half_width))::numeric, 0),
           round(100 * avg(c.regime_right::int), 0)
    FROM validation.compared c
    WHERE c.declared = table_of.declared AND (c.main OR NOT table_of.main)
    GROUP BY CUBE (c.workload, c.class)
    ORDER BY c.workload IS NULL, array_position(validation.workloads(), c.workload), c.class IS NULL,
             array_position(validation.classes(), c.class)
$$;
COMMENT ON FUNCTION validation.table_of(boolean, boolean) IS 'Errors of throughput by workload and class, per cent: from the main references only, or from every run to every other.';

CREATE VIEW validation.noise AS
    SELECT a.workload, a.clients, a.nominal_ms, a.limit_set, a.tps AS first_tps, b.tps AS second_tps, abs(ln(b.tps / a.tps)) AS apart
    FROM validation.counts a JOIN validation.counts b ON b.workload = a.workload AND b.clients = a.clients AND b.part = a.part
         AND b.nominal_ms = a.nominal_ms AND b.limit_set = a.limit_set AND b.run_id > a.run_id
    WHERE a.part = 'grid';
COMMENT ON VIEW validation.noise IS 'Runs of one setting, at different times: no prediction can be closer than they are to each other.';

CREATE FUNCTION validation.line(run integer) RETURNS text LANGUAGE sql STABLE AS
$$
    SELECT CASE WHEN r.refused IS NOT NULL THEN format('%s: refused: %s', r.label, r.refused)
           ELSE format('%s %s tps, %s ms, %s IOPS%s, CPU %s %%, %s s%s', rpad(r.label, 32), lpad(round(r.tps)::text, 6),
                       lpad(round(o.response_ms::numeric, 2)::text, 7), lpad(round(o.device_iops)::text, 6),
                       coalesce(' of ' || r.cap_iops, '') || coalesce(', limit of ' || r.cap_mibps || ' MiB/s', ''),
                       round(100 * o.host_cpu_util), round(r.window_s),
                       CASE WHEN NOT r.steady THEN ', not settled' ELSE '' END) END
    FROM validation.run r LEFT JOIN validation.outcome o USING (run_id) WHERE r.run_id = line.run
$$;
COMMENT ON FUNCTION validation.line(integer) IS 'What a run came to, in a line.';

CREATE VIEW validation.half AS
    SELECT r.cap_iops, r.burst_ms, CASE WHEN r.cap_iops IS NULL THEN 'unlimited' WHEN r.cap_iops < a.iops THEN 'half'
                            WHEN r.cap_iops = a.iops THEN 'advised' ELSE 'double' END AS "limit",
           r.tps, r.latency_ms, r.p99_ms, r.p99_ms / u.p99_ms AS times_unlimited, o.device_iops
    FROM validation.counts r JOIN validation.outcome o USING (run_id)
    CROSS JOIN validation.advised a JOIN validation.counts u ON u.run_id = a.run_id
    WHERE r.part = 'half';
COMMENT ON VIEW validation.half IS 'p99 of transactions under an open-loop load at half, the whole and twice of the IOPS advised.';

CREATE FUNCTION validation.verdict() RETURNS text LANGUAGE sql STABLE AS
$$
    SELECT CASE WHEN count(*) < 3 THEN 'Not all of the runs count: no verdict.'
                WHEN bool_and(times_unlimited <= 1.5) FILTER (WHERE "limit" = 'advised')
                     AND bool_and(times_unlimited > 1.5) FILTER (WHERE "limit" = 'half')
                THEN 'The advised IOPS suffice and half of them do not: p99 at the advised IOPS is within 1.5 times of unlimited, at half it is not.'
                WHEN bool_and(times_unlimited > 1.5) FILTER (WHERE "limit" = 'advised')
                THEN 'Too little: p99 at the advised IOPS is more than 1.5 times that of unlimited.'
                ELSE 'More than needed: at half of the advised IOPS p99 is still within 1.5 times of unlimited.' END
    FROM validation.half WHERE "limit" <> 'unlimited' AND burst_ms = 1000
$$;
COMMENT ON FUNCTION validation.verdict() IS 'Whether what was advised was enough, and no more.';
