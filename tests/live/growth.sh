# Two weeks in which the volume fills by 2.5 GiB a day, from 100 GiB to 135: the size needed follows the forecast, and
# ageing loses nothing of it.
if ! command -v cargo >/dev/null && [ ! -x "$BUILT/examples/generate_history" ]; then
  skip "growth over two weeks (takes cargo, to build the generator of histories)"
  return
fi
generator=$(history_generator)
# What is sampled here would be of this machine's own filesystem.
fresh <<<"ebs_advisor.enabled = off"
cluster_sql 'CREATE EXTENSION ebs_advisor'
end=$(cluster_sql "SELECT extract(epoch FROM date_trunc('hour', now()) - interval '1 hour')::bigint")
# filled USED: the last fifteen seconds of each hour, USED in GiB as an expression of the hour.
filled() {
  cluster_sql 'TRUNCATE ebs.sample_block; DROP TABLE IF EXISTS generated;
    CREATE TABLE generated (started float8, ended float8, span_s int, ticks int, format smallint, samples bytea)' 2>/dev/null
  awk -v end="$end" 'BEGIN { for (hour = 0; hour <= 336; hour++) for (second = 1; second <= 15; second++)
    printf "%d000000,%d,200,8192000,3276800,%.0f\n", end - (336 - hour) * 3600 - 15 + second, 400 + second, ('"$1"') * 1073741824 }' |
    "$generator" |
    cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -c 'COPY generated FROM STDIN'
  cluster_sql 'INSERT INTO ebs.sample_block (started_at, ended_at, span_s, ticks, format, samples)
    SELECT to_timestamp(started), to_timestamp(ended), span_s, ticks, format, samples FROM generated'
}
size() { echo "SELECT size_gib FROM ebs_options_detail(lookback => '$1') WHERE volume_type = 'gp3' AND rank = 1"; }

filled '100 + 2.5 * hour / 24'
# 135 GiB now and 75 more in 30 days, a fifth of the volume free: 262.5.
check "the size follows the forecast" is "$(size '15 days')" 263
check "the report says how fast it fills" matches "$(report "lookback => '15 days'")" \
  'space 27 % full · grows by 2\.50 GiB a day \(2\.50 to 2\.50\), in 30 days at most 210 GiB used · size needed 263 GiB'
check "a day shows no growth: what is used is sized for, and it says so" is "$(size '1 day')" 169
check "the report says that growth is not known" matches "$(report "lookback => '1 day'")" 'size needed 169 GiB.*growth unknown'
check "what is asked for stands above it" is \
  "SELECT size_gib FROM ebs_options_detail(lookback => '15 days', min_size_gib => 150) WHERE volume_type = 'gp3' AND rank = 1" 150

setting() { cluster_sql "ALTER SYSTEM SET ebs_advisor.$1"; cluster_sql 'SELECT pg_reload_conf()' >/dev/null; }
setting "enabled = on"
cluster_await "SELECT count(*) = 0 FROM ebs.sample_block WHERE span_s = 0 AND ended_at < now() - interval '7 hours'
  OR span_s = 60 AND ended_at < now() - interval '49 hours'"
setting "enabled = off"
cluster_await "SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_type = 'ebs_advisor sampler'"
cluster_sql "DELETE FROM ebs.sample_block WHERE started_at > to_timestamp($end + 60)"
check "most of it has aged" is "SELECT count(*) FILTER (WHERE span_s = 3600) > 250 FROM ebs.sample_block" t
check "what has aged shows the same growth" is "$(size '15 days')" 263

# 50 GiB at once after five days: 185 now, 75 by the trend, and 50 more in each 14 days at the upper end.
filled '100 + 2.5 * hour / 24 + (hour >= 120 ? 50 : 0)'
check "a bulk load is no trend, but allowed for" matches "$(size '15 days')" '^4[56][0-9]$'
check "and told" matches "$(report "lookback => '15 days'")" '50\.0 GiB came at once 9\.[0-9] days before the end: no trend'

cluster_sql "SELECT ebs_volume_declare('data', 'gp3', 500)" >/dev/null
filled '100 + 2.5 * hour / 24'
check "a volume that was declared to be on EBS does not shrink" is "$(size '15 days')" 500
check "and a smaller new one is named" matches "$(report "lookback => '15 days'")" 'cannot shrink: a new one could have 263 GiB'
