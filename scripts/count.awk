# Counts the results in the output of cargo test, pg_regress and TAP, and prints one line. -v failed_ring=1: a ring has failed even if
# none of its lines says so.
/^test result: / { for (i = 2; i <= NF; i++) { if ($i ~ /^passed/) passed += $(i - 1); if ($i ~ /^failed/) failed += $(i - 1) } }
/^ok .*# SKIP/ { skipped++; next }
# Not prove's line for a file: "ok 1234 ms".
/^ok +([0-9]+ +)?- / { passed++ }
/^not ok +([0-9]+ +)?- / { failed++ }
END {
  if (failed_ring && !failed) failed = 1
  printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped
  # Tests that cannot run here are skipped by name; no test at all is a failure.
  exit failed > 0 || passed + skipped == 0
}
