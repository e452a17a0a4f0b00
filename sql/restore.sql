-- Time of a restore by each way, by hand from AWS's figures (docs/restore.md).
SET timezone = 'UTC';
\pset null -
-- 1 TiB: 1,048,576 MiB in 2.91 h at 100 MiB/s. The bucket holds one volume and refills one an hour.
SELECT way, available_hours, fast_hours, usd, usd_month FROM ebs_restore_time(size_gib => 1024);
-- 500 GiB, 100 of them data, three copies of each of two volumes: bucket 2, refill 2.048, so the third waits 0.49 h.
SELECT way, fast_hours, usd, usd_month FROM ebs_restore_time(size_gib => 500, data_gib => 100, volumes => 2, copies => 3);
-- Prices of other regions are not known, and the text says so; nor what a Local Zone offers.
SELECT way, usd, usd_month, source ~ 'unknown|unverified' AS said FROM ebs_restore_time(size_gib => 500, region => 'EU-west-1');
SELECT way, usd, usd_month, note ~ 'whether us-west-2-lax-1a offers it is not known$' AS said FROM ebs_restore_time(size_gib => 500, region => 'us-west-2-lax-1a');
-- Fast snapshot restore is for 16 TiB at most.
SELECT way, fast_hours FROM ebs_restore_time(size_gib => 20000);
SELECT source, note FROM ebs_restore_time(size_gib => 500);

-- Of a run: its volumes as declared or imported.
SELECT ebs_import_samples('restored', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2024-11-20 10:00:00+00' + i * interval '1 s',
    'reads', 10, 'writes', 0, 'read_bytes', 81920, 'write_bytes', 0))) FROM generate_series(0, 600) i;
SELECT * FROM ebs_restore_time('restored');
SELECT volume, way, fast_hours FROM ebs_restore_time('restored', size_gib => 100) WHERE way ~ '300';
SELECT ebs_volume_declare('sdf', 'gp3', 500, 3000, 125, volumes => 2, run => 'restored');
SELECT volume, way, fast_hours, usd, usd_month FROM ebs_restore_time('restored');
SELECT volume, way, fast_hours FROM ebs_restore_time('restored', size_gib => 100) WHERE way ~ '300';
SELECT ebs_run_drop('restored');

-- What is refused.
SELECT * FROM ebs_restore_time(size_gib => 0);
SELECT * FROM ebs_restore_time(size_gib => 100, data_gib => 200);
SELECT * FROM ebs_restore_time(size_gib => 100, copies => -1);
SELECT * FROM ebs_restore_time(size_gib => 100, region => 'moon');
SELECT * FROM ebs_restore_time('nothing');
