# Counters of PostgreSQL that are reset in the middle of a run: the interval is left out and said, the rest is exact.
# On every major: columns of pg_stat_io, and what is reset with what.
sampling <<CONF
autovacuum = off
ebs_advisor.sample_interval = 100ms
CONF
own_disk
# The session below runs as the server's account.
cat >"$SCRATCH/reads" <<AWK
awk '\$3 == "nvme0n1" { \$4 += 100 } { print }' $SCRATCH/tree/proc/diskstats >$SCRATCH/tree/proc/new
mv $SCRATCH/tree/proc/new $SCRATCH/tree/proc/diskstats
AWK
chmod 777 "$SCRATCH/tree/proc"

# One session, so that nobody else counts anything. What PostgreSQL has counted is read right before each sample, on which a mark
# stands: what the mark itself writes is counted after it.
cat >"$SCRATCH/session" <<SQL
\\set bytes '(to_jsonb(s) ->> \\'extend_bytes\\')::numeric, extends * current_setting(\\'block_size\\')::int'
\\set extended 'SELECT coalesce(sum(coalesce(' :bytes ')), 0) AS'
\\set from 'FROM pg_stat_io s WHERE backend_type = \\'client backend\\' AND object = \\'relation\\''
\\set filled 'AS SELECT i, repeat(\\'x\\', 1000) AS filler FROM generate_series(1, 20000) i;'
$(alone)
$FLUSHED
:extended began :from \\gset
SELECT FROM ebs_run_begin('reset');
CREATE TABLE before :filled
$FLUSHED
:extended before :from \\gset
SELECT FROM ebs_run_mark('before');
\\! sh $SCRATCH/reads
$FLUSHED
:extended last :from \\gset
SELECT FROM pg_stat_reset_shared('io');
$FLUSHED
:extended anew :from \\gset
SELECT FROM ebs_run_mark('io was reset');
CREATE TABLE between :filled
$FLUSHED
:extended between :from \\gset
SELECT FROM ebs_run_mark('between');
-- Short intervals are joined, and two resets in one would be one: some of the sampler's own come between.
$(until_true "(SELECT count(*) >= 3 FROM ebs_device_samples('reset') WHERE ended_at > (SELECT max(marked_at) FROM ebs.run_mark))")
\\! sh $SCRATCH/reads
SELECT FROM pg_stat_reset_shared('wal');
$FLUSHED
:extended again :from \\gset
SELECT FROM ebs_run_mark('wal was reset');
SELECT FROM pg_stat_reset();
CREATE TABLE after :filled
$FLUSHED
:extended ended :from \\gset
SELECT FROM ebs_run_end();
-- Between the marks around a reset a sample may fall, on either side of it: no more than those marks have written.
SELECT (:before - :began) + (:between - :anew) + (:ended - :again), (:last - :before) + :anew + (:again - :between),
  :before > :began, :between > :anew, :ended > :again;
SQL
read -r exact more grew < <(cluster_psql -d postgres -qAtX -F ' ' -v ON_ERROR_STOP=1 -f "$SCRATCH/session")
check "something was counted before, between and after" test "$grew" = 't t t'
check "a reset is a reset each time, and one of the database's own counters is none" matches \
  "$(report "'reset'")" ', 2 counter resets \(those seconds left out\)'
check "what was counted around them is exact" \
  is "SELECT sum(extend_bytes) BETWEEN $exact AND $exact + $more FROM ebs_io_sources('reset')
  WHERE backend_type = 'client backend' AND object = 'relation'" t
check "nothing is negative or huge" is "SELECT count(*) FROM ebs_io_sources('reset')
  WHERE least(read_bytes, write_bytes, extend_bytes, fsyncs, hits) < 0 OR greatest(read_bytes, write_bytes, extend_bytes) > 1e9" 0
check "shares add up" is "SELECT round(sum(share_pct)) FROM ebs_io_sources('reset')" 100
# Whatever it waits for, each look sees it.
check "waits are none of these counters" is "SELECT round(sum(average_active_sessions)::numeric, 6) FROM ebs_waits('reset')
  WHERE backend_type = 'checkpointer'" 1.000000
check "devices neither" is "SELECT sum(reads) FROM ebs_device_samples('reset')" 200
