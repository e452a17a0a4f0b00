# A report over most of a table, of all its columns: whatever the order in which the rows are found, nearly every page is read.
. "$ROOT/tests/packaged/harness.sh"
CASE="no index helps"
EXPECTED=
TEMPTING='CREATE INDEX ON no_index.sale (amount)'

schema() {
  cat <<'SQL'
CREATE SCHEMA no_index;
CREATE TABLE no_index.sale (sale_id int PRIMARY KEY, region_id int NOT NULL, amount int NOT NULL, note text NOT NULL);
INSERT INTO no_index.sale
  SELECT i, 1 + i % 12, 1 + abs(hashint4(i) % 10000), repeat(chr(65 + i % 26), 90) FROM generate_series(1, 100000) i;
SQL
}

workload() {
  transactions 10 <<'SQL'
\set least random(1, 3000)
SELECT region_id, count(*), sum(amount), max(note) FROM no_index.sale WHERE amount >= :least GROUP BY region_id;
SQL
}

index_case
