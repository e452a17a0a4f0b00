# What an index would save of the bill: 40 s of a load that asks for more throughput than a volume includes, so that there is
# evidence enough for a recommendation, with the index in place and without.
schema() {
  cat <<'SQL'
CREATE SCHEMA priced;
CREATE TABLE priced.visit (visit_id int PRIMARY KEY, page_id int NOT NULL, note text NOT NULL);
INSERT INTO priced.visit SELECT i, abs(hashint4(i) % 10000), repeat(chr(65 + i % 26), 100) FROM generate_series(1, 300000) i;
SQL
}
workload() {
  transactions 300 --rate 7.5 <<'SQL'
\set page random(0, 9999)
SELECT visit_id, note FROM priced.visit WHERE page_id = :page;
SQL
}

schema | vacuumed
measured "$TEST" workload
advised "$TEST"
check "the volume with the index in place is cheaper" is "SELECT ddl, usd_month_saved > 0, usd_month > 0, volume_type FROM advised
  WHERE test = '$TEST'" 'CREATE INDEX CONCURRENTLY ON priced.visit (page_id)|t|t|gp3'
packaged_sql "SELECT format('%s reads/s less: %s instead of %s dollars a month', round(reads_s_saved), usd_month, usd_month + usd_month_saved)
  FROM advised WHERE test = '$TEST'" | sed 's/^/    /'
