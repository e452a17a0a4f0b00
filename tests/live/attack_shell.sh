# A superuser of the server that ebsctl talks to: what it puts into PostgreSQL's own functions is data to ebsctl, and runs nothing on its
# machine. Every command gives an answer or an error.
# On every major: functions of pg_catalog that ebsctl's queries call.
EBSCTL=$(program ebsctl)
CLIENT=$SCRATCH/client
mkdir "$CLIENT"
. "$ROOT/tests/attack/client.sh"
. "$ROOT/tests/attack/commands.sh"
export XDG_STATE_HOME=$SCRATCH/state
. "$ROOT/tests/attack/body.sh"
attacked
cluster_sql 'CREATE ROLE checker SUPERUSER LOGIN; CREATE ROLE watcher LOGIN; GRANT pg_monitor TO watcher;
  CREATE ROLE planner LOGIN; GRANT pg_read_all_data TO planner'
# Who may not read files reads devices by a function of pg_proctab, wherever it is.
cluster_sql "CREATE SCHEMA tab; GRANT USAGE ON SCHEMA tab TO watcher;
  CREATE FUNCTION tab.pg_diskusage(OUT major smallint, OUT minor smallint, OUT devname text, OUT reads_completed bigint, OUT reads_merged bigint,
    OUT sectors_read bigint, OUT readtime bigint, OUT writes_completed bigint, OUT writes_merged bigint, OUT sectors_written bigint,
    OUT writetime bigint, OUT current_io bigint, OUT iotime bigint, OUT totaliotime bigint)
  RETURNS SETOF record LANGUAGE sql AS 'SELECT 259::smallint, 0::smallint, \$\$nvme0n1\$\$, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1'"
kept_run postgres public
command_inputs
server="host=$CLUSTER user=postgres dbname=postgres"

# ends_clean NAME: the command ends by itself, and nothing of it ran here.
ends_clean() { command_run "$1" "$server" && clean || { told; return 1; }; }
works() { ends_clean "$1" && worked "$1" "$2"; }
for name in $(command_names); do check "before the attack: $name" works "$name" postgres; done
forget postgres
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - <"$ROOT/tests/attack/client-shell.sql"
for name in $(command_names); do check "a name that is code for psql: $name" ends_clean "$name"; done
as_watcher() { server="host=$CLUSTER user=watcher dbname=postgres" ends_clean "$1"; }
check "a name that is code for psql: watch by a role that may not read files" as_watcher watch

# The same by names themselves, which no function has to give: of a database, a role, a schema, an application.
plain_sql postgres 'DROP FUNCTION pg_catalog.quote_ident(name)'
code='x \! touch ran-on-client #'
line=$'x"\n\\! touch ran-on-client\n'
quoted=\"${line//\"/\"\"}\"
plain_sql postgres "CREATE DATABASE \"$code\""
plain_sql postgres "CREATE ROLE $quoted LOGIN SUPERUSER; ALTER ROLE $quoted SET application_name = '$code'"
plain_sql "$code" "CREATE SCHEMA $quoted; CREATE EXTENSION ebs_advisor SCHEMA $quoted; GRANT pg_monitor TO $quoted"
plain_sql postgres "ALTER SYSTEM SET ebs_advisor.database = '$code'"
plain_sql postgres 'SELECT pg_reload_conf()' >/dev/null
kept_run "$code" "$quoted"
rm -f "$SCRATCH/page.html" "$SCRATCH/seen.json"
# In a connection string a backslash and a quote take a backslash.
conninfo() { sed "s/[\\\\']/\\\\&/g" <<<"$1"; }
server="host=$CLUSTER user='$(conninfo "$line")
' dbname='$(conninfo "$code")'"
for name in $(command_names); do check "names of databases, roles and schemas that are code: $name" works "$name" "$code"; done
