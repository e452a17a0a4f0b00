-- answers of ebsctl fleet --into, what was changed since, and what that saved

CREATE TABLE ebs.fleet_answer (
    advised_at      timestamptz NOT NULL,
    volume          text        NOT NULL,
    account         text,
    region          text,
    instance        text,
    owner           text,
    action          text        NOT NULL CHECK (action IN ('keep', 'modify', 'larger_instance', 'delete', 'no_answer')),
    usd_month       numeric,
    usd_month_saved numeric,
    answer          jsonb       NOT NULL,
    imported_by     name        NOT NULL DEFAULT session_user,
    UNIQUE NULLS NOT DISTINCT (volume, account, region, advised_at)
);
-- account and region may be unknown, so the constraint cannot serve logical replication
ALTER TABLE ebs.fleet_answer REPLICA IDENTITY FULL;
CREATE INDEX fleet_answer_advised_at ON ebs.fleet_answer (advised_at);
COMMENT ON TABLE ebs.fleet_answer IS 'Answers of ebsctl fleet --into: a row a volume and answer (docs/fleet.md).';
COMMENT ON COLUMN ebs.fleet_answer.advised_at IS 'Time of the answer.';
COMMENT ON COLUMN ebs.fleet_answer.volume IS 'EBS volume ID, or identifier of the RDS instance.';
COMMENT ON COLUMN ebs.fleet_answer.account IS 'AWS account; NULL if not known.';
COMMENT ON COLUMN ebs.fleet_answer.region IS 'Region; NULL if not known.';
COMMENT ON COLUMN ebs.fleet_answer.instance IS 'EC2 instance ID, or RDS identifier.';
COMMENT ON COLUMN ebs.fleet_answer.owner IS 'Value of the tag that names the owner.';
COMMENT ON COLUMN ebs.fleet_answer.action IS 'keep, modify, larger_instance (its instance binds), delete (it is not attached) or no_answer.';
COMMENT ON COLUMN ebs.fleet_answer.usd_month IS 'Present price, US dollars a month, after discounts.';
COMMENT ON COLUMN ebs.fleet_answer.usd_month_saved IS 'Saving of the action, US dollars a month; negative if it costs more, NULL if a price is not known.';
COMMENT ON COLUMN ebs.fleet_answer.answer IS 'The whole row, as ebsctl fleet --format json prints it (docs/schema/fleet.json).';
COMMENT ON COLUMN ebs.fleet_answer.imported_by IS 'Role that imported it last.';

SELECT pg_catalog.pg_extension_config_dump('ebs.fleet_answer', '');

CREATE FUNCTION ebs_import_fleet(answers text, advised_at timestamptz) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_fleet_wrapper';
COMMENT ON FUNCTION ebs_import_fleet(text, timestamptz) IS
    'Stores the output of ebsctl fleet --format json as the answer of that time, replaces the same volumes'' answers of that time, and returns their number (docs/fleet.md).';

CREATE FUNCTION ebs_fleet_forget(before timestamptz) RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_fleet_forget_wrapper';
COMMENT ON FUNCTION ebs_fleet_forget(timestamptz) IS
    'Removes the fleet''s answers from before that time, and returns their number (docs/fleet.md).';

-- Views read a row as another version of ebsctl may have written it: a value of another type than theirs is NULL.
CREATE VIEW ebs.fleet_latest AS
    SELECT advised_at, volume, r.name, r.claim, owner, account, region, instance, r.instance_type, action,
           p.volume_type,
           pg_catalog.substring(p.volumes, '^[0-9]{1,18}$')::bigint AS volumes,
           pg_catalog.substring(p.size_gib, '^[0-9]{1,18}$')::bigint AS size_gib,
           pg_catalog.substring(p.iops, '^[0-9]{1,18}$')::bigint AS iops,
           pg_catalog.substring(p.throughput_mibps, '^[0-9]{1,18}$')::bigint AS throughput_mibps,
           f.usd_month,
           n.volume_type AS recommended_volume_type,
           pg_catalog.substring(n.volumes, '^[0-9]{1,18}$')::bigint AS recommended_volumes,
           pg_catalog.substring(n.size_gib, '^[0-9]{1,18}$')::bigint AS recommended_size_gib,
           pg_catalog.substring(n.iops, '^[0-9]{1,18}$')::bigint AS recommended_iops,
           pg_catalog.substring(n.throughput_mibps, '^[0-9]{1,18}$')::bigint AS recommended_throughput_mibps,
           pg_catalog.trim_scale(pg_catalog.substring(n.usd_month, '^-?[0-9]{1,99}(?:[.][0-9]{1,99})?$')::numeric) AS recommended_usd_month,
           usd_month_saved, r.risk, r.confidence, r.binding_limit,
           pg_catalog.substring(r.limit_pct, '^-?[0-9]{1,99}(?:[.][0-9]{1,99})?$')::float8 AS limit_pct,
           e.grade,
           pg_catalog.substring(e.coverage_pct, '^-?[0-9]{1,99}(?:[.][0-9]{1,99})?$')::float8 AS coverage_pct,
           c.code AS reason_code,
           c.text AS reason
    FROM (SELECT DISTINCT ON (volume, account, region) * FROM ebs.fleet_answer ORDER BY volume, account, region, advised_at DESC) f,
         pg_catalog.jsonb_to_record(pg_catalog.jsonb_path_query_first(answer, '$ ? (@.type() == "object")'))
             AS r (name text, claim text, instance_type text, risk text, confidence text, binding_limit text, limit_pct text),
         pg_catalog.jsonb_to_record(pg_catalog.jsonb_path_query_first(answer, '$.present ? (@.type() == "object")'))
             AS p (volume_type text, volumes text, size_gib text, iops text, throughput_mibps text),
         pg_catalog.jsonb_to_record(pg_catalog.jsonb_path_query_first(answer, '$.recommended ? (@.type() == "object")'))
             AS n (volume_type text, volumes text, size_gib text, iops text, throughput_mibps text, usd_month text),
         pg_catalog.jsonb_to_record(pg_catalog.jsonb_path_query_first(answer, '$.evidence ? (@.type() == "object")')) AS e (grade text, coverage_pct text),
         pg_catalog.jsonb_to_record(pg_catalog.jsonb_path_query_first(answer, '$.reason ? (@.type() == "object")')) AS c (code text, text text)
    ORDER BY volume, account, region;
COMMENT ON VIEW ebs.fleet_latest IS 'Latest answer for each volume (docs/fleet.md).';
COMMENT ON COLUMN ebs.fleet_latest.advised_at IS 'Time of the answer.';
COMMENT ON COLUMN ebs.fleet_latest.volume IS 'EBS volume ID, or identifier of the RDS instance.';
COMMENT ON COLUMN ebs.fleet_latest.name IS 'Tag Name of the volume.';
COMMENT ON COLUMN ebs.fleet_latest.claim IS 'Kubernetes claim, as namespace/name.';
COMMENT ON COLUMN ebs.fleet_latest.owner IS 'Value of the tag that names the owner.';
COMMENT ON COLUMN ebs.fleet_latest.account IS 'AWS account; NULL if not known.';
COMMENT ON COLUMN ebs.fleet_latest.region IS 'Region; NULL if not known.';
COMMENT ON COLUMN ebs.fleet_latest.instance IS 'EC2 instance ID, or RDS identifier.';
COMMENT ON COLUMN ebs.fleet_latest.instance_type IS 'Instance type or class.';
COMMENT ON COLUMN ebs.fleet_latest.action IS 'keep, modify, larger_instance (its instance binds), delete (it is not attached) or no_answer.';
COMMENT ON COLUMN ebs.fleet_latest.volume_type IS 'Present volume type; NULL if not known, like the other figures.';
COMMENT ON COLUMN ebs.fleet_latest.volumes IS 'Number of equal volumes.';
COMMENT ON COLUMN ebs.fleet_latest.size_gib IS 'Present size of each, GiB.';
COMMENT ON COLUMN ebs.fleet_latest.iops IS 'Present IOPS of each.';
COMMENT ON COLUMN ebs.fleet_latest.throughput_mibps IS 'Present throughput of each, MiB/s.';
COMMENT ON COLUMN ebs.fleet_latest.usd_month IS 'Present price, US dollars a month, after discounts.';
COMMENT ON COLUMN ebs.fleet_latest.recommended_volume_type IS 'Recommended volume type; NULL if nothing is recommended, like the other figures.';
COMMENT ON COLUMN ebs.fleet_latest.recommended_volumes IS 'Recommended number of equal volumes.';
COMMENT ON COLUMN ebs.fleet_latest.recommended_size_gib IS 'Recommended size of each, GiB.';
COMMENT ON COLUMN ebs.fleet_latest.recommended_iops IS 'Recommended IOPS of each.';
COMMENT ON COLUMN ebs.fleet_latest.recommended_throughput_mibps IS 'Recommended throughput of each, MiB/s.';
COMMENT ON COLUMN ebs.fleet_latest.recommended_usd_month IS 'Price of the recommended configuration, US dollars a month.';
COMMENT ON COLUMN ebs.fleet_latest.usd_month_saved IS 'Saving of the action, US dollars a month; negative if it costs more, NULL if a price is not known.';
COMMENT ON COLUMN ebs.fleet_latest.risk IS 'Risk: very low, low, medium, high or very high.';
COMMENT ON COLUMN ebs.fleet_latest.confidence IS 'Confidence: low, medium or high.';
COMMENT ON COLUMN ebs.fleet_latest.binding_limit IS 'Limit of the present configuration that binds.';
COMMENT ON COLUMN ebs.fleet_latest.limit_pct IS 'Per cent of the time at or above a limit of the present configuration.';
COMMENT ON COLUMN ebs.fleet_latest.grade IS 'Grade of the evidence: seconds, checked, scrapes, averages or none.';
COMMENT ON COLUMN ebs.fleet_latest.coverage_pct IS 'Per cent of the time that samples cover.';
COMMENT ON COLUMN ebs.fleet_latest.reason_code IS 'Code of the reason.';
COMMENT ON COLUMN ebs.fleet_latest.reason IS 'Reason for the action.';

CREATE VIEW ebs.fleet_changes AS
    WITH described AS (
        SELECT d.*, pg_catalog.to_jsonb(p) AS present
        FROM ebs.fleet_answer d, pg_catalog.jsonb_to_record(pg_catalog.jsonb_path_query_first(answer, '$.present ? (@.type() == "object")'))
             AS p (volume_type jsonb, volumes jsonb, size_gib jsonb, iops jsonb, throughput_mibps jsonb)
        WHERE p.volume_type IS NOT NULL
    ), followed AS (
        SELECT d.*, pg_catalog.lead(advised_at) OVER later AS found_at, pg_catalog.lead(present) OVER later AS present_after,
               pg_catalog.lead(usd_month) OVER later AS usd_month_after
        FROM described d
        WINDOW later AS (PARTITION BY volume, account, region ORDER BY advised_at)
    )
    SELECT volume, account, region, instance, owner, advised_at, action, m.modified_at, found_at,
           b.volume_type AS volume_type_before,
           pg_catalog.substring(b.volumes, '^[0-9]{1,18}$')::bigint AS volumes_before,
           pg_catalog.substring(b.size_gib, '^[0-9]{1,18}$')::bigint AS size_gib_before,
           pg_catalog.substring(b.iops, '^[0-9]{1,18}$')::bigint AS iops_before,
           pg_catalog.substring(b.throughput_mibps, '^[0-9]{1,18}$')::bigint AS throughput_mibps_before,
           a.volume_type AS volume_type_after,
           pg_catalog.substring(a.volumes, '^[0-9]{1,18}$')::bigint AS volumes_after,
           pg_catalog.substring(a.size_gib, '^[0-9]{1,18}$')::bigint AS size_gib_after,
           pg_catalog.substring(a.iops, '^[0-9]{1,18}$')::bigint AS iops_after,
           pg_catalog.substring(a.throughput_mibps, '^[0-9]{1,18}$')::bigint AS throughput_mibps_after,
           CASE WHEN advised IS NOT NULL THEN pg_catalog.to_jsonb(n) = m.present END AS as_advised,
           f.usd_month AS usd_month_before,
           s.usd_month AS usd_month_after,
           f.usd_month - s.usd_month AS usd_month_saved,
           CASE WHEN action = 'modify' THEN usd_month_saved END AS usd_month_advised
    FROM followed f,
         LATERAL (
             SELECT f.present_after AS present,
                    (SELECT pg_catalog.max(c.happened_at) FROM ebs.configuration c
                     WHERE c.kind = 'modification' AND c.name = f.volume AND c.happened_at > f.advised_at AND c.happened_at <= f.found_at) AS modified_at
             WHERE f.found_at IS NOT NULL AND f.present <> f.present_after
             UNION ALL
             (SELECT f.present || coalesce(pg_catalog.jsonb_path_query_first(c.facts, '$.target ? (@.type() == "object")'), '{}'), c.happened_at
              FROM ebs.configuration c
              WHERE f.found_at IS NULL AND c.kind = 'modification' AND c.name = f.volume AND c.happened_at > f.advised_at
              ORDER BY c.happened_at DESC, c.imported_at DESC LIMIT 1)
         ) m,
         pg_catalog.jsonb_path_query_first(answer, '$.recommended ? (@.type() == "object")') AS advised,
         pg_catalog.jsonb_to_record(advised) AS n (volume_type jsonb, volumes jsonb, size_gib jsonb, iops jsonb, throughput_mibps jsonb),
         pg_catalog.jsonb_to_record(advised) AS price (usd_month text),
         LATERAL (SELECT CASE WHEN found_at IS NOT NULL THEN usd_month_after
                              WHEN pg_catalog.to_jsonb(n) = m.present THEN pg_catalog.trim_scale(pg_catalog.substring(price.usd_month, '^-?[0-9]{1,99}(?:[.][0-9]{1,99})?$')::numeric)
                         END AS usd_month) s,
         pg_catalog.jsonb_to_record(f.present) AS b (volume_type text, volumes text, size_gib text, iops text, throughput_mibps text),
         pg_catalog.jsonb_to_record(m.present) AS a (volume_type text, volumes text, size_gib text, iops text, throughput_mibps text);
COMMENT ON VIEW ebs.fleet_changes IS 'Changed volumes: the present configuration differs between two answers, or a modification was imported since the latest one (docs/fleet.md).';
COMMENT ON COLUMN ebs.fleet_changes.volume IS 'EBS volume ID, or identifier of the RDS instance.';
COMMENT ON COLUMN ebs.fleet_changes.account IS 'AWS account; NULL if not known.';
COMMENT ON COLUMN ebs.fleet_changes.region IS 'Region; NULL if not known.';
COMMENT ON COLUMN ebs.fleet_changes.instance IS 'EC2 instance ID, or RDS identifier.';
COMMENT ON COLUMN ebs.fleet_changes.owner IS 'Value of the tag that names the owner.';
COMMENT ON COLUMN ebs.fleet_changes.advised_at IS 'Time of the last answer before the change.';
COMMENT ON COLUMN ebs.fleet_changes.action IS 'Action of that answer.';
COMMENT ON COLUMN ebs.fleet_changes.modified_at IS 'Start of the modification, if one was imported.';
COMMENT ON COLUMN ebs.fleet_changes.found_at IS 'Time of the first answer after the change; NULL until there is one.';
COMMENT ON COLUMN ebs.fleet_changes.volume_type_before IS 'Volume type before the change.';
COMMENT ON COLUMN ebs.fleet_changes.volumes_before IS 'Number of equal volumes before the change.';
COMMENT ON COLUMN ebs.fleet_changes.size_gib_before IS 'Size of each, GiB before the change.';
COMMENT ON COLUMN ebs.fleet_changes.iops_before IS 'IOPS of each before the change.';
COMMENT ON COLUMN ebs.fleet_changes.throughput_mibps_before IS 'Throughput of each, MiB/s before the change.';
COMMENT ON COLUMN ebs.fleet_changes.volume_type_after IS 'Volume type after the change.';
COMMENT ON COLUMN ebs.fleet_changes.volumes_after IS 'Number of equal volumes after the change.';
COMMENT ON COLUMN ebs.fleet_changes.size_gib_after IS 'Size of each, GiB after the change.';
COMMENT ON COLUMN ebs.fleet_changes.iops_after IS 'IOPS of each after the change.';
COMMENT ON COLUMN ebs.fleet_changes.throughput_mibps_after IS 'Throughput of each, MiB/s after the change.';
COMMENT ON COLUMN ebs.fleet_changes.as_advised IS 'True if it is now as that answer recommended; NULL if it recommended nothing.';
COMMENT ON COLUMN ebs.fleet_changes.usd_month_before IS 'Price before, US dollars a month.';
COMMENT ON COLUMN ebs.fleet_changes.usd_month_after IS 'Price after, US dollars a month; until there is an answer, that of the recommendation, if it was followed.';
COMMENT ON COLUMN ebs.fleet_changes.usd_month_saved IS 'Saving of the change, US dollars a month; negative if it costs more, NULL if a price is not known.';
COMMENT ON COLUMN ebs.fleet_changes.usd_month_advised IS 'Saving that the answer before had named, US dollars a month; NULL if it had not advised to modify the volume.';

CREATE VIEW ebs.fleet_savings AS
    WITH answered AS (
        SELECT advised_at, pg_catalog.count(*) AS volumes, pg_catalog.count(*) FILTER (WHERE usd_month IS NULL) AS unpriced,
               pg_catalog.sum(usd_month) AS usd_month,
               pg_catalog.sum(usd_month_saved) FILTER (WHERE action IN ('modify', 'delete')) AS usd_month_advised
        FROM ebs.fleet_answer GROUP BY advised_at
    ), changed AS (
        SELECT found_at, pg_catalog.count(*) AS changes, pg_catalog.sum(usd_month_saved) AS saved, pg_catalog.sum(usd_month_advised) AS advised
        FROM ebs.fleet_changes WHERE found_at IS NOT NULL GROUP BY found_at
    )
    SELECT advised_at, volumes, unpriced, usd_month, usd_month_advised,
           coalesce((pg_catalog.sum(changes) OVER until)::bigint, 0) AS changes,
           coalesce(pg_catalog.sum(saved) OVER until, 0) AS usd_month_saved,
           coalesce(pg_catalog.sum(advised) OVER until, 0) AS usd_month_saved_advised
    FROM answered LEFT JOIN changed ON found_at = advised_at
    WINDOW until AS (ORDER BY advised_at);
COMMENT ON VIEW ebs.fleet_savings IS 'Savings over time: what each answer advises, and what all changes up to it have saved (docs/fleet.md).';
COMMENT ON COLUMN ebs.fleet_savings.advised_at IS 'Time of the answer.';
COMMENT ON COLUMN ebs.fleet_savings.volumes IS 'Volumes in the answer.';
COMMENT ON COLUMN ebs.fleet_savings.unpriced IS 'Volumes whose present price is not known; they are not in the sums.';
COMMENT ON COLUMN ebs.fleet_savings.usd_month IS 'Present price of its volumes, US dollars a month.';
COMMENT ON COLUMN ebs.fleet_savings.usd_month_advised IS 'Saving of all modifications and deletions that it advises, US dollars a month.';
COMMENT ON COLUMN ebs.fleet_savings.changes IS 'Changes found up to this answer.';
COMMENT ON COLUMN ebs.fleet_savings.usd_month_saved IS 'Saving of these changes, US dollars a month.';
COMMENT ON COLUMN ebs.fleet_savings.usd_month_saved_advised IS 'Saving that the answers before them had named, US dollars a month.';
