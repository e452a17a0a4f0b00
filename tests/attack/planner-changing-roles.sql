CREATE TABLE attack.stop (stop boolean);
CREATE TABLE attack.changing (statement text);
GRANT SELECT, INSERT ON attack.stop, attack.changing TO mallory;
