# The newest twenty messages of an account: an index finds the account's thousand, which are all read to be sorted.
. "$ROOT/tests/packaged/harness.sh"
CASE="ORDER BY with LIMIT"
EXPECTED='ON order_by_limit\.message( USING btree)? \(account_id, sent_at( DESC)?\)$'

schema() {
  cat <<'SQL'
CREATE SCHEMA order_by_limit;
CREATE TABLE order_by_limit.message
  (message_id int PRIMARY KEY, account_id int NOT NULL, sent_at timestamptz NOT NULL, body text NOT NULL);
INSERT INTO order_by_limit.message
  SELECT i, 1 + abs(hashint4(i) % 100), to_timestamp(1.7e9 + abs(hashint4(-i) % 10000000)), repeat(chr(65 + i % 26), 140)
  FROM generate_series(1, 100000) i;
CREATE INDEX message_account ON order_by_limit.message (account_id);
SQL
}

workload() {
  transactions 40 <<'SQL'
\set account random(1, 100)
SELECT message_id, sent_at, body FROM order_by_limit.message WHERE account_id = :account ORDER BY sent_at DESC LIMIT 20;
SQL
}

index_case
advised "$TEST after"
check "then the index that it begins with is named as superfluous" is "SELECT kind || ' ' || advised || ' ' || ddl FROM advice
  WHERE test = '$TEST' AND kind = 'duplicate'" 'duplicate true DROP INDEX CONCURRENTLY order_by_limit.message_account'
