# A queue of which nearly everything is done: what is not done is found by reading all of it. The filter that every
# statement has belongs into the index's condition.
. "$ROOT/tests/packaged/harness.sh"
CASE="partial"
EXPECTED='ON partial\.job( USING btree)? \(queue_id\) WHERE \(?finished_at IS NULL\)?$'

schema() {
  cat <<'SQL'
CREATE SCHEMA partial;
CREATE TABLE partial.job (job_id int PRIMARY KEY, queue_id int NOT NULL, finished_at timestamptz, payload text NOT NULL);
INSERT INTO partial.job
  SELECT i, 1 + abs(hashint4(i) % 20),
    CASE WHEN hashint4(-i) % 200 <> 0 THEN to_timestamp(1.7e9 + abs(hashint4(i * 3) % 10000000)) END, repeat(chr(65 + i % 26), 80)
  FROM generate_series(1, 125000) i;
SQL
}

workload() {
  transactions 20 <<'SQL'
\set queue random(1, 20)
SELECT job_id, payload FROM partial.job WHERE finished_at IS NULL AND queue_id = :queue;
SQL
}

index_case
