//! Arguments of ebsctl fleet.

use std::num::NonZeroUsize;
use std::thread;

use clap::{Args, ValueEnum};
use ebs_advice::AdviceArgument;
use ebs_advice::arguments::{HEADROOM, KEEP_THROUGHPUT_PCT, MAX_THROTTLED_PCT, PERCENTILE};
use ebs_aws::catalogue::region_code;
use ebs_aws::discount::Discounts;
use ebs_base::error::InputError;
use ebs_fleet::{Scope, ScopedDurability};
use ebs_fleet_report::{By, ChangeFormat, Sort};
use jiff::SignedDuration;

use super::shard::Shard;
use super::time::{EndTime, parse_duration, parse_time};
use super::transport::ConnectionArguments;
use crate::advice_flags::{AdviceFlags, FlagSelection};
use crate::error::Error;
use crate::postgres::Connection;

/// Most threads by default: an engine answers a few queries at a time, and queues the others.
const MAX_DEFAULT_JOBS: usize = 8;

/// Arguments of ebsctl fleet.
#[derive(Args)]
#[command(
    after_help = "Exit status: 0 done; 1 a file was refused, or nothing was found; 2 wrong usage; 3 the engine or the database refused or was not reached; 4 some \
    volumes are without an answer; 130 interrupted. After 4, and after 1 where documents named volumes, the rows are written all the same \
    (docs/fleet.md)."
)]
pub struct Arguments {
    #[command(flatten)]
    pub engine: ConnectionArguments,
    #[command(flatten)]
    pub volumes: VolumeArguments,
    #[command(flatten)]
    pub sizing: SizingArguments,
    #[command(flatten)]
    pub run: RunArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Volumes that are answered, and their configuration.
#[derive(Args)]
pub struct VolumeArguments {
    /// Output of aws ec2 describe-volumes, describe-instances and describe-volumes-modifications (--output json), any of them in any
    /// file, plain or compressed by gzip; may be given several times
    #[arg(long, value_name = "FILE")]
    pub volumes: Vec<String>,
    /// Output of aws rds describe-db-instances, in the same way
    #[arg(long, value_name = "FILE")]
    pub databases: Vec<String>,
    /// Answer the volumes that are mounted here or below, with * for any characters; may be given several times
    #[arg(long, value_name = "PATH")]
    pub mountpoint: Vec<String>,
    /// Answer the volumes with this tag; of several all
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_pair)]
    pub tag: Vec<(String, String)>,
    /// Answer the volumes of these Kubernetes claims, with * for any characters
    #[arg(long, value_name = "NAMESPACE/NAME")]
    pub claim: Vec<String>,
    /// Answer these volumes: EBS volume IDs, or identifiers of RDS instances
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub volume: Vec<String>,
    /// Answer volumes that hold the operating system alone, too
    #[arg(long)]
    pub root_volumes: bool,
    /// Label by which the engine distinguishes replicas of a scraper
    #[arg(long, value_name = "LABEL")]
    pub replica_label: Vec<String>,
    /// Tag of a volume whose value names its owner
    #[arg(long, value_name = "KEY", default_value = "owner")]
    pub owner_tag: String,
    /// Region of the volumes whose region no file names
    #[arg(long, value_name = "REGION", value_parser = parse_region)]
    pub region: Option<String>,
}

/// Sizing, as the arguments of ebs_options.
#[derive(Args)]
pub struct SizingArguments {
    #[command(flatten)]
    pub advice: AdviceFlags<OfFleet>,
    /// Least durability, per cent a year: of every volume, or of some: tag:KEY=VALUE=PERCENT, claim:NAMESPACE/NAME=PERCENT,
    /// volume:ID=PERCENT; may be given several times, of which those of some volumes hold for these in place of that of every volume,
    /// the greatest of several
    #[arg(long, value_name = "[VOLUMES=]PERCENT", value_parser = parse_durability, allow_negative_numbers = true)]
    pub durability_pct: Vec<(Option<Scope>, f64)>,
    /// Factor on the list price of a usage type, such as EBS:VolumeUsage.gp3=0.8 (Database Savings Plans cover instances, not storage); may be given several times
    #[arg(long, value_name = "USAGE=FACTOR", value_parser = parse_factor)]
    pub discount: Vec<(String, f64)>,
}

/// Arguments of ebs_options that hold for the volumes of a fleet; durability has a form of its own here.
pub struct OfFleet;

impl FlagSelection for OfFleet {
    /// Rows that are read are decided.
    const CONFLICTS_WITH: Option<&'static str> = Some("rows");

    fn takes(known: &AdviceArgument) -> bool {
        let taken = [PERCENTILE, HEADROOM, MAX_THROTTLED_PCT, KEEP_THROUGHPUT_PCT];
        taken.iter().any(|one| one.argument == known.argument)
    }
}

/// Time, parts and threads.
#[derive(Args)]
pub struct RunArguments {
    /// Time to look back, such as 14d or 36h
    #[arg(long, value_name = "DURATION", default_value = "14d", value_parser = parse_duration, allow_hyphen_values = true)]
    pub since: SignedDuration,
    /// End of the time: 2026-11-26T12:00:00Z, a date (its beginning in UTC), seconds since 1970, or a duration ago, such as 36h; now if
    /// not given
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    pub until: Option<EndTime>,
    /// Instances that are fetched and evaluated at once
    #[arg(long, value_name = "N", default_value_t = default_jobs())]
    pub jobs: NonZeroUsize,
    /// Answer one of several parts of the fleet, counted from 1, such as 3/16; the parts are put together again by --rows
    #[arg(long, value_name = "N/PARTS", value_parser = Shard::parse, allow_hyphen_values = true)]
    pub shard: Option<Shard>,
    /// Start over where the same command was interrupted
    #[arg(long)]
    pub restart: bool,
}

/// Arguments that decide on rows, and have no effect on rows that are read.
const OF_SAMPLES: [&str; 17] = [
    "matches",
    "volumes",
    "databases",
    "mountpoint",
    "tag",
    "claim",
    "volume",
    "root_volumes",
    "replica_label",
    "owner_tag",
    "region",
    "durability_pct",
    "discount",
    "since",
    "until",
    "shard",
    "run_label",
];

/// Output.
#[derive(Args)]
pub struct OutputArguments {
    /// Read the rows that --format json has written, without an engine; may be given several times
    #[arg(long, value_name = "FILE", conflicts_with_all = OF_SAMPLES)]
    pub rows: Vec<String>,
    /// Form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Write the answer to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    /// Order: by money saved, or by pain (time at a limit)
    #[arg(long, value_name = "ORDER", default_value = "money")]
    pub sort: Sort,
    /// List this many volumes in the table; totals are of all
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Totals by account, region, instance or tag:KEY; may be given several times
    #[arg(long, value_name = "PROPERTY")]
    pub by: Vec<By>,
    /// Print the changes instead: a script of the AWS CLI, Terraform, or VolumeAttributesClass manifests; nothing is executed
    #[arg(long, value_name = "cli|terraform|vac", conflicts_with = "format")]
    pub changes: Option<ChangeFormat>,
    /// Most volumes of one wave of changes
    #[arg(long, value_name = "N", requires = "changes", default_value = "20")]
    pub per_wave: NonZeroUsize,
    /// Keep the rows in this database, which has the extension: a connection string or a database, as for psql
    #[arg(long, value_name = "CONNINFO")]
    pub into: Option<String>,
    /// Keep the samples of the one volume that --volume names as a run of this label, for the whole report: in the database of --dbname, or
    /// in the file of --output
    #[arg(
        long = "run",
        value_name = "LABEL",
        requires = "volume",
        conflicts_with_all = ["format", "changes", "into", "sort", "limit", "by", "shard"]
    )]
    pub run_label: Option<String>,
    #[command(flatten)]
    pub connection: Connection,
}

impl OutputArguments {
    /// Refuses arguments that have no effect on the form of the answer.
    pub fn check(&self) -> Result<(), Error> {
        let has_totals = self.changes.is_none() && matches!(self.format, Format::Table | Format::Html);
        let invalid = |argument: &str, forms: &str, hint| {
            Err(Error::InvalidArgument { message: format!("{argument} is for {forms} alone"), hint })
        };
        if self.limit.is_some() && (self.changes.is_some() || self.format != Format::Table) {
            let hint =
                "The other forms have all rows: lines of CSV and JSON are cut by head or jq, in the order of --sort.";
            return invalid("--limit", "the table", hint);
        }
        if !self.by.is_empty() && !has_totals {
            return invalid("--by", "the table and the page", "Rows have no totals; sum them by their columns.");
        }
        Ok(())
    }
}

/// Form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Table for a terminal
    Table,
    /// CSV
    Csv,
    /// JSON lines, a row each (docs/schema/fleet.json)
    Json,
    /// One HTML page, without network
    Html,
}

impl SizingArguments {
    /// The settings of advice; those that were not given have the defaults of ebs_options.
    pub fn settings(&self) -> Result<ebs_advice::Settings, InputError> {
        Ok(ebs_advice::Settings { durability_pct: self.durability_of_all().next(), ..self.advice.settings()? })
    }

    /// Refuses a durability of every volume that is given twice.
    pub fn check(&self) -> Result<(), Error> {
        match self.durability_of_all().count() {
            0 | 1 => Ok(()),
            _ => Err(Error::InvalidArgument {
                message: "--durability-pct of every volume is given several times".to_owned(),
                hint: "Name the volumes that another durability holds for: --durability-pct tag:tier=gold=99.999.",
            }),
        }
    }

    fn durability_of_all(&self) -> impl Iterator<Item = f64> + '_ {
        self.durability_pct.iter().filter(|(scope, _)| scope.is_none()).map(|(_, pct)| *pct)
    }

    /// Durability of some volumes.
    pub fn scoped_durability(&self) -> Result<Vec<ScopedDurability>, InputError> {
        let scoped = self.durability_pct.iter().filter_map(|(scope, pct)| Some((scope.clone()?, *pct)));
        scoped.map(|(scope, pct)| ScopedDurability::new(scope, pct)).collect()
    }

    /// The discounts.
    pub fn discounts(&self) -> Result<Discounts, ebs_aws::discount::DiscountError> {
        Discounts::new(self.discount.iter().map(|(usage_type, factor)| (usage_type.as_str(), *factor)))
    }
}

fn default_jobs() -> NonZeroUsize {
    let cpus = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    cpus.saturating_mul(NonZeroUsize::new(2).unwrap_or(NonZeroUsize::MIN))
        .min(NonZeroUsize::new(MAX_DEFAULT_JOBS).unwrap_or(cpus))
}

fn parse_region(text: &str) -> Result<String, String> {
    region_code(text).map_err(|error| format!("{error}. {}", error.hint()))
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    pair.map(|(key, value)| (key.to_owned(), value.to_owned()))
        .ok_or_else(|| "it must be a key and a value, such as role=postgres".to_owned())
}

fn parse_durability(text: &str) -> Result<(Option<Scope>, f64), String> {
    let parsed = match text.rsplit_once('=') {
        None => text.parse().ok().map(|pct| (None, pct)),
        Some((scope, pct)) => scope.parse().ok().zip(pct.parse().ok()).map(|(scope, pct)| (Some(scope), pct)),
    };
    parsed.ok_or_else(|| {
        "it must be a percentage, such as 99.999, or one of some volumes, such as tag:tier=gold=99.999, \
         claim:shop/data-*=99.999 or volume:vol-0123456789abcdef0=99.999"
            .to_owned()
    })
}

fn parse_factor(text: &str) -> Result<(String, f64), String> {
    let factor =
        text.rsplit_once('=').and_then(|(usage_type, factor)| Some((usage_type.to_owned(), factor.parse().ok()?)));
    factor.ok_or_else(|| "it must be a usage type and a factor, such as EBS:VolumeUsage.gp3=0.8".to_owned())
}
