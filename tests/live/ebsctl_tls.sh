# TLS connections of ebsctl beside psql's: certificates of all kinds, certificates of clients, revocation, channel binding, cancels.
# On every major: what TLS and SCRAM a server has, and what its psql makes of certificates.
. "$ROOT/tests/live/connections.bash"
if ! command -v openssl >/dev/null; then
  skip "TLS (there is no openssl)"
  return
fi
if ! "${PG_CONFIG:-$PG_BIN/pg_config}" --configure | grep -qE -- '--with-(openssl|ssl=openssl)'; then
  skip "TLS (this PostgreSQL was built without it)"
  return
fi

# Certificates: NAME.crt and NAME.key. Of version 1 is what has no extensions, until OpenSSL 3.2.
CERTIFICATES=$SCRATCH/certificates
mkdir "$CERTIFICATES"
P256=(-algorithm EC -pkeyopt ec_paramgen_curve:P-256)
# key NAME [OPTION…]
key() {
  local name=$1
  shift
  [ $# -gt 0 ] || set -- "${P256[@]}"
  openssl genpkey "$@" -out "$name.key"
}
# authority NAME [OPTION…]: a self-signed one.
authority() {
  local name=$1
  shift
  key "$name" "$@"
  openssl req -x509 -new -key "$name.key" -days 9 -subj "/CN=$name" -out "$name.crt"
}
# certificate NAME SUBJECT AUTHORITY EXTENSIONS [OPTION…]
certificate() {
  local name=$1 subject=$2 authority=$3 extensions=$4
  shift 4
  [ -e "$name.key" ] || key "$name"
  openssl req -new -key "$name.key" -subj "$subject" -out "$name.csr"
  printf '%s\n' "$extensions" >"$name.ext"
  [ -z "$extensions" ] || set -- "$@" -extfile "$name.ext"
  [[ " $* " == *' -days '* ]] || set -- "$@" -days 9
  openssl x509 -req -in "$name.csr" -CA "$authority.crt" -CAkey "$authority.key" -CAcreateserial -out "$name.crt" "$@"
}
make_certificates() {
  # The keys of clients are taken from nobody else.
  umask 077
  local localhost=subjectAltName=DNS:localhost ca=$'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign,cRLSign' name
  authority root
  authority stranger
  certificate middle /CN=middle root "$ca"
  certificate san /CN=else root "$localhost"
  certificate no-san /CN=localhost root 'basicConstraints=CA:FALSE'
  certificate two-names /CN=localhost/CN=else root 'basicConstraints=CA:FALSE'
  certificate second-name /CN=else/CN=localhost root 'basicConstraints=CA:FALSE'
  certificate address-beside /CN=localhost root subjectAltName=IP:127.0.0.2
  certificate name-beside /CN=127.0.0.1 root subjectAltName=DNS:localhost
  certificate address-as-name /CN=else root subjectAltName=DNS:127.0.0.1
  certificate v1 /CN=localhost root ''
  key v1-rsa -algorithm RSA -pkeyopt rsa_keygen_bits:2048
  cp v1-rsa.key rsa.key
  certificate v1-rsa /CN=localhost root ''
  certificate rsa /CN=else root "$localhost"
  openssl req -x509 -new -key san.key -days 9 -subj /CN=localhost -out self.crt
  cp san.key self.key
  certificate other /CN=localhost root subjectAltName=DNS:db.example.com
  certificate address /CN=else root subjectAltName=IP:127.0.0.1
  certificate wildcard /CN=else root 'subjectAltName=DNS:*'
  certificate expired /CN=localhost root "$localhost" -days -1
  certificate chain-leaf /CN=else middle "$localhost"
  certificate chain-v1-leaf /CN=localhost middle ''
  for name in chain chain-v1; do
    cp "$name-leaf.key" "$name.key"
    cat "$name-leaf.crt" middle.crt >"$name.crt"
  done
  certificate is-ca /CN=localhost root $'basicConstraints=CA:TRUE\nsubjectAltName=DNS:localhost'
  certificate signs-only /CN=localhost root $'basicConstraints=CA:TRUE\nkeyUsage=keyCertSign\nsubjectAltName=DNS:localhost'
  certificate client-only /CN=localhost root $'extendedKeyUsage=clientAuth\nsubjectAltName=DNS:localhost'
  key p384 -algorithm EC -pkeyopt ec_paramgen_curve:P-384
  key p521 -algorithm EC -pkeyopt ec_paramgen_curve:P-521
  key ed25519 -algorithm ED25519
  key rsa-pss -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048
  for name in p384 p521 ed25519 rsa-pss; do certificate "$name" /CN=else root "$localhost"; done
  certificate client /CN=postgres root ''
  cp rsa.key client-rsa.key
  certificate client-rsa /CN=postgres root ''
  certificate by-certificate /CN=by_certificate root ''
  certificate client-else /CN=else root ''
  certificate client-stranger /CN=postgres stranger ''
  # Lists of revoked certificates: none, one with san, one with v1, and one that is too old.
  : >index.txt
  echo 01 >crlnumber
  printf '%s\n' '[ca]' 'default_ca = us' '[us]' 'database = index.txt' 'crlnumber = crlnumber' 'default_md = sha256' 'default_crl_days = 9' >ca.cnf
  revocations none
  openssl ca -config ca.cnf -keyfile root.key -cert root.crt -gencrl -crl_lastupdate 20200101000000Z -crl_nextupdate 20200102000000Z -out old.crl
  for name in san v1; do
    openssl ca -config ca.cnf -keyfile root.key -cert root.crt -revoke "$name.crt"
  done
  revocations both
  # Without a number it is of version 1.
  sed -i /crlnumber/d ca.cnf
  revocations first
}
revocations() { openssl ca -config ca.cnf -keyfile root.key -cert root.crt -gencrl -out "$1.crl"; }
(cd "$CERTIFICATES" && make_certificates) >"$SCRATCH/openssl.out" 2>&1 || { cat "$SCRATCH/openssl.out" >&2; false; }

listening "$SCRATCH/main" <<<''
cluster_sql "SET client_min_messages = error; CREATE ROLE scram LOGIN PASSWORD 'hush-scram'; CREATE ROLE tls_only LOGIN; CREATE ROLE clear_only LOGIN; 
  CREATE ROLE by_certificate LOGIN; SET password_encryption = md5; CREATE ROLE md5 LOGIN PASSWORD 'hush-md5'"
# serve NAME [SETTING…]: this is the server's certificate, and these are settings of TLS.
serve() {
  local name=$1
  shift
  as_server tee "$CLUSTER/data/server.crt" <"$CERTIFICATES/$name.crt" >/dev/null
  (umask 077 && as_server tee "$CLUSTER/data/server.key" <"$CERTIFICATES/$name.key" >/dev/null)
  printf '%s\n' "ssl = on" "$@" | as_server tee "$CLUSTER/data/tls.conf" >/dev/null
  reload_connections
}
as_server tee "$CLUSTER/data/root.crt" <"$CERTIFICATES/root.crt" >/dev/null
echo "include_if_exists = 'tls.conf'" | cluster_run tee -a data/postgresql.conf >/dev/null
access 'local all all trust' 'hostnossl all clear_only all trust' 'hostssl all tls_only all trust' 'host all clear_only,tls_only all reject' \
  'host all scram all scram-sha-256' 'host all md5 all md5' 'host all all all trust'
tcp="port=$port user=postgres dbname=postgres"
roots=sslrootcert=$CERTIFICATES/root.crt

# modes "what" OUTCOMES PARAMETERS MODE…: the outcomes of these modes, each with a host, 0 for a connection.
modes() {
  local what=$1 expected=$2 parameters=$3 mode
  shift 3
  outcomes=
  for mode; do agree "$what, sslmode=${mode%@*} of ${mode#*@}" "host=${mode#*@} $tcp sslmode=${mode%@*} $parameters"; done
  check "$what: where it is accepted" test "$outcomes" = "$expected"
}
every_mode=()
for mode in disable allow prefer require verify-ca verify-full; do every_mode+=("$mode@localhost" "$mode@127.0.0.1"); done
modes "a server without TLS" 000000111111 "$roots" "${every_mode[@]}"
serve san
modes "TLS" 000000000001 "$roots" "${every_mode[@]}"
modes "TLS without root certificates" 000000001111 '' "${every_mode[@]}"
modes "TLS with those of another" 000000111111 "sslrootcert=$CERTIFICATES/stranger.crt" "${every_mode[@]}"
modes "TLS with a file that is not there" 000000001111 "sslrootcert=$SCRATCH/nosuch" "${every_mode[@]}"
connects "no name for the server in the handshake" "host=localhost $tcp sslmode=verify-full $roots sslsni=0"
connects "an address beside the name" "host=localhost hostaddr=127.0.0.1 $tcp sslmode=verify-full $roots"
fails "an address alone" "hostaddr=127.0.0.1 $tcp sslmode=verify-full $roots"

# Rows: certificate, what it is, outcomes with the root certificate of these modes.
some_modes=(prefer@localhost require@localhost verify-ca@127.0.0.1 verify-full@localhost verify-full@127.0.0.1)
while IFS='|' read -r name what expected; do
  serve "$name"
  modes "$what" "$expected" "$roots" "${some_modes[@]}"
done <<'END'
no-san|a name in the subject alone|00001
two-names|two names there, the first of which counts|00001
second-name|not the second|00011
address-beside|a name in the subject beside an address|00001
name-beside|an address in the subject beside a name|00000
address-as-name|an address as a name|00010
v1|a certificate of version 1|00001
v1-rsa|one of RSA|00001
rsa|RSA|00001
other|another name|00011
address|an address|00010
wildcard|a star alone|00011
expired|an expired one|01111
self|one that nobody signed|01111
chain|an intermediate one|00001
chain-v1|version 1 behind an intermediate one|00001
chain-leaf|without its intermediate one|01111
is-ca|an authority|00001
signs-only|an authority for certificates alone|01111
client-only|for clients|01111
p384|P-384|00001
ed25519|Ed25519|00001
END
serve self
modes "one that nobody signed and everybody knows" 00001 "sslrootcert=$CERTIFICATES/self.crt" "${some_modes[@]}"
# rustls with ring has neither: such a server is reached without TLS alone.
for name in p521 rsa-pss; do
  serve "$name"
  check "psql takes a key of $name" by_psql "host=localhost $tcp sslmode=require"
  refuses "ebsctl does not" 'TLS: ' "host=localhost $tcp sslmode=require"
done
# OpenSSL wants a self-signed one; whoever gives an intermediate one as the root trusts it.
serve chain
check "psql takes no intermediate certificate for a root" not_by_psql "host=localhost $tcp sslmode=verify-full sslrootcert=$CERTIFICATES/middle.crt"
check "ebsctl does" by_ebsctl "host=localhost $tcp sslmode=verify-full sslrootcert=$CERTIFICATES/middle.crt"

# Files of the home directory, and the system's.
serve san
files=$HOMES/.postgresql
mkdir -m 700 "$files"
cp "$CERTIFICATES/stranger.crt" "$files/root.crt"
modes "root certificates of the home directory" 01111 '' "${some_modes[@]}"
cp "$CERTIFICATES/root.crt" "$files/root.crt"
modes "the right ones" 00001 '' "${some_modes[@]}"
rm "$files/root.crt"
connects "the system's root certificates" SSL_CERT_FILE="$CERTIFICATES/root.crt" "host=localhost $tcp sslrootcert=system"
fails "which need not be the server's" SSL_CERT_FILE="$CERTIFICATES/stranger.crt" "host=localhost $tcp sslrootcert=system"
fails "and check the name" SSL_CERT_FILE="$CERTIFICATES/root.crt" "host=127.0.0.1 $tcp sslrootcert=system"
fails "in every mode" SSL_CERT_FILE="$CERTIFICATES/root.crt" "host=localhost $tcp sslrootcert=system sslmode=require"
echo garbage >"$SCRATCH/garbage"
fails "a file without certificates" "host=localhost $tcp sslmode=verify-ca sslrootcert=$SCRATCH/garbage"
connects "variables" PGSSLMODE=verify-full PGSSLROOTCERT="$CERTIFICATES/root.crt" "host=localhost $tcp"
connects "PGREQUIRESSL" PGREQUIRESSL=1 "host=localhost $tcp"
check "is TLS" was 'SSL enabled'

# What the server allows decides.
for role in tls_only clear_only; do
  outcomes=
  for mode in disable allow prefer require; do agree "$role with $mode" "host=localhost $tcp user=$role sslmode=$mode"; done
  case $role in
    tls_only) check "what needs TLS has it" test "$outcomes" = 1000 ;;
    clear_only) check "what may have none has none" test "$outcomes" = 0001 ;;
  esac
done
fails "a database that is not there, with TLS and without" "host=localhost $tcp dbname=nosuch sslmode=prefer"
connects "a socket has no TLS" "host=$CLUSTER $tcp sslmode=require"
check "indeed" not_was SSL

# Versions.
connects "TLS 1.3" "host=localhost $tcp sslmode=require ssl_min_protocol_version=TLSv1.3"
check "is it" was 'protocol=TLSv1.3'
connects "TLS 1.2 at most" "host=localhost $tcp sslmode=require ssl_max_protocol_version=TLSv1.2"
check "is it" was 'protocol=TLSv1.2'
for name in san v1 v1-rsa rsa ed25519; do
  serve "$name" "ssl_max_protocol_version = 'TLSv1.2'"
  connects "a server of TLS 1.2 with $name" "host=localhost $tcp sslmode=verify-full $roots"
  check "is one" was 'protocol=TLSv1.2'
done
fails "a server of TLS 1.2 where 1.3 is wanted" "host=localhost $tcp sslmode=require ssl_min_protocol_version=TLSv1.3"
serve san
if [ "$MAJOR" -ge 17 ]; then
  connects "TLS from the first byte" "host=localhost $tcp sslmode=verify-full $roots sslnegotiation=direct"
  check "is TLS" was 'SSL enabled'
  fails "but not in a mode that may do without" "host=localhost $tcp sslmode=prefer sslnegotiation=direct"
else
  refuses "a server that does not begin with TLS" 'TLS: ' "host=localhost $tcp sslmode=require sslnegotiation=direct"
fi

# Revocation. Lists have to be there for every issuer, and to be current.
for list in none=0 both=1 old=1; do
  for mode in require verify-ca verify-full; do
    outcomes=
    agree "the list ${list%=*}, $mode" "host=localhost $tcp sslmode=$mode $roots sslcrl=$CERTIFICATES/${list%=*}.crl"
    check "decides" test "$outcomes" = "${list#*=}"
  done
done
refuses "a list of version 1 is refused" 'lists of revoked ones cannot be used' "host=localhost $tcp sslmode=require $roots sslcrl=$CERTIFICATES/first.crl"
cp "$CERTIFICATES/both.crl" "$files/root.crl"
fails "the list of the home directory" "host=localhost $tcp sslmode=verify-ca $roots"
rm "$files/root.crl"
connects "a list without root certificates" "host=localhost $tcp sslmode=require sslcrl=$CERTIFICATES/both.crl"
serve chain
fails "a list of the root's alone" "host=localhost $tcp sslmode=verify-ca $roots sslcrl=$CERTIFICATES/none.crl"
serve v1
fails "a revoked one of version 1" "host=localhost $tcp sslmode=verify-ca $roots sslcrl=$CERTIFICATES/both.crl"
# With lists, rustls' own check alone counts.
refuses "one of version 1 that is not revoked is refused with a list, too" 'UnsupportedCertVersion' \
  "host=localhost $tcp sslmode=verify-ca $roots sslcrl=$CERTIFICATES/none.crl"

# Certificates of the client.
serve san "ssl_ca_file = 'root.crt'"
access 'local all all trust' 'hostssl all postgres all cert' 'hostssl all scram all scram-sha-256 clientcert=verify-ca' \
  'hostssl all by_certificate all trust clientcert=verify-full' 'host all md5 all md5' 'host all all all trust'
tls="host=localhost $tcp sslmode=verify-full $roots"
(umask 077 && cd "$CERTIFICATES" && {
  openssl ec -in client.key -out sec1.key
  openssl pkey -in client.key -outform DER -out der.key
  openssl pkey -in client.key -aes256 -passout pass:hush -out encrypted.key
  openssl rsa -in client-rsa.key -traditional -out pkcs1.key
} 2>/dev/null)
client() { echo "$tls sslcert=$CERTIFICATES/$1.crt sslkey=$CERTIFICATES/$2.key ${3:-}"; }
fails "no certificate" "$tls"
connects "a certificate and its key" "$(client client client)"
check "is the identity" was 'identity="CN=postgres" method=cert'
connects "a key in the older form" "$(client client sec1)"
connects "a key in DER" "$(client client der)"
connects "a key of RSA" "$(client client-rsa client-rsa)"
connects "in the older form" "$(client client-rsa pkcs1)"
fails "one of another name" "$(client client-else client-else)"
fails "one of another authority" "$(client client-stranger client-stranger)"
fails "a key of another certificate" "$(client client client-else)"
fails "a certificate that is not there" "$(client nosuch client)"
fails "a key that is not there" "$(client client nosuch)"
fails "a certificate that is not sent" "$(client client client sslcertmode=disable)"
connects "one that has to be" "$(client client client sslcertmode=require)"
cp "$CERTIFICATES/client.crt" "$files/postgresql.crt"
(umask 077 && cp "$CERTIFICATES/client.key" "$files/postgresql.key")
connects "those of the home directory" "$tls"
connects "by variables" PGSSLCERT="$CERTIFICATES/client.crt" PGSSLKEY="$CERTIFICATES/client.key" HOME="$SCRATCH" "$tls"
connects "an identity beside trust" "$tls user=by_certificate sslcert=$CERTIFICATES/by-certificate.crt sslkey=$CERTIFICATES/by-certificate.key"
fails "another one's" "$tls user=by_certificate"
connects "a certificate and a password" PGPASSWORD=hush-scram "$tls user=scram"
fails "the certificate without" "$tls user=scram"
chmod 644 "$files/postgresql.key"
fails "a key that others can read" "$tls"
check "is said" says 'others can read it'
chmod 640 "$files/postgresql.key"
if [ "$(id -u)" = 0 ]; then connects "a group may read root's" "$tls"; else fails "a group may not read it" "$tls"; fi
rm "$files"/*
refuses "a key with a password, which psql takes" 'it is encrypted, which is not supported' "$(client client encrypted)"

# Channel binding.
access 'local all all trust' 'host all scram all scram-sha-256' 'host all md5 all md5' 'host all all all trust'
for name in san p384 rsa v1 ed25519; do
  serve "$name"
  agree "channel binding to a certificate of $name" PGPASSWORD=hush-scram "host=localhost $tcp user=scram sslmode=require channel_binding=require"
done
serve san
connects "channel binding" PGPASSWORD=hush-scram "host=localhost $tcp user=scram sslmode=verify-full $roots channel_binding=require"
check "is SCRAM" was 'method=scram-sha-256'
connects "with TLS 1.2" PGPASSWORD=hush-scram "host=localhost $tcp user=scram sslmode=require channel_binding=require ssl_max_protocol_version=TLSv1.2"
connects "without" PGPASSWORD=hush-scram "host=localhost $tcp user=scram sslmode=require channel_binding=disable"
fails "a wrong password" PGPASSWORD=hush-wrong "host=localhost $tcp user=scram sslmode=require channel_binding=require"
fails "channel binding without TLS" PGPASSWORD=hush-scram "host=localhost $tcp user=scram sslmode=disable channel_binding=require"
fails "with md5" PGPASSWORD=hush-md5 "host=localhost $tcp user=md5 sslmode=require channel_binding=require"
fails "with trust" "host=localhost $tcp sslmode=require channel_binding=require"
fails "by its variable" PGCHANNELBINDING=require "host=localhost $tcp sslmode=require"

# A cancel goes over TLS, as its connection does.
open_session
send 'BEGIN; LOCK TABLE ebs.run IN ACCESS EXCLUSIVE MODE;'
receive
check "SIGINT cancels a query over TLS" interrupted INT "host=localhost $tcp sslmode=verify-full $roots"
check "as cancels" test "$(grep -c 'canceling statement due to user request' "$LOG")" = 1
check "no message has a password" hushed
