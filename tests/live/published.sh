# Files in shapes that people publish (tests/published), for ebsctl advise alone, without a server: each gives an answer, or a refusal of three
# lines at most with the way out. EXPECTED has the beginning of each.
EBSCTL=$(program ebsctl)
cd "$ROOT/tests/published"
# heading: its lines as one.
heading() { sed -E '/^(RECOMMENDED|INSUFFICIENT DATA|$)/,$d; s/^  /· /' "$SCRATCH/out" | paste -s -d ' '; }
# advised FILES FLAGS BEGINNING
advised() {
  local status=0 first
  # Words of the table, which no shell has to quote.
  "$EBSCTL" advise $1 $2 >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null || status=$?
  if [[ $3 = answer* ]]; then
    [ "$status" = 0 ] && grep -qE '^(RECOMMENDED|INSUFFICIENT DATA)' "$SCRATCH/out" && grep -q "^ebs_advisor .*${3#answer}" <(heading)
  else
    first=$(head -n 1 "$SCRATCH/err" | sed 's/^error: \("[^"]*"\)*[: ]*//')
    [[ $status = [12] ]] && [ "${first#"$3"}" != "$first" ] && grep -q '^hint:' "$SCRATCH/err" && [ "$(grep -c . "$SCRATCH/err")" -le 3 ] && [ ! -s "$SCRATCH/out" ]
  fi || { cat "$SCRATCH/err" "$SCRATCH/out"; return 1; }
}
while IFS= read -r line; do
  [[ $line != \#* ]] || continue
  IFS='|' read -r files flags beginning <<<"${line//$'\t'/|}"
  check "$files${flags:+ $flags}" advised "$files" "$flags" "$beginning"
done <EXPECTED
check "every file is among them" test -z "$(ls | grep -vxF EXPECTED | grep -vxFf <(grep -v '^#' EXPECTED | cut -f 1 | tr ' ' '\n'))"
