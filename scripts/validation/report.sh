# Results: the runs as CSV, and a page of tables. Sourced.

# report_export: writes every valid run so far, to study the model without measuring again; and a dump of the database with every
# sample, to predict again.
report_export() {
  mkdir -p "$RESULTS"
  cluster_sql 'COPY (SELECT * FROM validation.exported ORDER BY run) TO STDOUT (FORMAT csv, HEADER)' \
    >"$RESULTS/runs.csv.new"
  mv "$RESULTS/runs.csv.new" "$RESULTS/runs.csv"
  env "${no_pg[@]}" "$PG_BIN/pg_dump" --host "$CLUSTER" --username postgres --format custom --file "$RESULTS/evidence.new" postgres
  mv "$RESULTS/evidence.new" "$RESULTS/evidence.dump"
  resume_export
}

# report_predict: from what the tables hold; first with the volumes declared as a DBA would have declared them, then without.
report_predict() {
  cluster_sql 'CALL validation.predict_all(true)'
  cluster_sql 'DELETE FROM ebs.volume_declared'
  cluster_sql 'CALL validation.predict_all(false)'
  local declared
  for declared in true false; do
    cluster_sql "COPY (SELECT * FROM validation.compared WHERE declared = $declared ORDER BY target, reference)
      TO STDOUT (FORMAT csv, HEADER)" >"$RESULTS/predictions-$declared.csv"
  done
}

# table QUERY: its rows as a table of Markdown.
table() {
  cluster_psql -d postgres -qAX -v ON_ERROR_STOP=1 -F ' | ' -P footer=off -P null=– -c "$1" | awk '
    { print "| " $0 " |" }
    NR == 1 { n = split($0, columns, / [|] /); line = "|"; for (i = 1; i <= n; i++) line = line "---|"; print line }'
}

# report_errors MAIN DECLARED
report_errors() {
  table "SELECT workload AS \"workload\", class AS \"predicted\", n, mean_pct AS \"mean error %\", bias_pct AS \"bias %\",
      worst_pct AS \"worst %\", within_20_pct AS \"within 20 %: %\", covered_pct AS \"in 90 % interval: %\",
      half_width_pct AS \"half width, median ± %\", regime_pct AS \"bottleneck right %\" FROM validation.table_of($1, $2)"
}

# report_kinds MAIN DECLARED
report_kinds() {
  table "SELECT kind AS \"predicted\", n, mean_pct AS \"mean error %\", bias_pct AS \"bias %\", worst_pct AS \"worst %\",
      covered_pct AS \"in 90 % interval: %\", half_width_pct AS \"half width, median ± %\", regime_pct AS \"bottleneck right %\",
      border_pct AS \"or within 5 points %\", names_two AS \"two named\",
      above_limit AS \"above a limit\", goal FROM validation.kind_table($1, $2)"
}

# report_reliability MAIN DECLARED
report_reliability() {
  table "SELECT kind AS \"predicted\", n, within_50 AS \"nominal 50 %: covered %\", within_80 AS \"80 %\", within_90 AS \"90 %\",
      within_95 AS \"95 %\" FROM validation.reliability($1, $2)"
}

# report_workloads MAIN DECLARED
report_workloads() {
  table "SELECT workload, n, mean_pct AS \"mean error %\", at_most_9 AS \"at most 9\", worst_pct AS \"worst %\",
      worst_kind AS \"which is from\", covered_pct AS \"in 90 % interval: %\" FROM validation.by_workload($1, $2)"
}

# report_hammerdb: whether HammerDB drove any of the runs.
report_hammerdb() {
  cluster_sql "SELECT CASE WHEN count(*) = 0
      THEN 'HammerDB TPROC-C (TPROCC): skipped, as there was no hammerdbcli (PATH or HAMMERDB).'
      ELSE format('HammerDB TPROC-C (TPROCC): %s runs, with %s users.', count(*), string_agg(DISTINCT clients::text, ' and ')) END
    FROM validation.counts WHERE workload = 'TPROCC'"
}

report_worst() {
  table "SELECT reference_label AS \"from\", target_label AS \"to\", round(predicted::numeric, 1) AS \"predicted tps\",
      format('%s–%s', round(tps_low::numeric, 1), round(tps_high::numeric, 1)) AS \"interval\",
      round(tps::numeric, 1) AS \"measured\",
      round(100 * error::numeric, 1) AS \"error %\", predicted_regime AS \"predicted bottleneck\", regime AS \"measured bottleneck\"
    FROM validation.compared WHERE main AND declared ORDER BY abs(error) DESC LIMIT 10"
}

report_regimes() {
  table "SELECT reference_label AS \"from\", target_label AS \"to\", predicted_regime AS \"predicted bottleneck\",
      c.regime AS \"measured bottleneck\", round(100 * o.host_cpu_util) AS \"CPU %\", round(100 * error::numeric, 1) AS \"error %\"
    FROM validation.compared c JOIN validation.outcome o ON o.run_id = c.target
    WHERE main AND declared AND NOT c.regime_right ORDER BY o.host_cpu_util"
}

report_noise() {
  cluster_sql "SELECT CASE WHEN count(*) = 0 THEN 'No setting was measured twice.'
      ELSE format('Runs of one setting at different times differ by %s %% on average, %s %% at most (%s pairs).',
      round(100 * avg(apart)::numeric, 1), round(100 * max(apart)::numeric, 1), count(*)) END FROM validation.noise"
  echo
  table "SELECT workload, clients, nominal_ms AS \"read ms\", limit_set AS \"limit\",
      round(first_tps::numeric, 1) AS \"tps\", round(second_tps::numeric, 1) AS \"tps again\",
      round(100 * apart::numeric, 1) AS \"apart %\"
    FROM validation.noise ORDER BY apart DESC"
}

report_latency() {
  table "SELECT reference_label AS \"from\", target_label AS \"to\", round(predicted_ms::numeric, 2) AS \"predicted mean ms\",
      round(response_ms::numeric, 2) AS \"measured\", round(predicted::numeric, 1) AS \"predicted tps\",
      round(tps::numeric, 1) AS \"measured tps\"
    FROM validation.compared WHERE declared AND workload = 'RATE' ORDER BY reference, target"
}

report_half() {
  table "SELECT \"limit\", cap_iops AS \"IOPS\", CASE WHEN cap_iops IS NOT NULL THEN burst_ms END AS \"burst ms\", round(tps::numeric, 1) AS \"tps\", round(device_iops) AS \"IOPS used\",
      round(latency_ms::numeric, 1) AS \"mean ms\", round(p99_ms::numeric, 1) AS \"p99 ms\",
      round(times_unlimited::numeric, 2) AS \"p99 / unlimited's\" FROM validation.half
    ORDER BY cap_iops IS NULL, burst_ms DESC, cap_iops"
  echo
  cluster_sql 'SELECT validation.verdict()'
}

report_runs() {
  table "SELECT r.label AS \"run\", round(r.tps::numeric, 1) AS \"tps\", round(r.response_ms::numeric, 2) AS \"mean ms\",
      round(r.device_iops) AS \"IOPS\",
      round((e.device_bytes_per_s / 1048576)::numeric, 1) AS \"MiB/s\", round(e.device_reads_per_tx::numeric, 2) AS \"reads/tx\",
      round(e.device_writes_per_tx::numeric, 2) AS \"writes/tx\", round(1e3 * e.read_await_s::numeric, 2) AS \"read ms\",
      round(1e3 * e.write_await_s::numeric, 2) AS \"write ms\", round(100 * r.host_cpu_util) AS \"CPU %\",
      r.regime AS \"bottleneck\", round(r.window_s) AS \"s\", CASE WHEN r.steady THEN 'yes' ELSE 'no' END AS \"settled\"
    FROM validation.outcome r JOIN validation.exported e ON e.run = r.run_id
    ORDER BY array_position(validation.workloads(), r.workload), r.clients, r.nominal_ms, r.cap_iops, r.cap_mibps, r.run_id"
}

report_refused() {
  cluster_sql "SELECT coalesce(string_agg(format('- %s: %s', label, refused), E'\n' ORDER BY run_id), 'None.')
    FROM validation.run WHERE refused IS NOT NULL"
}

report_failed() {
  cluster_sql "SELECT coalesce(string_agg(DISTINCT format('- %s', failed), E'\n'), 'None.') FROM validation.prediction
    WHERE failed IS NOT NULL"
}

report_service_times() {
  table "SELECT nominal_ms AS \"read set to, ms\", round(read_ms::numeric, 3) AS \"measured\",
      nominal_write_ms AS \"write set to, ms\", round(write_ms::numeric, 3) AS \"measured\" FROM validation.service_time ORDER BY 1"
}

# filled: the page's words, with each line @command replaced by what the command prints.
filled() {
  local line
  while IFS= read -r line; do
    case $line in @*) ${line#@} ;; *) printf '%s\n' "$line" ;; esac
  done <"$ROOT/scripts/validation/page.md"
}

measured_on() {
  cluster_sql "SELECT description FROM validation.machine"
  cluster_sql "SELECT format('%s, \`$COMMAND\`, %s runs with windows of %s minutes in all',
      concat_ws(' to ', min(at)::date, nullif(max(at)::date, min(at)::date)), count(DISTINCT run_id),
      round((SELECT sum(seconds) / 60 FROM validation.counted)))
    FROM validation.reading JOIN validation.counts USING (run_id)"
}
