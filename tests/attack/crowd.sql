-- Executed by crowd, whose nested statements are counted too: 100,000 statements, told apart by the types of their constants. Every
-- five hundredth reads.
SET client_min_messages = warning;
DO $$
BEGIN
    FOR i IN 1 .. 100000 LOOP
        EXECUTE 'SELECT ' || replace(replace(replace(i::bit(17)::text, '0', 'a'), '1', '1.5,'), 'a', '1,')
            || CASE WHEN i % 500 = 0 THEN ' count(t) FROM mallory.wide WHERE a = 5' ELSE ' 0' END;
    END LOOP;
END $$;
