-- Sizing for PostgreSQL's own I/O: values, and evidence in which its share is not known.
SELECT ebs_advise(io_source => 'postgres');
SELECT count(*) FROM ebs_options(io_source => '');
SELECT count(*) FROM ebs_whatif(io_source => 'mine');
SELECT ebs_import_samples('others', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s',
    'reads', 500, 'writes', 0, 'read_bytes', 4096000, 'write_bytes', 0) ORDER BY i)) AS samples FROM generate_series(1, 100) i;
SELECT count(*) FROM ebs_options('others', io_source => 'postgresql');
SELECT count(*) FROM ebs_frontier('others', io_source => 'PostgreSQL');
SELECT ebs_advise_json('others', io_source => 'All') -> 'request' ->> 'io_source' AS io_source,
    ebs_advise_json('others') -> 'io_shares' AS io_shares;
SELECT ebs_run_drop('others');
