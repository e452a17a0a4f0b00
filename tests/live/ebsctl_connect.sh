# Connections of ebsctl beside psql's: parameters, services, passwords, several servers, cancels. TLS is in ebsctl_tls.sh.
# On every major: what a server asks for when somebody connects, and what its psql makes of it.
. "$ROOT/tests/live/connections.bash"

listening "$SCRATCH/main" <<<''
main=$port socket=$CLUSTER
dbname="a b'c\\d \"e\""
cluster_sql "CREATE DATABASE \"${dbname//\"/\"\"}\" STRATEGY file_copy"
cluster_sql 'CREATE DATABASE "plain" STRATEGY file_copy'
cluster_sql "SET client_min_messages = error; CREATE ROLE scram LOGIN PASSWORD 'hush:hu\\sh'; CREATE ROLE clear LOGIN PASSWORD 'hush-clear'; SET password_encryption = md5;
  CREATE ROLE md5 LOGIN PASSWORD 'hush-md5'; CREATE ROLE rejected LOGIN; CREATE ROLE gss LOGIN"
access 'local replication all trust' 'local all rejected reject' 'local all all trust' 'host all postgres all trust' 'host all scram all scram-sha-256' \
  'host all md5 all md5' 'host all clear all password' 'host all rejected all reject'

# Parameters.
at="host=$socket port=$main user=postgres"
connects "a directory of sockets" "$at dbname=postgres"
connects "variables" PGHOST="$socket" PGPORT="$main" PGUSER=postgres PGDATABASE=postgres ''
connects "a database's name beside variables" PGHOST="$socket" PGPORT="$main" PGUSER=postgres PGDATABASE=postgres plain
check "is that database" was ' database=plain'
connects "a string before variables" PGHOST=/nowhere PGPORT=1 PGUSER=nobody PGDATABASE=none "$at dbname=postgres"
connects "no database is the user's" "$at"
connects "a URI" "postgresql://postgres@127.0.0.1:$main/postgres"
connects "a URI with a directory of sockets" "postgresql://postgres@${socket//\//%2F}:$main/postgres"
connects "the same as a parameter of it" "postgres:///postgres?host=$socket&port=$main&user=postgres"
connects "a URI of parameters alone" "postgresql://?host=${socket//\//%2f}&port=$main&user=postgres&dbname=plain"
connects "a name with spaces and quotes in a string" "$at dbname = 'a b\\'c\\\\d \"e\"'"
check "is that database" was " database=a b'c"
connects "the same in a URI" "postgresql://postgres@127.0.0.1:$main/a%20b'c%5Cd%20%22e%22"
connects "the same in a variable" PGDATABASE="$dbname" "$at"
connects "white space of all kinds" $'\t'"host = '$socket'"$'\n'" port= $main  user =postgres"
connects "hostaddr" "hostaddr=127.0.0.1 port=$main user=postgres"
# A label of more than 63 letters: nobody is asked for it.
unknown=$(printf 'x%.0s' {1..70})
connects "hostaddr before the host's address" "host=$unknown hostaddr=127.0.0.1 port=$main user=postgres"
connects "options of the server" PGOPTIONS='-c work_mem=1MB' "$at options='-c geqo=off'"
if [[ $ADDRESSES == *::1 ]]; then
  connects "IPv6" "host=::1 port=$main user=postgres"
  connects "IPv6 in a URI" "postgresql://postgres@[::1]:$main/postgres"
else
  skip "IPv6 (loopback has none)"
fi
fails "an unknown parameter" "$at nosuch=1"
check "is named" says '^error: .*|^detail: invalid connection option "nosuch"'
fails "a string without =" "$at dbname"
fails "a quotation without an end" "$at dbname='postgres"
fails "a broken percent-encoding" "postgresql://postgres@127.0.0.1:$main/%zz"
fails "a port that is none" "host=127.0.0.1 port=70000 user=postgres"
fails "a database that does not exist" "$at dbname=nosuch"
check "in the server's words" says 'FATAL:  database "nosuch" does not exist'
fails "a role that is rejected" "$at user=rejected dbname=postgres"
fails "a server that is not there" "host=/nowhere port=$main user=postgres"
for value in 'sslmode=nosuch' 'target_session_attrs=nosuch' 'load_balance_hosts=nosuch' 'channel_binding=nosuch' 'gssencmode=nosuch' \
  'connect_timeout=x' 'keepalives=x' 'require_auth=nosuch' 'sslcertmode=nosuch' 'ssl_min_protocol_version=nosuch'; do
  fails "$value" "host=127.0.0.1 port=$main user=postgres $value"
done

# Services.
service() { printf '%s\n' "$@" >"$HOMES/.pg_service.conf"; }
service '# ours' '[other]' 'host=/nowhere' "[main]" "host=$socket" "port=$main" user=postgres dbname=plain
connects "a service of the home directory" service=main
check "is its database" was ' database=plain'
connects "by a variable" PGSERVICE=main ''
connects "by a URI" 'postgresql:///?service=main'
connects "a string before a service" 'service=main dbname=postgres'
check "is the string's database" was ' database=postgres'
connects "a service before variables" PGDATABASE=postgres PGHOST=/nowhere service=main
check "is the service's database" was ' database=plain'
connects "a service of the string before that of the variable" PGSERVICE=other service=main
mv "$HOMES/.pg_service.conf" "$SCRATCH/services"
fails "a service without a file" service=main
connects "a file of the variable" PGSERVICEFILE="$SCRATCH/services" service=main
fails "a file that does not exist" PGSERVICEFILE="$SCRATCH/nosuch" service=main
mkdir "$SCRATCH/etc"
cp "$SCRATCH/services" "$SCRATCH/etc/pg_service.conf"
connects "the system's file" PGSYSCONFDIR="$SCRATCH/etc" service=main
service '[main]' "host=/nowhere"
fails "the home directory's before it" PGSYSCONFDIR="$SCRATCH/etc" service=main
fails "a service that is not defined" service=nosuch
check "is named" says 'definition of service "nosuch" not found'
service '[main]' "host=$socket" "port=$main" 'user = postgres'
fails "a service's line with spaces" service=main
service '[main]' 'service=other'
fails "a service within a service" service=main
service '[main]' "host=127.0.0.1" "port=$main" user=scram dbname=postgres 'password=hush:hu\sh'
connects "a password in a service" service=main
rm "$HOMES/.pg_service.conf"

# Passwords.
tcp="host=127.0.0.1 port=$main dbname=postgres"
pgpass() { printf '%s\n' "$@" >"$HOMES/.pgpass"; chmod 600 "$HOMES/.pgpass"; }
connects "scram-sha-256 by PGPASSWORD" PGPASSWORD='hush:hu\sh' "$tcp user=scram"
check "is that" was ' method=scram-sha-256'
connects "md5" PGPASSWORD=hush-md5 "$tcp user=md5"
check "is that" was ' method=md5'
connects "password" PGPASSWORD=hush-clear "$tcp user=clear"
check "is that" was ' method=password'
for user in scram md5 clear; do
  fails "a wrong password of $user" PGPASSWORD=hush-wrong "$tcp user=$user"
  check "in the server's words" says "FATAL:  password authentication failed for user \"$user\""
  fails "no password of $user" "$tcp user=$user"
  check "is said" says 'it asks for a password, and there is none'
done
cluster_sql "SET client_min_messages = error; ALTER ROLE scram PASSWORD U&'hush-\\00fc\\00a0x'"
connects "letters that are prepared" PGPASSWORD=$'hush-\u00fc\u00a0x' "$tcp user=scram"
connects "as others are" PGPASSWORD=$'hush-u\u0308 x' "$tcp user=scram"
cluster_sql "SET client_min_messages = error; ALTER ROLE scram PASSWORD 'hush:hu\\sh'"
fails "an empty password" PGPASSWORD= "$tcp user=scram"
secret='hush\:hu\\sh'
pgpass "# hush" "127.0.0.1:1:*:scram:hush-wrong" "127.0.0.1:$main:postgres:scram:$secret"
connects "a password file with escapes" "$tcp user=scram"
pgpass "*:*:*:scram:$secret" "*:*:*:scram:hush-wrong"
connects "with wildcards, the first line that matches" "$tcp user=scram"
pgpass "*:*:*:scram:hush-wrong" "*:*:*:scram:$secret"
fails "which may be wrong" "$tcp user=scram"
pgpass "*:*:*:scram:hush:more"
fails "a colon without escape" "$tcp user=scram"
pgpass "localhost:*:*:scram:$secret"
connects "the host by its name" "host=localhost port=$main dbname=postgres user=scram"
fails "not by its address" "$tcp user=scram"
connects "the host before its address" "host=localhost hostaddr=127.0.0.1 port=$main dbname=postgres user=scram"
pgpass "127.0.0.1:*:*:scram:$secret"
connects "its address if there is no host" "hostaddr=127.0.0.1 port=$main dbname=postgres user=scram"
pgpass "*:*:*:*:"
fails "an empty password in the file" "$tcp user=scram"
pgpass "*:*:*:scram:$secret"$'\r'
connects "lines of another system" "$tcp user=scram"
pgpass "*:*:*:scram:$secret"
connects "PGPASSWORD before the file" PGPASSWORD=hush-md5 "$tcp user=md5"
chmod 644 "$HOMES/.pgpass"
fails "a file that others can read" "$tcp user=scram"
check "is ignored with a warning" says 'warning: password file ".*/.pgpass" has group or world access'
mv "$HOMES/.pgpass" "$SCRATCH/passwords"
chmod 600 "$SCRATCH/passwords"
connects "a file of PGPASSFILE" PGPASSFILE="$SCRATCH/passwords" "$tcp user=scram"
connects "a file of the string" "$tcp user=scram passfile=$SCRATCH/passwords"
fails "a file that is not there" PGPASSFILE="$SCRATCH/nosuch" "$tcp user=scram"
for string in "$tcp user=scram password=hush" "postgresql://scram:hush@127.0.0.1:$main/postgres" "postgresql://127.0.0.1/?password=hush"; do
  refuses "a password in ${string%%[= :]*}…" 'a password on a command line is seen by all users' "$string"
done

outcomes=
for methods in none password md5 scram-sha-256 scram-sha-256,md5 '!none' '!password' '!md5' '!scram-sha-256' '!password,!md5' gss '!gss' \
  'password,!md5' 'md5,md5' ''; do
  for user in postgres=no clear=hush-clear md5=hush-md5 'scram=hush:hu\sh'; do
    agree "require_auth=$methods of ${user%%=*}" PGPASSWORD="${user#*=}" "$tcp user=${user%%=*} require_auth='$methods'"
  done
done
# Each row is a method, of those users; 0 is a connection.
check "those that are named, and none of the others" test "$outcomes" = "$(tr -d ' \n' <<<'
  0111 1011 1101 1110 1100 1000 0100 0010 0001 0110 1111 0000 1111 1111 0111')"
connects "require_auth by its variable" PGREQUIREAUTH=md5 PGPASSWORD=hush-md5 "$tcp user=md5"
fails "or not" PGREQUIREAUTH=scram-sha-256 PGPASSWORD=hush-md5 "$tcp user=md5"
fails "channel binding without TLS" PGPASSWORD='hush:hu\sh' "$tcp user=scram channel_binding=require sslmode=prefer"
fails "channel binding over a socket" "$at channel_binding=require"
connects "channel binding where it may be" PGPASSWORD='hush:hu\sh' "$tcp user=scram channel_binding=prefer"

# The account of the server.
connects "requirepeer" "$at requirepeer=$SERVER_ACCOUNT"
fails "another account" "$at requirepeer=nosuch"
check "is named" says "requirepeer names \"nosuch\", but the server runs as \"$SERVER_ACCOUNT\""

cluster_sql "CREATE ROLE peer LOGIN"
echo "us $(id -un) peer" | cluster_run tee data/pg_ident.conf >/dev/null
access 'local replication all trust' 'local all peer peer map=us' 'local all all trust' 'host all scram all scram-sha-256' 'host all all all trust'
connects "the account of the client" "$at user=peer dbname=postgres"
check "is its identity" was "identity=\"$(id -un)\" method=peer"

# Several servers.
reserve_port 0
dead=$port_reserved
connects "the second host where the first is dead" "host=127.0.0.1,localhost port=$dead,$main user=postgres"
connects "the second port of one host" "host=127.0.0.1,127.0.0.1 port=$dead,$main user=postgres"
connects "in a URI" "postgresql://postgres@127.0.0.1:$dead,127.0.0.1:$main/postgres"
connects "a socket after an address" "host=127.0.0.1,$socket port=$dead,$main user=postgres"
connects "a name that nobody has, and another" "host=$unknown,127.0.0.1 port=$main user=postgres"
connects "hostaddr of several" "hostaddr=127.0.0.1,127.0.0.1 port=$dead,$main user=postgres"
fails "several ports of one host" "host=127.0.0.1 port=$dead,$main user=postgres"
fails "as many addresses as hosts" "host=127.0.0.1,127.0.0.1 hostaddr=127.0.0.1 port=$main user=postgres"
fails "dead ones alone" "host=127.0.0.1,127.0.0.1 port=$dead user=postgres"
fails "no other where the first refuses the password" PGPASSWORD=hush-wrong "host=127.0.0.1,127.0.0.1 port=$main user=scram dbname=postgres"

check "which is said, and no other tried" test "$(grep -c 'password authentication failed' "$SCRATCH/ebsctl.out")" = 1
reserve_port 1
silent=$port_reserved
connects "one that does not answer is left for the next" "host=127.0.0.1,127.0.0.1 port=$silent,$main user=postgres connect_timeout=1"
refuses "alone it is given up" 'it did not answer for 1 s' "host=127.0.0.1 port=$silent user=postgres connect_timeout=1"

# A primary and its standby.
CLUSTER=$SCRATCH/standby
port=$(free_port)
mkdir "$CLUSTER"
[ "$(id -un)" = "$SERVER_ACCOUNT" ] || chown "$SERVER_ACCOUNT" "$CLUSTER"
cluster_run "$PG_BIN/pg_basebackup" -h "$socket" -p "$main" -U postgres -D data --checkpoint=fast --write-recovery-conf --wal-method=stream
cluster_run ln -s "$LOG" server.log
printf '%s\n' "unix_socket_directories = '$CLUSTER'" "log_line_prefix = 'standby %p '" | cluster_run tee -a data/postgresql.conf >/dev/null
start_listening
standby=$port
CLUSTER=$socket port=$main
# attributes "hosts' ports" WANTED…: where each value of target_session_attrs leads, psql and ebsctl alike; - is nowhere.
attributes() {
  local ports=$1 value found=() hosts=127.0.0.1
  [[ $ports != *,* ]] || hosts=127.0.0.1,127.0.0.1
  shift
  for value in any read-write read-only primary standby prefer-standby; do
    if same_outcome "host=$hosts port=$ports user=postgres target_session_attrs=$value"; then found+=("${connection%% *}"); else return 1; fi
  done
  [ "${found[*]}" = "$*" ] || { echo "${found[*]}"; return 1; }
}
check "target_session_attrs, the primary first" attributes "$main,$standby" main main standby main standby standby
check "the standby first" attributes "$standby,$main" standby main standby main standby standby
check "the primary alone" attributes "$main" main main - main - main
check "the standby alone" attributes "$standby" standby - standby - standby standby
check "a dead one and the primary" attributes "$dead,$main" main main - main - main
connects "by its variable" PGTARGETSESSIONATTRS=standby "host=127.0.0.1,127.0.0.1 port=$main,$standby user=postgres"
# reaches_both: of two hosts in a random order, ebsctl connects to either before long: a coin that falls alike 200 times is none.
reaches_both() {
  local reached
  log_size=$(stat --format %s "$LOG")
  for _ in {1..200}; do
    by_ebsctl "host=127.0.0.1,127.0.0.1 port=$main,$standby user=postgres load_balance_hosts=random" || { show_both; return 1; }
    reached=$(tail -c "+$((log_size + 1))" "$LOG" | awk '/ authorized: .* application_name=ebsctl/ { print $1 }' | sort -u | wc -l)
    [ "$reached" != 2 ] || return 0
  done
  return 1
}
check "hosts in a random order" reaches_both
cluster_sql 'ALTER SYSTEM SET default_transaction_read_only = on'
reload_connections
check "a primary that is read-only" attributes "$main,$standby" main - main main standby standby
connects "it can be asked" "$at"
cluster_sql 'ALTER SYSTEM RESET default_transaction_read_only'
reload_connections

# What ebsctl does not have, on purpose, and says so.
refuses "encryption by GSSAPI" 'connection parameter "gssencmode" is not supported: value "require"' "$tcp user=postgres gssencmode=require"
refuses "by its variable" '"gssencmode" is not supported' PGGSSENCMODE=require "$tcp user=postgres"
refuses "keys of a session in a file" '"sslkeylogfile" is not supported' "$tcp user=postgres sslkeylogfile=$SCRATCH/keys"
refuses "replication" '"replication" is not supported' "$at replication=database"
refuses "protocol 3.2" '"min_protocol_version" is not supported: value "3.2"' "$at min_protocol_version=3.2"
refuses "OAuth" '"oauth_issuer" is not supported' "$at oauth_issuer=https://nowhere.invalid"
refuses "keys of SCRAM" 'on a command line|"scram_client_key" is not supported' "$tcp user=scram scram_client_key=hush"
refuses "TLS 1.1" '"ssl_max_protocol_version" is not supported' "$tcp user=postgres ssl_min_protocol_version=TLSv1 ssl_max_protocol_version=TLSv1.1"
if "${PG_CONFIG:-$PG_BIN/pg_config}" --configure | grep -q -- --with-gssapi; then
  access 'local all all trust' 'host all gss all gss' 'host all all all trust'
  fails "a server that asks for GSSAPI" "$tcp user=gss"
  check "is told so" says 'it asks for authentication by GSSAPI, which ebsctl does not have'
else
  skip "a server that asks for GSSAPI (this PostgreSQL was built without it)"
fi
connects "gssencmode=prefer without a ticket" "$tcp user=postgres gssencmode=prefer"

# A query that is given up ends at the server.
open_session
send 'BEGIN; LOCK TABLE ebs.run IN ACCESS EXCLUSIVE MODE;'
receive
check "SIGINT cancels a query over a socket" interrupted INT "$at dbname=postgres"
check "SIGTERM over TCP" interrupted TERM "host=127.0.0.1,127.0.0.1 port=$dead,$main user=postgres"
check "as cancels" test "$(grep -c 'canceling statement due to user request' "$LOG")" = 2

# interrupted_connecting: a signal while a server does not answer.
interrupted_connecting() {
  local status=0 ebsctl
  "$EBSCTL" report nosuch -d "host=127.0.0.1 port=$silent user=postgres connect_timeout=$PATIENCE" >"$SCRATCH/ebsctl.out" 2>&1 </dev/null &
  ebsctl=$!
  await connecting "$ebsctl"
  kill -INT "$ebsctl"
  wait "$ebsctl" || status=$?
  [ "$status" = 130 ] || { echo "exit status $status"; cat "$SCRATCH/ebsctl.out"; return 1; }
}
connecting() { readlink "/proc/$1/fd"/* | grep -q '^socket:'; }
check "SIGINT ends an attempt to connect" interrupted_connecting
check "no message has a password" hushed
