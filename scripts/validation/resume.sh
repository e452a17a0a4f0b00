# What an earlier session recorded into target/validate: it is not measured again. Sourced; the caller has set RESULTS.

# resume_begin: sets EVIDENCE to the runs that are there, or to nothing.
resume_begin() {
  EVIDENCE=
  [ -r "$RESULTS/evidence.dump" ] && [ -r "$RESULTS/recorded.txt" ] || return 0
  if [ -n "${VALIDATE_FRESH:-}" ]; then
    mv "$RESULTS/evidence.dump" "$RESULTS/evidence.old.dump"
    rm "$RESULTS/recorded.txt"
    echo "what was recorded before is kept in $RESULTS/evidence.old.dump"
  else
    EVIDENCE=$RESULTS/evidence.dump
    echo "$(wc -l <"$RESULTS/recorded.txt") settings are recorded in $EVIDENCE and not measured again (VALIDATE_FRESH=1: all of them)"
  fi
}

# resume_export: a line for each setting of the grid that counts, as the grid has it; and one for the test of the advice.
resume_export() {
  cluster_sql "SELECT concat_ws(' ', workload, clients, nominal_ms, limit_set, cycles) FROM validation.counts WHERE part = 'grid'
    UNION ALL SELECT 'HALF' FROM validation.counts WHERE part = 'half' HAVING count(*) >= $HALF_RUNS" >"$RESULTS/recorded.new"
  mv "$RESULTS/recorded.new" "$RESULTS/recorded.txt"
}

# resume_left: those lines of its input that are not recorded.
resume_left() { if [ -n "$EVIDENCE" ]; then grep -vxFf "$RESULTS/recorded.txt" || true; else cat; fi; }
