# How soon an answer over a long history ends when the statement is to end.
fresh <<<"ebs_advisor.enabled = off"
cluster_sql 'CREATE EXTENSION ebs_advisor'
# 400,000 seconds in which IOPS and MiB/s peak apart, so that stripes take long to search.
cluster_sql "SELECT ebs_import_samples('long', 'nvme1n1', jsonb_agg(jsonb_build_object(
    'ts', timestamptz '2026-01-01 00:00:00+00' + i * interval '1 s', 'reads', r, 'writes', 0,
    'read_bytes', r * 8192 + CASE WHEN i % 89 = 0 THEN 419430400 ELSE 0 END, 'write_bytes', 0) ORDER BY i))
  FROM (SELECT i, (2000 + i * 7919::bigint % 1000 + CASE WHEN i % 300 < 20 THEN 3000 ELSE 0 END
                  + CASE WHEN i % 97 = 0 THEN 9000 ELSE 0 END)::bigint AS r FROM generate_series(1, 400000) i) demand" >/dev/null

# answer TIMEOUT: what it ended with, t if it did not fail, and the milliseconds that took.
answer() {
  cluster_sql "CREATE OR REPLACE FUNCTION ended() RETURNS text LANGUAGE plpgsql AS \$\$ BEGIN
      PERFORM FROM ebs_options('long', min_size_gib => 500, percentile => 95, max_volumes => 4);
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
