# Equality on one column and a range of another: each alone leaves thousands of rows, both together some tens. The column
# that is compared for equality comes first.
. "$ROOT/tests/packaged/harness.sh"
CASE="multi-column"
EXPECTED='ON multi_column\.reading( USING btree)? \(sensor_id, taken_at\)$'

schema() {
  cat <<'SQL'
CREATE SCHEMA multi_column;
CREATE TABLE multi_column.reading
  (reading_id int PRIMARY KEY, sensor_id int NOT NULL, taken_at timestamptz NOT NULL, temperature real NOT NULL, note text NOT NULL);
INSERT INTO multi_column.reading
  SELECT i, 1 + abs(hashint4(i) % 100), to_timestamp(abs(hashint4(-i) % 150000)), i % 40, repeat(chr(65 + i % 26), 50)
  FROM generate_series(1, 150000) i;
SQL
}

workload() {
  transactions 20 <<'SQL'
\set sensor random(1, 100)
\set since random(0, 146400)
\set until :since + 3600
SELECT reading_id, taken_at, temperature, note FROM multi_column.reading
  WHERE sensor_id = :sensor AND taken_at >= to_timestamp(:since) AND taken_at < to_timestamp(:until);
SQL
}

index_case
