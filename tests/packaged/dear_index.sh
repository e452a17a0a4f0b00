# A column that is changed thousands of times for each time that it is searched for: as long as it has no index a change
# stays in its page (HOT); with one, each writes into two indexes besides, of which the new one is read for that first.
. "$ROOT/tests/packaged/harness.sh"
CASE="costs more writes than it saves"
EXPECTED=
CHANGES=yes
TEMPTING='CREATE INDEX ON dear_index.session (token)'

schema() {
  cat <<'SQL'
CREATE SCHEMA dear_index;
CREATE TABLE dear_index.session (session_id int PRIMARY KEY, token text NOT NULL, client text NOT NULL) WITH (fillfactor = 80);
INSERT INTO dear_index.session SELECT i, md5(i::text), repeat(chr(65 + i % 26), 80) FROM generate_series(1, 100000) i;
SQL
}

workload() {
  transactions 1 <<'SQL'
\set session random(1, 100000)
SELECT session_id, client FROM dear_index.session WHERE token = md5(:session::text);
SQL
  transactions 3750 <<'SQL'
\set session random(1, 100000)
\set salt random(1, 1000000000)
UPDATE dear_index.session SET token = md5(:salt::text) WHERE session_id = :session;
SQL
}

index_case
