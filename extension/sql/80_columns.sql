-- what the columns of answers are
--
-- PostgreSQL has no comments on columns that a function returns. So they are part of the function's own comment, a line each with its
-- unit, where \df+ shows them and docs/reference.md takes them from; tests/live/reference.sh checks that none is missing.

-- From here on nothing is created: all names are PostgreSQL's.
SET LOCAL search_path TO pg_catalog, pg_temp;

DO $do$
DECLARE
    described CONSTANT text := $columns$
ebs_prices
volume_type: gp2, gp3, io1, io2, st1, sc1 or standard
part: what is billed: storage, iops, iops above 32000, iops above 64000, throughput
unit: what one of it is
usd: US dollars a month for one unit
status: imported, listed, derived or unverified
basis: which list it is from, or how it was derived
published: when AWS published that list

ebs_io_mix
volume: device or EBS volume
role: what of the cluster is on it: data, wal, tablespace and its name, temp
metric: requests, reads, writes, throughput, read throughput, write throughput, request size, read share, read latency, write latency, concurrency
unit: 1/s, MiB/s, KiB, %, ms; none for requests in flight
mean: total over total
p50, p95, p99, max: over the sampled intervals, each an observed value
p99_low, p99_high: 95 % lower and 95 % upper bound of p99; NULL where the metric has none

ebs_io_sources
backend_type, object, context: as of pg_stat_io
read_bytes, write_bytes, extend_bytes: bytes read, written, and added to files
fsyncs: fsync calls
hits: buffers found in shared_buffers
stall_ms: milliseconds that processes stood still for it; NULL where track_io_timing (track_wal_io_timing) was off
share_pct: per cent of the bytes of all rows

ebs_io_sessions
backend_type: as of pg_stat_activity
database, role, application_name: whose it was; NULL where the setting was off
read_bytes, write_bytes, extend_bytes: bytes read, written (WAL too), and added to files
share_pct: per cent of the bytes of all rows

ebs_balance
line: who asked, what lies between, or the volume
side: PostgreSQL, kernel or device: whose count it is
read_bytes, write_bytes: bytes; below zero what is taken off
read_pct, write_pct: per cent of the device's bytes
note: what to know of the line, or why it is not known

ebs_waits
backend_type: as of pg_stat_activity
wait_class, wait_event: as of pg_stat_activity; CPU* where there is no wait event
kind: active (database time), client (waits for its client) or idle
average_active_sessions: processes in it, on average over time
db_time_pct: per cent of database time; NULL for client and idle
database, role, application_name, query_id: whose it was; NULL unless the setting was on

ebs_workload
metric: what it is
value: on average over the time in which it is known
unit: its unit
detail: what is counted, and for how much of the time it is known

ebs_device_samples
ended_at: end of the interval
seconds: its length, seconds
volume: device or EBS volume
reads, writes: requests completed, as the kernel counts them
read_bytes, write_bytes: bytes moved
read_ms, write_ms: milliseconds that these requests took, all together

ebs_sample
volume: device or EBS volume
role: what of the cluster is on it
seconds: seconds since the last call
requests: requests a second as EBS counts them, one for every 256 KiB begun
reads, writes: requests a second as the kernel counts them
throughput_mibps: MiB/s, both ways
request_kib: KiB a request
read_ms, write_ms: mean latency, ms; NULL without requests
concurrency: requests in flight, on average

ebs_nvme
volume: EBS volume
metric: reads, writes, throughput, read latency, write latency, over (volume, instance) (IOPS, throughput) limit, queue mean, queue max
unit: 1/s, MiB/s, ms, % of time, requests
value: over the window

ebs_nvme_histogram
volume: EBS volume
operation: read or write
lower_us, upper_us: bounds of the latency, microseconds; upper_us NULL: none
requests: requests in it
share_pct: per cent of the volume's reads, or writes

ebs_queries
query_id: as of pg_stat_statements; NULL in the last row, which is what no statement accounts for
role, database: who executed it, and where
top_level: whether it was executed by a client itself, not within a function
calls, calls_s: executions that ended; a second
blocks_read, blocks_read_s, blocks_read_per_call: blocks asked of the kernel; a second; an execution
device_reads_s: read requests a second of it that reached the device
device_reads_s_low, device_reads_s_high: the least and the most that it can have been
demand_pct: per cent of all requests of the device, reads and writes
read_ms, read_ms_per_call: ms spent reading; NULL unless track_io_timing was on
temp_blocks_read, temp_blocks_written, temp_blocks_per_call: blocks of temporary files; both, an execution
blocks_dirtied, blocks_dirtied_per_call: buffers changed; an execution
wal_bytes, wal_bytes_s, wal_bytes_per_call: WAL generated, bytes; a second; an execution
wal_pct: per cent of all WAL
wal_fpi: full-page images in it
exec_ms_per_call: ms an execution
rows_per_call: rows an execution
hit_pct: per cent of the blocks asked for that shared_buffers had
statement: its text, as whoever asks may read it
note: what was evicted or reset, or what the row is

ebs_options
rank: 1 is recommended, if it is feasible; each role has its own
role: data, wal, data+wal, tablespace and its name, temp, dedicated log volume
volume_type, volumes: type, and number of volumes, striped evenly
size_gib, iops, throughput_mibps: GiB, I/Os a second and MiB/s of each volume
usd_month: US dollars a month of all volumes; NULL where a price is not known
feasible: true where it meets every requirement

ebs_options_detail
rank: 1 is recommended, if it is feasible; each role has its own
role: data, wal, data+wal, tablespace and its name, temp, dedicated log volume
volume_type, volumes: type, and how many of it, striped evenly
size_gib, iops, throughput_mibps: GiB, I/Os a second and MiB/s of each volume
usd_month: US dollars a month of all volumes; NULL where a price is not known
usd_month_saved: US dollars a month less than what was declared; negative where it is dearer
throttled_pct, throttled_pct_high: per cent of the time that waited for a limit in the replay; upper end of its interval, which decides
read_ms, write_ms: mean latency of a request, ms: predicted, else published for the type
throughput_ratio, throughput_ratio_low, throughput_ratio_high: predicted throughput of the database, times now; 90 % interval
risk: very low, low, medium, high or very high
bound_by: the predicted bottleneck of the database on it; without a prediction the limit that decides
feasible: whether it meets everything that was asked for
reason: why, or why not
usd_storage, usd_iops, usd_throughput: the parts of usd_month
price_doubt: what of the price is derived or unverified; NULL if nothing is
added_ms_p99: ms that waiting for the limits adds, 99th percentile over requests
credits_last_s: sampled seconds until burst credits ran out; NULL if they did not, or there are none
missed_by_pct: by how many per cent the requirement in reason was missed

ebs_price
usd_month: US dollars a month of all volumes
usd_storage, usd_iops, usd_throughput: its parts
price_date: of the oldest price list that was used
price_status: imported, listed, derived or unverified: of the price that is least sure
price_doubt: what is not straight from AWS's list; NULL if all is

ebs_findings
rank: 1 may save most
finding: statement, temporary files, checkpoints, fillfactor, autovacuum, index
subject: which statement or table
measured: what was seen
demand_pct: per cent of all the device's requests
requests_s_saved_low, requests_s_saved_high: requests a second that would be gone at least and at most; NULL where nothing can be saved
usd_month_saved: US dollars a month; NULL where it is not known
reason: why it costs so much
remedy: what to do

ebs_index_advice
rank: in the order of what is saved
kind: index, statement, duplicate, unused or missing
advised: whether to do it
relation: the table
ddl: the command
query_id, statement: the statement that gains most
cost_before, cost_after: the planner's cost of one call of it, without and with all advised indexes
blocks_before, blocks_after: pages the planner expects it to fetch, likewise
reads_s: measured reads a second of that statement
reads_s_saved: reads a second that the index would spare all statements
writes_s_added, wal_bytes_s_added: reads and writes a second, and bytes of WAL a second, that it would cost; below zero where one is dropped
net_reads_s_saved: reads_s_saved less writes_s_added
size_bytes: size of the index
volume_type, volumes, size_gib, iops, throughput_mibps: the volumes that would be recommended with it, each one's figures
usd_month, usd_month_saved: their US dollars a month, and how much less that is
reason: why, or why not

ebs_whatif
role: what of the cluster it is about
volume_type, volumes, size_gib, iops, throughput_mibps: what was asked about, completed; figures of each volume
throughput_ratio, throughput_ratio_low, throughput_ratio_high: throughput of the database, times now; 90 % interval
tps, tps_low, tps_high: transactions a second; NULL where they were not counted
response_ms, response_ms_low, response_ms_high: ms of a transaction, its client apart
read_ms, read_ms_low, read_ms_high: ms of a read request, its wait for the limit included
write_ms, write_ms_low, write_ms_high: ms of a write request, likewise
active_sessions: sessions at work, on average
in_flight: requests in flight, on average
device_iops, device_mibps: I/Os a second and MiB/s that the volume would do
cpu_pct: per cent of the CPUs; NULL where it is not known
bound_by: what would hold the database back
throttled_pct, added_ms_p99: of the recorded seconds run through its limits, as of ebs_options
usd_month: US dollars a month of all volumes; NULL where a price is not known
basis: where the service times come from
note: what is doubtful, or why there is no prediction

ebs_frontier
role: what of the cluster it is about
rank: cheapest first
volume_type, volumes, size_gib, iops, throughput_mibps: the volumes, each one's figures
usd_month, usd_month_more: US dollars a month, and what the next row costs more
throughput_ratio, throughput_ratio_low, throughput_ratio_high: throughput of the database, times now; 90 % interval
read_ms, write_ms: predicted mean latency of a request, ms
bound_by: what would hold the database back
recommended: whether ebs_options recommends it
note: what is doubtful, or why there is no prediction

ebs_report_card
test: what is graded
device: of which device
measured: the figure
unit: its unit
grade: A+ to D, with ~ before it where it is an approximation; NULL where nothing was measured
thresholds: below what each grade is given
basis: fio or live evidence
source: where the thresholds come from
note: how it was measured, or why not

ebs_latency_histogram
source: EBS statistics, or fio and the name of its job
device: the device or volume; NULL where fio saw several
kind: read or write
from_us, to_us: bounds of the latency, microseconds; to_us NULL: none
requests: requests in it
share_pct: per cent of its histogram
bar: the same as a bar

ebs_status
check: what is looked at
ok: whether it is well; NULL where it is neither well nor wrong
detail: what was found
hint: what to do about it

ebs_help
task: purpose of the function, such as get advice, compare or imports
function: its name
example: a call of it, a statement for psql

ebs_compare
metric: what is compared
unit: its unit
a, b: means of the runs on the two sides
ratio, ratio_low, ratio_high: b over a, and its 95 % interval
verdict: same, differs or not known in section gate; else better, worse, higher, lower, equivalent, same (both are 0), not compared or inconclusive
note: what to know of it
section: gate, driver, per second or per transaction
runs_a, runs_b: runs on each side in which it is known
detectable_pct: the least difference, per cent, that runs like these would find four times in five
p_value, p_adjusted, p_permutation: of no difference: by itself, corrected for the number of figures, and by dealing the runs out
$columns$;
    entry text;
    name text;
    function regprocedure;
BEGIN
    FOREACH entry IN ARRAY regexp_split_to_array(btrim(described, E'\n'), E'\n\n') LOOP
        name := split_part(entry, E'\n', 1);
        SELECT p.oid INTO function FROM pg_proc p JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
            JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'ebs_advisor' WHERE p.proname = name;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'there is no function %', name;
        END IF;
        EXECUTE format('COMMENT ON FUNCTION %s IS %L', function,
            split_part(obj_description(function, 'pg_proc'), E'\n\n', 1) || E'\n' || substr(entry, length(name) + 1));
    END LOOP;
END $do$;
