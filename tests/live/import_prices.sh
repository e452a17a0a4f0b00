# ebsctl prices, from an offer file to the price of a volume: what it takes, what it refuses, and that it holds no large file.
EBSCTL=$(program ebsctl)
export PGHOST=$SCRATCH/cluster PGUSER=postgres PGDATABASE=postgres
prices() { "$EBSCTL" prices "$@"; }

# offer csv|json PUBLISHED MEGABYTES: EC2's prices of us-east-1 in AWS's layout, behind so many MB of instances. gp3 costs
# 0.085 a GiB and 51.2 a GiB/s, which is 0.05 a MiB/s.
offer() {
  awk -v layout="$1" -v published="$2" -v megabytes="$3" -v q='"' '
    function text(s) { return q s q }
    function price(sku, usage, unit, usd) { skus[++n] = sku; of[n] = usage; units[n] = unit; dollars[n] = usd }
    function row(sku, usage, unit, usd) {
      return text(sku) "," text("OnDemand") "," text(sku " under $" usd ", as described") "," text("0") "," text("Inf") "," \
        text(unit) "," text(usd) "," text("USD") "," text("AWS Region") "," text("us-east-1") "," text(usage)
    }
    function product(sku, usage) {
      return text(sku) " : { " text("sku") " : " text(sku) ", " text("attributes") " : { " text("locationType") " : " \
        text("AWS Region") ", " text("regionCode") " : " text("us-east-1") ", " text("usagetype") " : " text(usage) " } }"
    }
    function term(sku, unit, usd) {
      return text(sku) " : { " text(sku ".T") " : { " text("priceDimensions") " : { " text(sku ".T.D") " : { " \
        text("unit") " : " text(unit) ", " text("beginRange") " : " text("0") ", " text("endRange") " : " text("Inf") ", " \
        text("pricePerUnit") " : { " text("USD") " : " text(usd) " } } } } }"
    }
    BEGIN {
      price("A", "EBS:VolumeUsage", "GB-Mo", "0.05"); price("B", "EBS:VolumeUsage.gp2", "GB-Mo", "0.1")
      price("C", "EBS:VolumeUsage.gp3", "GB-Mo", "0.085"); price("D", "EBS:VolumeP-IOPS.gp3", "IOPS-Mo", "0.005")
      price("E", "EBS:VolumeP-Throughput.gp3", "GiBps-mo", "51.2"); price("F", "EBS:VolumeUsage.piops", "GB-Mo", "0.125")
      price("G", "EBS:VolumeP-IOPS.piops", "IOPS-Mo", "0.065"); price("H", "EBS:VolumeUsage.io2", "GB-month", "0.125")
      price("I", "EBS:VolumeP-IOPS.io2", "IOPS-Mo", "0.065"); price("J", "EBS:VolumeP-IOPS.io2.tier2", "IOPS-Mo", "0.0455")
      price("K", "EBS:VolumeP-IOPS.io2.tier3", "IOPS-Mo", "0.03185"); price("L", "EBS:VolumeUsage.st1", "GB-Mo", "0.045")
      price("M", "EBS:VolumeUsage.sc1", "GB-Mo", "0.015")
      bytes = megabytes * 1000000; version = published; gsub("-", "", version); published = published "T19:13:16Z"
      if (layout == "csv") {
        print text("FormatVersion") "," text("v1.0"); print text("Disclaimer") "," text("none")
        print text("Publication Date") "," text(published); print text("Version") "," text(version)
        print text("OfferCode") "," text("AmazonEC2")
        print "SKU,TermType,PriceDescription,StartingRange,EndingRange,Unit,PricePerUnit,Currency,Location Type,Region Code,usageType"
        for (i = 0; bytes > 0; i++) { line = row("X" i, "BoxUsage:m5." i "xlarge", "Hrs", "0.096"); print line; bytes -= length(line) }
        for (i = 1; i <= n; i++) print row(skus[i], of[i], units[i], dollars[i])
        exit
      }
      print "{ " text("offerCode") " : " text("AmazonEC2") ", " text("version") " : " text(version) ", " \
        text("publicationDate") " : " text(published) ",\n" text("products") " : {"
      for (i = 0; bytes > 0; i++) { line = product("X" i, "BoxUsage:m5." i "xlarge") ","; print line; bytes -= 2 * length(line) }
      for (k = 1; k <= n; k++) print product(skus[k], of[k]) (k < n ? "," : "")
      print "}, " text("terms") " : { " text("OnDemand") " : {"
      while (i-- > 0) print term("X" i, "Hrs", "0.096") ","
      for (k = 1; k <= n; k++) print term(skus[k], units[k], dollars[k]) (k < n ? "," : "")
      print "} } }"
    }'
}

# ends STATUS COMMAND…: the command ends with that exit status.
ends() {
  local wanted=$1 status=0
  shift
  "$@" || status=$?
  [ "$status" = "$wanted" ] || { echo "exit status $status, not $wanted"; return 1; }
}
# says PATTERN COMMAND…: what the command prints matches.
says() {
  local pattern=$1
  shift
  "$@" >"$SCRATCH/said" 2>&1 || true
  grep -qE "$pattern" "$SCRATCH/said" || { cat "$SCRATCH/said"; return 1; }
}
# In 64 MB of address space, of which the program itself takes some.
bounded() { (ulimit -v 65536 && prices "$@"); }

fresh </dev/null
cluster_sql 'CREATE EXTENSION ebs_advisor'
price="SELECT usd_month, price_status, price_date FROM ebs_price('gp3', 1000, 3000, 225)"
built_in='84.00|listed|2026-10-15'
check "before, prices are those built in" is "$price" "$built_in"

offer csv 2026-11-15 1 >"$SCRATCH/offer.csv"
size=$(stat --format %s "$SCRATCH/offer.csv")
head -c $((size - 20)) "$SCRATCH/offer.csv" >"$SCRATCH/cut.csv"
lines=$(wc -l <"$SCRATCH/cut.csv")
check "a file that was cut off says where it broke" says "broken at line $((lines + 1)): the file ends in the middle" prices "$SCRATCH/cut.csv"
check "and what it had" says "detail: Until there $((lines - 6)) products were read and 12 storage prices found" prices "$SCRATCH/cut.csv"
check "and ends with status 1" ends 1 prices "$SCRATCH/cut.csv"
head -n "$lines" "$SCRATCH/offer.csv" >"$SCRATCH/lost.csv"
check "one that lost its last line is incomplete" says 'incomplete: us-east-1 has 12 prices on ec2, and none of sc1 storage' prices "$SCRATCH/lost.csv"
check "a good file beside a bad one is not taken" ends 1 prices "$SCRATCH/offer.csv" "$SCRATCH/cut.csv"
check "nothing of all that changed a price" is "SELECT count(*) FROM ebs.price" 0

check "a dry run prints a document" says '^\{"offer":"AmazonEC2","prices":' prices --dry-run "$SCRATCH/offer.csv"
check "and changes nothing" is "SELECT count(*) FROM ebs.price" 0
check "an offer file is taken, and what changes is shown" says 'us-east-1 +gp3 throughput +0\.04 → 0\.05' prices "$SCRATCH/offer.csv"
# 1,000 × 0.085 + 100 × 0.05, at the IOPS that are included.
check "its prices count" is "$(sed 's/price_date/NULL/' <<<"$price")" '90.00|imported|'
check "to the last decimal" is "SELECT count(*) FROM ebs.price WHERE published = '2026-11-15'" 13
check "back to what is built in" is "SELECT ebs_prices_reset()" 13
check "which is as it was" is "$price" "$built_in"

prices --dry-run "$SCRATCH/offer.csv" >"$SCRATCH/prices.json" 2>/dev/null
check "the document imports without ebsctl" test "$("$PG_BIN/psql" -XqAt -v doc="$(cat "$SCRATCH/prices.json")" <<<"SELECT ebs_import_prices(:'doc');")" = 13
cluster_sql "SELECT ebs_prices_reset(); CREATE ROLE ebs_stranger LOGIN" >/dev/null
check "who may not import is told so by the server" says 'permission denied for function ebs_import_prices' env PGUSER=ebs_stranger "$EBSCTL" prices "$SCRATCH/offer.csv"
check "and ebsctl names the privilege" says 'hint: +The role needs EXECUTE on ebs_import_prices' env PGUSER=ebs_stranger "$EBSCTL" prices "$SCRATCH/offer.csv"
check "but not for another error" bash -c '! "$@" >"$0" 2>&1 && grep -q "is not in this database" "$0" && ! grep -q EXECUTE "$0"' "$SCRATCH/refused" "$EBSCTL" prices -d template1 "$SCRATCH/offer.csv"
check "with status 3" env PGUSER=ebs_stranger bash -c '"$@"; [ $? = 3 ]' - "$EBSCTL" prices "$SCRATCH/offer.csv"
check "a server that is not there is status 3, too" ends 3 env PGHOST="$SCRATCH" "$EBSCTL" prices "$SCRATCH/offer.csv"
check "and nothing changed" is "SELECT count(*) FROM ebs.price" 0

offer csv 2026-11-16 100 >"$SCRATCH/large.csv"
check "100 MB of CSV fit into 64 MB" bounded "$SCRATCH/large.csv"
check "they were read" is "SELECT count(*) FROM ebs.price WHERE published = '2026-11-16'" 13
rm "$SCRATCH/large.csv"
offer json 2026-11-17 100 | gzip -1 >"$SCRATCH/large.json.gz"
check "and 100 MB of JSON, compressed" bounded "$SCRATCH/large.json.gz"
check "and were, too" is "SELECT count(*) FROM ebs.price WHERE published = '2026-11-17'" 13
head -c 1000000 "$SCRATCH/large.json.gz" >"$SCRATCH/cut.json.gz"
check "a compressed file that was cut off is refused" says 'broken at byte [0-9]+: ' prices - <"$SCRATCH/cut.json.gz"
check "an older list than the one imported changes nothing" says '^0 of 13 prices imported' prices "$SCRATCH/offer.csv"
