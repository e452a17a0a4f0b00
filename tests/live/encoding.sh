# Reports are UTF-8: another encoding is refused when the extension is created, with what to do.
fresh </dev/null
cluster_sql "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
check "a database in LATIN1 is refused" test "$(cluster_psql -d latin -qAtX -c 'CREATE EXTENSION ebs_advisor' 2>&1 |
  grep -c 'ebs_advisor needs a database with encoding UTF8, not LATIN1')" = 1
cluster_sql 'CREATE EXTENSION ebs_advisor'
check "a label in any script is a label" is "SELECT ebs_run_begin('プロファイル é \"x\" ''y''') > 0" t
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "and found again" matches "$(report "(SELECT label FROM ebs.runs_detail)")" 'EBS advice for run プロファイル é "x" '
