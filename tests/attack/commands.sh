# Every command of ebsctl that talks to a server, with an input each. Sourced after client.sh, by attacks of a server or of a tenant.

# command_inputs: the files that they read, in $SCRATCH/inputs.
command_inputs() {
  local inputs=$SCRATCH/inputs generator
  generator=$(fleet_generator)
  mkdir "$inputs"
  echo '{"Volumes": [{"VolumeId": "vol-0a", "Size": 500, "State": "available"}]}' >"$inputs/configuration.json"
  printf '%s\n' 'pgbench (18.0)' 'transaction type: <builtin: TPC-B (sort of)>' 'scaling factor: 1' 'query mode: simple' 'number of clients: 2' \
    'number of threads: 1' 'maximum number of tries: 1' 'duration: 10 s' 'number of transactions actually processed: 1000' \
    'number of failed transactions: 0 (0.000%)' 'latency average = 20.000 ms' 'initial connection time = 2.000 ms' \
    'tps = 100.000000 (without initial connection time)' >"$inputs/pgbench.out"
  perl -MJSON::PP -e '
    my $begin = 1795165200;
    my @events = map { {timestamp => 1000 * $_, message => encode_json({engine => "POSTGRES", instanceID => "made", instanceResourceID => "db-MADE",
        timestamp => do { my @t = gmtime $_; sprintf "%04d-%02d-%02dT%02d:%02d:%02dZ", $t[5] + 1900, $t[4] + 1, @t[3, 2, 1, 0] }, numVCPUs => 2,
        cpuUtilization => {total => 30}, physicalDeviceIO => [{device => "nvme1n1", readIOsPS => 100, writeIOsPS => 50, readKbPS => 800,
        writeKbPS => 800, await => 2, avgQueueLen => 0.3, tps => 150}]})} } $begin .. $begin + 60;
    open my $os, ">", "$ARGV[0]/rds-os.json" or die;
    print $os encode_json({events => \@events, nextForwardToken => "f/0"});
    open my $waits, ">", "$ARGV[0]/rds-waits.json" or die;
    print $waits encode_json({Identifier => "db-MADE", MetricList => [{Key => {Metric => "db.load.avg", Dimensions => {"db.wait_event.name" => "CPU",
        "db.wait_event.type" => "CPU"}}, DataPoints => [map { {Timestamp => $_, Value => 1} } $begin .. $begin + 60]}]})' "$inputs"
  printf '%s\n' '"FormatVersion","v1.0"' '"Disclaimer","none"' '"Publication Date","2026-11-20T19:13:16Z"' '"Version","20261120191316"' \
    '"OfferCode","AmazonEC2"' 'SKU,TermType,PriceDescription,StartingRange,EndingRange,Unit,PricePerUnit,Currency,Location Type,Region Code,usageType' \
    '"C","OnDemand","as described","0","Inf","GB-Mo","0.085","USD","AWS Region","us-east-1","EBS:VolumeUsage.gp3"' >"$inputs/prices.csv"
  sed "s/'/\"/g" >"$inputs/rows.jsonl" <<'JSON'
{'volume': 'vol-0b', 'platform': 'ec2', 'action': 'no_answer', 'reason': {'code': 'not_covered', 'text': 'There are no samples.'}}
JSON
  "$generator" json-lines --volumes 2 --days 1 >"$inputs/fleet.jsonl"
  "$generator" volumes --volumes 2 --days 1 >"$inputs/volumes.json"
  "$generator" instances --volumes 2 --days 1 >"$inputs/instances.json"
  FLEET_VOLUME=$(grep -o -m 1 'vol-[0-9a-f]*' "$inputs/volumes.json")
}

# command_names: each command, in an order in which one may need what another has left.
command_names() {
  echo run report page import-driver import-configuration import-rds-os import-rds-waits prices fleet-into fleet-run watch keep planner
}

# command_run NAME SERVER: runs it within bounds, at a server whose connection string that is; run "kept" is there.
command_run() {
  local inputs=$SCRATCH/inputs server=$2
  case $1 in
    run) bounded run --label driven -d "$server" -- true ;;
    report) bounded report kept --show all -d "$server" ;;
    page) bounded report kept --html "$SCRATCH/page.html" -d "$server" ;;
    import-driver) bounded import --label kept "$inputs/pgbench.out" -d "$server" ;;
    import-configuration) bounded import configuration "$inputs/configuration.json" -d "$server" ;;
    import-rds-os) bounded import rds-os --label os "$inputs/rds-os.json" -d "$server" ;;
    import-rds-waits) bounded import rds-waits --label os "$inputs/rds-waits.json" -d "$server" ;;
    prices) bounded prices --partial "$inputs/prices.csv" -d "$server" ;;
    fleet-into) bounded fleet --rows "$inputs/rows.jsonl" --format json --into "$server" ;;
    fleet-run) bounded fleet "$inputs/fleet.jsonl" --volumes "$inputs/volumes.json" --volumes "$inputs/instances.json" --since 1d \
      --until 2026-11-15T00:00:00Z --volume "$FLEET_VOLUME" --run fetched -d "$server" ;;
    watch) bounded watch "$server" --label seen --for 1s --output "$SCRATCH/seen.json" ;;
    keep) bounded watch "$server" --label seen --for 1s -d "$server" ;;
    # The last user counts: one that may only read.
    planner) bounded watch "$server" --label planned --for 1s --planner "$server user=planner" -d "$server" ;;
    *) die "there is no command $1" ;;
  esac
}

# command_left NAME: a statement that gives t where the command did its work, or nothing where its output says it.
command_left() {
  case $1 in
    run) echo "SELECT count(*) = 1 FROM ebs.run WHERE label = 'driven' AND ended_at IS NOT NULL" ;;
    import-driver) echo "SELECT count(*) = 1 FROM ebs.run_result JOIN ebs.run USING (run_id) WHERE label = 'kept' AND tps = 100" ;;
    import-configuration) echo "SELECT count(*) > 0 FROM ebs.configuration" ;;
    import-rds-os) echo "SELECT count(*) = 1 FROM ebs.run WHERE label = 'os'" ;;
    import-rds-waits) echo "SELECT count(*) > 0 FROM ebs.sample_block JOIN ebs.run USING (run_id) WHERE label = 'os'" ;;
    prices) echo "SELECT count(*) > 0 FROM ebs.price WHERE region = 'us-east-1'" ;;
    fleet-into) echo "SELECT count(*) = 1 FROM ebs.fleet_answer" ;;
    fleet-run) echo "SELECT count(*) = 1 FROM ebs.run WHERE label = 'fetched'" ;;
    keep) echo "SELECT count(*) = 1 FROM ebs.run WHERE label = 'seen'" ;;
    planner) echo "SELECT count(*) = 1 FROM ebs.run WHERE label = 'planned'" ;;
  esac
}
# command_printed NAME: what the other commands leave.
command_printed() {
  case $1 in
    report) grep '^EBS advice for run kept' "$SCRATCH/out" ;;
    page) grep -i '<!doctype html>' "$SCRATCH/page.html" ;;
    watch) grep '"label":"seen"' "$SCRATCH/seen.json" ;;
  esac
}

# worked NAME DATABASE: the command did its work.
worked() {
  local left got
  left=$(command_left "$1")
  if [ -z "$left" ]; then
    command_printed "$1" >/dev/null || { echo "it left nothing"; told; return 1; }
    return
  fi
  got=$(plain_sql "$2" "$left" 2>&1) || true
  # Overloads that a role may put beside the extension's functions make a call ambiguous, which is an error that names its remedy.
  [ "$got" = t ] || grep -q 'has other functions of this name' "$SCRATCH/err" || { printf '%s\ngave: %s\n' "$left" "$got"; told; return 1; }
}
# forget DATABASE: what the commands have left, so that each does its work again.
forget() {
  plain_sql "$1" "DELETE FROM ebs.run_result; DELETE FROM ebs.run WHERE label <> 'kept' AND ended_at IS NOT NULL; DELETE FROM ebs.configuration;
    DELETE FROM ebs.price; DELETE FROM ebs.fleet_answer" >/dev/null
  rm -f "$SCRATCH/page.html" "$SCRATCH/seen.json"
}

# kept_run DATABASE SCHEMA: makes run "kept", in a session that no setting of the database has bent.
kept_run() {
  plain_sql "$1" "SELECT $2.ebs_import_samples('kept', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '2026-01-01' + i * interval '1 s',
    'reads', 5000 + i, 'writes', 100, 'read_bytes', 40960000, 'write_bytes', 819200))) FROM generate_series(1, 120) i" >/dev/null
}
# plain_sql DATABASE STATEMENT: as the role "checker", for whom nothing is set and nothing lies in wait.
plain_sql() {
  local options='-c search_path=pg_catalog -c standard_conforming_strings=on -c default_transaction_read_only=off'
  cluster_run env PGOPTIONS="$options -c client_min_messages=warning -c statement_timeout=0" \
    "$PG_BIN/psql" --no-psqlrc --host "$CLUSTER" --username checker -d "$1" -qAtX -v ON_ERROR_STOP=1 -c "$2"
}
