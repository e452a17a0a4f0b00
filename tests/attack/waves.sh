# The course of the attack, in three parts; sourced after body.sh.
WAVES=0

prepared() {
  attacked
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

# page: a run that is long enough for a report and a page that show statements, sessions and commands. Meanwhile the role with no
# rights calls every function: it is refused everywhere, so that the run goes on.
page() {
  {
    echo "SET application_name = E'\\x1b[2J<script>alert(1)</script>';"
    cluster_sql "SELECT unnest(statements) || ';' FROM mallory.hostile WHERE name ~ E'[\\n\\x1b]|<script'"
  } >"$SCRATCH/page.sql"
  wave_begins page mallory "$SCRATCH/page.sql"
  every_function outsider
  cluster_await "SELECT sum(seconds) > 32 FROM (SELECT DISTINCT ended_at, seconds FROM ebs_device_samples('page')) s"
  wave_ends page
}

# every_function ROLE: each of ours.
every_function() {
  local result=0
  call "$1" "$SCRATCH/every.txt" >"$SCRATCH/ended" || result=$?
  check "every function, as $1: the backends that answer go on" bash -c 'cat "$1"; exit "$2"' _ "$SCRATCH/ended" "$result"
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
  check "no error is an internal one" no_internal_error
  check "nobody has more rights" nothing "SELECT rolname, rolsuper FROM pg_roles WHERE rolname IN ('mallory', 'clerk', 'watcher', 'outsider', 'crowd') AND (rolsuper OR rolcreaterole OR rolbypassrls OR rolreplication)
    UNION ALL SELECT member::regrole::text, NULL FROM pg_auth_members WHERE member::regrole::text <> 'watcher' AND member >= 16384"
  check "reports and pages have no letters and no markup of others" nothing "SELECT source, line FROM attack.bad_lines LIMIT 20"
  check "there is a report and a page of each run for each role that may ask" is "SELECT
    count(DISTINCT (run, who)) FILTER (WHERE source = 'ebs_advise'), count(DISTINCT (run, who)) FILTER (WHERE source = 'ebs_report_html') FROM attack.said" "$((2 * WAVES))|$((2 * WAVES))"
}

# outcome_of_advice INDEXES: of the commands, where at least so many different indexes are advised.
outcome_of_advice() {
  if ! has pg_stat_statements || ! has hypopg; then
    skip "commands that are advised: this PostgreSQL lacks pg_stat_statements or hypopg"
    return 0
  fi
  check "nothing but indexes is given to hypopg" not_logged 'hypopg: SQL order'
  check "nobody's code runs while an answer is worked out" no_canary_of_answers
  check "the statements of every run are looked at" nothing "SELECT * FROM attack.passed_over"
  check "indexes are advised on what mallory made" is "SELECT count(DISTINCT ddl) >= $1 FROM attack.advised WHERE kind = 'index'" t
  check "every command that is advised is one command of the system's own parts" nothing "SELECT problem, kind, relation, ddl, run FROM attack.bad_commands LIMIT 30"
  check "every remedy that is a command is one" nothing "SELECT * FROM attack.bad_remedies LIMIT 20"
}

# counts_statements: or says that this PostgreSQL does not.
counts_statements() {
  ! available pg_stat_statements || return 0
  skip "statements of others: this PostgreSQL has no pg_stat_statements"
  return 1
}

# attack_statements: what names, texts, constants and traps lead to.
attack_statements() {
  local of role
  counts_statements || return 0
  prepared
  for of in names views literals joins orders; do wave "$of" mallory "$SCRATCH/$of.sql"; done
  wave constants mallory "$ATTACK/constants.sql"
  for role in mallory clerk dba; do
    wave "traps by $role" "$role" "$ATTACK/trapped.sql"
    check "the traps spring where $role executes a statement" all_sprung "$role"
  done
  outcome
  outcome_of_advice 20
}

# attack_plans: what is deep, wide and many.
attack_plans() {
  local of
  counts_statements || return 0
  prepared
  wave shapes mallory "$ATTACK/shaped.sql"
  for of in flat deep deeper; do wave "$of" mallory "$ATTACK/$of.sql"; done
  wave crowd crowd "$ATTACK/crowd.sql"
  check "100,000 statements were seen" is "SELECT count(*) >= 99000 FROM pg_stat_statements" t
  outcome
  outcome_of_advice 1
}

# attack_calls: each of our functions, by each role, on runs as the calls name them.
attack_calls() {
  local of
  prepared
  made_documents 100000
  { grep -vE '^#' "$ATTACK/calls.txt"
    # Of each import every hostile document, one of some 50 MB, and a name of 60 MB.
    cluster_sql "WITH calls AS (SELECT number, function, what, replace(call, '''long''', '''names''') AS call FROM made WHERE hostile),
        long AS (SELECT DISTINCT ON (function) * FROM calls WHERE what LIKE 'repeated%' ORDER BY function, number),
        texts AS (SELECT number, function, call FROM calls UNION ALL SELECT number, function, replace(call, 'body', 'repeat(body, 200)') FROM long
          UNION ALL SELECT number, function, left(call, -1) || ', wal_device => repeat(repeat(''x'', 1000), 60000))'
          FROM long WHERE EXISTS (SELECT FROM pg_proc WHERE proname = function AND 'wal_device' = ANY (proargnames)))
      SELECT function || E'\\tSELECT ' || call || ' FROM made WHERE number = ' || number FROM texts ORDER BY number"
  } >"$SCRATCH/every.txt"
  cut -f 1 "$SCRATCH/every.txt" | sort -u >"$SCRATCH/called-names"
  cluster_sql "SELECT DISTINCT proname FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
    JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass WHERE extname = 'ebs_advisor'" | sort >"$SCRATCH/function-names"
  check "there is a call of every function" diff "$SCRATCH/function-names" "$SCRATCH/called-names"
  wave names mallory "$SCRATCH/names.sql"
  wave 'traps by dba' dba "$ATTACK/trapped.sql"
  for of in constants flat crowd; do wave "$of" mallory "$ATTACK/constants.sql"; done
  page
  every_function asker
  every_function watcher
  outcome
  check "the role with no rights is refused everywhere" refused_all
  outcome_of_advice 20
}
