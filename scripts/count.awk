# What the lines of cargo test, pg_regress and TAP come to, in one line. -v failed_ring=1: a ring has failed, even if none of its
# lines says so.
/^test result: / { for (i = 2; i <= NF; i++) { if ($i ~ /^passed/) passed += $(i - 1); if ($i ~ /^failed/) failed += $(i - 1) } }
/^ok .*# SKIP/ { skipped++; next }
# Not what prove says of a file: "ok 1234 ms".
/^ok +([0-9]+ +)?- / { passed++ }
/^not ok +([0-9]+ +)?- / { failed++ }
END {
  if (failed_ring && !failed) failed = 1
  printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped
  # What could not be tested here is skipped by name; nothing at all is a defect.
  exit failed > 0 || passed + skipped == 0
}
