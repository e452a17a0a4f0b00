# A database of the first version, with something in each table, works with this library, and answers the same once it is updated;
# then nothing of it differs from one made with this version. PostgreSQL goes through every script between the two.
# On every major: pg_dump, what the catalogue keeps of an object, and what the library calls of the server.
objects() { { echo "${2:-}"; cat "$ROOT/tests/live/extension_objects.sql"; } | cluster_psql -d "$1" -qAtX -v ON_ERROR_STOP=1 -f -; }
# symbols DATABASE [STATEMENT]: what is called in the library, with types of arguments and results: a mistake there is a crash.
symbols() {
  cluster_sql "BEGIN; ${2:-}; SELECT prosrc, proargtypes::regtype[], proallargtypes::regtype[], proargmodes, prorettype::regtype, proretset
    FROM pg_proc WHERE probin LIKE '%/ebs_advisor'; ROLLBACK" "$1" | LC_ALL=C sort
}
same() { diff "$SCRATCH/$1" "$SCRATCH/$2"; }
version="SELECT extversion FROM pg_extension WHERE extname = 'ebs_advisor'"
. "$ROOT/tests/live/predecessor.bash"
predecessor
PG_BIN=$(with_scripts "$PG_BIN")

# It gives way to the update, and says so as an error.
fresh <<CONF
autovacuum = off
$(disk_settings)
CONF
cluster_sql "CREATE EXTENSION ebs_advisor VERSION '$first'"
check "the first version samples with this library" cluster_await "SELECT ok FROM ebs_status() WHERE \"check\" = 'samples'"
check "the status says what was forgotten" matches "SELECT ok, detail, hint FROM ebs_status() WHERE \"check\" = 'version'" \
  "^f\|the library is $now, the objects of this database are $first\|ALTER EXTENSION ebs_advisor UPDATE"
history
check "there is something in each table" prints_nothing without_rows
check "the first version answers with this library" matches "$(report "'kept'")" 'Recommended gp3'
cluster_sql 'CREATE ROLE driver; CREATE ROLE auditor'
cluster_sql 'GRANT EXECUTE ON FUNCTION ebs_run_begin TO driver; GRANT SELECT ON ebs.run TO auditor; GRANT USAGE ON SCHEMA ebs TO auditor;
  REVOKE EXECUTE ON FUNCTION ebs_run_export FROM pg_monitor'
answers >"$SCRATCH/before"
objects postgres >"$SCRATCH/first"
symbols postgres >"$SCRATCH/symbols.before"
cluster_run "$PG_BIN/pg_dump" --host "$CLUSTER" --username postgres --file "$CLUSTER/dump.sql" postgres

check "an unknown version is refused" matches "SET log_min_messages = fatal; ALTER EXTENSION ebs_advisor UPDATE TO '999.0'" \
  "extension \"ebs_advisor\" has no update path from version \"$first\" to version \"999.0\""
check "the version stays" is "$version" "$first"
check "it is updated while it samples" cluster_sql 'ALTER EXTENSION ebs_advisor UPDATE'
blocks=$(cluster_sql 'SELECT max(block_id) FROM ebs.sample_block')
check "to this version" is "$version" "$now"
check "which the status sees" is "SELECT ok, detail FROM ebs_status() WHERE \"check\" = 'version'" "t|$now"
answers >"$SCRATCH/after"
check "answers are what they were, and all that is kept" same before after
check "what is new answers on what is old" is "SELECT count(*) > 5 FROM ebs_chart('kept')" t
check "sampling went on" cluster_await "SELECT max(block_id) > $blocks FROM ebs.sample_block"
granted="SELECT has_function_privilege('driver', 'ebs_run_begin(text, jsonb)', 'EXECUTE'), has_table_privilege('auditor', 'ebs.run', 'SELECT'),
  has_function_privilege('pg_monitor', 'ebs_run_export(text)', 'EXECUTE'), has_function_privilege('pg_monitor', 'ebs_status()', 'EXECUTE')"
check "what was granted and revoked since stays" is "$granted" 't|t|f|t'
cluster_run "$PG_BIN/pg_dump" --host "$CLUSTER" --username postgres --schema-only --file "$CLUSTER/granted.sql" postgres
check "and is dumped" test "$(grep -cE '^(GRANT ALL ON FUNCTION public.ebs_run_begin\(.* TO driver|GRANT SELECT ON TABLE ebs.run TO auditor|REVOKE ALL ON FUNCTION public.ebs_run_export\(.* FROM pg_monitor);' "$CLUSTER/granted.sql")" = 3
# The sampler waits for no lock longer than half a second, and an update may hold one for longer.
no_complaint() {
  ! server_log -E 'WARNING|ERROR|FATAL|PANIC' |
    grep -v 'WARNING:  ebs_advisor could not write samples, and will try again: .*lock timeout'
}
check "nobody complained" no_complaint

cluster_sql 'CREATE DATABASE restored'
check "a dump of the first version is restored as this one" cluster_psql -d restored -qX -v ON_ERROR_STOP=1 -f "$CLUSTER/dump.sql"
check "really" test "$(cluster_sql "$version" restored)" = "$now"
answers restored >"$SCRATCH/restored"
check "and answers the same" same before restored

# The user's own grants aside, which are of this database alone.
cluster_sql 'GRANT EXECUTE ON FUNCTION ebs_run_export TO pg_monitor; DROP OWNED BY driver, auditor'
cluster_sql 'CREATE DATABASE made'
cluster_sql 'CREATE EXTENSION ebs_advisor' made
objects postgres >"$SCRATCH/updated"
objects made >"$SCRATCH/made"
check "nothing differs from a fresh database" same made updated
check "from which the first version differs in more than its number" test "$(diff "$SCRATCH/made" "$SCRATCH/first" | grep -c '^[<>]')" -gt 2
check "and every kind of object is compared" test "$(grep -c 'NOT COMPARED' "$SCRATCH/made")" = 0
check "of which there are many" test "$(grep -c ' | kind | ' "$SCRATCH/made")" -gt 60

symbols made >"$SCRATCH/symbols"
called_otherwise() { LC_ALL=C comm -23 "$SCRATCH/symbols.before" "$SCRATCH/${1:-symbols}"; }
check "what the first version calls in the library has kept its arguments and results" prints_nothing called_otherwise
symbols made "UPDATE pg_proc SET prorettype = 'bool'::regtype WHERE prosrc = 'ebs_run_begin_wrapper'" >"$SCRATCH/symbols.planted"
check "and another result is told" test "$(called_otherwise symbols.planted | cut -d '|' -f 1)" = ebs_run_begin_wrapper
check "of which there is much" test "$(wc -l <"$SCRATCH/symbols.before")" -gt 40

# Objects that are made with privileges of their own are no less closed, by the first version and by the update.
cluster_sql 'CREATE DATABASE defaults'
cluster_sql "ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO driver; CREATE EXTENSION ebs_advisor VERSION '$first'; ALTER EXTENSION ebs_advisor UPDATE" defaults
check "with default privileges, too, nothing is for everybody, and reading is for pg_monitor" test "$(cluster_sql "SELECT
    count(*) FILTER (WHERE has_function_privilege('auditor', oid, 'EXECUTE')), bool_and(prosecdef <> has_function_privilege('pg_monitor', oid, 'EXECUTE')),
    bool_and(has_function_privilege('driver', oid, 'EXECUTE')) FROM pg_proc WHERE probin LIKE '%/ebs_advisor'" defaults)" = '0|t|t'

# That the comparison can tell: each of these is a difference.
told() { objects made "BEGIN; $1;" >"$SCRATCH/planted" && ! same made planted; }
while read -r difference; do
  check "a difference is told: $difference" told "$difference"
done <<'SQL'
COMMENT ON FUNCTION ebs_status() IS 'another'
COMMENT ON COLUMN ebs.run.label IS NULL
COMMENT ON SCHEMA ebs IS 'another'
GRANT EXECUTE ON FUNCTION ebs_status() TO PUBLIC
REVOKE SELECT ON ebs.price FROM pg_monitor
GRANT SELECT (label) ON ebs.run TO PUBLIC
REVOKE USAGE ON SCHEMA ebs FROM pg_monitor
ALTER FUNCTION ebs_status() RESET search_path
ALTER FUNCTION ebs_status() STABLE
ALTER FUNCTION ebs_status() OWNER TO driver
ALTER EXTENSION ebs_advisor DROP FUNCTION ebs_status()
ALTER TABLE ebs.run ALTER imported DROP DEFAULT
ALTER TABLE ebs.run ALTER note SET NOT NULL
ALTER TABLE ebs.run ADD CHECK (label <> 'x')
ALTER TABLE ebs.run ADD COLUMN more int
ALTER TABLE ebs.run ENABLE ROW LEVEL SECURITY
ALTER TABLE ebs.fleet_answer REPLICA IDENTITY DEFAULT
ALTER TABLE ebs.run_mark ALTER phase SET STORAGE MAIN
ALTER SEQUENCE ebs.run_run_id_seq CACHE 5
DROP INDEX ebs.run_open
CREATE RULE r AS ON DELETE TO ebs.run DO INSTEAD NOTHING
CREATE OR REPLACE VIEW ebs.runs_detail AS SELECT *, 1 AS more FROM ebs.runs_detail
UPDATE pg_extension SET extcondition[2] = 'WHERE false' WHERE extname = 'ebs_advisor'
UPDATE pg_extension SET extconfig = extconfig[2:], extcondition = extcondition[2:] WHERE extname = 'ebs_advisor'
UPDATE pg_init_privs SET initprivs = '{}' WHERE objoid = 'ebs.run'::regclass
SQL
