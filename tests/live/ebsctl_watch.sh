# ebsctl watch: a server that is watched over one connection, beside the sampler, which sees the same; what a role without rights loses.
# On every major: columns of pg_stat_io, pg_stat_wal and pg_stat_activity.
sampling <<<"track_io_timing = on"
own_disk
# pg_diskusage as the extension pg_proctab has it, over the tree that stands for /proc.
cluster_psql -d postgres -qX -v ON_ERROR_STOP=1 <<SQL
CREATE SCHEMA tab;
CREATE FUNCTION tab.pg_diskusage(OUT major smallint, OUT minor smallint, OUT devname text, OUT reads_completed bigint,
  OUT reads_merged bigint, OUT sectors_read bigint, OUT readtime bigint, OUT writes_completed bigint, OUT writes_merged bigint,
  OUT sectors_written bigint, OUT writetime bigint, OUT current_io bigint, OUT iotime bigint, OUT totaliotime bigint)
RETURNS SETOF record LANGUAGE sql SECURITY DEFINER AS \$\$
  SELECT f[1]::smallint, f[2]::smallint, f[3], f[4]::bigint, f[5]::bigint, f[6]::bigint, f[7]::bigint, f[8]::bigint, f[9]::bigint,
         f[10]::bigint, f[11]::bigint, f[12]::bigint, f[13]::bigint, f[14]::bigint
  FROM regexp_split_to_table(rtrim(pg_catalog.pg_read_file('$SCRATCH/tree/proc/diskstats'), E'\n'), E'\n') line,
       regexp_split_to_array(trim(line), '\s+') f \$\$;
CREATE ROLE watcher LOGIN;
CREATE ROLE nobody LOGIN;
GRANT USAGE ON SCHEMA tab TO watcher;
GRANT pg_monitor TO watcher;
REVOKE EXECUTE ON FUNCTION tab.pg_diskusage() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tab.pg_diskusage() TO watcher;
SQL
(cluster_run env PGAPPNAME=holder "$PG_BIN/psql" -X -h "$CLUSTER" -U postgres -d postgres -qAtc \
  "SELECT pg_advisory_lock(7); SELECT pg_sleep(3600)" >/dev/null 2>&1) &
cluster_await "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE application_name = 'holder'"
(cluster_run env PGAPPNAME=waiter "$PG_BIN/psql" -X -h "$CLUSTER" -U postgres -d postgres -qAtc "SELECT pg_advisory_lock(7)" \
  >/dev/null 2>&1) &
cluster_await "SELECT wait_event = 'advisory' FROM pg_stat_activity WHERE application_name = 'waiter'"

# Beside the sampler: all that happens while both look is counted by both, digit for digit.
watching watcher watched --device nvme0n1 --for 1h
cluster_sql "SELECT ebs_run_begin('sampled')" >/dev/null
for _ in 1 2 3 4 5; do
  disk_reads 100 50
  watched_twice
done
seconds_sampled sampled 32
watched_twice
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "an interrupted watch keeps what it saw" watch_ends
check "it names what it reads" grep -q 'devices *data+wal on nvme0n1 (pg_diskusage of pg_proctab)' "$SCRATCH/watched.log"
check "and what it does not read, with its cost" grep -A 1 'statements *unknown: pg_stat_statements is not preloaded' "$SCRATCH/watched.log"
# A gap is no fault on a busy machine, where an answer may come late: tests/quiet/ebsctl_watch.sh has none.
check "and warns of nothing else" bash -c '! grep "warning" "$1" | grep -v "a gap in the samples"' _ "$SCRATCH/watched.log"
counted="SELECT sum(reads), sum(writes), sum(read_bytes), sum(write_bytes) FROM ebs_device_samples('LABEL')"
check "requests and bytes are those that the sampler counts" \
  is "${counted/LABEL/watched}" "$(cluster_sql "${counted/LABEL/sampled}")"
check "and are those of the disk" is "${counted/LABEL/watched}" '500|250|4096000|2048000'
# To a tenth of a session: sweeps ten times a second, at the beginning and the end of a run, are seen by one and not by the other.
waits="SELECT kind, wait_event, round(average_active_sessions::numeric, 1) FROM ebs_waits('LABEL') WHERE wait_event IN ('advisory', 'PgSleep')
  ORDER BY wait_event"
check "waits are those that the sampler sees" is "${waits/LABEL/watched}" "$(cluster_sql "${waits/LABEL/sampled}")"
check "for as long as they lasted" matches "${waits/LABEL/watched}" 'active\|advisory\|1.0'
best="SELECT role, volume_type, volumes, iops, throughput_mibps FROM ebs_options_detail('LABEL', min_size_gib => 100) WHERE rank = 1"
check "so is the recommendation" is "${best/LABEL/watched}" "$(cluster_sql "${best/LABEL/sampled}")"
check "sources of I/O are there" matches "SELECT count(*) > 0 FROM ebs_io_sources('watched')" t
check "and transactions" is "SELECT value >= 0 FROM ebs_workload('watched') WHERE metric = 'transactions'" t
check "the report names the tier" matches "$(report "'watched'")" 'over one connection \(ebsctl watch\)'
check "each answer works on it" cluster_sql "SELECT * FROM ebs_whatif('watched', 'gp3', 3000); SELECT * FROM ebs_findings('watched');
  SELECT length(ebs_report_html('watched')); SELECT * FROM ebs_compare('watched', 'sampled')"
check "nothing was written at the server" is \
  "SELECT count(*) FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$|^ebs|^public$|^tab$'" 0

# A role without any right: PostgreSQL's own counters alone.
watching nobody counters --for 1h
check "a watch without rights keeps what it saw" watch_ends
check "it names the right that is missing" grep -q 'GRANT pg_read_server_files TO "nobody"' "$SCRATCH/counters.log"
check "and that of waits" grep -q 'remedy: GRANT pg_monitor TO "nobody";' "$SCRATCH/counters.log"
check "unknown waits are none" is "SELECT count(*) FROM ebs_waits('counters')" 0
check "no volume is made up" is "SELECT count(*) FROM ebs_device_samples('counters')" 0
check "and statements are unknown, not its own" grep -q 'statements *unknown' "$SCRATCH/counters.log"
check "the report says why" matches "$(report "'counters'")" 'permission denied for function pg_read_file'

# not_called TEXT: the function of the schema trap was not called.
not_called() { grep -q 'devices *unknown' <<<"$1" && ! grep 'trap was called' <<<"$1"; }

# What cannot work is refused before anything is watched.
refused() {
  local said
  said=$("${@:2}" 2>&1) && { echo "$said"; return 1; }
  grep -qE "$1" <<<"$said" || { echo "$said"; return 1; }
}
check "a label that is taken" refused 'run "watched" already exists' watch watcher watched --for 3s
check "a device that is not there" refused 'no device "sdz"; it has .*nvme0n1' watch watcher other --device sdz --for 3s
check "several devices without a choice" refused 'shows several devices: .*nvme0n1, ' watch watcher other --for 3s
check "a server that is not there" refused 'not reached' cluster_run "$SCRATCH/ebsctl" watch "host=$CLUSTER port=1" --label other \
  -d "host=$CLUSTER user=postgres dbname=postgres"
check "a file that cannot be written, before anything is watched" refused 'could not write to "/nonexistent/run.json"' \
  watch watcher other --for 1h --output /nonexistent/run.json
check "a file that exists" refused 'Name a new file, or remove that one' watch watcher other --for 1h --output "$CLUSTER/data/postgresql.conf"
check "a password" refused 'password on a command line' cluster_run "$SCRATCH/ebsctl" watch "host=x password=y" --label other
check "a device of a server that shows none" refused 'devices cannot be read: permission denied' \
  watch nobody other --device nvme0n1 --for 3s
check "a time that is none" refused 'between 1 second and 7 days' watch watcher other --for 0s
# A function of that name that another role made is not called.
cluster_sql "GRANT CREATE ON DATABASE postgres TO nobody; REVOKE USAGE ON SCHEMA tab FROM watcher" >/dev/null
cluster_psql -d postgres -U nobody -qX <<'SQL'
CREATE SCHEMA trap;
CREATE FUNCTION trap.pg_diskusage(OUT major smallint, OUT minor smallint, OUT devname text, OUT reads_completed bigint,
  OUT reads_merged bigint, OUT sectors_read bigint, OUT readtime bigint, OUT writes_completed bigint, OUT writes_merged bigint,
  OUT sectors_written bigint, OUT writetime bigint, OUT current_io bigint, OUT iotime bigint, OUT totaliotime bigint)
RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the trap was called'; END $$;
GRANT USAGE ON SCHEMA trap TO PUBLIC;
SQL
said=$(watch watcher caught --for 3s --output "$SCRATCH/tmp/caught.json" 2>&1) || true
check "a function of another role is not called" not_called "$said"
check "a file takes the place of the database" grep -q '"label":"caught"' "$SCRATCH/tmp/caught.json"

# A watch that is killed leaves its samples in a file, which is an ordinary document.
run_file=$CLUSTER/killed.ebs-run.json
watching nobody killed --for 1h
killed=$(cat "$CLUSTER/ebsctl.pid")
check "a second watch of a label is refused at once" refused 'run "killed" is being watched' watch nobody killed --for 1h
check "a watch keeps its samples in a file as it goes" await test -s "$run_file"
check "which is not called lost while it runs" refused 'run "killed" is being watched' watch nobody killed --for 1h
signal KILL "$killed"
wait "$watcher" || true
check "a new watch of that label is refused while the file is there" refused 'has a run of this label that was watched and not kept' \
  watch nobody killed --for 1h
check "with the command that imports it" refused "ebs_run_import\(:'run'\)" watch nobody killed --for 1h
check "the database takes the file" cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 <<SQL
\\set run \`cat $run_file\`
SELECT ebs_run_import(:'run');
SQL
check "the samples are there" is "SELECT count(*) > 0 FROM ebs.sample_block WHERE run_id = (SELECT run_id FROM ebs.run WHERE label = 'killed')" t
cluster_sql "SELECT ebs_run_drop('killed')" >/dev/null
cluster_run rm "$run_file"
watching nobody killed --for 1h
check "a watch that ends" await test -s "$run_file"
check "is kept in the database" watch_ends
check "and its file is removed" test ! -e "$run_file"
check "as nothing else is left" bash -c '! ls -A "$1" | grep -E "\.tmp|json\.lock"' _ "$CLUSTER"
# A directory that cannot be written costs nothing but the file.
cluster_run mkdir "$CLUSTER/sealed"
cluster_run chmod 500 "$CLUSTER/sealed"
label=sealed
cluster_run sh -c 'echo $$ >ebsctl.pid; cd sealed; exec "$@"' sh "$SCRATCH/ebsctl" watch "host=$CLUSTER user=nobody dbname=postgres" \
  --label sealed --for 1h -d "host=$CLUSTER user=postgres dbname=postgres" >"$SCRATCH/sealed.log" 2>&1 &
watcher=$!
check "a directory that cannot be written is told" await grep -q '"sealed.ebs-run.json" cannot be written' "$SCRATCH/sealed.log"
check "with the directory" grep -qF "directory \"$CLUSTER/sealed\": Permission denied" "$SCRATCH/sealed.log"
watched_twice
check "and the watch goes on to its end" watch_ends
check "told once" bash -c '[ "$(grep -c "cannot be written" "$1")" = 1 ]' _ "$SCRATCH/sealed.log"

# A query that is not answered is cancelled at the end: a session that is closed before it leaves its backend at work. The backend is
# stopped within a query, and finds the request to cancel once it goes on.
label=slow
watching nobody slow --for 1h
watched="FROM pg_stat_activity WHERE application_name = 'ebsctl' AND usename = 'nobody'"
backend=$(cluster_sql "SELECT pid $watched")
stop_process "$backend"
check "a watch whose query is not answered ends" watch_ends
signal CONT "$backend"
check "and leaves no backend at work" cluster_await "SELECT count(*) = 0 $watched"
