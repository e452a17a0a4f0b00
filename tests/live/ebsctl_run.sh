# ebsctl run and ebsctl import: a real pgbench, a HammerDB of ours that prints its lines, commands that fail, signals, and a
# server that goes away.
EBSCTL=$(program ebsctl)
export PGHOST=$SCRATCH/cluster PGUSER=postgres PGDATABASE=postgres
run() { "$EBSCTL" run "$@"; }
import() { "$EBSCTL" import "$@"; }

# ends STATUS COMMAND…: the command ends with that exit status; what it printed is in $SCRATCH/said.
ends() {
  local wanted=$1 status=0
  shift
  "$@" >"$SCRATCH/out" 2>"$SCRATCH/said" </dev/null || status=$?
  [ "$status" = "$wanted" ] || { echo "exit status $status, not $wanted"; cat "$SCRATCH/out" "$SCRATCH/said"; return 1; }
}
# said PATTERN: the last of them said so.
said() { grep -qE "$1" "$SCRATCH/said" || { cat "$SCRATCH/said"; return 1; }; }
# detail LABEL EXPRESSION: of what was kept of a run.
detail() { echo "SELECT $2 FROM ebs.run_result JOIN ebs.run USING (run_id) WHERE label = '$1'"; }
phases() { echo "SELECT string_agg(phase, ',' ORDER BY marked_at) FROM ebs.run_mark JOIN ebs.run USING (run_id) WHERE label = '$1'"; }
open_runs="SELECT count(*) FROM ebs.runs_detail WHERE ended_at IS NULL"

sampling <<<"checkpoint_timeout = 1h"
"$PG_BIN/pgbench" -i -q -s 1 2>/dev/null

# Drivers of ours go on once the mark that they ask for is seen, and note that in $SEEN: so it was made while they ran.
export SEEN=$SCRATCH/seen
: >"$SEEN"
mkdir "$SCRATCH/drivers"
PATH=$SCRATCH/drivers:$PATH
cat >"$SCRATCH/drivers/marked" <<SCRIPT
#!/bin/sh
tries=0
until "$PG_BIN/psql" -XAtc "SELECT phase FROM ebs.run_mark JOIN ebs.run USING (run_id) WHERE ended_at IS NULL" | grep -qx "\$1"; do
  tries=\$((tries + 1))
  [ "\$tries" -lt $((PATIENCE * 10)) ] || exit
  sleep 0.1
done
echo "\$1" >>"\$SEEN"
SCRIPT
# So does pgbench itself, which after that takes so long that it shows progress.
cat >"$SCRATCH/load.sql" <<SQL
DO \$\$ BEGIN
    FOR i IN 1..$((PATIENCE * 100)) LOOP
        EXIT WHEN EXISTS (SELECT FROM ebs.run_mark WHERE phase = 'load');
        PERFORM pg_sleep(0.01);
    END LOOP;
    IF NOT EXISTS (SELECT FROM pgbench_history) THEN PERFORM pg_sleep(1.2); END IF;
    INSERT INTO pgbench_history DEFAULT VALUES;
END \$\$;
SQL

check "a benchmark runs as it would by itself" ends 0 run --label good --note '{"why": "a test"}' -- \
  "$PG_BIN/pgbench" -c 2 -t 20 -P 1 -f "$SCRATCH/load.sql"
check "what it prints comes out as it is" grep -q '^number of clients: 2$' "$SCRATCH/out"
printed=$(sed -n 's/^tps = \([0-9.]*\) .*/\1/p' "$SCRATCH/out")
check "its result is kept" is "SELECT tps = $printed, latency_ms > 0, ended_at IS NOT NULL, note ->> 'why' FROM ebs.runs_detail WHERE label = 'good'" 't|t|t|a test'
shown=$(grep -c '^progress: ' "$SCRATCH/said")
check "with how it went" is "$(detail good "details ->> 'driver', details ->> 'ended', details ->> 'exit_status',
  details ->> 'clients', jsonb_array_length(details -> 'series' -> 'rows')")" "pgbench|finished|0|2|$shown"
check "the load between vacuum and summary is marked" is "$(phases good)" load,after
# What it waited after the first mark is between the two.
check "and has its length" is "SELECT (phases ->> 'after')::timestamptz - (phases ->> 'load')::timestamptz >= interval '1.2 s'
  FROM ebs.runs_detail WHERE label = 'good'" t
check "it says how it ended" said '^run "good" finished after [0-9:]+ · [0-9,.]+ tps, [0-9.]+ ms$'
verdict=$(cluster_sql "SELECT split_part(line, ' · ', 1) FROM ebs_advise('good', show => 'all') line
  WHERE line ~ '^(Insufficient data|Bottleneck|Recommended)' LIMIT 1")
check "what the server makes of it" grep -xF "${verdict:-no verdict}" "$SCRATCH/said"
check "and what to type next" said "^next: .*psql -c \"SELECT ebs_advise\('good'\)\"$"

check "a command that fails is passed on" ends 1 run --label failing -- "$PG_BIN/pgbench" -f "$SCRATCH/none.sql"
check "and its run is ended and marked so" is "SELECT ended_at IS NOT NULL, (SELECT details ->> 'ended' || ' ' || (details ->> 'exit_status') FROM ebs.run_result r WHERE r.run_id = ebs.runs_detail.run_id) FROM ebs.runs_detail WHERE label = 'failing'" 't|failed 1'
check "with what failed" said 'failed: could not open file'
check "any status is passed on" ends 42 run --label status -- sh -c 'exit 42'
check "and a signal, as shells do" ends 143 run --label signal -- sh -c 'kill -TERM $$'
check "with its name" is "$(detail signal "details ->> 'exit_signal'")" SIGTERM
check "a command that is not there is 127" ends 127 run --label nothing -- "$SCRATCH/nothing" --with arguments
check "one that cannot be run is 126" ends 126 run --label nothing -- "$SCRATCH"
check "and leaves no run" is "SELECT count(*) FROM ebs.runs_detail WHERE label = 'nothing'" 0
check "a label that exists is refused, with the server's hint" ends 125 run --label good -- true
check "in its words" said "hint:  Choose another label, or drop the old run: SELECT ebs_run_drop\('good'\);"

# A label is text: psql runs none of it, nor does a shell.
label="\`touch $SCRATCH/ran\` \\! touch $SCRATCH/ran ; :'HOME' :{?x} \"'\$\$--"
check "a label with escapes of psql's, of a shell's and of SQL" ends 0 run --label "$label" --note '{"why": "\\! `id`"}' -- true
check "is kept as it is" test "$(cluster_sql 'SELECT label FROM ebs.runs_detail ORDER BY run_id DESC LIMIT 1')" = "$label"
check "and nothing of it ran" test ! -e "$SCRATCH/ran"

# interrupted LABEL SIGNAL STATUS [COMMAND…]: the signal goes to ebsctl alone, once the command has shown progress.
interrupted() {
  local pid status=0 command=("$PG_BIN/pgbench" -n -T 3600 -P 1)
  [ $# -le 3 ] || command=("${@:4}")
  # What the command before said is no progress of this one.
  : >"$SCRATCH/out"
  : >"$SCRATCH/said"
  "$EBSCTL" run --label "$1" -- "${command[@]}" >"$SCRATCH/out" 2>"$SCRATCH/said" </dev/null &
  pid=$!
  await grep -q '^progress: ' "$SCRATCH/said" "$SCRATCH/out" || return 1
  kill "-$2" "$pid"
  wait "$pid" || status=$?
  [ "$status" = "$3" ] || { echo "exit status $status, not $3"; cat "$SCRATCH/said"; return 1; }
}
check "Ctrl-C ends the command" interrupted ctrl-c INT 130
check "and the run, which is marked so" is "$(detail ctrl-c "ended_at IS NOT NULL, details ->> 'ended', details ->> 'interrupted_by', jsonb_array_length(details -> 'series' -> 'rows') > 0")" 't|interrupted|SIGINT|t'
check "without a result that it did not have" is "SELECT tps IS NULL FROM ebs.runs_detail WHERE label = 'ctrl-c'" t
check "so does SIGTERM" interrupted terminated TERM 143
check "no run is open" is "$open_runs" 0

cat >"$SCRATCH/drivers/hammerdbcli" <<'SCRIPT'
#!/bin/sh
say() { printf '\r%s\n' "$*"; }   # as HammerDB does
say 'HammerDB CLI v4.12'
say 'Vuser 1:RUNNING'
say 'Vuser 1:Beginning rampup time of 1 minutes'
marked ramp-up
say '50310 PostgreSQL tpm'
say 'Vuser 1:Rampup complete, Taking start Transaction Count.'
say 'Vuser 1:Timing test period of 2 in minutes'
marked measure
say '51426 PostgreSQL tpm'
say 'Vuser 1:Test complete, Taking end Transaction Count.'
marked after
say "Vuser 1:${EBSCTL_CLIENTS:-3} Active Virtual Users configured"
say 'Vuser 1:TEST RESULT : System achieved 20753 NOPM from 48102 PostgreSQL TPM'
say 'Vuser 1:Checkpoint and Vacuum'
say 'ALL VIRTUAL USERS COMPLETE'
SCRIPT
chmod 755 "$SCRATCH"/drivers/*
check "HammerDB's window is marked while it runs" ends 0 run --label hammerdb -- hammerdbcli auto a.tcl --password hush
check "from ramp-up to checkpoint" is "$(phases hammerdb)" ramp-up,measure,after
check "at the moment" test "$(paste -sd , "$SEEN")" = ramp-up,measure,after
check "its result is kept" is "SELECT nopm, tpm, tps FROM ebs.runs_detail WHERE label = 'hammerdb'" '20753|48102|'
check "no password is" is "$(detail hammerdb "details::text ~ 'hush', details -> 'command' ->> 4")" 'f|***'

cat >"$SCRATCH/drivers/hammerdb" <<'SCRIPT'
#!/bin/sh
echo 'Vuser 1:Beginning rampup time of 2 minutes'
echo 'Error in Virtual User 2: function neword does not exist'
echo 'Vuser 2:FINISHED FAILED'
echo 'Error in Virtual User 1: connection is gone'
echo 'Vuser 1:FINISHED FAILED'
echo 'progress: none'
exec sleep 3600
SCRIPT
chmod 755 "$SCRATCH/drivers/hammerdb"
check "where its first user fails, nothing else ends it than Ctrl-C" interrupted hung INT 130 hammerdb
check "which is said" said 'warning: the virtual user that measures has failed'
check "another's failure too" said 'warning: what is measured lacks virtual user 2: FINISHED FAILED: function neword does not exist'
check "and kept" is "$(detail hung "details ->> 'ended', details -> 'failures' ->> 1")" 'interrupted|virtual user 1: FINISHED FAILED: connection is gone'

if command -v sysbench >/dev/null; then
  oltp=(sysbench oltp_read_only --db-driver=pgsql --pgsql-host="$PGHOST" --pgsql-user=postgres --pgsql-password=hush
    --pgsql-db=postgres --tables=1 --table-size=1000 --threads=2)
  "${oltp[@]}" prepare >/dev/null
  check "sysbench is followed" ends 0 run --label sysbench -- "${oltp[@]}" --time=3 --report-interval=1 run
  check "to its result" is "SELECT tps > 0, latency_ms > 0 FROM ebs.runs_detail WHERE label = 'sysbench'" 't|t'
  check "with marks, percentile and progress, without its password" is "$(detail sysbench "(details -> 'latency_percentiles_ms' ->> 'p95')::float8 > 0, jsonb_array_length(details -> 'series' -> 'rows') >= 1, details::text ~ 'hush'") " 't|t|f'
  check "from its start" is "$(phases sysbench)" load,after
else
  skip "there is no sysbench"
fi

check "a sweep is a run a step" ends 0 run --label swept --sweep clients=1,2 -- "$PG_BIN/pgbench" -n -S -c 7 -t 200
check "each with its clients" is "SELECT string_agg(label || ' ' || (details ->> 'clients'), ',' ORDER BY run_id) FROM ebs.run JOIN ebs.run_result USING (run_id) WHERE label ~ '^swept'" 'swept-c1 1,swept-c2 2'
check "it shows all steps" said '^ +2 +[0-9,]+ +[0-9.]+ '
check "and says where the plateau is" said '^(Plateau \(knee\) at 1 clients|No plateau up to 2 clients)'
check "HammerDB's script finds the clients in its environment" ends 0 run --label vu --sweep clients=5,6 -- hammerdbcli
check "and has them" is "SELECT string_agg(details ->> 'clients', ',' ORDER BY run_id) FROM ebs.run JOIN ebs.run_result USING (run_id) WHERE label ~ '^vu'" 5,6
cluster_sql "SELECT ebs_run_result('vu-c5', nopm => 20753, details => '{\"procedures\": []}')"
check "what is imported later does not hide what was driven, and how it ended" \
  is "SELECT string_agg(metric || ' ' || verdict, ',' ORDER BY metric) FROM ebs_compare('vu-c5', 'vu-c6') WHERE metric IN ('command', 'outcome')" 'command same,outcome same'
check "a sweep that cannot place them is refused" ends 2 run --label nowhere --sweep clients=1,2 -- true
check "and begins nothing" is "SELECT count(*) FROM ebs.runs_detail WHERE label ~ '^nowhere'" 0
cat >"$SCRATCH/drivers/pgbench" <<'SCRIPT'
#!/bin/sh
echo 'progress: 1.0 s, 10.0 tps, lat 9.000 ms stddev 0.100, 0 failed'
marked measure
echo 'progress: 2.0 s, 200.0 tps, lat 1.000 ms stddev 0.100, 0 failed'
echo 'progress: 3.0 s, 400.0 tps, lat 1.000 ms stddev 0.100, 0 failed'
echo 'transaction type: ours'
echo 'tps = 203.000000 (without initial connection time)'
SCRIPT
chmod 755 "$SCRATCH/drivers/pgbench"
: >"$SEEN"
check "a ramp-up that the user asks for is left out" ends 0 run --label ramped --ramp-up 1 -- pgbench -n -T 3 -P 1
check "and measuring is marked when it is over" grep -qx measure "$SEEN"
check "of marks and of figures" is "SELECT (SELECT string_agg(phase, ',' ORDER BY marked_at) FROM ebs.run_mark m
  WHERE m.run_id = r.run_id), tps, (SELECT details ->> 'figures_without_ramp_up' FROM ebs.run_result x WHERE x.run_id = r.run_id) FROM ebs.runs_detail r WHERE label = 'ramped'" 'ramp-up,measure,after|300|true'
check "one as long as the run is refused" ends 2 run --label nothing-left --ramp-up 5 -- "$PG_BIN/pgbench" -n -T 5 -P 1
check "with what would be left" said 'a ramp-up of 5 s leaves nothing of the 5 s that'
check "and begins no run" is "SELECT count(*) FROM ebs.run WHERE label = 'nothing-left'" 0

(cd "$SCRATCH" && "$PG_BIN/pgbench" -n -c 4 -j 2 -t 50 --log --log-prefix=transactions >"$SCRATCH/printed" 2>&1)
check "a result is imported, with percentiles from the log files of all threads" ends 0 import --label status "$SCRATCH/printed" "$SCRATCH"/transactions.*
check "and is the run's" is "$(detail status "tps > 0, details ->> 'transactions',
  (details -> 'latency_percentiles_ms' ->> 'p99')::float8 > 0") ORDER BY recorded_at DESC LIMIT 1" 't|200|t'
head -n 5 "$SCRATCH/printed" >"$SCRATCH/cut"
check "what lacks its end is refused" ends 1 import --label status "$SCRATCH/cut"
check "and says what it lacks" said 'it ends with line 5, before the line tps = … of pgbench.s summary'
check "and so is a run that is not there" ends 3 import --label nobody "$SCRATCH/printed"
check "a dry run needs no server" env PGHOST="$SCRATCH" "$EBSCTL" import --dry-run "$SCRATCH/printed"

cat "$SCRATCH/printed" "$SCRATCH/printed" >"$SCRATCH/twice"
check "two runs in a file are refused" ends 1 import --label status "$SCRATCH/twice"
check "with the line at which the second begins" said "a second run begins at line $(($(wc -l <"$SCRATCH/printed") + 1))"
printf 'Linux 6.1.0 (db1) \t11/20/2026 \t_x86_64_\t(4 CPU)\n\n11/20/2026 09:00:01\nDevice r/s w/s\nvda 1.00 2.00\n' >"$SCRATCH/iostat"
sed 's/^tps = .*/tps = 1.000000 (without initial connection time)/' "$SCRATCH/printed" >"$SCRATCH/other"
check "and two files with other results" ends 2 import --label status "$SCRATCH/printed" "$SCRATCH/other"
check "a report of iostat without an interval is refused" ends 1 import --label status "$SCRATCH/iostat"
check "as that" said 'no report of iostat beside the one since boot found'
check "with what is accepted" said 'hint:  Accepted is what iostat -xt INTERVAL prints'

check "a file is counted once" ends 2 import --label status "$SCRATCH/printed" "$SCRATCH"/transactions.* "$SCRATCH/printed"

# Somebody ends our run and begins one of theirs.
run --label ours -- timeout 3600 sh -c "touch '$SCRATCH/goes'; until [ -e '$SCRATCH/go' ]; do sleep 0.1; done" \
  >"$SCRATCH/out" 2>"$SCRATCH/said" </dev/null &
ours=$!
await test -e "$SCRATCH/goes"
cluster_sql "SELECT ebs_run_end(); SELECT ebs_run_begin('theirs')" >/dev/null
touch "$SCRATCH/go"
status=0
wait "$ours" || status=$?
check "a run of somebody else's is left alone" is "$open_runs" 1
check "and the exit status says so" test "$status" = 125
check "and why" said 'warning: run "ours" was not ended'
cluster_sql 'SELECT ebs_run_end()' >/dev/null

# Its tenth transaction is an error.
printf '%s\n' '\set x :x - 1' 'SELECT 1 / :x;' >"$SCRATCH/bad.sql"
check "what is aborted has no result" ends 2 run --label aborted -- "$PG_BIN/pgbench" -n -t 20 -D x=10 -f "$SCRATCH/bad.sql"
check "but what there was is kept" is "SELECT tps IS NULL, details ->> 'ended', details ? 'until_then' FROM ebs.run_result JOIN ebs.run USING (run_id) WHERE label = 'aborted'" 't|failed|t'
check "and a comparison says so" is "SELECT verdict FROM ebs_compare('aborted', 'good') WHERE section = 'gate' AND metric = 'outcome'" differs
check "and that something else was driven" is "SELECT verdict FROM ebs_compare('aborted', 'good') WHERE section = 'gate' AND metric = 'command'" differs

check "a command that drives twice has no result" ends 0 run --label twice --driver pgbench -- \
  sh -c "'$PG_BIN/pgbench' -n -S -t 5 && '$PG_BIN/pgbench' -n -S -t 7"
check "and says where the second run begins" said 'warning: there is no result: a second run begins at line '
check "and neither is taken for it" is "SELECT tps IS NULL, details ->> 'incomplete' LIKE 'a second run begins%' FROM ebs.run_result JOIN ebs.run USING (run_id) WHERE label = 'twice'" 't|t'

cluster_sql "SELECT ebs_run_begin('other')" >/dev/null
check "while another run is open, none begins" ends 125 run --label second -- true
check "and the server says which" said 'error: run "other" is still open'
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "a server that is not there is 125, and the command does not run" ends 125 env PGHOST="$SCRATCH" "$EBSCTL" run --label x -- touch "$SCRATCH/ran"
check "and says why" said 'detail: .*No such file or directory'
check "indeed" test ! -e "$SCRATCH/ran"
cluster_sql 'CREATE DATABASE bare' >/dev/null
check "a database without the extension is told so" ends 125 run -d bare --label x -- true
check "with what to do" said 'hint:  .*CREATE EXTENSION ebs_advisor'
check "a note that is no JSON is wrong usage" ends 2 run --label x --note 'no' -- true
check "a password on our own command line is refused" ends 2 import -d 'dbname=postgres password=hush' --label status "$SCRATCH/printed"

run --label lost -- timeout 3600 sh -c "touch '$SCRATCH/gone'; until [ -e '$SCRATCH/back' ]; do sleep 0.1; done; echo done" \
  >"$SCRATCH/out" 2>"$SCRATCH/said" </dev/null &
lost=$!
await test -e "$SCRATCH/gone"
cluster_stop
cluster_start
touch "$SCRATCH/back"
status=0
wait "$lost" || status=$?
check "where the server went away the command goes on" grep -q '^done$' "$SCRATCH/out"
check "the exit status says so" test "$status" = 125
check "the run is ended as soon as it is back" is "$(detail lost "ended_at IS NOT NULL, details ->> 'ended'")" 't|finished'
