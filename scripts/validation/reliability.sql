-- How far the intervals can be relied on, and what the kinds of predictions come to.

CREATE FUNCTION validation.kinds(main boolean, declared boolean)
    RETURNS TABLE (kind text, place integer, error float8, covered boolean, half_width float8, z float8, regime_right boolean,
                   border_right boolean, above_limit boolean, names_two boolean, workload text)
    LANGUAGE sql STABLE AS
$$
    SELECT k.kind, k.place, c.error, c.covered, c.half_width,
           -- By how many standard deviations the measurement is off, on the scale of logarithms: a side's half width is 1.645 of them.
           coalesce(abs(ln(c.tps / c.predicted)) * 1.644854
               / nullif(CASE WHEN c.tps < c.predicted THEN ln(c.predicted / greatest(c.tps_low, 1e-9))
                             ELSE ln(c.tps_high / c.predicted) END, 0), 'Infinity'),
           c.regime_right, c.border_right, c.above_limit, c.names_two, c.workload
    FROM validation.compared c
    CROSS JOIN LATERAL (VALUES (c.class, array_position(validation.classes(), c.class)), ('all', 99)) k (kind, place)
    WHERE c.declared = kinds.declared AND (c.main OR NOT kinds.main)
$$;
COMMENT ON FUNCTION validation.kinds(boolean, boolean) IS 'Predictions, each in its kind and in all: from the main references only, or from every reference.';

CREATE FUNCTION validation.kind_table(main boolean, declared boolean)
    RETURNS TABLE (kind text, n bigint, mean_pct numeric, bias_pct numeric, worst_pct numeric, covered_pct numeric, half_width_pct numeric,
                   regime_pct numeric, border_pct numeric, names_two bigint, above_limit bigint, goal text)
    LANGUAGE sql STABLE AS
$$
    SELECT k.kind, count(*), round(100 * avg(abs(k.error))::numeric, 1), round(100 * avg(k.error)::numeric, 1),
           round(100 * (max(array[abs(k.error), k.error]))[2]::numeric, 1), round(100 * avg(k.covered::int)),
           round(100 * (percentile_cont(0.5) WITHIN GROUP (ORDER BY k.half_width))::numeric),
           round(100 * avg(k.regime_right::int)), round(100 * avg(k.border_right::int)), count(*) FILTER (WHERE k.names_two),
           count(*) FILTER (WHERE k.above_limit),
           g.goal
    FROM validation.kinds(kind_table.main, kind_table.declared) k
    LEFT JOIN (VALUES ('same clients', 'mean ≤ 4; half width ≤ 12 with ≥ 88 covered'), ('saturated', 'mean ≤ 7'), ('other clients', 'mean ≤ 6'),
                      ('16 to 1 clients', '≥ 88 covered'), ('all', 'worst ≤ 22; bottleneck ≥ 95; none above a limit')) g (kind, goal) USING (kind)
    GROUP BY k.kind, k.place, g.goal ORDER BY k.place
$$;
COMMENT ON FUNCTION validation.kind_table(boolean, boolean) IS 'Errors of throughput by kind of prediction, per cent, with what they should be.';

CREATE FUNCTION validation.reliability(main boolean, declared boolean)
    RETURNS TABLE (kind text, n bigint, within_50 numeric, within_80 numeric, within_90 numeric, within_95 numeric)
    LANGUAGE sql STABLE AS
$$
    SELECT k.kind, count(*), round(100 * avg((k.z <= 0.674490)::int)), round(100 * avg((k.z <= 1.281552)::int)),
           round(100 * avg((k.z <= 1.644854)::int)), round(100 * avg((k.z <= 1.959964)::int))
    FROM validation.kinds(reliability.main, reliability.declared) k GROUP BY k.kind, k.place ORDER BY k.place
$$;
COMMENT ON FUNCTION validation.reliability(boolean, boolean) IS
    'Per cent of measurements in intervals of nominal 50, 80, 90 and 95 %: the predicted one of 90 %, each side scaled on the scale of logarithms as of a normal distribution.';

CREATE FUNCTION validation.by_workload(main boolean, declared boolean)
    RETURNS TABLE (workload text, n bigint, mean_pct numeric, at_most_9 text, worst_pct numeric, worst_kind text, covered_pct numeric)
    LANGUAGE sql STABLE AS
$$
    SELECT k.workload, count(*), round(100 * avg(abs(k.error))::numeric, 1), CASE WHEN avg(abs(k.error)) <= 0.09 THEN 'yes' ELSE 'no' END,
           round(100 * (array_agg(k.error ORDER BY abs(k.error) DESC))[1]::numeric, 1), (array_agg(k.kind ORDER BY abs(k.error) DESC))[1],
           round(100 * avg(k.covered::int))
    FROM validation.kinds(by_workload.main, by_workload.declared) k WHERE k.kind <> 'all'
    GROUP BY k.workload ORDER BY avg(abs(k.error)) DESC
$$;
COMMENT ON FUNCTION validation.by_workload(boolean, boolean) IS 'Errors of throughput by workload, the one of the largest mean first.';
