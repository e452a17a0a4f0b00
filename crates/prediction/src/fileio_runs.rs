//! Published runs of sysbench fileio: direct I/O of 16 KiB, random, on volumes of 1 TB and 3,000 IOPS on r5.xlarge, 1,800 s each, with 1 to 128
//! threads that do nothing else than wait for the volume. Means, and quantiles of the rates of the seconds, are of
//! results/TYPE/MODE_THREADS.out in <https://github.com/pboros/aws_storage_blog>, commit 8b4ffc6, the runs of
//! <https://www.percona.com/blog/performance-of-various-ebs-storage-types-in-aws/>.

use ebs_aws::catalogue::VolumeType;

const RUNS: &str = include_str!("../testdata/fileio.csv");

/// IOPS of each volume.
pub const LIMIT: f64 = 3_000.0;

/// One run.
pub struct FileioRun {
    /// Type of the volume and mode of sysbench: runs of one kind differ by their threads.
    pub kind: String,
    /// Kind and threads.
    pub name: String,
    /// Type of the volume.
    pub volume_type: VolumeType,
    /// Requests in flight, always.
    pub threads: f64,
    /// Share of the requests that are reads.
    pub read_share: f64,
    /// Mean rate.
    pub iops: f64,
    /// Rates, and the share of the seconds that do not exceed them.
    pub quantiles: Vec<(f64, f64)>,
}

/// All runs.
pub fn runs() -> Vec<FileioRun> {
    let mut reader = csv::Reader::from_reader(RUNS.as_bytes());
    let share = |name: &str| Some(name.strip_prefix('p')?.parse::<f64>().ok()? / 100.0);
    let shares: Vec<Option<f64>> = reader.headers().unwrap().iter().map(share).collect();
    let run = |row: csv::StringRecord| {
        let number = |column: usize| row[column].parse::<f64>().unwrap();
        let iops = number(3) + number(4);
        FileioRun {
            kind: format!("{} {}", &row[0], &row[1]),
            name: format!("{} {} {}", &row[0], &row[1], &row[2]),
            volume_type: row[0].parse().unwrap(),
            threads: number(2),
            read_share: number(3) / iops,
            iops,
            quantiles: (0..).zip(&shares).filter_map(|(column, share)| Some(((*share)?, number(column)))).collect(),
        }
    };
    let runs: Vec<FileioRun> = reader.records().map(|row| run(row.unwrap())).collect();
    assert_eq!(runs.len(), 96);
    runs
}
