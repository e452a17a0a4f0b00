# ebsctl fleet with credentials: a real Prometheus that wants a client's certificate and a password; and Signature Version 4, tokens that
# change and a tenant, checked by tests/live/authentication.pl. Secrets are on no command line, in no message and in no journal.
. "$ROOT/scripts/engines.sh"
if ! engines_found; then
  skip "authentication at Prometheus ($ENGINES_MISSING)"
  return
fi
if ! command -v openssl >/dev/null || ! perl -MDigest::SHA -e 1 2>/dev/null; then
  skip "authentication at Prometheus (openssl or perl's Digest::SHA is not there)"
  return
fi
# Prometheus takes passwords by bcrypt alone.
password='hush ü"\x $(date)'
bcrypt=$(PASSWORD=$password perl -e 'print crypt($ENV{PASSWORD}, q($2b$05$) . "." x 22) // ""')
if [[ $bcrypt != '$2b$05$'* ]]; then
  skip "authentication at Prometheus (crypt has no bcrypt)"
  return
fi
ebsctl=$(program ebsctl)
generator=$(fleet_generator)
export XDG_STATE_HOME=$SCRATCH/state
umask 077
made_up() { "$generator" "$1" --volumes 4 --days 2; }
made_up json-lines >"$SCRATCH/fleet.jsonl"
made_up open-metrics >"$SCRATCH/fleet.om"
made_up volumes >"$SCRATCH/volumes.json"
made_up instances >"$SCRATCH/instances.json"
fleet_command=("$ebsctl" fleet --volumes "$SCRATCH/volumes.json" --volumes "$SCRATCH/instances.json" --since 2d --until 2026-11-15T00:00:00Z
  --format json --jobs 1 --restart)
# fleet NAME STATUS ARGUMENT…: its rows and what it says are in files; it ends with this exit status.
fleet() {
  local name=$1 expected=$2 status=0
  shift 2
  "${fleet_command[@]}" "$@" >"$SCRATCH/$name.rows" 2>"$SCRATCH/$name.log" || status=$?
  [ "$status" = "$expected" ] || { echo "exit status $status"; cat "$SCRATCH/$name.log"; return 1; }
}
same_rows() { diff "$SCRATCH/file.rows" "$SCRATCH/$1.rows" | cut -c 1-2000; }
says() { grep -qF -- "$2" "$SCRATCH/$1.log" || { cat "$SCRATCH/$1.log"; return 1; }; }
# No message has a part of a secret: all of them have this word.
silent() { ! grep -r hush "$SCRATCH"/*.log; }

# Certificates: an authority, the server's, the client's, and one of another authority.
authority() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" -keyout "$1.key" -out "$1.pem"
}
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
  openssl x509 -req -days 2 -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -out "$1.pem" -extfile <(printf '%s\n' "$3")
}
(
  cd "$SCRATCH"
  authority authority
  authority stranger
  certificate server authority 'subjectAltName = IP:127.0.0.1'
  certificate client authority 'extendedKeyUsage = clientAuth'
  certificate guest stranger 'extendedKeyUsage = clientAuth'
) >"$SCRATCH/openssl.out" 2>&1
cat >"$SCRATCH/web.yml" <<END
tls_server_config:
  cert_file: $SCRATCH/server.pem
  key_file: $SCRATCH/server.key
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: $SCRATCH/authority.pem
basic_auth_users:
  reader: $bcrypt
END
quoted() { sed 's/[\\"]/\\&/g' <<<"$1"; }
# curl_file NAME LINE…: a file of curl's options.
curl_file() {
  local name=$1
  shift
  printf '%s\n' "$@" >"$SCRATCH/$name.curl"
}
user="user = \"$(quoted "reader:$password")\""
cacert="cacert = \"$SCRATCH/authority.pem\""
client=("cert = \"$SCRATCH/client.pem\"" "key = \"$SCRATCH/client.key\"")
curl_file all "$cacert" "${client[@]}" "$user"
curl_file no-certificate "$cacert" "$user"
curl_file guest "$cacert" "cert = \"$SCRATCH/guest.pem\"" "key = \"$SCRATCH/guest.key\"" "$user"
curl_file no-authority "${client[@]}" "$user"
curl_file no-password "$cacert" "${client[@]}"
curl_file wrong "$cacert" "${client[@]}" 'user = "reader:hush-hush"'
curl_file typo "$cacert" "${client[@]}" "${user/user/usr}"

fleet file 0 "$SCRATCH/fleet.jsonl"
prometheus_load prometheus "$SCRATCH/fleet.om"
engine_scheme=https engine_curl=(--config "$SCRATCH/all.curl")
prometheus_start prometheus --web.config.file="$SCRATCH/web.yml"
url=${engine_url[prometheus]}
check "a certificate and a password are accepted" fleet all 0 --prometheus "$url" --curl-config "$SCRATCH/all.curl"
check "the rows are those of the file" same_rows all
check "by remote read" says all 'transport: remote read'
for transport in query remote-read; do
  check "likewise by $transport" fleet "$transport" 0 --prometheus "$url" --curl-config "$SCRATCH/all.curl" --transport "$transport"
  check "with the same rows" same_rows "$transport"
done
for name in no-certificate guest no-authority; do
  check "$name is an error" fleet "$name" 3 --prometheus "$url" --curl-config "$SCRATCH/$name.curl"
  # With TLS 1.3 a server refuses the certificate after curl has sent the request: curl sees the reason, or only the end.
  check "of the connection" grep -E '^error: (no secure connection|the server closed the connection): ' "$SCRATCH/$name.log"
  check "with a hint" says "$name" 'cert and key in the file of --curl-config.'
done
for name in no-password wrong; do
  check "$name is an error" fleet "$name" 3 --prometheus "$url" --curl-config "$SCRATCH/$name.curl"
  check "of the credentials" says "$name" 'error: the server refuses the request (HTTP 401)'
  check "with a hint" says "$name" 'hint:  Give credentials with '
done
check "a mistyped option is an error" fleet typo 1 --prometheus "$url" --curl-config "$SCRATCH/typo.curl"
check "with its line" says typo "typo.curl\", line 4: curl does not know \"usr\""
check "a password in the address is refused" fleet address 2 --prometheus "${url/:\/\//:\/\/reader:hush@}"

# The engine stops answering while a request is there; meanwhile every command line is read.
# Before it, a curl that only reads its options runs for a moment.
curl_runs() { ps -o args= --ppid "$client_pid" | grep '^curl ' | grep -qvF -- --version; }
hangs() {
  local status=0
  kill -STOP "${engine_pid[prometheus]}"
  "${fleet_command[@]}" --prometheus "$url" --curl-config "$SCRATCH/all.curl" >"$SCRATCH/hangs.rows" 2>"$SCRATCH/hangs.log" &
  client_pid=$!
  await curl_runs || status=1
  cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' >"$SCRATCH/command_lines"
  kill -CONT "${engine_pid[prometheus]}"
  wait "$client_pid" && [ "$status" = 0 ] && grep -qF -- '--config -' "$SCRATCH/command_lines"
}
check "a request hangs and is answered" hangs
check "its rows are the same" same_rows hangs
check "no command line has the password" bash -c "! grep -F hush '$SCRATCH/command_lines'"

# Interrupted, the journal stays.
proxied() {
  local status=0 name=$1
  shift
  # Not the probe, but the first batch.
  proxy_plan proxy '^/api/v1/read pass' '^/api/v1/read hold'
  "${fleet_command[@]}" --prometheus "${engine_url[proxy]}" "$@" >"$SCRATCH/$name.rows" 2>"$SCRATCH/$name.log" &
  client_pid=$!
  await test -e "$SCRATCH/proxy/held"
  kill -INT "$client_pid"
  : >"$SCRATCH/proxy/go"
  wait "$client_pid" || status=$?
  [ "$status" = 130 ]
}
engine_stop prometheus
engine_scheme=http engine_curl=()
unset 'engine_url[prometheus]'
prometheus_start prometheus
proxy_start proxy prometheus
# expects RULE…: what the proxy wants of requests from now on.
expects() { printf '%s\n' "$@" >"$SCRATCH/proxy/authentication"; rm -f "$SCRATCH/proxy/refused"; proxy_plan proxy; }
url=${engine_url[proxy]}

expects 'header X-Scope-OrgID: team-a' "header Authorization: Basic $(printf '%s' "reader:$password" | base64 -w 0)"
curl_file tenant 'header = "X-Scope-OrgID: team-a"' "$user"
check "a tenant and a password arrive" fleet tenant 0 --prometheus "$url" --curl-config "$SCRATCH/tenant.curl"
check "with each request" bash -c "! cat '$SCRATCH/proxy/refused'"
check "with the same rows" same_rows tenant
curl_file other-tenant 'header = "X-Scope-OrgID: team-b"' "$user"
check "another tenant is refused" fleet other-tenant 3 --prometheus "$url" --curl-config "$SCRATCH/other-tenant.curl"

expects bearer
echo hush1aa >"$SCRATCH/proxy/token"
check "a token that changes with each request is read anew" fleet bearer 0 --prometheus "$url" --bearer-file "$SCRATCH/proxy/token"
check "it has changed" bash -c "! grep hush1aa '$SCRATCH/proxy/token'"
check "no request had an old one" bash -c "! cat '$SCRATCH/proxy/refused'"
check "with the same rows" same_rows bearer
echo hush-old >"$SCRATCH/old-token"
check "an old token is refused" fleet old-token 3 --prometheus "$url" --bearer-file "$SCRATCH/old-token"

published=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
check "the test signs AWS's example as AWS does" [ "$(perl "$ROOT/tests/live/authentication.pl")" = "$published" ]
export AWS_ACCESS_KEY_ID=AKIDEXAMPLE AWS_SECRET_ACCESS_KEY=hush/K7+MDENG AWS_SESSION_TOKEN=
expects "sigv4 eu-west-1 aps $AWS_ACCESS_KEY_ID $AWS_SECRET_ACCESS_KEY"
for transport in remote-read query; do
  check "signed requests are accepted, by $transport" fleet "signed-$transport" 0 --prometheus "$url" --aws-sigv4 eu-west-1 --transport "$transport"
  check "each of them" bash -c "! cat '$SCRATCH/proxy/refused'"
  check "with the same rows" same_rows "signed-$transport"
done
check "a signature for another region is refused" fleet region 3 --prometheus "$url" --aws-sigv4 us-east-1
check "as one for another service" fleet service 3 --prometheus "$url" --aws-sigv4 eu-west-1:monitoring
AWS_SECRET_ACCESS_KEY=hush-wrong check "and one by another key" fleet key 3 --prometheus "$url" --aws-sigv4 eu-west-1
check "because of the signature" grep -qx 'the signature is another' "$SCRATCH/proxy/refused"
# Of temporary credentials.
export AWS_SESSION_TOKEN=hush/Fwo+GZ==
expects "sigv4 eu-west-1 aps $AWS_ACCESS_KEY_ID $AWS_SECRET_ACCESS_KEY $AWS_SESSION_TOKEN"
check "requests with a session token are accepted" fleet session 0 --prometheus "$url" --aws-sigv4 eu-west-1
check "each of them" bash -c "! cat '$SCRATCH/proxy/refused'"
check "with the same rows" same_rows session
check "a run with secrets is interrupted" proxied interrupted --aws-sigv4 eu-west-1
check "and says how much it has, of the whole fleet" says interrupted 'interrupted: 0 of 4 volumes are answered'
check "its journal stays" bash -c "ls '$SCRATCH'/state/ebsctl/fleet-*.jsonl"
check "without a secret" bash -c "! grep -r hush '$SCRATCH/state'"
check "no message has a secret" silent
