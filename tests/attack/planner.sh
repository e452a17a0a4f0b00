# Attacks on planning: code of one role that would run while another asks for advice on its statements. Sourced after body.sh, by
# tests/live/attack_planner.sh and with packaged hypopg by tests/packaged/attack_planner.sh.

# planner_cluster: a cluster with what index advice takes, or with stand-ins for it.
planner_cluster() {
  sampling <<CONF
$(disk_settings)
$(cat "$ATTACK/server.conf")
$(! available pg_stat_statements || printf '%s\n' "shared_preload_libraries = 'ebs_advisor, pg_stat_statements'")
CONF
  prepare postgres planner-roles.sql
  if available pg_stat_statements; then cluster_sql 'CREATE EXTENSION pg_stat_statements'; else prepare postgres planner-standin-statements.sql; fi
  if available hypopg; then cluster_sql 'CREATE EXTENSION hypopg'; else prepare postgres planner-standin-hypopg.sql; fi
}

# Attacks of a wave: with two executing roles and the honest statements no more than are planned, 40.
WAVE=34
planner_waves() { cluster_sql "SELECT DISTINCT (number - 1) / $WAVE FROM mallory.attack ORDER BY 1"; }

# planner_execute WAVE ROLE: the role executes the statements of the wave, in a run with that label.
planner_execute() {
  local run="$1 $2"
  cluster_sql "SELECT ebs_run_begin('$run')" >/dev/null
  planner_executed "$1" "$2" "SELECT statement FROM mallory.attack WHERE (number - 1) / $WAVE = $1 UNION ALL SELECT statement FROM shop.honest"
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
}
# planner_executed NAME ROLE QUERY: the role executes the statements that the query gives; without pg_stat_statements they are entries.
planner_executed() {
  if available pg_stat_statements; then
    {
      # Some name what the search_path chooses.
      echo "SET search_path = mallory, public; SET mallory.prepares = 'yes'; SET statement_timeout = '60s';"
      cluster_sql "SELECT statement || ';' FROM ($3) s"
    } >"$SCRATCH/executing.sql"
    run_as "$2" "$SCRATCH/executing.sql"
    cp "$SCRATCH/$2.err" "$SCRATCH/executed.$2.$1.err"
  else
    cluster_sql "INSERT INTO counted.entry (userid, query) SELECT '$2'::regrole, statement FROM ($3) s"
  fi
}

# planner_asks WAVE EXECUTOR ROLE: the role asks for advice on that run, in a session that has used everything before, as sessions do:
# caches keep how to call what was called.
planner_asks() {
  local run="$1 $2" path="mallory, public"
  {
    echo "SET client_min_messages = error; LISTEN mallory; SET constraint_exclusion = on; SET mallory.prepares = 'yes';"
    planner_warm
    echo "RESET mallory.prepares; SET search_path = public;"
    # In one transaction with a use of what keeps its state as long as that.
    echo "BEGIN; SET LOCAL search_path = $path; SET LOCAL mallory.prepares = 'yes';"
    echo "SELECT FROM public.trusted_plpgsql('trusted_plpgsql', 5), public.trusted_definer('trusted_definer', 5), public.trusted_swallows('trusted_swallows', 5),
      public.trusted_setting('trusted_setting', 5);"
    echo "SET LOCAL mallory.prepares = ''; SET LOCAL search_path = public;"
    echo "INSERT INTO attack.advised (wave, kind, statement, reason) SELECT '$run', kind, statement, reason FROM ebs_index_advice('$run', search_path => '$path');"
    echo "COMMIT;"
    [ "$1" != 0 ] || planner_other_calls "$run"
    echo "INSERT INTO attack.remained (wave, what) SELECT '$run', what FROM attack.traces;"
  } >"$SCRATCH/asks.sql"
  local rc=0 from=$EPOCHREALTIME
  attack_psql "$3" -qAtX -f - <"$SCRATCH/asks.sql" >"$SCRATCH/asked" 2>&1 || rc=$?
  [ -z "${ATTACK_TIMES:-}" ] || awk -v a="$from" -v b="$EPOCHREALTIME" -v what="$run, asked by $3" 'BEGIN { printf "%s: %.1f\n", what, b - a }' >>"$ATTACK_TIMES"
  ! grep -E 'Asynchronous notification' "$SCRATCH/asked" >>"$SCRATCH/notified" || true
  [ "$rc" = 0 ] && ! grep -E 'ERROR|FATAL|server closed' "$SCRATCH/asked" | grep -v '42501' | sort -u | head -n 20 | grep .
}
# planner_warm: commands that use what is cached, as an asker may have before.
planner_warm() {
  sed 's/^/EXPLAIN /' <<'SQL'
SELECT count(pad) FROM mallory.p_subtype_diff;
SELECT count(pad) FROM mallory.p_subtype_diff_array;
SELECT count(pad) FROM mallory.p_subtype_diff_domain;
SELECT count(pad) FROM mallory.p_subtype_diff_multirange;
SELECT count(pad) FROM mallory.p_trusted_opclass_hash;
SELECT count(pad) FROM mallory.p_trusted_opclass_btree;
SQL
}
planner_other_calls() {
  cat <<SQL
INSERT INTO attack.answered (wave, source, lines) SELECT '$1', 'ebs_findings', count(*) FROM ebs_findings('$1');
INSERT INTO attack.answered (wave, source, lines) SELECT '$1', 'ebs_advise', count(*) FROM ebs_advise('$1');
INSERT INTO attack.answered (wave, source, lines) SELECT '$1', 'ebs_options', count(*) FROM ebs_options('$1');
INSERT INTO attack.answered (wave, source, lines) SELECT '$1', 'ebs_report_html', length(ebs_report_html('$1'));
SQL
}

# planner_prepared: roles, traps, honest statements and the session that is to live on.
planner_prepared() {
  planner_cluster
  check "the traps are set" prepared_by mallory planner.sql postgres planner-trusted.sql mallory planner-later.sql victim planner-honest.sql
  cluster_psql -d postgres -qAtX -U asker -c "INSERT INTO attack.sleeper SELECT pg_backend_pid()" -c 'SELECT pg_sleep(86400)' >"$SCRATCH/sleeper" 2>&1 &
  cluster_await 'SELECT count(*) = 1 FROM attack.sleeper'
}
# prepared_by [ROLE FILE]…: stops at the first that fails.
prepared_by() {
  while [ $# -gt 0 ]; do prepare "$1" "$2" || return 1; shift 2; done
}
lives_on() { [ "$(cluster_sql 'SELECT count(*) FROM pg_stat_activity JOIN attack.sleeper USING (pid)')" = 1 ] || { cat "$SCRATCH/sleeper"; return 1; }; }

# planner_controls: each trap works: it springs where a superuser plans the statement without us.
planner_controls() {
  {
    echo "SET client_min_messages = error; SET search_path = mallory, public; SET constraint_exclusion = on; SET statement_timeout = '60s';"
    cluster_sql "SELECT 'EXPLAIN (GENERIC_PLAN) ' || statement || ';' FROM mallory.attack WHERE label <> 'operator_terminate'"
  } >"$SCRATCH/controls.sql"
  run_as dba "$SCRATCH/controls.sql"
}

# planner_changing: objects that mallory changes all the time, until the table attack.stop has a row.
planner_changing() {
  prepare postgres planner-changing-roles.sql && prepare mallory planner-changing.sql
}
planner_changes() {
  {
    echo "SET client_min_messages = error; SET mallory.prepares = 'yes'; SET lock_timeout = '2s';"
    echo "CALL mallory.change();"
  } >"$SCRATCH/changes.sql"
  run_as mallory "$SCRATCH/changes.sql"
}

# Roles that ask about the statements of each that executed them: superusers about all, others about what they may read.
askers() { case $1 in victim) echo "asker victim" ;; *) echo "asker watcher" ;; esac; }

# attack_planner: the whole attack, or with PLANNER_PARTS the statements and the parts that it names (changing, costs).
attack_planner() {
  local wave executor who waves since ok=0
  planner_prepared
  : >"$SCRATCH/notified"
  waves=$(planner_waves)
  for executor in mallory victim dba; do
    for wave in $waves; do planner_execute "$wave" "$executor"; done
  done
  check "the baits become traps" prepare mallory planner-springs.sql
  for executor in mallory victim dba; do
    for wave in $waves; do
      for who in $(askers "$executor"); do
        check "what $executor executed, wave $wave: $who is answered" planner_asks "$wave" "$executor" "$who"
      done
    done
  done
  [[ ${PLANNER_PARTS:-changing} != *changing* ]] || planner_asked_meanwhile
  [[ ${PLANNER_PARTS:-costs} != *costs* ]] || planner_costs
  cp "$CLUSTER/server.log" "$SCRATCH/asked.log"
  planner_outcome
}

# planner_canaries: trap, session's role and role that it ran as, of all that was logged until the last answer.
planner_canaries() { sed -nE 's/.*LOG:  canary: (.*) for (.*) as ([a-z]*).*$/\1 \2 \3/p' "${1:-$SCRATCH/asked.log}" | sort -u; }
no_planner_canary() { ! planner_canaries | grep -v ' mallory mallory$' | head -n 100 | grep .; }

# controls: every trap springs where a superuser plans the statement without advice, but for those that need what this server lacks.
controls_sprung() {
  local trap missing=0 xml=
  planner_controls
  # Some are built without XML.
  ! cluster_sql "SELECT '<a/>'::xml" >/dev/null 2>&1 || xml=query_below
  planner_canaries "$CLUSTER/server.log" | awk '$2 == "dba" || $1 == "foreign_table" { print $1 }' | sort -u >"$SCRATCH/controls"
  for trap in compared limit tablesample variadic array record_in array_in io_cast input_valid range_in hash_partition sql_validator json_cast $xml \
    function inlined definer with_setting stable aggregate operator operator_scalarlt operator_matching subtype_diff cast \
    index_expression index_predicate statistics check partition_key default on_conflict cycle trusted_sql trusted_plpgsql trusted_literal \
    trusted_operator trusted_opclass_hash; do
    grep -qx "$trap" "$SCRATCH/controls" || { echo "not sprung: $trap"; missing=1; }
  done
  return "$missing"
}

side_effects() {
  cluster_sql 'SELECT what FROM attack.side_effects' | tee "$SCRATCH/effects"
  [ ! -s "$SCRATCH/effects" ]
}
planner_outcome() {
  check "no process of the server's was ended by a signal" not_logged 'terminated by signal|exited abnormally|PANIC:|panicked|memory allocation of|stack overflow'
  check "nobody's code runs while an answer is worked out" no_planner_canary
  check "a session that an operator names lives on" lives_on
  check "planning leaves nothing in the database" side_effects
  check "planning leaves nothing in the session that asks" nothing "SELECT DISTINCT what, who, wave FROM attack.remained"
  check "nobody is told to grant a right to another role" nothing "SELECT DISTINCT who, reason FROM attack.advised WHERE reason ~ 'GRANT ' AND reason !~ (' TO \"?' || who || '\"?\$')"
  check "planning notifies nobody" test ! -s "$SCRATCH/notified"
  check "honest statements are analysed beside hostile ones" nothing "SELECT a.wave, a.who, s.statement, (SELECT string_agg(DISTINCT reason, '; ') FROM attack.advised r
      WHERE (r.wave, r.who) = (a.wave, a.who) AND r.statement LIKE '%shop.%' AND r.reason LIKE 'not planned%')
    FROM (SELECT DISTINCT wave, who FROM attack.advised WHERE who = 'asker' OR who = 'victim' AND wave LIKE '% victim') a, shop.honest s
    WHERE EXISTS (SELECT FROM attack.advised r WHERE (r.wave, r.who) = (a.wave, a.who) AND r.statement LIKE '%shop.orders%' AND r.reason LIKE 'not planned%')"
  check "hostile statements say why they are not planned" is "SELECT count(DISTINCT statement) >= 10 FROM attack.advised
    WHERE who = 'asker' AND kind = 'statement' AND reason LIKE 'not planned: %'" t
  check "each call is answered with rows" nothing "SELECT * FROM (SELECT who, count(DISTINCT wave) AS waves FROM attack.advised GROUP BY who) w WHERE waves < 4"
  check "reports and pages are there" nothing "SELECT * FROM attack.answered WHERE lines = 0 AND source <> 'ebs_findings'"
  check "every trap works where a superuser plans without advice" controls_sprung
}

# planner_asked_meanwhile: advice while mallory changes what is planned.
planner_asked_meanwhile() {
  local changing holding
  check "what changes is there" planner_changing
  cluster_sql "SELECT ebs_run_begin('changing victim')" >/dev/null
  planner_executed changing victim "SELECT statement FROM attack.changing UNION ALL SELECT statement FROM shop.honest"
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  planner_changes &
  changing=$!
  printf '%s\n' "BEGIN;" "LOCK TABLE mallory.locked;" "CALL mallory.hold();" "ROLLBACK;" >"$SCRATCH/holds.sql"
  run_as mallory "$SCRATCH/holds.sql" &
  holding=$!
  cluster_await "SELECT last_value > 2 AND EXISTS (SELECT FROM pg_locks WHERE relation = 'mallory.locked'::regclass AND mode = 'AccessExclusiveLock' AND granted) FROM mallory.changes"
  for _ in 1 2 3; do check "while objects change: asker is answered" planner_asks changing victim asker; done
  cluster_sql 'INSERT INTO attack.stop VALUES (true)'
  wait "$changing" "$holding" || true
}

# planner_costs: constants that take long, or cannot be cancelled, in views that replace harmless ones. The limits are the product's own:
# the rows have to say that they ended the planning.
planner_costs() {
  check "dear constants are there" prepare mallory planner-costs.sql
  cluster_sql "SELECT ebs_run_begin('costs victim')" >/dev/null
  planner_executed costs victim "SELECT format('SELECT count(pad) FROM mallory.dear_%s', number) AS statement FROM generate_series(1, 22) number UNION ALL SELECT statement FROM shop.honest"
  cluster_sql 'SELECT ebs_run_end()' >/dev/null
  check "they replace harmless views" prepare mallory planner-costs-spring.sql
  check "dear constants: asker is answered" planner_asks costs victim asker
  check "rows say which limit ended the planning" is "SELECT count(*) > 0 FROM attack.advised WHERE wave = 'costs victim' AND who = 'asker' AND statement ~ 'dear_' AND reason ~ 'planning took too long'" t
  check "a call that is cancelled ends" planner_cancelled
}
planner_cancelled() {
  local client
  attack_psql asker -qAtX -c "SET application_name = 'cancelled'" -c "SELECT count(*) FROM ebs_index_advice('costs victim')" >"$SCRATCH/cancelled" 2>&1 &
  client=$!
  cluster_await "SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'cancelled' AND state = 'active' AND query LIKE '%ebs_index_advice%'"
  cluster_sql "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'cancelled'" >/dev/null
  wait "$client" || true
  cat "$SCRATCH/cancelled"
  grep -q 'canceling statement due to user request' "$SCRATCH/cancelled"
}

# planner_table: a line for each attack and asker, for those who compare versions: sprung, held, or what was said.
planner_table() {
  planner_canaries >"$SCRATCH/table.canaries"
  cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 <<SQL
CREATE TEMP TABLE canary (label text, who text, role text);
\\copy canary FROM '$SCRATCH/table.canaries' (DELIMITER ' ')
SELECT format('%-28s %s', coalesce(a.label, c.label), coalesce('SPRUNG ' || c.sprung, CASE WHEN a.problem IS NOT NULL THEN 'not made: ' || a.problem ELSE 'held   ' || coalesce(r.said, 'no row') END))
FROM mallory.attack a
LEFT JOIN LATERAL (SELECT string_agg(DISTINCT left(reason, 110), ' | ') AS said FROM attack.advised v WHERE v.who = 'asker' AND (v.statement = a.statement OR v.statement ~ ('mallory[.]p_' || a.label || '([^a-z_]|$)'))) r ON true
FULL JOIN (SELECT label, string_agg(DISTINCT who || ' as ' || role, ', ') AS sprung FROM canary GROUP BY label) c ON c.label = a.label ORDER BY a.number;
SELECT format('%-28s %s', substring(statement FROM 'dear_[0-9]+|turning|many|locked'), string_agg(DISTINCT left(reason, 150), ' | ')) FROM attack.advised WHERE wave ~ 'costs|changing' AND statement ~ 'dear_|turning|many|locked' GROUP BY substring(statement FROM 'dear_[0-9]+|turning|many|locked') ORDER BY 1;
SELECT DISTINCT 'REMAINS ' || what || ' in a session of ' || who FROM attack.remained;
SELECT 'SESSION ENDED' WHERE NOT EXISTS (SELECT FROM pg_stat_activity JOIN attack.sleeper USING (pid));
SQL
  sed 's/^/EFFECT /' "$SCRATCH/effects"
  [ ! -s "$SCRATCH/notified" ] || echo "NOTIFIED"
  [ ! -s "$SCRATCH/controls" ] || { echo "not sprung by plain EXPLAIN of a superuser (no proof that the trap works):"; cluster_sql "SELECT label FROM mallory.attack" | grep -vxFf "$SCRATCH/controls" | tr '\n' ' '; echo; }
}
