# A superuser of the server that ebsctl talks to: what it puts into PostgreSQL's own functions is data to ebsctl, and runs nothing on its
# machine. Every command gives an answer or an error.
# On every major: functions of pg_catalog that ebsctl's queries call.
EBSCTL=$(program ebsctl)
CLIENT=$SCRATCH/client
mkdir "$CLIENT"
. "$ROOT/tests/attack/client.sh"
. "$ROOT/tests/attack/commands.sh"
export XDG_STATE_HOME=$SCRATCH/state
sampling </dev/null
cluster_sql 'CREATE ROLE checker SUPERUSER LOGIN'
kept_run postgres public
command_inputs
server="host=$CLUSTER user=postgres dbname=postgres"

# answers NAME: the command ends by itself, and nothing of it ran here.
ends_clean() { command_run "$1" "$server" && clean || { told; return 1; }; }
for name in $(command_names); do check "before the attack: $name" ends_clean "$name"; done
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - <"$ROOT/tests/attack/client-shell.sql"
for name in $(command_names); do check "a name that is code for psql: $name" ends_clean "$name"; done

# The same by names themselves, which no function has to give: of a database, a role, a schema, a device and a tablespace.
plain_sql postgres 'DROP FUNCTION pg_catalog.quote_ident(name)'
code='x \! touch ran-on-client #'
line=$'x"\n\\! touch ran-on-client\n'
plain_sql postgres "CREATE SCHEMA \"$code\"" && plain_sql postgres "ALTER EXTENSION ebs_advisor SET SCHEMA \"$code\"" 2>/dev/null || true
plain_sql postgres "CREATE DATABASE \"$code\"" >/dev/null
plain_sql postgres "CREATE ROLE \"${line//\"/\"\"}\" LOGIN SUPERUSER; ALTER ROLE postgres SET application_name = '$code'"
plain_sql "$code" "CREATE SCHEMA \"${line//\"/\"\"}\"; CREATE EXTENSION ebs_advisor SCHEMA \"${line//\"/\"\"}\"" >/dev/null
kept_run "$code" "\"${line//\"/\"\"}\""
server="host=$CLUSTER user='${line//\'/\\\'}' dbname='${code//\\/\\\\}'"
for name in $(command_names); do check "names of databases, roles and schemas that are code: $name" ends_clean "$name"; done
