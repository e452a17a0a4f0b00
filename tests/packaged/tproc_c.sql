-- A schema in the manner of HammerDB's TPROC-C: nine tables, the primary keys and the two further indexes of its build for
-- PostgreSQL. Two small warehouses of made-up rows, the same each time.
CREATE SCHEMA tproc_c;
SET search_path = tproc_c;

CREATE TABLE warehouse (w_id int PRIMARY KEY, w_name text, w_street text, w_tax numeric, w_ytd numeric) WITH (fillfactor = 50);
CREATE TABLE district (d_w_id int, d_id int, d_name text, d_tax numeric, d_ytd numeric, d_next_o_id int, PRIMARY KEY (d_w_id, d_id))
  WITH (fillfactor = 50);
CREATE TABLE customer (c_w_id int, c_d_id int, c_id int, c_first text, c_last text, c_credit text, c_discount numeric,
  c_balance numeric, c_ytd_payment numeric, c_payment_cnt int, c_delivery_cnt int, c_data text, PRIMARY KEY (c_w_id, c_d_id, c_id));
CREATE TABLE history (h_c_id int, h_c_d_id int, h_c_w_id int, h_d_id int, h_w_id int, h_date timestamp, h_amount numeric, h_data text);
CREATE TABLE orders (o_w_id int, o_d_id int, o_id int, o_c_id int, o_entry_d timestamp, o_carrier_id int, o_ol_cnt int,
  PRIMARY KEY (o_w_id, o_d_id, o_id));
CREATE TABLE new_order (no_w_id int, no_d_id int, no_o_id int, PRIMARY KEY (no_w_id, no_d_id, no_o_id));
CREATE TABLE order_line (ol_w_id int, ol_d_id int, ol_o_id int, ol_number int, ol_i_id int, ol_supply_w_id int, ol_quantity int,
  ol_amount numeric, ol_delivery_d timestamp, ol_dist_info text, PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number));
CREATE TABLE item (i_id int PRIMARY KEY, i_name text, i_price numeric, i_data text);
CREATE TABLE stock (s_i_id int, s_w_id int, s_quantity int, s_dist text, s_ytd int, s_order_cnt int, s_data text,
  PRIMARY KEY (s_i_id, s_w_id)) WITH (fillfactor = 50);

INSERT INTO warehouse SELECT w, 'w' || w, repeat('s', 40), 0.1, 300000 FROM generate_series(1, 2) w;
INSERT INTO district SELECT w, d, 'd' || d, 0.1, 30000, 2001 FROM generate_series(1, 2) w, generate_series(1, 10) d;
INSERT INTO customer
  SELECT w, d, c, 'first' || c % 7, 'last' || c % 500, CASE WHEN c % 10 = 0 THEN 'BC' ELSE 'GC' END, 0.05, -10, 10, 1, 0, repeat('c', 300)
  FROM generate_series(1, 2) w, generate_series(1, 10) d, generate_series(1, 2000) c;
INSERT INTO history SELECT c_id, c_d_id, c_w_id, c_d_id, c_w_id, '2026-01-01', 10, repeat('h', 20) FROM customer;
INSERT INTO orders
  SELECT w, d, o, 1 + abs(hashint4(o * 20 + d * 2 + w) % 2000), '2026-01-01', CASE WHEN o <= 1400 THEN 1 + o % 10 END, 10
  FROM generate_series(1, 2) w, generate_series(1, 10) d, generate_series(1, 2000) o;
INSERT INTO new_order SELECT o_w_id, o_d_id, o_id FROM orders WHERE o_carrier_id IS NULL;
INSERT INTO order_line
  SELECT o_w_id, o_d_id, o_id, l, 1 + abs(hashint4(o_id * 1000 + o_d_id * 100 + o_w_id * 10 + l) % 20000), o_w_id, 5, 0,
    CASE WHEN o_carrier_id IS NOT NULL THEN o_entry_d END, repeat('i', 24)
  FROM orders, generate_series(1, 10) l;
INSERT INTO item SELECT i, 'item' || i, 1 + i % 100, repeat('d', 40) FROM generate_series(1, 20000) i;
INSERT INTO stock SELECT i, w, 10 + i % 90, repeat('d', 240), 0, 0, repeat('s', 40) FROM generate_series(1, 20000) i, generate_series(1, 2) w;

CREATE UNIQUE INDEX customer_i2 ON customer (c_w_id, c_d_id, c_last, c_first, c_id);
CREATE UNIQUE INDEX orders_i2 ON orders (o_w_id, o_d_id, o_c_id, o_id);
