-- what nothing that a server may read tells: types, provisioned IOPS and throughput, the instance

CREATE TABLE ebs.volume_declared (
    declared_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    volume           text        NOT NULL,
    volume_type      text,
    size_gib         bigint,
    iops             bigint,
    throughput_mibps bigint,
    volumes          integer,
    PRIMARY KEY (volume, declared_at),
    CHECK (pg_catalog.num_nulls(volume_type, size_gib, iops, throughput_mibps, volumes) IN (0, 5))
);
COMMENT ON TABLE ebs.volume_declared IS 'Declarations of the cluster''s volumes; the latest row of a name applies, and one without a type withdraws the declaration.';
COMMENT ON COLUMN ebs.volume_declared.declared_at IS 'Time from which the declaration applies; the first of a name also applies to the time before.';
COMMENT ON COLUMN ebs.volume_declared.volume IS 'EBS volume ID, device, or role (data, wal, tablespace and its name, temp).';
COMMENT ON COLUMN ebs.volume_declared.volume_type IS 'Volume type, by AWS''s name for it.';
COMMENT ON COLUMN ebs.volume_declared.size_gib IS 'Size of each volume, GiB.';
COMMENT ON COLUMN ebs.volume_declared.iops IS 'IOPS of each volume: provisioned, or the number that the type included at the declaration.';
COMMENT ON COLUMN ebs.volume_declared.throughput_mibps IS 'MiB/s of each volume: provisioned, or the throughput that the type included at the declaration.';
COMMENT ON COLUMN ebs.volume_declared.volumes IS 'Number of equal volumes in the stripe.';

CREATE TABLE ebs.instance_declared (
    declared_at timestamptz NOT NULL DEFAULT clock_timestamp() PRIMARY KEY,
    instance    text
);
COMMENT ON TABLE ebs.instance_declared IS 'Declarations of the server''s EC2 instance; the latest row applies.';
COMMENT ON COLUMN ebs.instance_declared.declared_at IS 'Time from which the declaration applies; the first also applies to the time before.';
COMMENT ON COLUMN ebs.instance_declared.instance IS 'EC2 instance type; NULL withdraws the declaration.';

SELECT pg_catalog.pg_extension_config_dump('ebs.volume_declared', '');
SELECT pg_catalog.pg_extension_config_dump('ebs.instance_declared', '');

CREATE FUNCTION ebs_volume_declare(volume text, volume_type text, size_gib bigint, iops bigint DEFAULT NULL,
                                   throughput_mibps bigint DEFAULT NULL, volumes integer DEFAULT 1,
                                   run text DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_volume_declare_wrapper';
COMMENT ON FUNCTION ebs_volume_declare(text, text, bigint, bigint, bigint, integer, text) IS
    'Declares type, size in GiB, IOPS and MiB/s of each volume of the cluster, or of an imported run; a type of NULL withdraws the declaration (docs/declarations.md).';

CREATE FUNCTION ebs_instance_declare(instance text, run text DEFAULT NULL) RETURNS void
    LANGUAGE c VOLATILE PARALLEL UNSAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'MODULE_PATHNAME', 'ebs_instance_declare_wrapper';
COMMENT ON FUNCTION ebs_instance_declare(text, text) IS
    'Declares the EC2 instance type of the server, or type or RDS class of an imported run; NULL withdraws the declaration (docs/declarations.md).';
