-- Who attacks and who asks. Each role does one thing only, so that a line of the log says by its session_user which of them it was:
-- mallory, clerk and dba execute statements; asker, watcher and outsider ask for advice.
CREATE ROLE asker LOGIN SUPERUSER;
CREATE ROLE watcher LOGIN IN ROLE pg_monitor;
CREATE ROLE outsider LOGIN;
CREATE ROLE dba LOGIN SUPERUSER;
CREATE ROLE clerk LOGIN;
CREATE ROLE mallory LOGIN;
CREATE ROLE crowd LOGIN;
SELECT 'ALTER ROLE crowd SET pg_stat_statements.track = ''all''' FROM pg_settings WHERE name = 'pg_stat_statements.track' \gexec
-- Owns a table and has no other right: what is advised is tried out as this role.
CREATE ROLE sandbox NOLOGIN;
CREATE SCHEMA mallory AUTHORIZATION mallory;
CREATE SCHEMA "ebs " AUTHORIZATION mallory;
CREATE SCHEMA "Pg_'; ALTER ROLE mallory SUPERUSER; --" AUTHORIZATION mallory;

-- The answers, and the checks of them.
CREATE SCHEMA attack;
GRANT USAGE ON SCHEMA attack TO watcher;
CREATE TABLE attack.said (run text, who name, source text, line text);
CREATE TABLE attack.advised (run text, who name, kind text, relation text, ddl text);
GRANT INSERT ON attack.said, attack.advised TO watcher;
