# What an index would save of the bill: half a minute in which a disk of the test's own reads more than a volume includes, 10,000
# times a second by the clock, and nearly all that PostgreSQL reads is read for want of an index.
. "$ROOT/tests/packaged/harness.sh"
server
own_disk

vacuumed <<'SQL'
CREATE SCHEMA priced;
CREATE TABLE priced.visit (visit_id int PRIMARY KEY, page_id int NOT NULL, note text NOT NULL);
INSERT INTO priced.visit SELECT i, abs(hashint4(i) % 2500), repeat(chr(65 + i % 26), 100) FROM generate_series(1, 75000) i;
SQL

# disk_until LABEL SECONDS: the disk works until the run is as old; each time it is seen it has done what it does in that time.
disk_until() {
  local then=${EPOCHREALTIME/./} now
  until [ "$(cluster_sql "SELECT clock_timestamp() > started_at + interval '$2 s' FROM ebs.runs_detail WHERE label = '$1'")" = t ]; do
    now=${EPOCHREALTIME/./}
    disk_reads $(((now - then) / 100))
    then=$now
    sleep 0.2
  done
}

cluster_sql "SELECT pg_stat_statements_reset(); SELECT ebs_run_begin('priced')" >/dev/null
transactions 20 <<'SQL'
\set page random(0, 2499)
SELECT visit_id, note FROM priced.visit WHERE page_id = :page;
SQL
cluster_sql "$(alone)"
disk_until priced 33
cluster_sql 'SELECT ebs_run_end()' >/dev/null
advised "$TEST"
check "the volume with the index in place is cheaper" is "SELECT ddl, usd_month_saved > 0, usd_month > 0, volume_type FROM advised
  WHERE test = '$TEST'" 'CREATE INDEX CONCURRENTLY ON priced.visit (page_id)|t|t|gp3'
cluster_sql "SELECT format('# %s reads/s less: %s instead of %s dollars a month', round(reads_s_saved), usd_month,
    usd_month + usd_month_saved) FROM advised WHERE test = '$TEST'"
