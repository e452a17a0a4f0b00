# A sum over an account's two hundred entries: an index finds them, each in a page of its own. With the amount beside the
# key none of these pages is read.
. "$ROOT/tests/packaged/harness.sh"
CASE="covering"
EXPECTED='ON covering\.ledger( USING btree)? (\(account_id\) INCLUDE \(amount\)|\(account_id, amount\))$'

schema() {
  cat <<'SQL'
CREATE SCHEMA covering;
CREATE TABLE covering.ledger (entry_id int PRIMARY KEY, account_id int NOT NULL, amount numeric NOT NULL, memo text NOT NULL);
INSERT INTO covering.ledger
  SELECT i, 1 + abs(hashint4(i) % 625), i % 10000, repeat(chr(65 + i % 26), 80) FROM generate_series(1, 125000) i;
CREATE INDEX ledger_account ON covering.ledger (account_id);
SQL
}

workload() {
  transactions 100 <<'SQL'
\set account random(1, 625)
SELECT count(*), sum(amount) FROM covering.ledger WHERE account_id = :account;
SQL
}

index_case
