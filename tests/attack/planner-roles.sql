-- Roles of the attack on planning. mallory prepares it. mallory, victim and dba execute statements. asker, watcher and victim ask for
-- advice. dba plans each statement without advice, to prove that each trap works.
CREATE ROLE asker LOGIN SUPERUSER;
CREATE ROLE dba LOGIN SUPERUSER;
CREATE ROLE watcher LOGIN IN ROLE pg_monitor;
CREATE ROLE victim LOGIN IN ROLE pg_monitor;
CREATE ROLE mallory LOGIN;
CREATE SCHEMA mallory AUTHORIZATION mallory;
CREATE SCHEMA shop AUTHORIZATION victim;
-- A tenant that owns its database may change the settings of all sessions in it.
ALTER DATABASE postgres OWNER TO mallory;
GRANT CREATE ON SCHEMA public TO mallory;

CREATE SCHEMA attack;
GRANT USAGE ON SCHEMA attack TO PUBLIC;
-- Rows of ebs_index_advice, other answers, and what a call left in the session that asked.
CREATE TABLE attack.advised (wave text, who name DEFAULT session_user, kind text, statement text, reason text);
CREATE TABLE attack.answered (wave text, who name DEFAULT session_user, source text, lines bigint);
CREATE TABLE attack.remained (wave text, who name DEFAULT session_user, what text);
GRANT SELECT, INSERT ON attack.advised, attack.answered, attack.remained TO PUBLIC;
-- Traces of the session that asks, beside those in the server's log.
CREATE VIEW attack.traces AS
    SELECT format('advisory lock %s/%s', classid, objid) AS what FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
    UNION ALL SELECT 'setting ' || current_setting('mallory.remains', true) WHERE current_setting('mallory.remains', true) <> ''
    UNION ALL SELECT 'role ' || current_user WHERE current_user <> session_user;
GRANT SELECT ON attack.traces TO PUBLIC;
-- Traces that any session sees.
CREATE VIEW attack.side_effects AS
    SELECT 'large object ' || oid AS what FROM pg_largeobject_metadata
    UNION ALL SELECT 'sequence ' || schemaname || '.' || sequencename FROM pg_sequences WHERE schemaname = 'mallory' AND sequencename = 'steps' AND last_value IS NOT NULL
    UNION ALL SELECT 'superuser ' || rolname FROM pg_roles WHERE rolsuper AND rolname NOT IN ('postgres', 'asker', 'dba')
    UNION ALL SELECT 'table ' || c.oid::regclass FROM pg_class c WHERE relname = 'made_by_planning';
-- The session that an operator is to end.
CREATE TABLE attack.sleeper (pid integer);
GRANT SELECT ON attack.sleeper TO PUBLIC;
