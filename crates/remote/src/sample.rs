//! One reading of the fast counters, a second's: pg_stat_io, pg_stat_wal and the block devices, in one query.

use std::collections::BTreeMap;

use ebs_base::counter::Counters;
use ebs_linux::diskstats;
use ebs_samples::evidence::{
    DeviceCounts, IoCounts, IoKey, Snapshot, StorageLayout, Timing, WalCounts, WalWriteCounts,
};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::activity::{self, Sweep};
use crate::answer::parse_values;
use crate::clock::ReadingTimes;
use crate::devices::{DeviceSource, MAX_FILE_BYTES};
use crate::error::AnswerError;
use crate::files::is_file;
use crate::query::Query;
use crate::server::{Server, microseconds};

/// Most values of a reading. Those of a sweep, eight a session, take 20 bytes in memory, less than others: 12,000 sessions at work are ten
/// sweeps of so many.
const MAX_VALUES: usize = 1_000_000;

/// First major version with pg_stat_io, and the first with pg_stat_wal.
const FIRST_WITH_IO: u32 = 16;
const FIRST_WITH_WAL: u32 = 14;

/// First major version that counts WAL in pg_stat_io, and bytes in place of blocks.
const FIRST_WITH_BYTES: u32 = 18;

/// Returns the query of a reading; its one value is parsed by [`Reading::parse`]. Before it there are sweeps over the sessions, scheduled
/// from this time by the server's clock, microseconds since 1970; none for `None`.
pub fn query(server: &Server, devices: &DeviceSource, sweeps_from_us: Option<i64>) -> Query {
    let sweeps = sweeps_from_us.map_or_else(|| "NULL".to_owned(), activity::sweeps);
    let now = microseconds("pg_catalog.clock_timestamp()");
    Query::new(format!(
        "SELECT pg_catalog.json_build_object('pid', pg_catalog.pg_backend_pid(), 'started_us', {started}, \
         'arrived_us', {now}, 'sweeps', {sweeps}, 'began_us', {now}, \
         'disks', {disks}, 'ended_us', {now}, 'io', {io}, 'wal', {wal}, 'epoch', {epoch}, \
         'io_timed', pg_catalog.current_setting('track_io_timing')::bool, \
         'wal_timed', coalesce(pg_catalog.current_setting('track_wal_io_timing', true), 'off')::bool)::text AS value",
        started = microseconds("pg_catalog.pg_postmaster_start_time()"),
        disks = devices.diskstats(),
        io = io(server),
        wal = wal(server),
        epoch = epoch(server),
    ))
}

/// Rows of pg_stat_io in which anything was counted, in the order of [`IoRow`].
fn io(server: &Server) -> String {
    if !server.is_at_least(FIRST_WITH_IO) {
        return "NULL".to_owned();
    }
    let bytes = |operation: &str| match server.is_at_least(FIRST_WITH_BYTES) {
        true => format!("coalesce({operation}_bytes, 0)::bigint"),
        false => format!("(coalesce({operation}s, 0) * op_bytes)::bigint"),
    };
    let us = |times: &str| format!("(1000 * ({times}))::bigint");
    let [read_us, write_us, extend_us, fsync_us] = [
        us("coalesce(read_time, 0)"),
        us("coalesce(write_time, 0) + coalesce(writeback_time, 0)"),
        us("coalesce(extend_time, 0)"),
        us("coalesce(fsync_time, 0)"),
    ];
    format!(
        "(SELECT pg_catalog.json_agg(pg_catalog.json_build_array(backend_type, object, context, pg_catalog.json_build_array({}, {}, {}, \
         coalesce(fsyncs, 0), coalesce(hits, 0), {read_us}, {write_us}, {extend_us}, {fsync_us}), coalesce(writes, 0))) \
         FROM pg_catalog.pg_stat_io \
         WHERE coalesce(reads, 0) + coalesce(writes, 0) + coalesce(extends, 0) + coalesce(hits, 0) + coalesce(fsyncs, 0) \
           + coalesce(writebacks, 0) > 0)",
        bytes("read"),
        bytes("write"),
        bytes("extend"),
    )
}

/// Counters of pg_stat_wal: records, full-page images, bytes; before PostgreSQL 18 then writes, fsyncs and their times.
fn wal(server: &Server) -> String {
    let writes = match server.is_at_least(FIRST_WITH_BYTES) {
        _ if !server.is_at_least(FIRST_WITH_WAL) => return "NULL".to_owned(),
        true => "",
        false => ", wal_write, wal_sync, (1000 * wal_write_time)::bigint, (1000 * wal_sync_time)::bigint",
    };
    let counters = format!("wal_records, wal_fpi, wal_bytes::bigint{writes}");
    format!("(SELECT pg_catalog.json_build_array({counters}) FROM pg_catalog.pg_stat_wal)")
}

/// A number that changes with every reset of these counters.
fn epoch(server: &Server) -> String {
    let reset = |view: &str| format!("coalesce((SELECT max({}) FROM {view}), 0)", microseconds("stats_reset"));
    match (server.is_at_least(FIRST_WITH_IO), server.is_at_least(FIRST_WITH_WAL)) {
        (true, _) => format!("{} + {} / 2", reset("pg_catalog.pg_stat_io"), reset("pg_catalog.pg_stat_wal")),
        (_, true) => reset("pg_catalog.pg_stat_wal"),
        _ => "0".to_owned(),
    }
}

/// A reading.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Process id of the backend that took it.
    pub pid: i32,
    /// Start of the server, microseconds since 1970.
    pub started_us: i64,
    /// Sweeps over the sessions before it, in time order.
    pub sweeps: Vec<Sweep>,
    /// Beginning of the query, and beginning and end of the reading, by the server's clock, microseconds since 1970.
    server_times: [i64; 3],
    /// Counters of every block device; `None` where they are unknown.
    devices: Option<BTreeMap<String, DeviceCounts>>,
    io: Option<BTreeMap<IoKey, IoCounts>>,
    wal: Option<WalCounts>,
    wal_writes: Option<WalWriteCounts>,
    epoch: i64,
    timing: Timing,
}

#[derive(Deserialize)]
struct Answer {
    pid: i32,
    started_us: i64,
    arrived_us: i64,
    sweeps: Option<Vec<(IgnoredAny, IgnoredAny, Sweep)>>,
    began_us: i64,
    ended_us: i64,
    disks: Option<String>,
    io: Option<Vec<IoRow>>,
    wal: Option<Vec<u64>>,
    epoch: i64,
    io_timed: bool,
    wal_timed: bool,
}

/// Names of a row, its counters in the order of [`IoCounts`], and calls that wrote.
#[derive(Deserialize)]
struct IoRow {
    backend_type: String,
    object: String,
    context: String,
    counters: [u64; 9],
    writes: u64,
}

impl IoRow {
    fn into_counts(self) -> Option<(IoKey, IoCounts)> {
        let IoRow { backend_type, object, context, counters, .. } = self;
        Some((IoKey { backend_type, object, context }, IoCounts::from_fields(&counters)?))
    }

    /// Calls that wrote WAL, without those that create segments, which are of another context.
    fn wal_writes(&self) -> u64 {
        if self.object == "wal" && self.context == "normal" { self.writes } else { 0 }
    }
}

impl Reading {
    /// Parses the answer to [`query`].
    pub fn parse(text: &str) -> Result<Reading, AnswerError> {
        let answer: Answer = parse_values(text, MAX_VALUES)?;
        let devices = answer.disks.as_deref().map(parse_devices).transpose()?;
        let (wal, before_18) = parse_wal(answer.wal.as_deref())?;
        // From PostgreSQL 18 on pg_stat_io has them; before, pg_stat_wal.
        let in_io = || answer.io.as_ref().map(|rows| rows.iter().map(IoRow::wal_writes).sum());
        let wal_writes = before_18.map(|row| row.writes).or_else(in_io).map(|writes| WalWriteCounts { writes });
        let io = answer.io.map(|rows| rows.into_iter().map(IoRow::into_counts).collect::<Option<BTreeMap<_, _>>>());
        let mut io = io.map(|rows| rows.ok_or(AnswerError::Columns("pg_stat_io"))).transpose()?;
        if let Some(rows) = &mut io {
            rows.extend(before_18.map(|row| row.io_row(wal.unwrap_or_default())));
        }
        Ok(Reading {
            pid: answer.pid,
            started_us: answer.started_us,
            sweeps: answer.sweeps.into_iter().flatten().map(|(_, _, sweep)| sweep).collect(),
            server_times: [answer.arrived_us, answer.began_us, answer.ended_us],
            devices,
            io,
            wal,
            wal_writes,
            epoch: answer.epoch,
            timing: Timing { io: answer.io_timed, wal: answer.wal_timed },
        })
    }

    /// Times of the reading, whose query was sent and answered at these times by our clock, microseconds.
    pub fn times(&self, sent_us: u64, received_us: u64) -> ReadingTimes {
        let [arrived_us, began_us, ended_us] = self.server_times;
        ReadingTimes { sent_us, received_us, arrived_us, began_us, ended_us }
    }

    /// Names of block devices that were read.
    pub fn device_names(&self) -> impl Iterator<Item = &str> {
        self.devices.iter().flatten().map(|(name, _)| name.as_str())
    }

    /// The reading as the recorder takes it, for these volumes; `mono_us` is a clock that counts the intervals that are kept.
    pub fn into_snapshot(self, times: &ReadingTimes, mono_us: u64, layout: &StorageLayout) -> Snapshot {
        let of_volumes = |devices: BTreeMap<String, DeviceCounts>| {
            let disks: Vec<&str> = layout.volumes.iter().flat_map(|volume| volume.disks()).collect();
            devices.into_iter().filter(|(name, _)| disks.contains(&name.as_str())).collect()
        };
        Snapshot {
            at_us: times.at_us(),
            mono_us,
            devices: self.devices.map(of_volumes),
            io: self.io,
            wal: self.wal,
            wal_writes: self.wal_writes,
            statistics_epoch: self.epoch,
            timing: self.timing,
        }
    }
}

fn parse_devices(text: &str) -> Result<BTreeMap<String, DeviceCounts>, AnswerError> {
    if !is_file(text) {
        return Err(AnswerError::TooLarge { max: MAX_FILE_BYTES as usize, unit: "bytes of /proc/diskstats" });
    }
    let disks = diskstats(text.as_bytes()).map_err(|error| AnswerError::Diskstats(error.to_string()))?;
    Ok(disks.into_iter().map(|disk| (disk.name, disk.counts)).collect())
}

/// Writes of WAL as pg_stat_wal has them before PostgreSQL 18.
#[derive(Clone, Copy)]
struct WalWrites {
    writes: u64,
    fsyncs: u64,
    write_us: u64,
    fsync_us: u64,
}

impl WalWrites {
    /// The row of pg_stat_io that PostgreSQL 18 would have: the WAL generated is a lower bound of the bytes written.
    fn io_row(self, wal: WalCounts) -> (IoKey, IoCounts) {
        let key = IoKey { backend_type: "any".into(), object: "wal".into(), context: "normal".into() };
        let counts = IoCounts {
            write_bytes: wal.bytes,
            fsyncs: self.fsyncs,
            write_us: self.write_us,
            fsync_us: self.fsync_us,
            ..IoCounts::default()
        };
        (key, counts)
    }
}

fn parse_wal(counters: Option<&[u64]>) -> Result<(Option<WalCounts>, Option<WalWrites>), AnswerError> {
    let wal = |records, full_page_images, bytes| Some(WalCounts { records, full_page_images, bytes });
    match counters {
        None => Ok((None, None)),
        Some(&[records, images, bytes]) => Ok((wal(records, images, bytes), None)),
        Some(&[records, images, bytes, writes, fsyncs, write_us, fsync_us]) => {
            Ok((wal(records, images, bytes), Some(WalWrites { writes, fsyncs, write_us, fsync_us })))
        }
        Some(_) => Err(AnswerError::Columns("pg_stat_wal")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(io: &str, wal: &str) -> String {
        format!(
            r#"{{"pid":7,"started_us":1,"arrived_us":9,"sweeps":null,"began_us":10,"ended_us":12,"disks":" 259 1 nvme1n1 100 5 800 70 30 2 240 90 1 60 161\n",
            "io":{io},"wal":{wal},"epoch":3,"io_timed":true,"wal_timed":false}}"#
        )
    }

    const ROW: &str = r#"["client backend","relation","normal",[8192,16384,0,0,9,1000,2000,0,0],2]"#;

    #[test]
    fn before_18_writes_of_wal_are_a_row_of_their_own() {
        let reading = Reading::parse(&answer(&format!("[{ROW}]"), "[5,1,4096,7,6,300,400]")).unwrap();
        let io = reading.io.as_ref().unwrap();
        let wal = io.iter().find(|(key, _)| key.object == "wal").unwrap();
        assert_eq!(
            (wal.0.backend_type.as_str(), wal.1.fsyncs, wal.1.write_bytes, wal.1.fsync_us),
            ("any", 6, 4096, 400)
        );
        assert_eq!((io.len(), reading.wal_writes), (2, Some(WalWriteCounts { writes: 7 })));
    }

    #[test]
    fn from_18_on_calls_that_wrote_wal_are_those_of_pg_stat_io() {
        let wal = r#"["walwriter","wal","normal",[0,8192,0,3,0,0,10,0,20],11]"#;
        let init = r#"["client backend","wal","init",[0,8192,0,3,0,0,10,0,20],500]"#;
        let reading = Reading::parse(&answer(&format!("[{ROW},{wal},{init}]"), "[5,1,4096]")).unwrap();
        assert_eq!(reading.wal_writes, Some(WalWriteCounts { writes: 11 }));
        assert_eq!(reading.io.unwrap().len(), 3);
    }

    #[test]
    fn without_pg_stat_io_and_devices_nothing_is_zero() {
        let text = r#"{"pid":7,"started_us":1,"arrived_us":9,"sweeps":null,"began_us":10,"ended_us":12,"disks":null,"io":null,"wal":null,"epoch":0,
            "io_timed":false,"wal_timed":false}"#;
        let reading = Reading::parse(text).unwrap();
        assert!(
            reading.devices.is_none() && reading.io.is_none() && reading.wal.is_none() && reading.wal_writes.is_none()
        );
    }

    #[test]
    fn an_answer_that_was_cut_off_is_refused() {
        let whole = answer("null", "null");
        assert!(Reading::parse(&whole).is_ok());
        for length in (0..whole.len()).filter(|length| whole.is_char_boundary(*length)) {
            assert!(Reading::parse(&whole[..length]).is_err());
        }
        assert!(Reading::parse(&whole.replace("nvme1n1 100", "nvme1n1")).is_err());
        assert!(Reading::parse(&answer("null", "[1,2]")).is_err());
    }
}
