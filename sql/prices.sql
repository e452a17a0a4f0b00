-- Unit prices, and prices that users import from AWS's lists.
SELECT * FROM ebs_prices();
-- What is billed for all copies; what is derived or unverified says so.
SELECT volume_type, part, usd, status, basis FROM ebs_prices('eu-west-1', 'rds-multi-az') WHERE status <> 'listed';
-- What ebs_price refuses has no price: on Outposts all but gp2 and gp3, on RDS the HDD types and magnetic storage.
SELECT volume_type, part, usd FROM ebs_prices(platform => 'outposts');
SELECT string_agg(DISTINCT volume_type, ' ' ORDER BY volume_type) FROM ebs_prices(platform => 'rds');
SELECT * FROM ebs_prices('us-esat-1');
SELECT * FROM ebs_prices('us-east-1', 'azure');

-- 100 × 0.07 + 1,000 × 0.005; the list of December has a later date than the built-in one, that of January an earlier one.
SELECT ebs_import_prices('{"offer": "AmazonEC2", "version": "20261201", "published": "2026-12-01", "prices": [
    {"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": "0.07"},
    {"region": "us-east-1", "volume_type": "gp3", "part": "throughput", "usd": "0.05712001953125"}]}');
SELECT * FROM ebs_price('gp3', 100, 4000, 125);
SELECT * FROM ebs_prices() WHERE volume_type = 'gp3';
SELECT ebs_import_prices('{"offer": "AmazonEC2", "version": "20260101", "published": "2026-01-01", "prices": [
    {"region": "us-east-1", "volume_type": "gp2", "part": "storage", "usd": "0.01"},
    {"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": "0.01"}]}');
SELECT * FROM ebs_price('gp2', 100);
SELECT usd_month FROM ebs_price('gp3', 100);
-- The same list again, corrected; two lists at once.
SELECT ebs_import_prices('[{"offer": "AmazonEC2", "version": "20261201a", "published": "2026-12-01", "prices": [
    {"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": 0.06}]},
    {"offer": "AmazonRDS", "version": "20261202", "published": "2026-12-02", "prices": [
    {"region": "us-east-1", "volume_type": "gp3", "part": "throughput", "usd": "0.09"}]}]');
SELECT region, platform, volume_type, part, usd, basis, published, imported_by = session_user AS mine FROM ebs.price ORDER BY 1, 2, 3, 4;
-- 400 × 0.115 + 4,000 × 0.02 + 100 × 0.09, twice; nothing of it is unverified any more.
SELECT * FROM ebs_price('gp3', 400, 16000, 600, platform => 'rds-multi-az');
-- A part of the bill may be derived.
SELECT price_status, price_doubt FROM ebs_price('io2', 1000, 40000, region => 'eu-west-1');
SELECT price_status, price_doubt FROM ebs_price('gp3', 400, 12000, 600, platform => 'rds', region => 'eu-west-1');

-- A region that opened since; what its list lacks is not known there, and not guessed.
SELECT * FROM ebs_price('gp3', 100, region => 'xx-north-1');
SELECT ebs_import_prices('{"offer": "AmazonEC2", "version": "20261201", "published": "2026-12-01", "prices": [
    {"region": "xx-north-1", "volume_type": "gp3", "part": "storage", "usd": "0.1"}]}');
SELECT * FROM ebs_price('gp3', 100, region => 'XX-north-1');
SELECT * FROM ebs_price('gp3', 100, 4000, region => 'xx-north-1');
SELECT * FROM ebs_price('gp2', 100, region => 'xx-north-1');

-- What is wrong anywhere changes nothing.
CREATE FUNCTION import_of(price jsonb) RETURNS bigint LANGUAGE sql AS $$
    SELECT ebs_import_prices(jsonb_build_object('offer', 'AmazonEC2', 'version', '1', 'published', '2027-01-01', 'prices',
        jsonb_build_array('{"region": "us-east-1", "volume_type": "gp2", "part": "storage", "usd": "9"}'::jsonb, price))) $$;
\set SHOW_CONTEXT never
\set VERBOSITY sqlstate
SELECT import_of('{"region": "us-east-1", "volume_type": "gp9", "part": "storage", "usd": "0.1"}');
SELECT import_of('{"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": "0"}');
\set VERBOSITY default
SELECT import_of('{"region": "us-east-1", "volume_type": "gp9", "part": "storage", "usd": "0.1"}');
SELECT import_of('{"region": "us-east-1", "volume_type": "gp2", "part": "iops", "usd": "0.1"}');
SELECT import_of('{"region": "us-east-1", "volume_type": "gp3", "part": "storage", "usd": "0"}');
SELECT import_of('{"region": "us-east-1", "volume_type": "gp3", "part": "storage"}');
SELECT import_of('{"region": "us-east-1a", "volume_type": "gp3", "part": "storage", "usd": "0.1"}');
SELECT import_of('{"region": "us-east-1", "volume_type": "gp2", "part": "storage", "usd": "0.1"}');
SELECT import_of('null');
SELECT ebs_import_prices('{"offer": "AmazonEC2", "version": "1", "published": "2027-02-29", "prices": []}');
SELECT ebs_import_prices('{"offer": "AmazonS3", "version": "1", "published": "2027-01-01", "prices": []}');
SELECT ebs_import_prices('[]');
SELECT ebs_import_prices(NULL);
SELECT count(*) AS kept, max(published) AS latest FROM ebs.price;
SELECT substring(detail FROM ';[^;]*imported.*') AS imported FROM ebs_status() WHERE "check" = 'catalogue';

-- Back to what is built in.
SELECT ebs_prices_reset();
SELECT ebs_prices_reset();
SELECT usd_month, price_status FROM ebs_price('gp3', 100);
SELECT * FROM ebs_price('gp3', 100, region => 'xx-north-1');
DROP FUNCTION import_of;
