# A foreign key without an index: the orders of a customer are found by reading all orders.
. "$ROOT/tests/packaged/harness.sh"
CASE="missing foreign key"
EXPECTED='ON foreign_key\.orders( USING btree)? \(customer_id\)$'

schema() {
  cat <<'SQL'
CREATE SCHEMA foreign_key;
CREATE TABLE foreign_key.customer (customer_id int PRIMARY KEY, name text NOT NULL);
INSERT INTO foreign_key.customer SELECT i, 'customer ' || i FROM generate_series(1, 5000) i;
CREATE TABLE foreign_key.orders (order_id int PRIMARY KEY, customer_id int NOT NULL, total numeric NOT NULL, note text NOT NULL);
INSERT INTO foreign_key.orders
  SELECT i, 1 + abs(hashint4(i) % 5000), i % 1000, repeat(chr(65 + i % 26), 60) FROM generate_series(1, 125000) i;
ALTER TABLE foreign_key.orders ADD FOREIGN KEY (customer_id) REFERENCES foreign_key.customer;
SQL
}

workload() {
  transactions 20 <<'SQL'
\set customer random(1, 5000)
SELECT c.name, o.order_id, o.total, o.note FROM foreign_key.customer c JOIN foreign_key.orders o USING (customer_id)
  WHERE c.customer_id = :customer;
SQL
}

index_case
