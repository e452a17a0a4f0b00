# Every PromQL query of the dashboard of a fleet, and of the alerts of a fleet, gives the figures that its series have by construction
# (grafana_series.pl), by Prometheus and by VictoriaMetrics; the alerts are valid, and fire and rest as promtool tests them.
. "$ROOT/scripts/engines.sh"
if ! engines_found; then
  skip "the dashboard of a fleet on Prometheus and VictoriaMetrics ($ENGINES_MISSING)"
  return
fi
board=$ROOT/grafana/ebs_fleet_prometheus.json rules=$ROOT/grafana/ebs_fleet_rules.yaml
end=1794700800
check "the rules of alerts are valid" "$ENGINES/promtool" check rules "$rules"
check "they fire on what they are for, and rest otherwise" "$ENGINES/promtool" test rules "$ROOT/tests/live/grafana_rules.yaml"

for format in open-metrics json-lines; do perl "$ROOT/tests/live/grafana_series.pl" $format $end >"$SCRATCH/series.$format"; done
mkdir -p "$SCRATCH/prometheus"
echo "rule_files: ['$rules']" >"$SCRATCH/prometheus/prometheus.yml"
prometheus_load prometheus "$SCRATCH/series.open-metrics"
prometheus_start prometheus
victoria_metrics_start vm
victoria_metrics_load vm "$SCRATCH/series.json-lines"
curl --silent --fail --noproxy '*' "${engine_url[prometheus]}/api/v1/rules" >"$SCRATCH/rules.json"

# known ENGINE: the queries of dashboard and alerts give these figures.
known() {
  perl "$ROOT/tests/live/grafana_promql.pl" "${engine_url[$1]}" $end "$board" "$SCRATCH/rules.json" >"$SCRATCH/$1.figures" || return
  diff "$ROOT/tests/live/grafana_promql.expected" "$SCRATCH/$1.figures"
}
for engine in prometheus vm; do check "the figures are those of the series, by $engine" known "$engine"; done

# Series that ebsctl fleet does not read, by their names in its sources.
other_series() {
  grep -ohE '\b(node|aws|rds|kubelet)_[a-z0-9_]+' "$board" "$rules" | sort -u | while read -r name; do
    grep -rqF "\"$name\"" "$ROOT/crates/fleet/src/discovery" || printf '%s ' "$name"
  done
}
check "all series are those that ebsctl fleet reads, but for burst balances" \
  test "$(other_series)" = "aws_ebs_burst_balance_average aws_rds_burst_balance_average "
