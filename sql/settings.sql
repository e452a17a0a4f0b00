-- Settings: units, bounds, and what they are for.
SELECT name, setting, unit, context, min_val, max_val FROM pg_settings WHERE name LIKE 'ebs_advisor.%' ORDER BY name COLLATE "C";
SELECT count(*) AS undescribed FROM pg_settings WHERE name LIKE 'ebs_advisor.%' AND (short_desc = '' OR extra_desc = '');
SET ebs_advisor.sample_interval = '2s';
ALTER SYSTEM SET ebs_advisor.sample_interval = '50ms';
ALTER SYSTEM SET ebs_advisor.flush_interval = '0';
ALTER SYSTEM SET ebs_advisor.retention = '30min';
ALTER SYSTEM SET ebs_advisor.no_such_setting = '1';
