# Prometheus, VictoriaMetrics and node_exporter on loopback, for the tests and benchmarks of `ebsctl fleet`. Sourced, after env.sh and
# cluster.sh. Each has a name, a directory and a port of its own, and ends by its process id.

# engines_found: sets ENGINES, the directory of their programs; fails where they cannot be had, with the reason in ENGINES_MISSING.
engines_found() {
  ENGINES=$("$ROOT/scripts/unpack-engines" 2>"$SCRATCH/unpack-engines.log") && return
  ENGINES_MISSING=$(tail -n 1 "$SCRATCH/unpack-engines.log")
  return 1
}

# Process id and address (http://127.0.0.1:PORT) of each engine by its name.
declare -A engine_pid engine_url
# Scheme of engines that are started from now on, and arguments of the curl that waits for them.
engine_scheme=http engine_curl=()

# prometheus_start NAME [OPTION…]: data and configuration are in $SCRATCH/NAME; a configuration that is there is used.
prometheus_start() {
  local name=$1
  shift
  mkdir -p "$SCRATCH/$name/data"
  [ -e "$SCRATCH/$name/prometheus.yml" ] || : >"$SCRATCH/$name/prometheus.yml"
  engine_start "$name" /-/ready "$ENGINES/prometheus" --config.file="$SCRATCH/$name/prometheus.yml" --storage.tsdb.path="$SCRATCH/$name/data" \
    --web.listen-address="$(engine_address "$name")" --storage.tsdb.retention.time=100y --web.enable-lifecycle "$@"
}

# victoria_metrics_start NAME [OPTION…]
victoria_metrics_start() {
  local name=$1
  shift
  mkdir -p "$SCRATCH/$name/data"
  engine_start "$name" /health "$ENGINES/victoria-metrics" -storageDataPath="$SCRATCH/$name/data" \
    -httpListenAddr="$(engine_address "$name")" -retentionPeriod=100y -search.latencyOffset=0s -selfScrapeInterval=0 "$@"
}

# node_exporter_start NAME [OPTION…]
node_exporter_start() {
  local name=$1
  shift
  mkdir -p "$SCRATCH/$name"
  engine_start "$name" / "$ENGINES/prometheus-node-exporter" --web.listen-address="$(engine_address "$name")" "$@"
}

# scrape_configuration NAME INTERVAL EXPORTER…: writes the configuration with which Prometheus NAME scrapes these exporters as job
# "postgres"; VictoriaMetrics takes the same file by -promscrape.config.
scrape_configuration() {
  local name=$1 interval=$2 exporter targets=
  shift 2
  for exporter; do targets+="${targets:+, }'${engine_url[$exporter]#http://}'"; done
  mkdir -p "$SCRATCH/$name"
  cat >"$SCRATCH/$name/prometheus.yml" <<CONF
scrape_configs:
- job_name: postgres
  scrape_interval: $interval
  scrape_timeout: $interval
  static_configs: [{targets: [$targets]}]
CONF
}

# scrapers_start INTERVAL EXPORTER…: Prometheus "prometheus" and VictoriaMetrics "vm", which scrape these exporters.
scrapers_start() {
  scrape_configuration prometheus "$@"
  prometheus_start prometheus
  victoria_metrics_start vm -promscrape.config="$SCRATCH/prometheus/prometheus.yml"
}

# udev_serial NUMBERS VOLUME: writes what udev knows of the disk with these numbers (MAJOR:MINOR), for node_exporter's
# --path.udev.data=$SCRATCH/udev.
udev_serial() {
  mkdir -p "$SCRATCH/udev"
  printf 'E:ID_SERIAL_SHORT=%s\nE:ID_MODEL=Amazon Elastic Block Store\n' "${2/-/}" >"$SCRATCH/udev/b$1"
}

# engine_value ENGINE QUERY: prints the whole number that it gives, or nothing.
engine_value() {
  curl --silent --fail --noproxy '*' "${engine_url[$1]}/api/v1/query" --data-urlencode "query=$2" | sed -nE 's/.*"(-?[0-9]+)"\]\}\].*/\1/p'
}
# engine_reached ENGINE QUERY NUMBER: it gives at least that.
engine_reached() {
  local found
  found=$(engine_value "$1" "$2")
  [ "${found:-0}" -ge "$3" ]
}

# fleet_row ENGINE OPTION…: writes the row of the only volume that it holds to $SCRATCH/ENGINE.rows, by the program in $ebsctl.
fleet_row() {
  local name=$1
  shift
  "$ebsctl" fleet --prometheus "${engine_url[$name]}" --format json "$@" >"$SCRATCH/$name.rows" 2>"$SCRATCH/$name.log" ||
    { cat "$SCRATCH/$name.log"; return 1; }
}
# row_value ENGINE PATH: prints what that row has there, as PostgreSQL writes it.
row_value() { cluster_psql -d postgres -qAtX -v row="$(cat "$SCRATCH/$1.rows")" -f - <<<"SELECT :'row'::jsonb #>> '{$2}'"; }
# row_has ENGINE PATH VALUE
row_has() {
  local got
  got=$(row_value "$1" "$2")
  [ "$got" = "$3" ] || { printf '%s is %s, not %s: ' "$2" "$got" "$3"; cut -c 1-2000 "$SCRATCH/$1.rows"; return 1; }
}
# row_recommends ENGINE RUN: its volume is the first option for the run.
row_recommends() {
  is "SELECT format('%s %s %s %s', r ->> 'volume_type', r ->> 'size_gib', r ->> 'iops', r ->> 'throughput_mibps')
    FROM (SELECT \$json\$$(cat "$SCRATCH/$1.rows")\$json\$::jsonb -> 'recommended' AS r) row" \
    "$(cluster_sql "SELECT format('%s %s %s %s', volume_type, size_gib, iops, throughput_mibps) FROM ebs_options('$2') WHERE rank = 1")"
}

# engine_address NAME: where it listened before it was ended, or any free port of loopback.
engine_address() {
  local url=${engine_url[$1]:-http://127.0.0.1:0}
  echo "${url#*://}"
}

# engine_start NAME PATH COMMAND…: starts it, and waits until it answers at that path.
engine_start() {
  local name=$1 path=$2 port
  shift 2
  "$@" >>"$SCRATCH/$name/log" 2>&1 </dev/null 9>&- &
  engine_pid[$name]=$!
  await engine_listens "$name"
  port=$(engine_port "${engine_pid[$name]}")
  engine_url[$name]=$engine_scheme://127.0.0.1:$port
  await curl --disable --silent --show-error --fail --noproxy '*' "${engine_curl[@]}" --output /dev/null "${engine_url[$name]}$path"
}
# engine_listens NAME: also when it has ended, so that nothing waits for it.
engine_listens() { [ ! -d "/proc/${engine_pid[$1]}" ] || [ -n "$(engine_port "${engine_pid[$1]}")" ]; }
# engine_port PID: prints the first port of loopback on which the process listens.
engine_port() {
  local inodes
  inodes=$(readlink "/proc/$1/fd"/* 2>/dev/null | sed -n 's/^socket:\[\(.*\)\]$/\1/p')
  awk -v inodes="$inodes" 'BEGIN { n = split(inodes, list, "\n"); for (i = 1; i <= n; i++) own[list[i]] }
    $4 == "0A" && $10 in own { split($2, at, ":"); print at[2]; exit }' "/proc/$1/net/tcp" 2>/dev/null | { read -r port && echo $((16#$port)); } || true
}

# engine_stop NAME [SIGNAL]: ends it and waits for it.
engine_stop() {
  kill -"${2:-TERM}" "${engine_pid[$1]}" 2>/dev/null || true
  wait "${engine_pid[$1]}" 2>/dev/null || true
}

# prometheus_load NAME FILE…: makes blocks of OpenMetrics files, before Prometheus is started.
prometheus_load() {
  local name=$1 file
  shift
  mkdir -p "$SCRATCH/$name/data"
  # Long blocks: a block for each two hours of fourteen days would be most of the time.
  for file; do
    "$ENGINES/promtool" tsdb create-blocks-from openmetrics --quiet --max-block-duration=720h "$file" "$SCRATCH/$name/data" 9>&-
  done
}

# victoria_metrics_load NAME FILE…: imports JSON lines, plain or gzip, and makes them visible to queries.
victoria_metrics_load() {
  local name=$1 file encoding
  shift
  for file; do
    encoding=()
    [[ $file != *.gz ]] || encoding=(--header 'Content-Encoding: gzip')
    curl --silent --show-error --fail --noproxy '*' "${encoding[@]}" --upload-file "$file" --request POST "${engine_url[$name]}/api/v1/import" --output /dev/null
  done
  curl --silent --fail --noproxy '*' --output /dev/null "${engine_url[$name]}/internal/force_flush"
}

# proxy_start NAME ENGINE [LINE…]: a proxy in front of an engine (tests/live/faulty_proxy.pl), with these lines in its plan.
proxy_start() {
  local name=$1 engine=$2
  shift 2
  mkdir -p "$SCRATCH/$name"
  proxy_plan "$name" "$@"
  perl "$ROOT/tests/live/faulty_proxy.pl" "$SCRATCH/$name" "${engine_url[$engine]}" >"$SCRATCH/$name/log" 2>&1 </dev/null 9>&- &
  engine_pid[$name]=$!
  await test -e "$SCRATCH/$name/port"
  engine_url[$name]=http://127.0.0.1:$(cat "$SCRATCH/$name/port")
}
# proxy_plan NAME [LINE…]: what goes wrong from now on; the requests until now are forgotten.
proxy_plan() {
  local name=$1
  shift
  rm -f "$SCRATCH/$name"/{held,go,requests}
  printf '%s\n' "$@" >"$SCRATCH/$name/plan"
}
# proxy_met NAME ACTION [PATH]: a request had this.
proxy_met() { grep -qE "^$2 .*${3:-}" "$SCRATCH/$1/requests"; }
