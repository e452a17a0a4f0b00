# The page docs/reference.md from the catalogue of a cluster with the extension. Sourced, after scripts/cluster.sh, with SQL, the directory of
# what scripts/extension-sql writes.

# reference_subjects: prints a line for each object: number and subject of its file in extension/sql, the object.
reference_subjects() {
  awk '
    FNR == 1 { subject = $0; sub(/^-- /, "", subject); number = FILENAME; sub(/.*\//, "", number); sub(/_.*/, "", number) }
    /^CREATE (FUNCTION|TABLE|VIEW) / { name = $3; sub(/\(.*/, "", name); sub(/^ebs\./, "", name); print number "\t" subject "\t" name }
  ' "$SQL"/*.sql
}

# reference_page: prints the page.
reference_page() {
  cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -v subjects="$(reference_subjects)" -f - <"$ROOT/scripts/reference.sql"
}
