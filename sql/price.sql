-- Prices to the cent, by hand from the price list of 2026-10-15.
SELECT * FROM ebs_price('gp3', 1024, 16000, 1000);
SELECT * FROM ebs_price('gp3', 4096, 80000, 2000);
SELECT * FROM ebs_price('io2', 4096, 80000);
SELECT * FROM ebs_price('gp3', 1024, 10000, 1000, volumes => 8);
-- The article that bills $5,408 for these rounded the tiers, and the $1,375.36 above forgot what is included.
SELECT * FROM ebs_price('io2', 2048, 40000, volumes => 2);
-- What the type includes.
SELECT t AS volume_type, p.* FROM unnest('{gp2,gp3,io1,io2}'::text[]) t, ebs_price(t, 100) p;
-- Regions.
SELECT r AS region, usd_month FROM unnest('{us-east-1,eu-west-1,eu-central-2,US-EAST-1}'::text[]) r, ebs_price('gp3', 100, 3000, 126, region => r);

-- What cannot be ordered.
SELECT * FROM ebs_price('gp3', 65537);
SELECT * FROM ebs_price('gp3', 1, 3001);
SELECT * FROM ebs_price('gp3', 100, 80001);
SELECT * FROM ebs_price('gp3', 100, 3000, 1000);
SELECT * FROM ebs_price('gp2', 100, 3000);
SELECT * FROM ebs_price('io2', 100, throughput_mibps => 4000);
SELECT * FROM ebs_price('gp3', -1);
SELECT * FROM ebs_price('gp3', 100, -1);
SELECT * FROM ebs_price('gp3', 9223372036854775807);
SELECT * FROM ebs_price('gp3', NULL);
\set VERBOSITY terse
SELECT * FROM ebs_price('gp9', 100);
SELECT * FROM ebs_price(NULL, 100);
\set VERBOSITY default
-- The hint lists every type that has a price.
CREATE FUNCTION hint_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    hint text;
BEGIN
    EXECUTE statement;
    RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN hint;
END $$;
SELECT regexp_split_to_array(substring(hint_of($$SELECT ebs_price('gp9', 100)$$) FROM '^Volume types are (.*)[.]$'), ', ')
       @> (SELECT array_agg(volume_type) FROM ebs_prices()) AS lists_all;
DROP FUNCTION hint_of;
SELECT * FROM ebs_price('gp3', 100, volumes => 0);
SELECT * FROM ebs_price('gp3', 100, region => 'us-esat-1');
SELECT * FROM ebs_price('gp3', 100, region => 'moon');
SELECT * FROM ebs_price('gp3', 100, platform => 'rds');
