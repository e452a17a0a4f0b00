# docs/reference.md is what the catalogue says, and the catalogue says something of every column that a function gives.
. "$ROOT/scripts/reference.sh"
SQL=$SCRATCH/sql
"$ROOT/scripts/extension-sql" "$SQL"
fresh </dev/null
cluster_sql 'CREATE EXTENSION ebs_advisor'

# The lines of a function's comment name its columns, each once and no others. Functions, relations and their columns are held by
# sql/extension.sql, settings by sql/settings.sql.
undescribed="WITH functions AS (SELECT p.*, obj_description(p.oid, 'pg_proc') AS comment FROM pg_proc p
    JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
    JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'ebs_advisor'),
  named AS (SELECT proname, name FROM functions, regexp_split_to_table(split_part(comment, E'\n\n', 2), E'\n') line,
    regexp_split_to_table(split_part(line, ': ', 1), ', ') name WHERE line <> ''),
  columns AS (SELECT proname, proargnames[n] AS name FROM functions, generate_series(1, array_length(proallargtypes, 1)) n WHERE proargmodes[n] <> 'i')
  SELECT 'no line for ' || proname || '.' || name FROM (SELECT * FROM columns EXCEPT SELECT * FROM named) missing
  UNION ALL SELECT 'no column ' || proname || '.' || name FROM (SELECT * FROM named EXCEPT SELECT * FROM columns) none
  UNION ALL SELECT 'two lines for ' || proname || '.' || name FROM named GROUP BY proname, name HAVING count(*) > 1 ORDER BY 1"
check "every column that a function gives is described" is "$undescribed" ''
check "one that is not would be found, and so would a line too much" is "COMMENT ON FUNCTION ebs_workload IS E'What.\n\nmetric, value: so\nvalue: so\nnone: such'; $undescribed" \
  'no column ebs_workload.none
no line for ebs_workload.detail
no line for ebs_workload.unit
two lines for ebs_workload.value'

cluster_sql 'DROP EXTENSION ebs_advisor; CREATE EXTENSION ebs_advisor'
reference_page >"$SCRATCH/reference.md"
check "every object stands on the page" is "SELECT count(*) FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass
  JOIN pg_extension e ON e.oid = d.refobjid AND extname = 'ebs_advisor'" "$(grep -c '^### ebs_' "$SCRATCH/reference.md")"
check "docs/reference.md is what the catalogue says: scripts/reference writes it" diff -u "$ROOT/docs/reference.md" "$SCRATCH/reference.md"
