# Predicts again from the samples of an earlier validation, without measuring: the effect of a changed model on its errors in a minute,
# on any machine and without root. Sourced; the caller has sourced bench.sh and report.sh.

# predict_again DUMP: what `make validate` left in target/validate/evidence.dump. Prints the page.
predict_again() {
  [ -r "$1" ] || die "cannot read $1" "make validate leaves its samples in target/validate/evidence.dump."
  bench_install
  # Neither samples of its own nor ageing of those recorded.
  bench_cluster <<<"shared_preload_libraries = ''"
  local part
  for part in tables predictions statistics; do
    cluster_psql -d postgres -q -v ON_ERROR_STOP=1 <"$ROOT/scripts/validation/$part.sql"
  done
  cluster_run "$PG_BIN/pg_restore" --host "$CLUSTER" --username postgres --data-only --disable-triggers --exit-on-error \
    --dbname postgres <"$1"
  report_predict
  filled
}
