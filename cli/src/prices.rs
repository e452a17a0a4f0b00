//! ebsctl prices: offer files in, prices into the database.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use clap::Args;
use ebs_aws::offer::{Extent, Offer, read, write_document};

use crate::changes::table;
use crate::error::Error;
use crate::output::print;
use crate::progress::Progress;
use crate::{psql, source};

/// What to read, and where to.
#[derive(Args)]
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
    /// The psql that connects, by libpq's conventions (PGHOST, PGSERVICE, ~/.pgpass)
    #[arg(long, value_name = "PATH", default_value = "psql")]
    psql: String,
    /// Database name or connection string, as of psql
    #[arg(short, long, value_name = "CONNINFO")]
    dbname: Option<String>,
}

/// Reads all files, and only then imports: one that is refused changes nothing.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let extent = if arguments.partial { Extent::Part } else { Extent::Whole };
    let mut offers = Vec::with_capacity(arguments.files.len());
    for file in &arguments.files {
        offers.push(one(file, extent)?);
    }
    apart(&arguments.files, &offers)?;
    let document = write_document(&offers);
    let tables: String = offers.iter().map(table).collect();
    if arguments.dry_run {
        // Standard output is the document's.
        eprint!("{tables}");
        return print(&format!("{document}\n"));
    }
    print(&tables)?;
    let taken = psql::import(&arguments.psql, arguments.dbname.as_deref(), &document)?;
    let all: usize = offers.iter().map(|offer| offer.rows.len()).sum();
    // They are in, whether anybody reads this or not.
    let _ = print(&format!("{taken} of {all} prices imported\n"));
    Ok(())
}

/// Reads a file, and shows how far it is.
fn one(file: &str, extent: Extent) -> Result<Offer, Error> {
    let progress: Rc<RefCell<Option<Progress>>> = Rc::default();
    let watching = Rc::clone(&progress);
    let seen = move |bytes| {
        if let Some(progress) = watching.borrow_mut().as_mut() {
            progress.at(bytes);
        }
    };
    let source = source::open(file, seen).map_err(|error| Error::File { file: file.to_owned(), error })?;
    let name = if file == "-" { "standard input" } else { file };
    progress.replace(Some(Progress::begin(name, source.size)));
    let offer = read(source.bytes, extent);
    if let Some(progress) = progress.take() {
        if offer.is_ok() { progress.end(source.read.get()) } else { progress.abandon() }
    }
    offer.map_err(|refused| Error::Refused { file: file.to_owned(), refused })
}

/// Which of two prices should count, only the user knows.
fn apart(files: &[String], offers: &[Offer]) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for (file, offer) in files.iter().zip(offers) {
        for row in &offer.rows {
            if !seen.insert((row.region.as_str(), row.item)) {
                let what = format!("{} in {}", row.item, row.region);
                return Err(Error::Twice { file: file.clone(), what });
            }
        }
    }
    Ok(())
}
