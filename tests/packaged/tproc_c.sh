# Statements in the manner of TPROC-C, whose primary keys already serve them: an index that is advised here is nonsense.
. "$ROOT/tests/packaged/harness.sh"
server

# The five transactions in their usual shares; each file has its statements.
new_order() {
  cat <<'SQL'
\set w random(1, 2)
\set d random(1, 10)
\set c random(1, 2000)
\set i random(1, 20000)
\set j random(1, 20000)
BEGIN;
SELECT c_discount, c_last, c_credit, w_tax FROM tproc_c.customer, tproc_c.warehouse
  WHERE w_id = :w AND c_w_id = w_id AND c_d_id = :d AND c_id = :c;
UPDATE tproc_c.district SET d_next_o_id = d_next_o_id + 1 WHERE d_id = :d AND d_w_id = :w RETURNING d_next_o_id - 1 AS o, d_tax \gset
INSERT INTO tproc_c.orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt) VALUES (:o, :d, :w, :c, now(), 2);
INSERT INTO tproc_c.new_order (no_o_id, no_d_id, no_w_id) VALUES (:o, :d, :w);
SELECT i_price, i_name, i_data FROM tproc_c.item WHERE i_id = :i;
UPDATE tproc_c.stock SET s_quantity = CASE WHEN s_quantity > 15 THEN s_quantity - 5 ELSE s_quantity + 86 END,
  s_ytd = s_ytd + 5, s_order_cnt = s_order_cnt + 1 WHERE s_i_id = :i AND s_w_id = :w RETURNING s_quantity, s_dist, s_data;
INSERT INTO tproc_c.order_line VALUES (:w, :d, :o, 1, :i, :w, 5, 50, NULL, 'distribution');
SELECT i_price, i_name, i_data FROM tproc_c.item WHERE i_id = :j;
UPDATE tproc_c.stock SET s_quantity = CASE WHEN s_quantity > 15 THEN s_quantity - 5 ELSE s_quantity + 86 END,
  s_ytd = s_ytd + 5, s_order_cnt = s_order_cnt + 1 WHERE s_i_id = :j AND s_w_id = :w RETURNING s_quantity, s_dist, s_data;
INSERT INTO tproc_c.order_line VALUES (:w, :d, :o, 2, :j, :w, 5, 50, NULL, 'distribution');
COMMIT;
SQL
}
payment() {
  cat <<'SQL'
\set w random(1, 2)
\set d random(1, 10)
\set n random(0, 499)
BEGIN;
UPDATE tproc_c.warehouse SET w_ytd = w_ytd + 10 WHERE w_id = :w RETURNING w_name, w_street;
UPDATE tproc_c.district SET d_ytd = d_ytd + 10 WHERE d_w_id = :w AND d_id = :d RETURNING d_name;
SELECT count(c_id) FROM tproc_c.customer WHERE c_last = 'last' || :n AND c_d_id = :d AND c_w_id = :w;
SELECT c_id AS c FROM tproc_c.customer WHERE c_w_id = :w AND c_d_id = :d AND c_last = 'last' || :n ORDER BY c_first OFFSET 2 LIMIT 1 \gset
UPDATE tproc_c.customer SET c_balance = c_balance - 10, c_ytd_payment = c_ytd_payment + 10, c_payment_cnt = c_payment_cnt + 1
  WHERE c_w_id = :w AND c_d_id = :d AND c_id = :c RETURNING c_credit, c_data;
INSERT INTO tproc_c.history VALUES (:c, :d, :w, :d, :w, now(), 10, 'payment');
COMMIT;
SQL
}
order_status() {
  cat <<'SQL'
\set w random(1, 2)
\set d random(1, 10)
\set c random(1, 1000)
SELECT c_balance, c_first, c_last FROM tproc_c.customer WHERE c_w_id = :w AND c_d_id = :d AND c_id = :c;
SELECT coalesce(max(o_id), 1) AS o FROM tproc_c.orders WHERE o_w_id = :w AND o_d_id = :d AND o_c_id = :c \gset
SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM tproc_c.order_line
  WHERE ol_o_id = :o AND ol_d_id = :d AND ol_w_id = :w;
SQL
}
delivery() {
  cat <<'SQL'
\set w random(1, 2)
\set d random(1, 10)
BEGIN;
SELECT coalesce(min(no_o_id), 1) AS o FROM tproc_c.new_order WHERE no_d_id = :d AND no_w_id = :w \gset
DELETE FROM tproc_c.new_order WHERE no_w_id = :w AND no_d_id = :d AND no_o_id = :o;
UPDATE tproc_c.orders SET o_carrier_id = 5 WHERE o_id = :o AND o_d_id = :d AND o_w_id = :w RETURNING o_c_id AS c \gset
UPDATE tproc_c.order_line SET ol_delivery_d = now() WHERE ol_o_id = :o AND ol_d_id = :d AND ol_w_id = :w;
SELECT sum(ol_amount) FROM tproc_c.order_line WHERE ol_o_id = :o AND ol_d_id = :d AND ol_w_id = :w;
UPDATE tproc_c.customer SET c_balance = c_balance + 50, c_delivery_cnt = c_delivery_cnt + 1
  WHERE c_id = :c AND c_d_id = :d AND c_w_id = :w;
COMMIT;
SQL
}
stock_level() {
  cat <<'SQL'
\set w random(1, 2)
\set d random(1, 10)
\set least random(10, 20)
SELECT d_next_o_id AS o FROM tproc_c.district WHERE d_w_id = :w AND d_id = :d \gset
SELECT count(DISTINCT s_i_id) FROM tproc_c.order_line, tproc_c.stock
  WHERE ol_w_id = :w AND ol_d_id = :d AND ol_o_id < :o AND ol_o_id >= :o::int - 20 AND s_w_id = :w AND s_i_id = ol_i_id AND s_quantity < :least;
SQL
}

workload() {
  new_order | transactions 500
  payment | transactions 500
  order_status | transactions 50
  delivery | transactions 50
  stock_level | transactions 50
}

vacuumed <"$ROOT/tests/packaged/tproc_c.sql"
measured "$TEST" workload
advised "$TEST"
no_nonsense
check "advises nothing: its primary keys serve" is "SELECT string_agg(DISTINCT ddl, '; ') FROM advice WHERE test = '$TEST' AND advised" ''
check "every statement that reads could be planned" is "SELECT string_agg(reason, '; ') FROM advice WHERE test = '$TEST' AND reason ~ '^not planned'" ''
