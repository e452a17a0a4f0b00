# ebsctl fleet --into: rows are kept whole in the tables of the extension, all or none, and the views tell what was changed since.
EBSCTL=$(program ebsctl)
fresh <<<"ebs_advisor.enabled = off"
cluster_sql 'CREATE EXTENSION ebs_advisor'
cluster_sql 'CREATE ROLE keeper LOGIN; GRANT pg_monitor TO keeper'
keeping() { "$EBSCTL" fleet --rows "$SCRATCH/rows.jsonl" --into "$@"; }
fleet() { keeping "host=$CLUSTER user=keeper dbname=postgres" "$@"; }
# rows TYPE PRICE: two volumes, the first of that type and price.
rows() {
  local recommended='{"volume_type": "gp3", "volumes": 1, "size_gib": 500, "iops": 3000, "throughput_mibps": 125, "usd_month": 40}'
  sed "s/'/\"/g" >"$SCRATCH/rows.jsonl" <<JSON
{'volume': 'vol-0a', 'platform': 'ec2', 'region': 'us-east-1', 'action': 'modify', 'usd_month_saved': 10, 'present': {'volume_type': '$1', 'volumes': 1, 'size_gib': 500, 'iops': 3000, 'throughput_mibps': 125, 'usd_month': $2}, 'recommended': $recommended, 'tags': {'team': 'it\u0027s'}}
{'volume': 'vol-0b', 'platform': 'ec2', 'action': 'no_answer', 'reason': {'code': 'not_covered', 'text': 'There are no samples.'}}
JSON
}
rows gp2 50
fails_with() {
  local status=$1 pattern=$2 got=0
  shift 2
  "$@" >"$SCRATCH/printed" 2>&1 || got=$?
  [ "$got" = "$status" ] && grep -qE "$pattern" "$SCRATCH/printed" || { echo "exit status $got"; cat "$SCRATCH/printed"; return 1; }
}
check "a role that may not import is told so" fails_with 2 'GRANT EXECUTE ON FUNCTION ebs_import_fleet' fleet
check "a password on the command line is refused" fails_with 2 'a password on a command line' keeping "host=$CLUSTER password=secret"
check "and nothing is kept" is 'SELECT count(*) FROM ebs.fleet_answer' 0
cluster_sql 'GRANT EXECUTE ON FUNCTION ebs_import_fleet TO keeper'
check "rows are kept" fleet --format json
check "each once" is 'SELECT string_agg(volume, $$ $$ ORDER BY volume), count(DISTINCT advised_at) FROM ebs.fleet_answer' 'vol-0a vol-0b|1'
check "whole" is "SELECT answer #>> '{tags,team}', answer #>> '{recommended,iops}' FROM ebs.fleet_answer WHERE volume = 'vol-0a'" "it's|3000"
check "by the role that imported them" is 'SELECT DISTINCT imported_by FROM ebs.fleet_answer' keeper
check "what is not known is NULL" is "SELECT usd_month IS NULL, usd_month_saved IS NULL, region IS NULL FROM ebs.fleet_latest WHERE volume = 'vol-0b'" 't|t|t'
rows gp3 40
check "a later answer is kept beside it" fleet --format csv
check "and shows what was changed" is \
  "SELECT volume, volume_type_before, volume_type_after, as_advised, usd_month_saved, usd_month_advised FROM ebs.fleet_changes" 'vol-0a|gp2|gp3|t|10|10'
check "and saved" is "SELECT changes, usd_month_saved FROM ebs.fleet_savings ORDER BY advised_at DESC LIMIT 1" '1|10'
cluster_sql 'ALTER EXTENSION ebs_advisor DROP FUNCTION ebs_import_fleet(text, timestamptz); DROP FUNCTION ebs_import_fleet(text, timestamptz)'
check "an older version of the extension is named" fails_with 3 'error: the extension ebs_advisor [0-9.]+ in this database lacks function ebs_import_fleet' fleet
check "with the way out" grep 'ALTER EXTENSION ebs_advisor UPDATE;' "$SCRATCH/printed"
check "nothing is printed as if it was kept" bash -c "! grep vol-0a '$SCRATCH/printed'"
cluster_sql 'DROP EXTENSION ebs_advisor CASCADE'
check "a database without it is named" fails_with 3 'error: the extension ebs_advisor is not in this database' fleet
check "with the way out" grep 'CREATE EXTENSION ebs_advisor;' "$SCRATCH/printed"
cluster_sql 'CREATE SCHEMA other; CREATE EXTENSION ebs_advisor SCHEMA other; GRANT USAGE ON SCHEMA other TO keeper'
cluster_sql 'GRANT EXECUTE ON FUNCTION other.ebs_import_fleet TO keeper'
check "the extension may be in another schema" fleet --format csv
check "where the rows are kept" is 'SELECT count(*) FROM ebs.fleet_answer' 2
