-- What would have been predicted of each run, from each other run of its workload.

CREATE TABLE validation.prediction (
    reference   integer NOT NULL REFERENCES validation.run ON DELETE CASCADE,
    target      integer NOT NULL REFERENCES validation.run ON DELETE CASCADE,
    declared    boolean NOT NULL,
    tps         float8,
    tps_low     float8,
    tps_high    float8,
    response_ms float8,
    device_iops float8,
    device_mibps float8,
    cpu_pct     float8,
    bound_by    text,
    basis       text,
    note        text,
    failed      text,
    PRIMARY KEY (reference, target, declared)
);
COMMENT ON TABLE validation.prediction IS 'Predictions, each from one run of another one''s setting.';
COMMENT ON COLUMN validation.prediction.declared IS 'Whether it was said which volume the reference ran on; if not, a limit has to be recognised by itself.';
COMMENT ON COLUMN validation.prediction.failed IS 'What ebs_whatif said instead.';

CREATE FUNCTION validation.predict(reference validation.run, target validation.run, declared boolean) RETURNS void
    LANGUAGE plpgsql AS
$$
DECLARE
    t validation.service_time;
    -- What its limit is the limit of (limit.sh): a gp3 if it is one of MiB/s, an instance, or an io2.
    by_bytes boolean := target.cap_mibps IS NOT NULL AND target.instance IS NULL;
BEGIN
    SELECT * INTO STRICT t FROM validation.service_time s WHERE s.nominal_ms = target.nominal_ms;
    INSERT INTO validation.prediction
    SELECT reference.run_id, target.run_id, declared, w.tps, w.tps_low, w.tps_high, w.response_ms, w.device_iops, w.device_mibps, w.cpu_pct,
           concat_ws(' or ', w.bound_by, substring(w.note FROM '([A-Za-z][A-Za-z ]*) may be the bottleneck as well')),
           w.basis, w.note, CASE WHEN w.tps IS NULL THEN w.note END
    FROM ebs_whatif(reference.label, volume_type => CASE WHEN by_bytes THEN 'gp3' ELSE 'io2' END, size_gib => 1000,
                    iops => CASE WHEN by_bytes THEN 80000 WHEN target.instance IS NULL THEN coalesce(target.cap_iops, 256000) ELSE 256000 END,
                    throughput_mibps => CASE WHEN by_bytes THEN target.cap_mibps END, instance => target.instance,
                    clients => CASE WHEN target.clients <> reference.clients THEN target.clients END,
                    read_ms => t.read_ms, write_ms => t.write_ms) w
    LIMIT 1;
EXCEPTION WHEN OTHERS THEN
    INSERT INTO validation.prediction (reference, target, declared, failed)
    VALUES (reference.run_id, target.run_id, declared, SQLERRM);
END
$$;
COMMENT ON FUNCTION validation.predict(validation.run, validation.run, boolean) IS
    'Asks ebs_whatif what the reference would do on the target''s volume, at its clients, with the service times that a user would have measured.';

CREATE PROCEDURE validation.predict_all(declared boolean) LANGUAGE sql AS
$$
    DELETE FROM validation.prediction p WHERE p.declared = predict_all.declared;
    SELECT validation.predict(r, t, predict_all.declared)
    FROM validation.run r JOIN validation.run t ON t.workload = r.workload AND t.run_id <> r.run_id
    WHERE r.cycles > 1 AND r.tps IS NOT NULL AND r.refused IS NULL AND t.tps IS NOT NULL AND t.refused IS NULL
$$;
COMMENT ON PROCEDURE validation.predict_all(boolean) IS 'Predicts every run from every other one of its workload that is long enough for ebs_whatif.';
