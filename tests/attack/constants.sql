-- Executed by mallory: what asks for the constants of baits.sql.
SELECT count(pad) FROM mallory.of_enum WHERE b = 5;
SELECT count(pad) FROM mallory.of_domain WHERE b = 5;
SELECT count(pad) FROM mallory.of_composite WHERE b = 5;
SELECT count(pad) FROM mallory.of_array WHERE b = 5;
SELECT count(pad) FROM mallory.of_any WHERE b = 5;
SELECT count(pad) FROM mallory.of_bytes WHERE b = 5;
SELECT count(pad) FROM mallory.of_json WHERE b = 5;
SELECT count(pad) FROM mallory.of_backslash;
SELECT count(pad) FROM mallory.of_escapes;
SELECT count(pad) FROM mallory.of_unicode;
SELECT count(pad) FROM mallory.of_e;
SELECT count(pad) FROM mallory.of_flag WHERE exact = 5;
SELECT count(pad) FROM mallory.of_null WHERE exact = 6;
SELECT count(pad) FROM mallory.of_time;
SELECT count(pad) FROM mallory.of_range;
SELECT count(pad) FROM mallory.of_exact;
SELECT /* x'; ALTER ROLE mallory SUPERUSER; -- */ count(pad) FROM mallory.constants WHERE backslash = $q$\'7$q$ -- ' OR lure > 0
;
SELECT count(pad) AS "x'; ALTER ROLE mallory SUPERUSER; --" FROM mallory.constants "'" WHERE "'".word = 'w7';
SELECT count(pad) FROM mallory.constants "s" WHERE "s".word = U&'w\0037' UESCAPE '\' AND E'\x27' <> backslash;
SET application_name = E'\x1b[2J<script>alert(1)</script>';
SELECT count(pad), 'شراء' AS "‮evil" FROM mallory.constants WHERE bytes = '\x00' OR word = 'w9';
DELETE FROM mallory."target'; ALTER ROLE mallory SUPERUSER; --" WHERE "k""'; --" < 90;
