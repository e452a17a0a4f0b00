//! History as the sampler would have written it, from seconds of device counts: for benchmarks and tests.
//!
//! Reads lines `microseconds since 1970,reads,writes,read_bytes,write_bytes`, and where wanted `,used_bytes` of a filesystem
//! of 500 GiB; writes rows of `ebs.sample_block` for COPY: started_at, ended_at, span_s, ticks, format, samples. Each block
//! holds fifteen seconds, thirty rows of pg_stat_io and twenty waits: a busy server.

// A program: it reads and writes its console.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::io::{BufRead, BufWriter, Write};

use ebs_samples::evidence::codec::{FORMAT, encode};
use ebs_samples::evidence::{
    Block, CounterDelta, DeviceCounts, IoCounts, IoKey, Role, Sample, Sampling, StorageLayout, Timed, Totals, Volume,
    WaitKey, WaitTotals, WalCounts,
};

/// Seconds in a block: the default flush interval.
const SECONDS: usize = 15;
const BACKENDS: [&str; 6] =
    ["client backend", "autovacuum worker", "background worker", "checkpointer", "background writer", "walwriter"];
const CONTEXTS: [&str; 5] = ["normal", "vacuum", "bulkread", "bulkwrite", "init"];
const EVENTS: [&str; 20] = [
    "DataFileRead",
    "DataFileWrite",
    "DataFileExtend",
    "DataFileSync",
    "WalSync",
    "WalWrite",
    "WALInsert",
    "ProcArray",
    "BufferContent",
    "BufferMapping",
    "transactionid",
    "tuple",
    "extend",
    "ClientRead",
    "ClientWrite",
    "CheckpointWriteDelay",
    "WalWriterMain",
    "BgwriterMain",
    "AutovacuumMain",
    "CheckpointerMain",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut samples = Vec::with_capacity(SECONDS);
    let (mut blocks, mut used_bytes) = (0u64, None);
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if samples.is_empty() {
            blocks += 1;
            used_bytes = line.split(',').nth(5).map(str::parse).transpose()?;
        }
        samples.push(sample(&line)?);
        if samples.len() == SECONDS {
            write_row(&mut out, block(std::mem::take(&mut samples), blocks, used_bytes))?;
        }
    }
    if !samples.is_empty() {
        write_row(&mut out, block(samples, blocks, used_bytes))?;
    }
    Ok(out.flush()?)
}

fn sample(line: &str) -> Result<Sample, Box<dyn std::error::Error>> {
    let mut fields = line.split(',');
    let mut next = || fields.next().ok_or("a line needs at least five fields");
    let at_us = next()?.parse()?;
    let (reads, writes): (u64, u64) = (next()?.parse()?, next()?.parse()?);
    let counts = DeviceCounts {
        reads,
        writes,
        read_bytes: next()?.parse()?,
        write_bytes: next()?.parse()?,
        read_ms: reads / 2,
        write_ms: writes,
        busy_ms: 700 + reads % 300,
        weighted_ms: reads / 2 + writes,
        ..DeviceCounts::default()
    };
    Ok(Sample { at_us, dt_us: 1_000_000, devices: [(0, CounterDelta::Known(counts))].into(), reset: false })
}

/// Figures that vary from block to block, so that nothing packs better than it would.
fn block(samples: Vec<Sample>, number: u64, used_bytes: Option<u64>) -> Block {
    let varied = |row: u64, most: u64| (number * 2_654_435_761 + row * 40_503) % most;
    let known_us = 1_000_000 * samples.len() as u64;
    let keys = BACKENDS.iter().flat_map(|backend| CONTEXTS.iter().map(move |context| (backend, context)));
    let io = |(row, (backend, context)): (u64, (&&str, &&str))| {
        let key = IoKey { backend_type: backend.to_string(), object: "relation".into(), context: context.to_string() };
        let (read_bytes, write_bytes) = (8192 * varied(row, 40_000), 8192 * varied(row + 1, 9_000));
        let (hits, read_us) = (varied(row, 3_000_000), varied(row, 2_000_000));
        (key, IoCounts { read_bytes, write_bytes, hits, read_us, ..IoCounts::default() })
    };
    let wait = |(row, event): (u64, &&str)| {
        let (backend_type, class) = (BACKENDS[row as usize % 2].to_string(), "IO".to_owned());
        (WaitKey { backend_type, class, event: event.to_string(), ..WaitKey::default() }, varied(row, 15_000_000))
    };
    let mut totals = Totals {
        wal: Timed {
            counts: WalCounts { records: varied(1, 900_000), full_page_images: 900, bytes: varied(2, 1 << 28) },
            known_us,
        },
        waits: WaitTotals { rows: (0..).zip(&EVENTS).map(wait).collect(), sweeps: 1_500, swept_us: known_us },
        ..Totals::default()
    };
    totals.io.known_us = known_us;
    totals.io.rows = (0..).zip(keys).map(io).collect();
    let volume = Volume {
        device: "nvme1n1".into(),
        roles: vec![Role::Data, Role::Wal],
        timed: true,
        filesystem_bytes: Some(500 << 30),
        used_bytes: used_bytes.or(Some((120 << 30) + number)),
        ..Volume::default()
    };
    let mut sampling = Sampling::default();
    sampling.cost.cpu_us = 60_000;
    sampling.punctuality.samples = samples.len() as u64;
    let layout = StorageLayout { volumes: vec![volume], ..StorageLayout::default() };
    Block { interval_us: 1_000_000, sampling, layout, totals, samples, ..Block::default() }
}

fn write_row(out: &mut impl Write, block: Block) -> Result<(), Box<dyn std::error::Error>> {
    let (started, ended) = (block.started_us().unwrap_or(0), block.ended_us().unwrap_or(0));
    let samples = block.samples.len();
    let hex: String = encode(block)?.iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(out, "{}\t{}\t0\t{samples}\t{FORMAT}\t\\\\x{hex}", timestamp(started), timestamp(ended))?;
    Ok(())
}

/// Seconds since 1970 with a fraction, for `to_timestamp`.
fn timestamp(us: i64) -> String {
    format!("{}.{:06}", us.div_euclid(1_000_000), us.rem_euclid(1_000_000))
}
