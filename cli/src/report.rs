//! ebsctl report: the report of a run, as text, or as a page in a file.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clap::Args;

use crate::error::Error;
use crate::psql;
use crate::session::{Connection, literal};

/// Which report, and where to.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub struct Arguments {
    /// The run; the last 14 days where none is named
    #[arg(value_name = "LABEL")]
    label: Option<String>,
    /// Write one page with plots to this file, which is replaced; - is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
    /// The run, or runs ('gp3-*'), that the page compares it with
    #[arg(long, value_name = "LABEL", requires = "html", requires = "label")]
    baseline: Option<String>,
    /// EC2 type or RDS class whose limits count; as declared or seen unless given
    #[arg(long, value_name = "TYPE")]
    instance: Option<String>,
    /// Whose prices
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
    /// ec2, outposts, rds, rds-multi-az or rds-cluster
    #[arg(long, value_name = "PLATFORM")]
    platform: Option<String>,
    #[command(flatten)]
    connection: Connection,
    #[command(flatten)]
    sizing: Sizing,
}

/// What is asked of a volume: the arguments of ebs_advise by these names. Ranges and defaults are the server's.
#[derive(Args)]
#[command(next_help_heading = "Sizing")]
struct Sizing {
    /// How far back, without a run: '1 day'
    #[arg(long, value_name = "INTERVAL", conflicts_with = "label")]
    lookback: Option<String>,
    /// Of the demand's seconds, those that the volume must serve; 99 unless given
    #[arg(long, value_name = "PERCENT")]
    percentile: Option<f64>,
    /// What is to spare, as a part of the demand; 0.2 unless given
    #[arg(long, value_name = "PART")]
    headroom: Option<f64>,
    /// Seconds that a limit may hold back; 1 unless given
    #[arg(long, value_name = "PERCENT")]
    max_throttled_pct: Option<f64>,
    /// Least predicted throughput, as a part of the present one
    #[arg(long, value_name = "RATIO")]
    min_throughput_ratio: Option<f64>,
    /// Longest mean time of a request, in milliseconds
    #[arg(long, value_name = "MS")]
    latency_target_ms: Option<f64>,
    /// Least durability, 99.8 or 99.999
    #[arg(long, value_name = "PERCENT")]
    durability_pct: Option<f64>,
    /// Most dollars a month
    #[arg(long, value_name = "USD")]
    budget_usd: Option<f64>,
    /// Most volumes in a stripe
    #[arg(long, value_name = "VOLUMES")]
    max_volumes: Option<u32>,
    /// Least size, in GiB
    #[arg(long, value_name = "GIB")]
    min_size_gib: Option<u64>,
}

/// Asks for it, and writes it only when all of it is there.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let Connection { psql, dbname } = &arguments.connection;
    arguments.connection.check()?;
    let function = if arguments.html.is_some() { "ebs_report_html" } else { "ebs_advise" };
    let printed = psql::print(psql, dbname.as_deref(), &script(arguments, function), None)?;
    if printed.is_empty() {
        return Err(Error::Silent { program: psql.clone() });
    }
    match arguments.html.as_deref() {
        // Who reads no further has had enough.
        None | Some("-") => match io::stdout().write_all(&printed) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(Error::Output),
        },
        Some(file) => replace(file, &printed),
    }
}

/// What psql is told. The functions are found wherever the extension was created, and not what others have by their names. One
/// that is not there, or not for this role, is said in our words.
fn script(arguments: &Arguments, function: &str) -> String {
    let sizing = &arguments.sizing;
    let given: Vec<String> = [
        named("run", &arguments.label),
        named("baseline", &arguments.baseline),
        named("lookback", &sizing.lookback),
        named("instance", &arguments.instance),
        named("region", &arguments.region),
        named("platform", &arguments.platform),
        named("percentile", &sizing.percentile),
        named("headroom", &sizing.headroom),
        named("max_throttled_pct", &sizing.max_throttled_pct),
        named("min_throughput_ratio", &sizing.min_throughput_ratio),
        named("latency_target_ms", &sizing.latency_target_ms),
        named("durability_pct", &sizing.durability_pct),
        named("budget_usd", &sizing.budget_usd),
        named("max_volumes", &sizing.max_volumes),
        named("min_size_gib", &sizing.min_size_gib),
    ]
    .into_iter()
    .flatten()
    .collect();
    format!(
        "\\set SHOW_CONTEXT never
SET standard_conforming_strings = on;
DO $ebsctl$
DECLARE
    installed pg_catalog.oid := (SELECT extnamespace FROM pg_catalog.pg_extension WHERE extname = 'ebs_advisor');
    function pg_catalog.oid := (SELECT oid FROM pg_catalog.pg_proc WHERE pronamespace = installed AND proname = '{function}' LIMIT 1);
BEGIN
    IF installed IS NULL THEN
        RAISE undefined_object USING MESSAGE = 'the extension ebs_advisor is not in this database',
            HINT = 'Name the database with --dbname or PGDATABASE, or there: CREATE EXTENSION ebs_advisor;';
    ELSIF function IS NULL THEN
        RAISE undefined_function USING MESSAGE = 'the objects of ebs_advisor in this database are of an older version, without {function}',
            HINT = 'ALTER EXTENSION ebs_advisor UPDATE;';
    ELSIF NOT pg_catalog.has_function_privilege(function, 'EXECUTE') THEN
        RAISE insufficient_privilege USING MESSAGE = 'permission denied for function {function}', HINT = 'Members of pg_monitor may call it.';
    END IF;
END $ebsctl$;
SELECT coalesce((SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'ebs_advisor'), 'pg_catalog') AS ebs_schema \\gset
SET search_path = pg_catalog, :ebs_schema, pg_temp;
SELECT {function}({});
",
        given.join(", ")
    )
}

/// An argument of the function's; what is left out is not said.
fn named<T: ToString>(name: &str, value: &Option<T>) -> Option<String> {
    value.as_ref().map(|value| format!("{name} => {}", literal(&value.to_string())))
}

/// A page that is there already stays whole until the new one is; where a symlink leads is what is replaced. What is no file, such
/// as /dev/stdout or a pipe, is written to.
fn replace(file: &str, page: &[u8]) -> Result<(), Error> {
    written(Path::new(file), page).map_err(|error| Error::Unwritten { path: file.to_owned(), error })
}

fn written(file: &Path, page: &[u8]) -> io::Result<()> {
    let there = match fs::metadata(file) {
        Ok(there) if !there.is_file() => return fs::OpenOptions::new().write(true).open(file)?.write_all(page),
        there => there.ok(),
    };
    let target = if there.is_some() { fs::canonicalize(file)? } else { file.to_owned() };
    // Of a name that nobody can lay out before.
    let directory = target.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o666)).tempfile_in(directory)?;
    if let Some(there) = there {
        // Not when it is made: the umask would take from them.
        beside.as_file().set_permissions(there.permissions())?;
    }
    beside.write_all(page)?;
    beside.persist(&target)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn a_label_is_a_literal_and_what_is_left_out_is_not_said() {
        let alone = Alone::try_parse_from(["report", "it's", "--html", "x.html", "--baseline", "gp3-*"]).unwrap();
        let script = script(&alone.arguments, "ebs_report_html");
        assert!(script.ends_with("SELECT ebs_report_html(run => 'it''s', baseline => 'gp3-*');\n"), "{script}");
        assert!(script.contains("AS ebs_schema \\gset\n"), "{script}");
    }

    #[test]
    fn what_is_asked_of_a_volume_is_told_the_server() {
        let alone =
            Alone::try_parse_from(["report", "a", "--percentile", "99.9", "--headroom", "-1", "--max-volumes", "4"]);
        let script = script(&alone.unwrap().arguments, "ebs_advise");
        let told = "SELECT ebs_advise(run => 'a', percentile => '99.9', headroom => '-1', max_volumes => '4');\n";
        assert!(script.ends_with(told), "{script}");
        assert!(Alone::try_parse_from(["report", "a", "--lookback", "1 day"]).is_err());
    }

    #[test]
    fn a_baseline_needs_a_page_and_a_run() {
        assert!(Alone::try_parse_from(["report", "--baseline", "a", "--html", "x"]).is_err());
        assert!(Alone::try_parse_from(["report", "b", "--baseline", "a"]).is_err());
    }

    #[test]
    fn what_was_there_stays_where_nothing_can_be_written() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("page.html");
        replace(file.to_str().unwrap(), b"one").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"one");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        let link = directory.path().join("link.html");
        std::os::unix::fs::symlink("page.html", &link).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        replace(link.to_str().unwrap(), b"two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(
            (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().permissions().mode() & 0o777),
            (b"two".to_vec(), 0o640)
        );
        // A device takes what it is given, or not: this one is full.
        assert!(replace("/dev/full", b"x").is_err());
        assert!(!fs::metadata("/dev/full").unwrap().is_file());
        assert!(replace(directory.path().to_str().unwrap(), b"x").is_err());
        let nowhere = directory.path().join("none/page.html");
        assert_eq!(replace(nowhere.to_str().unwrap(), b"x").unwrap_err().status(), 1);
    }
}
