# docs/reference.md is what the catalogue says, and the catalogue says something of every object, column and setting.
. "$ROOT/scripts/reference.sh"
sampling </dev/null

# The lines of a function's comment name its columns, each once and no others.
undescribed="WITH ours AS (SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'ebs_advisor'
    WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'),
  functions AS (SELECT p.*, obj_description(p.oid, 'pg_proc') AS comment FROM ours JOIN pg_proc p ON p.oid = objid AND classid = 'pg_proc'::regclass),
  relations AS (SELECT c.* FROM ours JOIN pg_class c ON c.oid = objid AND classid = 'pg_class'::regclass AND relkind IN ('r', 'v')),
  named AS (SELECT f.oid, f.proname, name FROM functions f, regexp_split_to_table(split_part(comment, E'\n\n', 2), E'\n') line,
    regexp_split_to_table(split_part(line, ': ', 1), ', ') name WHERE line <> ''),
  columns AS (SELECT f.oid, f.proname, f.proargnames[n] AS name FROM functions f, generate_series(1, array_length(proallargtypes, 1)) n WHERE proargmodes[n] <> 'i')
  SELECT 'function ' || proname AS what FROM functions WHERE coalesce(comment, '') = ''
  UNION ALL SELECT 'column ' || proname || '.' || name FROM (SELECT * FROM columns EXCEPT SELECT * FROM named) missing
  UNION ALL SELECT 'no column ' || proname || '.' || name FROM (SELECT * FROM named EXCEPT SELECT * FROM columns) none
  UNION ALL SELECT 'twice ' || proname || '.' || name FROM named GROUP BY oid, proname, name HAVING count(*) > 1
  UNION ALL SELECT 'relation ' || relname FROM relations WHERE coalesce(obj_description(oid, 'pg_class'), '') = ''
  UNION ALL SELECT 'column ' || relname || '.' || attname FROM relations JOIN pg_attribute a ON attrelid = relations.oid AND attnum > 0 AND NOT attisdropped
    WHERE coalesce(col_description(attrelid, attnum), '') = ''
  UNION ALL SELECT 'schema ' || nspname FROM ours JOIN pg_namespace n ON n.oid = objid AND classid = 'pg_namespace'::regclass WHERE obj_description(n.oid, 'pg_namespace') IS NULL
  UNION ALL SELECT 'setting ' || name FROM pg_settings WHERE name LIKE 'ebs\_advisor.%' AND (short_desc = '' OR extra_desc = '') ORDER BY 1"
check "everything is described" is "$undescribed" ''
check "what is not would be found" matches "COMMENT ON FUNCTION ebs_waits IS E'What.\n\nbackend_type, kind: so\nnone: such'; COMMENT ON COLUMN ebs.run.note IS NULL; $undescribed" \
  'column ebs_waits.wait_event'
check "a column that is not there, too" is "$undescribed" "$(printf '%s\n' "column ebs_waits."{application_name,average_active_sessions,database,db_time_pct,query_id,role,wait_class,wait_event} \
  'column run.note' 'no column ebs_waits.none' | LC_ALL=C sort)"

cluster_sql 'DROP EXTENSION ebs_advisor; CREATE EXTENSION ebs_advisor'
reference_page >"$SCRATCH/reference.md"
check "every object stands on the page" is "SELECT count(*) FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass
  JOIN pg_extension e ON e.oid = d.refobjid AND extname = 'ebs_advisor'" "$(grep -c '^### ebs_' "$SCRATCH/reference.md")"
check "docs/reference.md is what the catalogue says: scripts/reference writes it" diff -u "$ROOT/docs/reference.md" "$SCRATCH/reference.md"
