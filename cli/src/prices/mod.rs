//! ebsctl prices: imports AWS's offer files into the database.

mod changes;
mod progress;

use std::collections::BTreeSet;

use clap::Args;
use ebs_aws::offer::{Completeness, Offer, read, write_document};

use self::progress::{Progress, ProgressReader};
use crate::error::Error;
use crate::input_file;
use crate::message::print_text;
use crate::output;
use crate::postgres::function::IMPORT_PRICES;
use crate::postgres::{Connection, Extension};

/// Arguments of ebsctl prices.
#[derive(Args)]
#[command(mut_arg("dbname", |arg| arg.help("Database name or connection string, as for psql")))]
pub struct Arguments {
    /// Offer files, plain or compressed by gzip; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Print the document for ebs_import_prices(jsonb), and import nothing
    #[arg(long)]
    dry_run: bool,
    /// Take a CSV in which prices are missing, because it was cut on purpose
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    connection: Connection,
}

/// Reads all files, and only then imports: an error in one of them changes nothing.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let extent = if arguments.partial { Completeness::Partial } else { Completeness::Full };
    let offers = arguments.files.iter().map(|file| read_offer(file, extent)).collect::<Result<Vec<_>, _>>()?;
    check_duplicates(&arguments.files, &offers)?;
    let document = write_document(&offers);
    let changes: String = offers.iter().map(changes::describe).collect();
    if arguments.dry_run {
        // Standard output has the document alone.
        print_text(&changes);
        return output::print(format!("{document}\n"));
    }
    output::print_text(&changes)?;
    let mut database = Extension::open(&arguments.connection)?;
    let import = "SELECT {call}::pg_catalog.text AS value";
    let imported = database.query(&IMPORT_PRICES, import, vec![Some(document.to_string())])?.value.unwrap_or_default();
    let total: usize = offers.iter().map(|offer| offer.rows.len()).sum();
    // They are imported even if standard output is closed.
    let _ = output::print_text(format!("{imported} of {total} prices imported\n"));
    Ok(())
}

/// Reads an offer file, and shows the progress.
fn read_offer(file: &str, extent: Completeness) -> Result<Offer, Error> {
    let unreadable = |error| Error::ReadFile { file: file.to_owned(), error };
    let (raw, size) = input_file::open_or_stdin(file).map_err(unreadable)?;
    let progress = Progress::new(if file == "-" { "standard input" } else { file }, size);
    let reader = ProgressReader::new(raw, progress.clone());
    let offer = input_file::decompress(reader)
        .map_err(unreadable)
        .and_then(|bytes| read(bytes, extent).map_err(|error| Error::OfferFile { file: file.to_owned(), error }));
    progress.finish(offer.is_ok());
    offer
}

/// Refuses two files that price the same item: only the user knows which price is right.
fn check_duplicates(files: &[String], offers: &[Offer]) -> Result<(), Error> {
    let mut priced = BTreeSet::new();
    for (file, offer) in files.iter().zip(offers) {
        for row in &offer.rows {
            if !priced.insert((row.region.as_str(), row.item)) {
                let item = format!("{} in {}", row.item, row.region);
                return Err(Error::DuplicatePrice { file: file.clone(), item });
            }
        }
    }
    Ok(())
}
