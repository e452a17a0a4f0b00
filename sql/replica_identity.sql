-- Rows of every table of the extension have an identity, so that they can be changed and deleted while all tables are published: by
-- a primary key, or by all columns.
SELECT c.oid::regclass AS without_identity
FROM pg_class c JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
    JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND e.oid = d.refobjid AND e.extname = 'ebs_advisor'
WHERE c.relkind IN ('r', 'p') AND NOT CASE c.relreplident
    WHEN 'd' THEN EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)
    WHEN 'i' THEN EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisreplident)
    ELSE c.relreplident = 'f' END;

-- PostgreSQL refuses without one, whatever wal_level is; the warning about that is not of this test.
SET client_min_messages = error;
CREATE PUBLICATION everything FOR ALL TABLES;
CREATE TABLE without_key (i integer);
INSERT INTO without_key VALUES (1);
DELETE FROM without_key;

-- Every function that changes or deletes rows.
SELECT ebs_import_samples('published', 'nvme1n1', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-15 10:00:00+00' + i * interval '1 s',
  'reads', 100, 'writes', 10, 'read_bytes', 819200, 'write_bytes', 81920) ORDER BY i)) > 0 AS imported FROM generate_series(1, 60) i;
SELECT ebs_run_result('published', tps => 1);
SELECT ebs_run_note('published', '{"a": 1}'), ebs_run_tag('published', 'one'), ebs_run_untag('published', 'one');
SELECT ebs_volume_declare('nvme1n1', 'gp3', 100, run => 'published'), ebs_instance_declare('m5.large', run => 'published');
SELECT ebs_run_rename('published', 'republished');
SELECT ebs_run_drop('republished');
SELECT ebs_run_begin('sampled') > 0 AS begun;
SELECT ebs_run_mark('measure');
SELECT ebs_run_end();
SELECT ebs_run_drop('sampled');
SELECT ebs_volume_declare('data', 'gp3', 100), ebs_volume_declare('data', 'gp3', 200), ebs_volume_declare('data', NULL, NULL);
SELECT ebs_instance_declare('m5.large'), ebs_instance_declare('m5.xlarge'), ebs_instance_declare(NULL);
DELETE FROM ebs.volume_declared;
DELETE FROM ebs.instance_declared;
SELECT * FROM ebs_import_configuration('{"Volumes": [{"VolumeId": "vol-0a", "Size": 500}]}') WHERE objects > 0;
SELECT * FROM ebs_import_configuration('{"Volumes": [{"VolumeId": "vol-0a", "Size": 500}]}') WHERE objects > 0;
SELECT ebs_configuration_reset();
SELECT ebs_import_prices('{"offer": "AmazonEC2", "version": "1", "published": "2026-12-01", "prices": [
  {"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": "0.07"}]}');
SELECT ebs_import_prices('{"offer": "AmazonEC2", "version": "1", "published": "2026-12-01", "prices": [
  {"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": "0.07"}]}');
SELECT ebs_prices_reset();
SELECT ebs_import_fleet('{"volume": "vol-0a", "action": "keep", "usd_month_saved": 0}', '2026-01-01');
SELECT ebs_import_fleet('{"volume": "vol-0a", "action": "keep", "usd_month_saved": 1}', '2026-01-01');
SELECT ebs_fleet_forget('2026-01-02');

-- What the sampler itself removes.
UPDATE ebs.sample_block SET damaged = false WHERE run_id IS NULL;
DELETE FROM ebs.sample_block WHERE ended_at < '1970-01-01';
DROP PUBLICATION everything;
DROP TABLE without_key;
RESET client_min_messages;
