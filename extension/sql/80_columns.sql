-- Descriptions of the columns that functions return.
--
-- PostgreSQL has no comments on columns that a function returns. So they are part of the function's own comment, a line each with its
-- unit, where \df+ shows them and docs/reference.md takes them from; tests/live/reference.sh checks that none is missing.

-- From here on nothing is created: all names are PostgreSQL's.
SET LOCAL search_path TO pg_catalog, pg_temp;

DO $do$
DECLARE
    described CONSTANT text := $columns$
ebs_import_configuration
kind: volume, instance, db instance or modification
objects: number of objects that the documents have
changed: number of those that are new, or different from the latest import

ebs_prices
volume_type: AWS's name of the volume type
part: billed item: storage, iops, iops above 32000, iops above 64000, throughput
unit: unit of the item: GiB, IOPS or MiB/s
usd: US dollars a month for one unit
status: imported, listed, derived or unverified
basis: price list, or method of derivation
published: time at which AWS published that list

ebs_io_mix
volume: device or EBS volume
role: part of the cluster on it: data, wal, tablespace and its name, temp
metric: requests, reads, writes, throughput, read throughput, write throughput, request size, read share, read latency, write latency, concurrency (average queue depth)
unit: 1/s, MiB/s, KiB, %, ms; none for concurrency
mean: total over total
p50, p95, p99, max: over the sampled intervals, each an observed value
p99_low, p99_high: 95 % lower and 95 % upper bound of p99; NULL where the metric has none

ebs_io_sources
backend_type, object, context: as in pg_stat_io
read_bytes, write_bytes, extend_bytes: bytes read, written, and added to files
fsyncs: fsync calls
hits: buffers found in shared_buffers
stall_ms: I/O wait time, ms; NULL if track_io_timing (track_wal_io_timing) was off
share_pct: per cent of the bytes of all rows

ebs_io_sessions
backend_type: as in pg_stat_activity
database, role, application_name: database, role and application_name of the sessions; NULL if the setting was off
read_bytes, write_bytes, extend_bytes: bytes read, written (WAL too), and added to files
share_pct: per cent of the bytes of all rows

ebs_balance
line: source of the I/O in PostgreSQL, difference between two counts, or volume
side: origin of the count: PostgreSQL, kernel or device
read_bytes, write_bytes: bytes; negative if subtracted
read_pct, write_pct: per cent of the device's bytes
note: limitation of the line, or the reason why it is unknown

ebs_waits
backend_type: as in pg_stat_activity
wait_class, wait_event: as in pg_stat_activity; CPU* if there is no wait event
kind: active (database time), client (waits for its client) or idle
average_active_sessions: average number of processes in this state
db_time_pct: per cent of database time; NULL for client and idle
database, role, application_name, query_id: attributes of the processes; NULL unless the setting was on

ebs_workload
metric: name of the figure
value: mean over the time for which it is known
unit: unit of value
detail: definition, and the share of time for which it is known

ebs_device_samples
ended_at: end of the interval
seconds: length of the interval, seconds
volume: device or EBS volume
reads, writes: completed requests, as the kernel counts them
read_bytes, write_bytes: bytes read and written
read_ms, write_ms: sum of the latencies of these requests, ms

ebs_demand_histogram
volume: EBS volume ID; the device where none is known
device: device
metric: requests (as EBS counts them on SSD volumes) or bytes
le: upper bound of demand per second; Infinity in the last row of a metric. A bound without seconds of its own has no row
seconds: seconds with demand up to le, a counter
total: requests or bytes of all rows of the metric, a counter

ebs_sample
volume: device or EBS volume
role: part of the cluster on it
seconds: seconds since the last call
requests: requests per second as EBS counts them, one for every 256 KiB begun
reads, writes: requests per second as the kernel counts them
throughput_mibps: MiB/s, reads and writes
request_kib: KiB per request
read_ms, write_ms: mean latency, ms; NULL without requests
concurrency: average queue depth, requests

ebs_nvme
volume: EBS volume
metric: reads, writes, throughput, read latency, write latency, over (volume, instance) (IOPS, throughput) limit, queue mean, queue max
unit: 1/s, MiB/s, ms, % of time, requests
value: mean over the window; for queue max the maximum

ebs_nvme_histogram
volume: EBS volume
operation: read or write
lower_us, upper_us: bounds of the latency, microseconds; upper_us is NULL if there is none
requests: requests in the bin
share_pct: per cent of the volume's reads, or writes

ebs_queries
query_id: as in pg_stat_statements; NULL in the last row, which is the I/O of no statement
role, database: role that executed it, and its database
top_level: true if a client executed it directly, not within a function
calls, calls_s: executions that ended; per second
blocks_read, blocks_read_s, blocks_read_per_call: blocks read from the kernel; per second; per execution
device_reads_s: its read requests per second that reached the device
device_reads_s_low, device_reads_s_high: lower and upper bound of device_reads_s
demand_pct: per cent of all requests of the device, reads and writes
read_ms, read_ms_per_call: ms spent reading; NULL unless track_io_timing was on
temp_blocks_read, temp_blocks_written, temp_blocks_per_call: blocks of temporary files read; written; both, per execution
blocks_dirtied, blocks_dirtied_per_call: buffers changed; per execution
wal_bytes, wal_bytes_s, wal_bytes_per_call: WAL generated, bytes; per second; per execution
wal_pct: per cent of all WAL
wal_fpi: full-page images in its WAL
exec_ms_per_call: ms per execution
rows_per_call: rows per execution
hit_pct: per cent of its blocks found in shared_buffers
statement: text of the statement, if the caller may read it
note: evictions and resets, or the meaning of the row

ebs_options
rank: 1 is recommended if it is feasible, and under an instance's limit the one until that is larger; each role has its own ranks; NULL of WAL apart
role: data, wal, data+wal, tablespace and its name, temp, dedicated log volume; data without WAL, separate WAL: two volumes instead of data+wal; smaller by Blue/Green: storage of RDS by a Blue/Green deployment
volume_type, volumes: type, and number of volumes, striped evenly
size_gib, iops, throughput_mibps: GiB, I/Os a second and MiB/s of each volume
usd_month: US dollars a month of all volumes; NULL if a price is unknown
feasible: true if it meets every requirement

ebs_options_detail
rank: 1 is recommended if it is feasible, and under an instance's limit the one until that is larger; each role has its own ranks; NULL of WAL apart
role: data, wal, data+wal, tablespace and its name, temp, dedicated log volume; data without WAL, separate WAL: two volumes instead of data+wal; smaller by Blue/Green: storage of RDS by a Blue/Green deployment
volume_type, volumes: type, and number of volumes, striped evenly
size_gib, iops, throughput_mibps: GiB, I/Os a second and MiB/s of each volume
usd_month: US dollars a month of all volumes; NULL if a price is unknown
usd_month_saved: saving against the declared volumes, US dollars a month; negative if it costs more
throttled_pct, throttled_pct_high: per cent of time throttled in the replay of the recorded demand; upper end of its 95 % interval, which decides
read_ms, write_ms: mean latency of a request, ms: predicted with its wait for the limit; without wait events of the volume alone, no queue, where ebs_whatif has the wait
throughput_ratio, throughput_ratio_low, throughput_ratio_high: predicted throughput of the database, relative to the current one; 90 % interval
risk: very low, low, medium, high or very high
bound_by: predicted bottleneck of the database on it, of today's volumes that of the run; without a prediction the limit that decides
feasible: true if it meets every requirement
reason: reason why it is or is not feasible
usd_storage, usd_iops, usd_throughput: parts of usd_month
price_doubt: part of the price that is derived or unverified; NULL if none is
added_ms_p99: latency that the limits add, ms, 99th percentile over requests
credits_last_s: seconds until burst credits run out, perhaps after the samples; NULL if they do not, or the type has none
missed_by_pct: per cent by which the requirement in reason was missed

ebs_price
usd_month: US dollars a month of all volumes
usd_storage, usd_iops, usd_throughput: parts of usd_month
price_date: date of the oldest price list used
price_status: imported, listed, derived or unverified, of the least certain price
price_doubt: part of the price that is not directly from AWS's list; NULL if all is

ebs_restore_time
volume: name in the declaration or configuration; NULL of volumes that size_gib names
way: from a snapshot at the default or a provisioned rate, by fast snapshot restore, or as a copy
available_hours: hours until the volumes can be attached; NULL if AWS publishes none
fast_hours: hours until they have their full performance; NULL if AWS publishes none
usd: US dollars of this restore, beside the volumes'; NULL if unknown
usd_month: US dollars a month of being ready for it; NULL if unknown
source: page of the time, and origin of the price
note: what it takes, and what its time does not say

ebs_aurora
storage_type: aurora (Standard) or aurora-iopt1 (I/O-Optimized); the cheaper one first
cheaper: true if it costs less; NULL if a part of either is unknown
usd_month, usd_instances, usd_storage, usd_requests: US dollars a month and its parts; NULL if unknown
usd_month_saved: saving against the other configuration, US dollars a month; negative if it costs more
requests_pct: per cent that requests are of the cost of Standard
break_even_pct: the same at the break-even
requests_month, requests_month_low, requests_month_high: billed requests a month; 95 % interval, NULL for less than a week
break_even_requests: requests a month at which both configurations cost the same
size_gib: mean storage used, GiB
price_date, price_doubt: date, status and source of the built-in prices; NULL if all are given
limitations: limitations of the figures; NULL if there are none

ebs_findings
rank: findings with a price first, then the largest saving first
finding: statement, temporary files, checkpoints, fillfactor, autovacuum, index
subject: statement or table
measured: measured evidence
demand_pct: per cent of all requests of the device
requests_s_saved_low, requests_s_saved_high: lower and upper bound of the saving, requests per second of the device, of which EBS may merge some; NULL if nothing can be saved
usd_month_saved: saving, US dollars a month; NULL if unknown
reason: reason of the cost
remedy: action that removes the cause

ebs_index_advice
rank: order of the saving
kind: index, statement, duplicate, unused or missing
advised: true if the command is recommended
relation: table of the index
ddl: command
query_id, statement: the statement that gains most
cost_before, cost_after: planner's cost of one call of that statement, without and with all advised indexes
blocks_before, blocks_after: pages per call that the planner expects to fetch, without and with all advised indexes
reads_s: measured reads per second of that statement
reads_s_saved: reads per second that the index would save, over all statements
writes_s_added, wal_bytes_s_added: reads and writes per second, and bytes of WAL per second, that the index would cost; negative if one is dropped
net_reads_s_saved: reads_s_saved less writes_s_added
size_bytes: size of the index
volume_type, volumes, size_gib, iops, throughput_mibps: recommended volumes with the index; figures of each volume
usd_month, usd_month_saved: US dollars a month of these volumes; saving
reason: reason why it is or is not advised

ebs_whatif
role: part of the cluster on the volumes
volume_type, volumes, size_gib, iops, throughput_mibps: given volumes, completed by defaults; figures of each volume
throughput_ratio, throughput_ratio_low, throughput_ratio_high: predicted throughput of the database, relative to the current one; 90 % interval
tps, tps_low, tps_high: transactions per second; NULL if neither counted nor, without waits, reported by a load driver
response_ms, response_ms_low, response_ms_high: response time of a transaction, ms, without think time
read_ms, read_ms_low, read_ms_high: latency of a read request, ms, including its wait for the limit; NULL for WAL's own volume, which is only written
write_ms, write_ms_low, write_ms_high: latency of a write request, ms, including its wait for the limit
active_sessions: average active sessions
in_flight: average queue depth, requests
device_iops, device_mibps: I/Os per second and MiB/s of the volumes
cpu_pct: per cent of the CPUs; NULL if unknown
bound_by: predicted bottleneck of the database
throttled_pct, added_ms_p99: replay of the recorded seconds on these volumes, as in ebs_options_detail
usd_month: US dollars a month of all volumes; NULL if a price is unknown
basis: source of the service times
note: uncertainties, or the reason why there is no prediction

ebs_frontier
role: part of the cluster on the volumes
rank: rank by price, cheapest first
volume_type, volumes, size_gib, iops, throughput_mibps: volumes; figures of each volume
usd_month, usd_month_more: US dollars a month; additional price of the next row
throughput_ratio, throughput_ratio_low, throughput_ratio_high: predicted throughput of the database, relative to the current one; 90 % interval
read_ms, write_ms: predicted mean latency of a request, ms
bound_by: predicted bottleneck of the database
recommended: true if ebs_options recommends it
note: uncertainties, or the reason why there is no prediction

ebs_report_card
test: graded test
device: tested device
measured: measured figure
unit: unit of measured
grade: A+ to D, with ~ before an approximation; NULL without a measurement
thresholds: upper bound of each grade
basis: fio or live evidence
source: source of the thresholds
note: method of the measurement, or the reason why there is none

ebs_latency_histogram
source: EBS statistics, or fio and the name of its job
device: device or volume; NULL if fio used several
kind: read or write
from_us, to_us: bounds of the latency, microseconds; to_us is NULL if there is none
requests: requests in the bucket
share_pct: per cent of the requests of the histogram
bar: share as a bar

ebs_status
check: subject of the check
ok: true if in order, false if not; NULL if neither
detail: result of the check
hint: recommended action

ebs_help
task: purpose of the function, such as get advice, compare or imports
function: name of the function
example: statement for psql that calls it

ebs_compare
metric: name of the figure or condition
unit: unit of a and b
a, b: means of the runs on the two sides
ratio, ratio_low, ratio_high: b over a, and its 95 % interval
verdict: same, differs or not known in section gate; else better, worse, higher, lower, equivalent, same (both are 0), not compared or inconclusive
note: limitation or explanation of the row
section: gate, driver, per second or per transaction
runs_a, runs_b: number of runs on each side that have the figure
detectable_pct: smallest difference, per cent, that such runs would detect four times in five
p_value, p_adjusted, p_permutation: p-value of no difference; corrected for the number of figures; of the permutation test

ebs_compare_change
metric, unit, a, b, ratio, ratio_low, ratio_high, verdict, note, section, detectable_pct, p_value, p_adjusted, p_permutation: as of ebs_compare, a being before the change and b after it
runs_a, runs_b: 1 where that part has the figure
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
