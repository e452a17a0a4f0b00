# Nothing ends the ageing of samples: no imported run, whatever time it claims, and no block that cannot be read. Such a block stays as
# it is, is named, and is missing from answers rather than ending them.
sampling <<CONF
ebs_advisor.seconds_retention = '1d'
$(disk_settings)
CONF
look
look
# Nine to thirteen hours ago, four hours of demand in blocks of ten minutes, as if they had been sampled here.
since=$(cluster_sql "SELECT date_trunc('hour', now()) - interval '12 hours'")
for part in $(seq 0 23); do
  echo "SELECT ebs_import_samples('part $part', 'sdf', jsonb_agg(jsonb_build_object('ts', timestamptz '$since' + ($part * 600 + i) * interval '1 s',
    'reads', 100 + i * 7919 % 1000, 'writes', 50 + i % 3, 'read_bytes', 8192 * (100 + i * 7919 % 1000), 'write_bytes', 512 * (i * 104729 % 99991)))) FROM generate_series(1, 600) i;"
done >"$CLUSTER/import.sql"
cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -f "$CLUSTER/import.sql" >/dev/null
cluster_sql "UPDATE ebs.sample_block SET run_id = NULL; DELETE FROM ebs.run"
past="run_id IS NULL AND ended_at < now() - interval '7 hours'"
setting() { cluster_sql "ALTER SYSTEM SET ebs_advisor.$1"; cluster_sql 'SELECT pg_reload_conf()' >/dev/null; }
# ended PART: the condition of the block of these ten minutes.
ended() { echo "$past AND ended_at = timestamptz '$since' + interval '$((10 * ($1 + 1))) min'"; }

# A run of all time, as a long import from CloudWatch may be without malice.
cluster_sql "SELECT ebs_import_samples('forever', 'sdf', '[{\"ts\":\"1970-01-02\",\"reads\":1,\"writes\":1,\"read_bytes\":4096,\"write_bytes\":4096},
  {\"ts\":\"1970-01-02 00:01\",\"reads\":1,\"writes\":1,\"read_bytes\":4096,\"write_bytes\":4096},
  {\"ts\":\"2100-01-01\",\"reads\":1,\"writes\":1,\"read_bytes\":4096,\"write_bytes\":4096}]')" >/dev/null
forever=$(cluster_sql "SELECT md5(string_agg(samples, '')) FROM ebs.sample_block WHERE run_id IS NOT NULL")

# In each hour a block that cannot be read, each in another way. The last is damaged where only PostgreSQL looks: in the pages of its
# out-of-line value, and it alone has one.
intact=$(cluster_sql "SELECT samples FROM ebs.sample_block WHERE $(ended 1)")
cluster_sql "UPDATE ebs.sample_block SET samples = '\\x00' WHERE $(ended 1)"
cluster_sql "UPDATE ebs.sample_block SET format = 99 WHERE $(ended 7)"
cluster_sql "UPDATE ebs.sample_block SET samples = substr(samples, 1, length(samples) - 40) WHERE $(ended 13)"
cluster_sql "ALTER TABLE ebs.sample_block ALTER samples SET STORAGE MAIN"
cluster_sql "UPDATE ebs.sample_block SET samples = samples || ''"
cluster_sql "VACUUM FULL ebs.sample_block"
cluster_sql "ALTER TABLE ebs.sample_block ALTER samples SET STORAGE EXTERNAL, SET (toast_tuple_target = 128)"
cluster_sql "UPDATE ebs.sample_block SET samples = samples || '' WHERE $(ended 19)"
cluster_sql "ALTER TABLE ebs.sample_block ALTER samples SET STORAGE MAIN, RESET (toast_tuple_target)"
pages=$(cluster_sql "SELECT pg_relation_filepath(reltoastrelid) FROM pg_class WHERE oid = 'ebs.sample_block'::regclass")
damaged="$past AND ($(ended 1) OR $(ended 7) OR $(ended 13) OR $(ended 19))"
numbers=$(cluster_sql "SELECT string_agg(block_id::text, ', ' ORDER BY ended_at) FROM ebs.sample_block WHERE $damaged")
cluster_stop
check "there is an out-of-line value" test -s "$CLUSTER/data/$pages"
cluster_run dd if=/dev/zero of="data/$pages" bs=8192 count="$(($(stat --format %s "$CLUSTER/data/$pages") / 8192))" conv=notrunc status=none
cluster_start
sampler_works
check "PostgreSQL cannot read it" matches "SELECT length(samples), md5(samples) FROM ebs.sample_block WHERE $(ended 19)" 'missing chunk number'
readable_state="SELECT string_agg(concat_ws(' ', block_id, format, md5(samples)), ' ' ORDER BY block_id) FROM ebs.sample_block WHERE $damaged AND NOT ($(ended 19))"
state=$(cluster_sql "$readable_state")

# Answers.
answered() { cluster_psql -d postgres -qAtX -v ON_ERROR_STOP=1 -c "BEGIN; INSERT INTO ebs.run (label, started_at, ended_at)
  VALUES ('all', timestamptz '$since', timestamptz '$since' + interval '4 hours'); SELECT $1; ROLLBACK" 2>&1; }
answers_so() { answered "$1" >"$SCRATCH/said" || { cat "$SCRATCH/said"; return 1; }; grep -E "$2" "$SCRATCH/said" || { cat "$SCRATCH/said"; return 1; }; }
check "an answer counts their seconds as missing" answers_so "'s' || round(sum(seconds)) FROM ebs_device_samples('all')" '^s12000$'
check "and warns of them once, by number" test "$(grep -c "WARNING:  the answer lacks samples: blocks $numbers of ebs.sample_block cannot be read: " "$SCRATCH/said")" = 1
check "the report answers, with what is missing" answers_so "$(report "'all', min_size_gib => 100" | sed 's/^SELECT //')" '12,000 of 14,400 s sampled'
check "with one warning" test "$(grep -c WARNING "$SCRATCH/said")" = 1
check "a run is exported without them" answers_so "length(ebs_run_export('all')::text) > 10000" '^t$'
check "a damaged block of an import is left out of its answers too" matches \
  "BEGIN; UPDATE ebs.sample_block SET samples = '\\x00' WHERE run_id IS NOT NULL; SELECT count(*) FROM ebs_device_samples('forever'); ROLLBACK" \
  'WARNING:  the answer lacks samples: block [0-9]+ of ebs.sample_block cannot be read'

# Ageing.
setting "seconds_retention = '6h'"
upkeep_again
spans="SELECT string_agg(format('%s: %s', span_s, n), ', ' ORDER BY span_s) FROM (SELECT span_s, count(*) AS n FROM ebs.sample_block WHERE $past GROUP BY 1) s"
check "the others age, whatever time an imported run claims" is "$spans" '0: 4, 60: 4'
check "those that cannot be read stay as they are" is "$readable_state" "$state"
check "and are marked" is "SELECT count(*), bool_and(damaged) FROM ebs.sample_block WHERE $damaged" '4|t'
check "nothing of them was mixed in" answers_so "'s' || round(sum(seconds)) FROM ebs_device_samples('all')" '^s12000$'
named() { for number in ${numbers//,/}; do test "$(logged "WARNING:  ebs_advisor does not downsample what is damaged: block $number of ebs.sample_block cannot be read: .")" = 1 || return 1; done; }
check "each is named in the log, once, with the reason" named
status="FROM ebs_status() WHERE \"check\" = 'history'"
check "and in the status" is "SELECT ok, detail LIKE '%; 4 blocks cannot be read: $numbers', hint LIKE '%DELETE FROM ebs.sample_block WHERE damaged;' $status" 'f|t|t'
after=$(cluster_sql "SELECT string_agg(format('%s %s', block_id, span_s), ' ' ORDER BY block_id) FROM ebs.sample_block WHERE $past")
upkeep_again
check "a further look changes nothing" is "SELECT string_agg(format('%s %s', block_id, span_s), ' ' ORDER BY block_id) FROM ebs.sample_block WHERE $past" "$after"
check "and says nothing again" named
cluster_sql "UPDATE ebs.sample_block SET samples = '$intact' WHERE $(ended 1)"
upkeep_again
check "one that was restored ages too" is "$spans" '0: 3, 60: 5'
check "and its seconds are back" answers_so "'s' || round(sum(seconds)) FROM ebs_device_samples('all')" '^s12600$'

# What keeps the upkeep from its work otherwise.
cluster_sql "CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'nothing is removed here'; END \$\$;
  CREATE TRIGGER refused BEFORE DELETE ON ebs.sample_block FOR EACH ROW EXECUTE FUNCTION refused()"
setting "retention = '6h'"
upkeep_again
check "the status says what keeps samples from ageing" is "SELECT ok, hint LIKE '%Old samples cannot all be downsampled or removed: nothing is removed here' $status" 'f|t'
check "as the log does" test "$(logged 'WARNING:  ebs_advisor could not age old samples, .*: nothing is removed here')" = 1
cluster_sql 'DROP TRIGGER refused ON ebs.sample_block'
upkeep_again
check "older than the retention, all go, damaged or not" is "SELECT count(*) FROM ebs.sample_block WHERE $past" 0
check "and all is well" is "SELECT ok, hint $status" 't|'
check "the imported run is as it was" is "SELECT md5(string_agg(samples, '')) FROM ebs.sample_block WHERE run_id IS NOT NULL" "$forever"
