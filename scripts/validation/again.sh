# Predicts again from the samples of an earlier validation, without measuring: the effect of a changed model on its errors in a minute,
# on any machine and without root. Sourced; the caller has sourced bench.sh, server.sh and report.sh.

# predict_again DUMP: what `make validate` left in target/validate/evidence.dump. Leaves the predictions in a private cluster.
predict_again() {
  [ -r "$1" ] || die "cannot read $1" "make validate leaves its samples in target/validate/evidence.dump."
  bench_install
  # Neither samples of its own nor ageing of those recorded.
  bench_cluster <<<"shared_preload_libraries = ''"
  validation_tables
  validation_restore "$1"
  mkdir -p "$RESULTS"
  report_predict
}
