# The course of the attack; sourced after body.sh.

prepared() {
  check "the roles are there" prepare postgres roles.sql
  check "the traps are set" prepare mallory traps.sql
  check "the baits are laid" prepare mallory baits.sql
  check "deep and wide objects are there" prepare mallory shapes.sql
  check "the checks are there" prepare postgres checks.sql
  : >"$SCRATCH/errors"
  local of number=0
  for of in names views literals joins orders; do
    number=$((number + 1))
    cluster_sql "SELECT statements[$number] || ';' FROM mallory.hostile ORDER BY number" >"$SCRATCH/$of.sql"
  done
}

# page: a run that is long enough for a report and a page that show statements, sessions and commands.
page() {
  {
    echo "SET application_name = E'\\x1b[2J<script>alert(1)</script>';"
    cluster_sql "SELECT unnest(statements) || ';' FROM mallory.hostile WHERE name ~ E'[\\n\\x1b]|<script'"
  } >"$SCRATCH/page.sql"
  wave page mallory "$SCRATCH/page.sql" 33
}

waves() {
  local of role
  for of in names views literals joins orders; do wave "$of" mallory "$SCRATCH/$of.sql"; done
  wave constants mallory "$ATTACK/constants.sql"
  for role in mallory clerk dba; do
    wave "traps by $role" "$role" "$ATTACK/trapped.sql"
    check "the traps spring where $role executes a statement" all_sprung "$role"
  done
  page
  wave shapes mallory "$ATTACK/shaped.sql"
  wave flat mallory "$ATTACK/flat.sql"
  wave deep mallory "$ATTACK/deep.sql"
  wave deeper mallory "$ATTACK/deeper.sql"
  wave crowd crowd "$ATTACK/crowd.sql"
  check "100,000 statements were seen" is "SELECT count(*) >= 99000 FROM pg_stat_statements" t
}

# every_function: each of ours, by each role.
every_function() {
  local role result
  grep -vE '^#' "$ATTACK/calls.txt" >"$SCRATCH/every.txt"
  cut -f 1 "$SCRATCH/every.txt" | sort -u >"$SCRATCH/called-names"
  cluster_sql "SELECT DISTINCT proname FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
    JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass WHERE extname = 'ebs_advisor'" | sort >"$SCRATCH/function-names"
  check "there is a call of every function" diff "$SCRATCH/function-names" "$SCRATCH/called-names"
  for role in asker watcher outsider; do
    result=0
    call "$role" "$SCRATCH/every.txt" >"$SCRATCH/ended" || result=$?
    check "every function, as $role: the backends that answer go on" bash -c 'cat "$1"; exit "$2"' _ "$SCRATCH/ended" "$result"
  done
}
refused_all() {
  local calls refused
  calls=$(wc -l <"$SCRATCH/every.txt")
  refused=$(grep -c '^outsider .*: 42501$' "$SCRATCH/errors" || true)
  [ "$calls" = "$refused" ] || { echo "of $calls calls $refused were refused with 42501; the others:"; grep '^outsider ' "$SCRATCH/errors" | grep -v ': 42501$'; return 1; }
}
no_internal_error() { ! grep -E ': (XX|58)[0-9A-Z]{3}$' "$SCRATCH/errors" | sort | uniq -c | head -n 20 | grep .; }

outcome() {
  check "no process of the server's was ended by a signal" not_logged 'terminated by signal|exited abnormally|PANIC:|panicked|memory allocation of|stack overflow'
  check "the role with no rights is refused everywhere" refused_all
  check "no error is an internal one" no_internal_error
  check "nobody has more rights" nothing "SELECT rolname, rolsuper FROM pg_roles WHERE rolname IN ('mallory', 'clerk', 'watcher', 'outsider', 'crowd') AND (rolsuper OR rolcreaterole OR rolbypassrls OR rolreplication)
    UNION ALL SELECT member::regrole::text, NULL FROM pg_auth_members WHERE member::regrole::text <> 'watcher' AND member >= 16384"
  check "reports and pages have no letters and no markup of others" nothing "SELECT source, line FROM attack.bad_lines LIMIT 20"
  check "there are reports and pages to look at" is "SELECT count(*) FILTER (WHERE source = 'ebs_advise') > 20 AND count(*) FILTER (WHERE source = 'ebs_report_html') > 10 FROM attack.said" t
}

outcome_of_advice() {
  check "nothing but indexes is given to hypopg" not_logged 'hypopg: SQL order'
  check "nobody's code runs while an answer is worked out" no_canary_of_answers
  check "the statements of every run are looked at" nothing "SELECT * FROM attack.passed_over"
  check "indexes are advised on what mallory made" is "SELECT count(DISTINCT ddl) >= 20 FROM attack.advised WHERE kind = 'index'" t
  check "every command that is advised is one command of the system's own parts" nothing "SELECT problem, kind, relation, ddl, run FROM attack.bad_commands LIMIT 30"
  check "every remedy that is a command is one" nothing "SELECT * FROM attack.bad_remedies LIMIT 20"
}

# attack: all of it, as far as the extensions that the server has allow; what needs a missing one is skipped by name.
attack() {
  prepared
  if has pg_stat_statements; then
    waves
  else
    skip "statements of others: this PostgreSQL has no pg_stat_statements"
    local of
    for of in names constants flat 'traps by dba' crowd; do wave "$of" mallory "$ATTACK/constants.sql"; done
    page
  fi
  every_function
  outcome
  if has pg_stat_statements && has hypopg; then outcome_of_advice; else skip "commands that are advised: this PostgreSQL lacks pg_stat_statements or hypopg"; fi
}
