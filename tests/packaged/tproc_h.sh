# Queries in the manner of TPROC-H on primary and foreign keys alone. Some index is plausible: on a foreign key, on a date of
# which a part is asked, on what picks few parts. One whose first column has a handful of values is not.
. "$ROOT/tests/packaged/harness.sh"
server 16MB
workload() { sql_file <"$ROOT/tests/packaged/tproc_h_queries.sql"; }

vacuumed <"$ROOT/tests/packaged/tproc_h.sql"
measured "$TEST" workload
advised "$TEST" ", search_path => 'tproc_h'"
no_nonsense
check "advises only what is plausible" is "SELECT string_agg(DISTINCT ddl, '; ') FROM advised WHERE test = '$TEST' AND ddl !~
  '\((l_partkey|l_suppkey|l_shipdate|l_receiptdate|l_orderkey|o_custkey|o_orderdate|c_nationkey|c_mktsegment|ps_suppkey|p_brand|p_size|p_type|p_container)\y'" ''
check "every query could be planned" is "SELECT string_agg(reason, '; ') FROM advice WHERE test = '$TEST' AND reason ~ '^not planned'" ''
