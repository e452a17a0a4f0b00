-- the present configuration, as the AWS CLI prints it

CREATE TABLE ebs.configuration (
    kind         text        NOT NULL CHECK (kind IN ('volume', 'instance', 'db instance', 'modification')),
    name         text        NOT NULL,
    region       text,
    account      text,
    happened_at  timestamptz,
    facts        jsonb       NOT NULL,
    imported_at  timestamptz NOT NULL,
    confirmed_at timestamptz NOT NULL,
    imported_by  name        NOT NULL DEFAULT session_user,
    CHECK ((happened_at IS NOT NULL) OPERATOR(pg_catalog.=) (kind OPERATOR(pg_catalog.=) 'modification'))
);
-- no key: what tells rows apart may be unknown, and logical replication needs to name the row that is deleted
ALTER TABLE ebs.configuration REPLICA IDENTITY FULL;
CREATE INDEX configuration_name ON ebs.configuration (kind, name);
COMMENT ON TABLE ebs.configuration IS 'Volumes, instances, RDS instances and modifications imported from the AWS CLI; a changed object has a further row.';
COMMENT ON COLUMN ebs.configuration.kind IS 'volume, instance, db instance or modification (of a volume).';
COMMENT ON COLUMN ebs.configuration.name IS 'EBS volume ID, EC2 instance ID or DBInstanceIdentifier.';
COMMENT ON COLUMN ebs.configuration.region IS 'AWS region; NULL if not printed.';
COMMENT ON COLUMN ebs.configuration.account IS 'AWS account; NULL if not printed.';
COMMENT ON COLUMN ebs.configuration.happened_at IS 'Start of the modification; NULL for other kinds.';
COMMENT ON COLUMN ebs.configuration.facts IS 'What AWS printed: type, size_gib, iops, throughput_mibps, instance type or class, tags and others; a missing key is unknown.';
COMMENT ON COLUMN ebs.configuration.imported_at IS 'Time of the first import with these facts.';
COMMENT ON COLUMN ebs.configuration.confirmed_at IS 'Time of the latest import with these facts.';
COMMENT ON COLUMN ebs.configuration.imported_by IS 'Role that imported it first.';

SELECT pg_catalog.pg_extension_config_dump('ebs.configuration', '');

CREATE FUNCTION ebs_import_configuration(configuration text, OUT kind text, OUT objects bigint, OUT changed bigint)
    RETURNS SETOF record
    LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 4 SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_import_configuration_wrapper';
COMMENT ON FUNCTION ebs_import_configuration(text) IS
    'Imports the output of aws ec2 describe-volumes, describe-instances, describe-volumes-modifications, aws rds describe-db-instances; returns counts of objects (docs/configuration.md).';

CREATE FUNCTION ebs_configuration_reset() RETURNS bigint
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_configuration_reset_wrapper';
COMMENT ON FUNCTION ebs_configuration_reset() IS
    'Removes everything that ebs_import_configuration stored and returns the number of rows (docs/configuration.md).';
