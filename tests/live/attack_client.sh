# A forged server (tests/attack/hostile_server.pl) against each command of ebsctl that connects: the command ends by itself, in bounded
# memory, runs nothing and prints nothing that a terminal would obey. With ATTACK_SLOW=yes servers that never answer a query, too,
# which takes ebsctl's own minutes.
EBSCTL=$(program ebsctl)
CLUSTER=$SCRATCH/cluster
# Not where a file of the test could have the name that the attacks make.
CLIENT=$SCRATCH/client
FORGED=$SCRATCH/forged
mkdir "$CLIENT" "$FORGED"
. "$ROOT/tests/attack/client.sh"

fresh <<<"ebs_advisor.enabled = off"
cluster_sql 'CREATE EXTENSION ebs_advisor'
cluster_sql "SELECT ebs_import_samples('x', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01' + i * interval '1 s',
  'reads', 5000 + i, 'writes', 100, 'read_bytes', 40960000, 'write_bytes', 819200))) FROM generate_series(1, 60) i" >/dev/null
forged_server "$CLUSTER"
echo '{"Volumes": [{"VolumeId": "vol-0a", "Size": 500, "State": "available"}]}' >"$SCRATCH/volumes.json"

# Each is called with the connection string of a server. Where a command takes two, both are forged, or the other is a file.
declare -A commands=(
  [report]='report x -d SERVER'
  [page]="report x --html $SCRATCH/page.html -d SERVER"
  [import]="import configuration $SCRATCH/volumes.json -d SERVER"
  [run]='run --label y -d SERVER -- true'
  [watch]='watch SERVER --label z --for 1s --output OUTPUT'
  [keep]='watch SERVER --label z --for 1s -d SERVER'
)
# attacked COMMAND SERVER: the command against that server, within bounds; its output and how it ended are in files.
attacked() {
  local word words=()
  for word in ${commands[$1]}; do
    word=${word/SERVER/"$2"}
    words+=("${word/OUTPUT/"$SCRATCH/$RANDOM$RANDOM.json"}")
  done
  bounded "${words[@]}"
}
# harmless COMMAND SERVER [failed]: it ends by itself; where the server cannot be right, by an error.
harmless() {
  attacked "$1" "$2" || { told; return 1; }
  [ "${3:-}" != failed ] || [ "$(head -n 1 "$SCRATCH/ended")" != 'exit 0' ] || { echo 'exit status 0'; told; return 1; }
  clean || { told; return 1; }
}
# withstand "what" STAGE failed|- ATTACK…: every command withstands each of these attacks. One check a command, which names those that
# it does not withstand.
withstand() {
  local what=$1 stage=$2 failed=$3 command
  shift 3
  for command in report page import run watch keep; do check "$what: $command" each_withstood "$command" "$stage" "$failed" "$@"; done
}
each_withstood() {
  local command=$1 stage=$2 failed=$3 attack wrong=0
  shift 3
  for attack; do
    # A command may end before it has sent so many queries.
    [[ $stage == after* ]] || : >"$FORGED/attacked"
    harmless "$command" "host=$FORGED user=postgres dbname=$stage-$attack" "$failed" >"$SCRATCH/told" 2>&1 &&
      { [[ $stage == after* ]] || begun "$stage-$attack" >>"$SCRATCH/told"; } && continue
    wrong=1
    echo "$stage-$attack:"
    head -c 2000 "$SCRATCH/told"
    echo
  done
  return "$wrong"
}
all_begun() {
  local stage=$1 attack
  shift
  for attack; do begun "$stage-$attack" || return; done
}
export PGCONNECT_TIMEOUT=3 PGPASSWORD=hush

long=(long-notice long-error long-parameter long-notification long-authentication)
endless=(notices parameters new-parameters notifications)
malformed=(length-0 length-3 length-negative length-most unknown-type cut gone)
rows=(columns type no-columns no-rows fewer-values more-values most-values value-beyond value-negative two-rows invalid-utf8 nul null
  copy-in copy-out copy-both)
shells=(shell-{0..7} shell-error marks)
escapes=(escapes escapes-error escapes-code)

withstand "a message of 900 MB before the session" startup failed "${long[@]}" negotiate
withstand "a message of 900 MB in an answer" answer failed "${long[@]}" long-row long-description long-tag
withstand "messages without end before the session" startup failed "${endless[@]}" errors readies
withstand "messages without end in an answer" answer failed "${endless[@]}" rows empty-rows copy-data descriptions errors readies
withstand "what is no message, before the session" startup failed "${malformed[@]}"
withstand "what is no message, in an answer" answer failed "${malformed[@]}"
withstand "an answer of another shape" answer - "${rows[@]}"
withstand "code of a shell, of psql and of SQL" answer - "${shells[@]}"
withstand "control characters in every text" answer - "${escapes[@]}"
withstand "control characters before the session" startup failed escapes-error escapes-code shell-error
withstand "passwords that are not to be sent, and 2^31 rounds of SCRAM" startup failed scram
withstand "a server that does not go on, before the session" startup failed silent slow slow-notices

# What a server gives as a page is a page with the policy against scripts before all else, or is not written.
no_page() {
  rm -f "$SCRATCH/page.html"
  harmless page "host=$FORGED user=postgres dbname=answer-escapes" failed && [ ! -e "$SCRATCH/page.html" ]
}
check "a page without its policy against scripts is not written" no_page

# What comes late in a session: the server is a real one until then.
late=(long-row notices rows escapes-error columns cut replace-escapes replace-null replace-utf8 replace-shell-{0,1,3})
for queries in 0 1 3 6; do
  : >"$FORGED/attacked"
  withstand "after $queries answers of a real server" "after$queries" - "${late[@]}"
  check "after $queries answers of a real server: each attack began" all_begun "after$queries" "${late[@]}"
done

for kind in ssl-error ssl-inject; do
  for command in report import run watch; do
    check "$kind: $command" harmless "$command" "host=127.0.0.1 port=$(cat "$FORGED/$kind") user=postgres dbname=answer-gone" failed
  done
  check "$kind: it was asked for TLS" begun "$kind"
done

if [ "${ATTACK_SLOW:-}" = yes ]; then
  unset PGCONNECT_TIMEOUT
  withstand "a server that never answers" answer failed silent slow slow-notices
fi

# The bounds and the canary themselves: a test that could not fail proves nothing.
caught() { ! BOUNDED_KIB=8192 bounded_command perl -e '$bytes = "x" x 200_000_000' && grep -x 'too much memory' "$SCRATCH/ended"; }
check "what takes too much memory is found" caught
caught_character() { printf "$1" >"$SCRATCH/out"; : >"$SCRATCH/err"; ! clean; }
for character in '\033' '\302\233' '\342\200\256' '\b' '\177' '\377'; do check "printed, $character is found" caught_character "$character"; done
caught_file() { : >"$SCRATCH/out"; touch "$CLIENT/ran-on-client"; ! clean; }
check "a file that was made is found" caught_file
