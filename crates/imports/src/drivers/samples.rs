//! Output of load drivers for tests, written by hand in their layout.

pub const PGBENCH: &str = "\
pgbench (18.6 (Debian 18.6-1.pgdg12+1), server 18.6)
starting vacuum...end.
progress: 5.0 s, 988.6 tps, lat 4.003 ms stddev 4.967, 0 failed
progress: 10.0 s, 1011.4 tps, lat 3.953 ms stddev 3.115, 2 failed
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 50
query mode: prepared
number of clients: 4
number of threads: 2
maximum number of tries: 1
duration: 10 s
number of transactions actually processed: 10002
number of failed transactions: 2 (0.020%)
latency average = 3.978 ms
latency stddev = 4.131 ms
initial connection time = 12.345 ms
tps = 1001.400000 (without initial connection time)
";

/// Two scripts, with figures of each and of statements, as -f twice and -r print them; -t in place of -T; version 13's two
/// lines of tps.
pub const PGBENCH_SCRIPTS: &str = "\
transaction type: multiple scripts
scaling factor: 1
query mode: simple
number of clients: 1
number of threads: 1
number of transactions per client: 100
number of transactions actually processed: 99/100
latency average = 1.250 ms
latency stddev = 0.500 ms
tps = 790.000000 (including connections establishing)
tps = 800.000000 (excluding connections establishing)
SQL script 1: a.sql
 - weight: 1 (targets 50.0% of total)
 - 50 transactions (50.0% of total, tps = 400.000000)
 - latency average = 9.000 ms
 - statement latencies in milliseconds:
         9.000  SELECT 1;
";

pub const TPROC_C: &str = "\
HammerDB CLI v4.12
Copyright (C) 2003-2024 Steve Shaw
Type \"help\" for a list of commands
Vuser 1 created MONITOR - WAIT IDLE
Vuser 1:RUNNING
Vuser 1:Beginning rampup time of 1 minutes
Vuser 2:RUNNING
0 PostgreSQL tpm
50310 PostgreSQL tpm
Vuser 1:Rampup 1 minutes complete ...
Vuser 1:Rampup complete, Taking start Transaction Count.
Vuser 1:Timing test period of 2 in minutes
51426 PostgreSQL tpm
Vuser 1:1  ...,
Vuser 1:2  ...,
Vuser 1:Test complete, Taking end Transaction Count.
Vuser 1:3 Active Virtual Users configured
Vuser 1:TEST RESULT : System achieved 20753 NOPM from 48102 PostgreSQL TPM
Vuser 1:Checkpoint and Vacuum
Vuser 1:FINISHED SUCCESS
Vuser 2:FINISHED SUCCESS
ALL VIRTUAL USERS COMPLETE
";

/// HammerDB with times, first_result=TPM, a snapshot of EDB's, no ramp-up, minutes that do not end their lines, as 6.0 may log it.
pub const TPROC_C_6: &str = "\
Hammerdb Log @ Sat Nov 21 08:52:40 UTC 2026
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
Timestamp 1 @ Sat Nov 21 08:53:48 UTC 2026
Vuser 1:Rampup complete, Taking start DRITA snapshot.
Timestamp 1 @ Sat Nov 21 08:53:48 UTC 2026
Vuser 1:Timing test period of 5 in minutes
Vuser 1:1  ...,2  ...,61000 PostgreSQL tpm
Vuser 1:3  ...,Vuser 1:Test complete, Taking end DRITA snapshot.
Timestamp 1 @ Sat Nov 21 08:58:49 UTC 2026
Vuser 1:8 Active Virtual Users configured
Timestamp 1 @ Sat Nov 21 08:58:49 UTC 2026
Vuser 1:TEST RESULT : System achieved 61890 PostgreSQL TPM at 26700 NOPM
ALL VIRTUAL USERS COMPLETE
";

pub const TPROC_H: &str = "\
Vuser 1:RUNNING
Vuser 1:Executing Query 14 (1 of 22)
Vuser 1:query 14 completed in 0.818 seconds
Vuser 1:query 2 completed in 1.5 seconds
Vuser 2:query 21 completed in 3.25 seconds
Vuser 1:Completed 1 query set(s) in 19 seconds
Vuser 1:Geometric mean of query times returning rows (22) is 0.58761
Vuser 1:FINISHED SUCCESS
Vuser 2:Completed 1 query set(s) in 21 seconds
Vuser 2:Geometric mean of query times returning rows (21) is \"0.61002\"
Vuser 2:FINISHED SUCCESS
ALL VIRTUAL USERS COMPLETE
";

/// A worker that cannot connect, and then the monitor: nothing ends the others, so nothing follows.
pub const TPROC_C_HANGS: &str = "\
Vuser 1:RUNNING
Vuser 2:RUNNING
Error in Virtual User 2: connection to server at \"db\" failed: FATAL:  too many connections
Vuser 2:FINISHED FAILED
Vuser 1:Beginning rampup time of 2 minutes
Error in Virtual User 1: connection is gone
Vuser 1:FINISHED FAILED
";

pub const JOB: &str = r#"hammerdb>{
  "674F1B0C5B1603E203130303": {
    "db": "PostgreSQL",
    "bm": "TPC-C",
    "tstamp": "2026-11-21 08:53:48",
    "activevu": "3",
    "nopm": "20753",
    "tpm": "48102"
  }
}
"#;

pub const SYSBENCH: &str = "\
sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 4
Report intermediate results every 5 second(s)
Initializing random number generator from current time


Initializing worker threads...

Threads started!

[ 5s ] thds: 4 tps: 702.00 qps: 14053.04 (r/w/o: 9839.23/2808.41/1405.40) lat (ms,95%): 11.65 err/s: 0.20 reconn/s: 0.00
[ 10s ] thds: 4 tps: 0.00 qps: 0.00 (r/w/o: 0.00/0.00/0.00) lat (ms,95%): 0.00 err/s: 0.00 reconn/s: 0.00
SQL statistics:
    queries performed:
        read:                            98392
        write:                           28112
        other:                           14056
        total:                           140560
    transactions:                        7028   (702.45 per sec.)
    queries:                             140560 (14049.01 per sec.)
    ignored errors:                      1      (0.10 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          10.0042s
    total number of events:              7028

Latency (ms):
         min:                                    2.58
         avg:                                    5.69
         max:                                   45.01
         95th percentile:                       11.65
         sum:                                39987.22

Threads fairness:
    events (avg/stddev):           1757.0000/4.53
    execution time (avg/stddev):   9.9968/0.00
";

pub const SYSBENCH_FILEIO: &str = "\
Threads started!

[ 5s ] reads: 214.13 MiB/s writes: 142.76 MiB/s fsyncs: 0.00/s latency (ms,95%): 0.243

File operations:
    reads/s:                      13704.55
    writes/s:                     9136.37
    fsyncs/s:                     0.00

Throughput:
    read, MiB/s:                  214.13
    written, MiB/s:               142.76

General statistics:
    total time:                          5.0001s
    total number of events:              114205

Latency (ms):
         min:                                    0.00
         avg:                                    0.09
         max:                                    8.12
         95th percentile:                        0.24
         sum:                                 9911.02

Threads fairness:
    events (avg/stddev):           57102.5000/10.00
    execution time (avg/stddev):   4.9555/0.00
";

pub const GOTPC: &str = "\
[Current] NEW_ORDER - Takes(s): 10.0, Count: 2212, TPM: 13274.9, Sum(ms): 22000.0, Avg(ms): 9.9, 50th(ms): 9.4, 90th(ms): 13.1, 95th(ms): 14.7, 99th(ms): 21.0, 99.9th(ms): 33.6, Max(ms): 48.2
[Current] PAYMENT - Takes(s): 10.0, Count: 2101, TPM: 12604.9, Sum(ms): 9000.0, Avg(ms): 4.3, 50th(ms): 4.2, 90th(ms): 6.3, 95th(ms): 7.3, 99th(ms): 10.5, 99.9th(ms): 16.8, Max(ms): 20.1
Finished
[Summary] NEW_ORDER - Takes(s): 20.0, Count: 5071, TPM: 15215.2, Sum(ms): 50203.0, Avg(ms): 9.9, 50th(ms): 9.4, 90th(ms): 13.1, 95th(ms): 14.7, 99th(ms): 21.0, 99.9th(ms): 33.6, Max(ms): 48.2
[Summary] PAYMENT - Takes(s): 20.0, Count: 4830, TPM: 14492.1, Sum(ms): 20769.0, Avg(ms): 4.3, 50th(ms): 4.2, 90th(ms): 6.3, 95th(ms): 7.3, 99th(ms): 10.5, 99.9th(ms): 16.8, Max(ms): 20.1
tpmC: 15215.2, tpmTotal: 33905.4, efficiency: 59157.0%
";

/// `--output json` of 1.0.9 and later.
pub const GOTPC_JSON: &str = r#"maxprocs: 16
[{"50th(ms)":"9.4","95th(ms)":"14.7","99.9th(ms)":"33.6","Avg(ms)":"9.9","Count":"2212","Max(ms)":"48.2","Operation":"NEW_ORDER","Prefix":"[Current] ","Sum(ms)":"22000.0","TPM":"13274.9","Takes(s)":"10.0"}]
Finished
[{"50th(ms)":"9.4","95th(ms)":"14.7","99.9th(ms)":"33.6","Avg(ms)":"9.9","Count":"5071","Max(ms)":"48.2","Operation":"NEW_ORDER","Prefix":"[Summary] ","Sum(ms)":"50203.0","TPM":"15215.2","Takes(s)":"20.0"}]
[{"efficiency":"59157.0%","tpmC":"15215.2","tpmTotal":"33905.4"}]
"#;

/// `--output table`, cut in width.
pub const GOTPC_TABLE: &str = "\
+-----------+-----------+----------+-------+---------+---------+----------+
|  PREFIX   | OPERATION | TAKES(S) | COUNT |   TPM   | AVG(MS) | 95TH(MS) |
+-----------+-----------+----------+-------+---------+---------+----------+
| [Summary] | NEW_ORDER |     20.0 |  5071 | 15215.2 |     9.9 |     14.7 |
+-----------+-----------+----------+-------+---------+---------+----------+
+---------+----------+------------+
|  TPMC   | TPMTOTAL | EFFICIENCY |
+---------+----------+------------+
| 15215.2 |  33905.4 | 59157.0%   |
+---------+----------+------------+
";

/// Client 0 and 1, a failure, one skipped; a lag behind some.
pub const TRANSACTIONS: &str = "\
0 1 4000 0 1763712000 500000
1 1 2000 0 1763712000 900000 12
0 2 failed 0 1763712001 100000
1 2 skipped 0 1763712001 200000
0 3 6000 0 1763712001 300000
1 3 8000 0 1763712002 500000
";

pub const INTERVALS: &str = "\
1763712000 100 400000 1700000000 2000 9000 0 0 0 0 0 0 0 1 0
1763712010 200 600000 1900000000 1500 8000 0 0 0 0 0 0 0 0 2
1763712020 50 150000 470000000 1500 7000 0 0 0 0 0 0 0 0 0
";
