-- The twenty-two questions in the manner of TPROC-H, their tables without a schema. Where constants are taken out, as
-- pg_stat_statements does, date '…' of the first and extract(year FROM …) of three are no SQL any more.
SET search_path = tproc_h;

SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (1 - l_discount)), avg(l_quantity), count(*)
  FROM lineitem WHERE l_shipdate <= date '1998-09-02' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT s_acctbal, s_name, n_name, p_partkey, p_mfgr FROM part, supplier, partsupp, nation, region
  WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND p_size = 15 AND p_type LIKE '%BRASS' AND s_nationkey = n_nationkey
    AND n_regionkey = r_regionkey AND r_name = 'EUROPE' AND ps_supplycost = (SELECT min(ps_supplycost) FROM partsupp, supplier, nation, region
      WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey AND r_name = 'EUROPE')
  ORDER BY s_acctbal DESC, n_name, s_name, p_partkey LIMIT 100;
SELECT l_orderkey, sum(l_extendedprice * (1 - l_discount)) AS revenue, o_orderdate, o_shippriority FROM customer, orders, lineitem
  WHERE c_mktsegment = 'BUILDING' AND c_custkey = o_custkey AND l_orderkey = o_orderkey AND o_orderdate < '1995-03-15'::date
    AND l_shipdate > '1995-03-15'::date GROUP BY l_orderkey, o_orderdate, o_shippriority ORDER BY revenue DESC, o_orderdate LIMIT 10;
SELECT o_orderpriority, count(*) FROM orders WHERE o_orderdate >= '1993-07-01'::date AND o_orderdate < '1993-10-01'::date
    AND EXISTS (SELECT FROM lineitem WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate) GROUP BY 1 ORDER BY 1;
SELECT n_name, sum(l_extendedprice * (1 - l_discount)) AS revenue FROM customer, orders, lineitem, supplier, nation, region
  WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = s_suppkey AND c_nationkey = s_nationkey AND s_nationkey = n_nationkey
    AND n_regionkey = r_regionkey AND r_name = 'ASIA' AND o_orderdate >= '1994-01-01'::date AND o_orderdate < '1995-01-01'::date
  GROUP BY n_name ORDER BY revenue DESC;
SELECT sum(l_extendedprice * l_discount) FROM lineitem
  WHERE l_shipdate >= '1994-01-01'::date AND l_shipdate < '1995-01-01'::date AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24;
SELECT s.n_name, c.n_name, extract(year FROM l_shipdate) AS year, sum(l_extendedprice * (1 - l_discount))
  FROM supplier, lineitem, orders, customer, nation s, nation c
  WHERE s_suppkey = l_suppkey AND o_orderkey = l_orderkey AND c_custkey = o_custkey AND s_nationkey = s.n_nationkey AND c_nationkey = c.n_nationkey
    AND (s.n_name = 'NATION 6' AND c.n_name = 'NATION 7' OR s.n_name = 'NATION 7' AND c.n_name = 'NATION 6')
    AND l_shipdate BETWEEN '1995-01-01'::date AND '1996-12-31'::date GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
SELECT extract(year FROM o_orderdate) AS year, sum(CASE WHEN s.n_name = 'NATION 2' THEN l_extendedprice ELSE 0 END) / sum(l_extendedprice)
  FROM part, supplier, lineitem, orders, customer, nation c, nation s, region
  WHERE p_partkey = l_partkey AND s_suppkey = l_suppkey AND l_orderkey = o_orderkey AND o_custkey = c_custkey AND c_nationkey = c.n_nationkey
    AND c.n_regionkey = r_regionkey AND r_name = 'AMERICA' AND s_nationkey = s.n_nationkey
    AND o_orderdate BETWEEN '1995-01-01'::date AND '1996-12-31'::date AND p_type = 'ECONOMY ANODIZED STEEL' GROUP BY 1 ORDER BY 1;
SELECT n_name, extract(year FROM o_orderdate) AS year, sum(l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity)
  FROM part, supplier, lineitem, partsupp, orders, nation
  WHERE s_suppkey = l_suppkey AND ps_suppkey = l_suppkey AND ps_partkey = l_partkey AND p_partkey = l_partkey AND o_orderkey = l_orderkey
    AND s_nationkey = n_nationkey AND p_name LIKE '%green%' GROUP BY 1, 2 ORDER BY 1, 2 DESC;
SELECT c_custkey, c_name, sum(l_extendedprice * (1 - l_discount)) AS revenue, c_acctbal, n_name FROM customer, orders, lineitem, nation
  WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND o_orderdate >= '1993-10-01'::date AND o_orderdate < '1994-01-01'::date
    AND l_returnflag = 'R' AND c_nationkey = n_nationkey GROUP BY c_custkey, c_name, c_acctbal, n_name ORDER BY revenue DESC LIMIT 20;
SELECT ps_partkey, sum(ps_supplycost * ps_availqty) AS value FROM partsupp, supplier, nation
  WHERE ps_suppkey = s_suppkey AND s_nationkey = n_nationkey AND n_name = 'NATION 8' GROUP BY ps_partkey
  HAVING sum(ps_supplycost * ps_availqty) > (SELECT sum(ps_supplycost * ps_availqty) * 0.003 FROM partsupp, supplier, nation
    WHERE ps_suppkey = s_suppkey AND s_nationkey = n_nationkey AND n_name = 'NATION 8') ORDER BY value DESC;
SELECT l_shipmode, sum(CASE WHEN o_orderpriority IN ('1-URGENT', '2-HIGH') THEN 1 ELSE 0 END), count(*) FROM orders, lineitem
  WHERE o_orderkey = l_orderkey AND l_shipmode IN ('MAIL', 'SHIP') AND l_commitdate < l_receiptdate AND l_shipdate < l_commitdate
    AND l_receiptdate >= '1994-01-01'::date AND l_receiptdate < '1995-01-01'::date GROUP BY 1 ORDER BY 1;
SELECT orders_of, count(*) FROM (SELECT c_custkey, count(o_orderkey) AS orders_of FROM customer LEFT JOIN orders
    ON c_custkey = o_custkey AND o_comment NOT LIKE '%special%requests%' GROUP BY c_custkey) s GROUP BY 1 ORDER BY 2 DESC, 1 DESC;
SELECT 100.0 * sum(CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice * (1 - l_discount) ELSE 0 END) / sum(l_extendedprice * (1 - l_discount))
  FROM lineitem, part WHERE l_partkey = p_partkey AND l_shipdate >= '1995-09-01'::date AND l_shipdate < '1995-10-01'::date;
WITH revenue AS (SELECT l_suppkey AS supplier_no, sum(l_extendedprice * (1 - l_discount)) AS total FROM lineitem
    WHERE l_shipdate >= '1996-01-01'::date AND l_shipdate < '1996-04-01'::date GROUP BY 1)
  SELECT s_suppkey, s_name, total FROM supplier, revenue WHERE s_suppkey = supplier_no AND total = (SELECT max(total) FROM revenue);
SELECT p_brand, p_type, p_size, count(DISTINCT ps_suppkey) FROM partsupp, part
  WHERE p_partkey = ps_partkey AND p_brand <> 'Brand#35' AND p_type NOT LIKE 'MEDIUM%' AND p_size IN (49, 14, 23, 45, 19, 3, 36, 9)
    AND ps_suppkey NOT IN (SELECT s_suppkey FROM supplier WHERE s_comment LIKE '%Complaints%') GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 100;
SELECT sum(l_extendedprice) / 7.0 FROM lineitem, part WHERE p_partkey = l_partkey AND p_brand = 'Brand#23' AND p_container = 'MED BOX'
    AND l_quantity < (SELECT 0.2 * avg(l_quantity) FROM lineitem WHERE l_partkey = p_partkey);
SELECT c_name, c_custkey, o_orderkey, o_totalprice, sum(l_quantity) FROM customer, orders, lineitem
  WHERE o_orderkey IN (SELECT l_orderkey FROM lineitem GROUP BY 1 HAVING sum(l_quantity) > 190) AND c_custkey = o_custkey
    AND o_orderkey = l_orderkey GROUP BY 1, 2, 3, 4 ORDER BY 4 DESC LIMIT 100;
SELECT sum(l_extendedprice * (1 - l_discount)) FROM lineitem, part WHERE p_partkey = l_partkey AND l_shipinstruct = 'DELIVER IN PERSON'
    AND l_shipmode IN ('AIR', 'REG AIR') AND (p_brand = 'Brand#12' AND l_quantity BETWEEN 1 AND 11 AND p_size BETWEEN 1 AND 5
      OR p_brand = 'Brand#23' AND l_quantity BETWEEN 10 AND 20 AND p_size BETWEEN 1 AND 10);
SELECT s_name, s_address FROM supplier, nation WHERE s_nationkey = n_nationkey AND n_name = 'NATION 3'
    AND s_suppkey IN (SELECT ps_suppkey FROM partsupp WHERE ps_partkey IN (SELECT p_partkey FROM part WHERE p_name LIKE 'forest%')
      AND ps_availqty > (SELECT 0.5 * sum(l_quantity) FROM lineitem WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey
        AND l_shipdate >= '1994-01-01'::date AND l_shipdate < '1995-01-01'::date)) ORDER BY s_name;
SELECT s_name, count(*) FROM supplier, lineitem a, orders, nation WHERE s_suppkey = a.l_suppkey AND o_orderkey = a.l_orderkey
    AND o_orderstatus = 'F' AND a.l_receiptdate > a.l_commitdate AND s_nationkey = n_nationkey AND n_name = 'NATION 20'
    AND EXISTS (SELECT FROM lineitem b WHERE b.l_orderkey = a.l_orderkey AND b.l_suppkey <> a.l_suppkey)
    AND NOT EXISTS (SELECT FROM lineitem c WHERE c.l_orderkey = a.l_orderkey AND c.l_suppkey <> a.l_suppkey AND c.l_receiptdate > c.l_commitdate)
  GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 100;
SELECT left(c_phone, 2) AS code, count(*), sum(c_acctbal) FROM customer WHERE left(c_phone, 2) IN ('13', '31', '23', '29', '30', '18', '17')
    AND c_acctbal > (SELECT avg(c_acctbal) FROM customer WHERE c_acctbal > 0.00) AND NOT EXISTS (SELECT FROM orders WHERE o_custkey = c_custkey)
  GROUP BY 1 ORDER BY 1;
