# The names of tablespaces cannot be read: sampling goes on, and the answer says what is not known.
sampling <<<"$(own_disk_settings)"
cluster_run mkdir "$CLUSTER/fast"
cluster_sql "CREATE TABLESPACE fast LOCATION '$CLUSTER/fast'"
cluster_sql "SELECT ebs_run_begin('locked')" >/dev/null
# Asked by the session that locks: another would wait for the lock itself, to plan its statement.
check "a tablespace whose name is not known goes by its number" cluster_sql "BEGIN; LOCK TABLE pg_tablespace IN ACCESS EXCLUSIVE MODE;
  $(until_true "($(report "'locked'")) ~ 'tablespace [0-9]+: its name could not be read: .*lock timeout'")"
# At the mark the sampler reads the names, with the next sample it tells.
cluster_sql "SELECT ebs_run_mark('unlocked')" >/dev/null
cluster_sql 'SELECT ebs_run_end()' >/dev/null
check "until it can be read again" is "SELECT ($(report "'locked'")) ~ 'could not be read'" f
# Both clocks that an interval is made of are read one right after the other.
check "and every second was sampled" is "SELECT count(*) > 1, max(abs(extract(epoch FROM b.started_at - before))) < 0.2,
    min(b.started_at) <= min(r.started_at) + interval '0.2 s', max(b.ended_at) >= min(r.ended_at)
  FROM (SELECT *, lag(ended_at) OVER (ORDER BY ended_at) AS before FROM ebs.sample_block) b
  JOIN ebs.runs_detail r ON b.ended_at > r.started_at" 't|t|t|t'
