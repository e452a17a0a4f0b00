# How soon an answer over a long history ends when the statement is to end.
fresh <<<"ebs_advisor.enabled = off"
cluster_sql 'CREATE EXTENSION ebs_advisor'
peaks_apart 400000

# answer TIMEOUT: what it ended with, t if it did not fail, and the milliseconds that took.
answer() {
  cluster_sql "CREATE OR REPLACE FUNCTION ended() RETURNS text LANGUAGE plpgsql AS \$\$ BEGIN
      PERFORM FROM ebs_options_detail('long', min_size_gib => 500, percentile => 95, max_volumes => 4);
      RETURN 't';
    EXCEPTION WHEN query_canceled THEN RETURN SQLSTATE; END \$\$"
  cluster_sql "SET statement_timeout = '$1'; SELECT ended() || ' ' ||
    round(1000 * extract(epoch FROM clock_timestamp() - statement_timestamp()))" | tail -n 1
}
read -r ended whole_ms <<<"$(answer 0)"
check "it answers" [ "$ended" = t ]
# The first may fall into reading the samples, the second is in the midst of the search.
for timeout in 200 $((whole_ms / 4)); do
  # A busy machine may hold up what is cancelled: in one of three attempts.
  for _ in 1 2 3; do
    read -r ended ms <<<"$(answer "${timeout}ms")"
    [ "$ms" -ge $((whole_ms / 2)) ] || break
  done
  check "after a part of its time it is cancelled" [ "$ended" = 57014 ]
  check "and takes no more than half of it" [ "$ms" -lt $((whole_ms / 2)) ]
done
