-- A schema in the manner of HammerDB's TPROC-H at a scale of 0.02: eight tables with their primary and foreign keys and no
-- other index. Rows are made up, the same each time; the columns that the queries ask for have TPC-H's values and spreads.
CREATE SCHEMA tproc_h;
SET search_path = tproc_h;

CREATE FUNCTION spread(i int, n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT abs(hashint4(i) % n)';

CREATE TABLE region (r_regionkey int PRIMARY KEY, r_name text);
CREATE TABLE nation (n_nationkey int PRIMARY KEY, n_name text, n_regionkey int);
CREATE TABLE supplier (s_suppkey int PRIMARY KEY, s_name text, s_address text, s_nationkey int, s_phone text, s_acctbal numeric, s_comment text);
CREATE TABLE customer (c_custkey int PRIMARY KEY, c_name text, c_address text, c_nationkey int, c_phone text, c_acctbal numeric,
  c_mktsegment text, c_comment text);
CREATE TABLE part (p_partkey int PRIMARY KEY, p_name text, p_mfgr text, p_brand text, p_type text, p_size int, p_container text,
  p_retailprice numeric, p_comment text);
CREATE TABLE partsupp (ps_partkey int, ps_suppkey int, ps_availqty int, ps_supplycost numeric, ps_comment text, PRIMARY KEY (ps_partkey, ps_suppkey));
CREATE TABLE orders (o_orderkey int PRIMARY KEY, o_custkey int, o_orderstatus text, o_totalprice numeric, o_orderdate date,
  o_orderpriority text, o_clerk text, o_shippriority int, o_comment text);
CREATE TABLE lineitem (l_orderkey int, l_partkey int, l_suppkey int, l_linenumber int, l_quantity numeric, l_extendedprice numeric,
  l_discount numeric, l_tax numeric, l_returnflag text, l_linestatus text, l_shipdate date, l_commitdate date, l_receiptdate date,
  l_shipinstruct text, l_shipmode text, l_comment text, PRIMARY KEY (l_orderkey, l_linenumber));

INSERT INTO region SELECT i, (ARRAY['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'])[i + 1] FROM generate_series(0, 4) i;
INSERT INTO nation SELECT i, 'NATION ' || i, i % 5 FROM generate_series(0, 24) i;
INSERT INTO supplier SELECT i, 'Supplier#' || i, repeat('a', 25), i % 25, 10 + i % 25 || '-555', spread(i, 11000) - 1000, repeat('s', 60)
  FROM generate_series(1, 200) i;
INSERT INTO customer
  SELECT i, 'Customer#' || i, repeat('a', 25), spread(i, 25), 10 + spread(i, 25) || '-555', spread(-i, 11000) - 1000,
    (ARRAY['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'MACHINERY', 'HOUSEHOLD'])[1 + spread(i, 5)], repeat('c', 70)
  FROM generate_series(1, 3000) i;
INSERT INTO part
  SELECT i, CASE spread(i, 92) WHEN 0 THEN 'forest' ELSE 'colour' || i % 91 END || CASE spread(-i, 18) WHEN 0 THEN ' green' ELSE ' ivory' END,
    'Manufacturer#' || 1 + i % 5,
    'Brand#' || 11 + spread(i, 25), (ARRAY['PROMO', 'ECONOMY', 'STANDARD', 'SMALL', 'MEDIUM', 'LARGE'])[1 + spread(-i, 6)] || ' ANODIZED '
    || (ARRAY['TIN', 'BRASS', 'STEEL', 'COPPER', 'NICKEL'])[1 + spread(i + 7, 5)], 1 + spread(i + 3, 50),
    (ARRAY['SM', 'MED', 'LG', 'JUMBO', 'WRAP'])[1 + spread(i + 5, 5)]
    || (ARRAY[' CASE', ' BOX', ' BAG', ' JAR', ' PKG', ' PACK', ' CAN', ' DRUM'])[1 + spread(i + 9, 8)], 900 + i % 1000, 'part'
  FROM generate_series(1, 4000) i;
INSERT INTO partsupp
  SELECT p, 1 + (p + s * 50) % 200, spread(p * 4 + s, 9999), 1 + spread(p + s, 1000), repeat('p', 120)
  FROM generate_series(1, 4000) p, generate_series(0, 3) s;
INSERT INTO orders
  SELECT i, 1 + spread(i, 3000), (ARRAY['F', 'O', 'P'])[1 + i % 3], 1000 + spread(i, 400000), date '1992-01-01' + spread(-i, 2400),
    (ARRAY['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW'])[1 + spread(i, 5)], 'Clerk#' || i % 30, 0, repeat('o', 45)
  FROM generate_series(1, 30000) i;
INSERT INTO lineitem
  SELECT o_orderkey, p, 1 + (p + spread(n, 4) * 50) % 200, l, 1 + spread(n, 50), 900 + spread(n, 90000), spread(n + 1, 11) / 100.0, 0.04,
    (ARRAY['A', 'N', 'R'])[1 + spread(n, 3)], (ARRAY['F', 'O'])[1 + spread(n + 2, 2)], o_orderdate + 1 + spread(n, 121),
    o_orderdate + 30 + spread(n + 3, 61), o_orderdate + 2 + spread(n, 121) + spread(n + 4, 30),
    (ARRAY['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'])[1 + spread(n + 5, 4)],
    (ARRAY['AIR', 'REG AIR', 'MAIL', 'SHIP', 'RAIL', 'TRUCK', 'FOB'])[1 + spread(n + 6, 7)], repeat('l', 26)
  FROM (SELECT orders.*, l, o_orderkey * 4 + l AS n, 1 + spread(o_orderkey * 7 + l, 4000) AS p FROM orders, generate_series(1, 4) l) s;

ALTER TABLE nation ADD FOREIGN KEY (n_regionkey) REFERENCES region;
ALTER TABLE supplier ADD FOREIGN KEY (s_nationkey) REFERENCES nation;
ALTER TABLE customer ADD FOREIGN KEY (c_nationkey) REFERENCES nation;
ALTER TABLE partsupp ADD FOREIGN KEY (ps_partkey) REFERENCES part;
ALTER TABLE partsupp ADD FOREIGN KEY (ps_suppkey) REFERENCES supplier;
ALTER TABLE orders ADD FOREIGN KEY (o_custkey) REFERENCES customer;
ALTER TABLE lineitem ADD FOREIGN KEY (l_orderkey) REFERENCES orders;
ALTER TABLE lineitem ADD FOREIGN KEY (l_partkey, l_suppkey) REFERENCES partsupp;
