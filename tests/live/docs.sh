# The SQL of README.md and docs/: every block marked sql runs, and where the block behind it shows an answer, it is this one,
# unless `<!-- measured -->` stands before it: then it is what some machine measured. Pages ask about runs that they do
# not make themselves (demo, gp3-1, …): those are made up here first.
sampling </dev/null

# made_up: runs of 15 minutes on a declared volume, imported, into an extension that is as new; and samples taken here, so that
# there is something to say of this server too.
made_up() {
  local run
  echo 'DROP EXTENSION ebs_advisor; CREATE EXTENSION ebs_advisor;'
  for run in demo:4000 tpcc-100:6000 gp3-1:2500 gp3-2:2500 io2-1:5000 io2-2:5000; do
    echo "SELECT ebs_import_samples('${run%:*}', 'nvme1n1', jsonb_agg(jsonb_build_object(
      'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s', 'reads', ${run#*:} + i % 100, 'writes', 500,
      'read_bytes', (${run#*:} + i % 100) * 8192, 'write_bytes', 500 * 16384, 'read_ms', ${run#*:} / 2, 'write_ms', 300) ORDER BY i))
      FROM generate_series(1, 900) i;"
  done
  echo "SELECT ebs_run_begin('look'); SELECT ebs_run_end(); SELECT ebs_run_drop('look');"
}

# blocks PAGE DIRECTORY: each sql block as NNNN.sql (NNNN is its line), and the answer that follows it as NNNN.out.
blocks() {
  awk -v directory="$2" '
    function file(kind) { return sprintf("%s/%04d.%s", directory, at, kind) }
    /^```sql$/ { at = NR; inside = "sql"; printf "" > file("sql"); next }
    /^```/ && inside { closed = inside; inside = ""; next }
    /^```$/ && closed == "sql" { inside = measured ? "measured" : "out"; closed = ""; if (!measured) printf "" > file("out"); measured = 0; next }
    /^```/ { inside = "other"; closed = ""; measured = 0; next }
    inside == "sql" || inside == "out" { print > file(inside) }
    !inside && /^<!-- measured -->$/ { measured = 1; next }
    !inside && NF { closed = "" ; measured = 0 }
  ' "$1"
}

# answer BLOCK: what psql prints for it, as pages show it. The extension is there already.
answer() {
  sed 's/^CREATE EXTENSION ebs_advisor/CREATE EXTENSION IF NOT EXISTS ebs_advisor/' "$1" |
    cluster_psql -d postgres -qX -v ON_ERROR_STOP=1 -P footer=off -f -
}

# as_shown SHOWN GOT: what a page shows is how the block's answer ends: of several statements it shows the last one's.
as_shown() {
  diff -u <(sed '/^$/d; s/ *$//' "$1") <(sed '/^$/d; s/ *$//' "$2" | tail -n "$(grep -c . "$1")")
}

for page in "$ROOT/README.md" "$ROOT"/docs/*.md; do
  # Two are called README.md.
  path=${page#"$ROOT/"} name=${page#"$ROOT/"}
  name=${name//\//_}
  mkdir "$SCRATCH/$name"
  blocks "$page" "$SCRATCH/$name"
  compgen -G "$SCRATCH/$name/*.sql" >/dev/null || continue
  made_up | cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f - >/dev/null
  for block in "$SCRATCH/$name"/*.sql; do
    line=$((10#$(basename "$block" .sql)))
    check "$path, line $line: runs" answer "$block"
    cp "$SCRATCH/output" "${block%.sql}.got"
    [ -e "${block%.sql}.out" ] || continue
    check "$path, line $line: answers what stands there" as_shown "${block%.sql}.out" "${block%.sql}.got"
  done
done
