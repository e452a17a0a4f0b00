//! A fleet that is made from a seed, to try outputs with: `cargo run -p ebs_fleet_report --example generate_rows -- [NUMBER [SEED
//! [json|csv|html|table|cli|terraform|vac]]]`.

// Prints its answer.
#![allow(clippy::disallowed_macros)]
// A program: it has arguments and an output.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::error::Error;
use std::io::{self, Write};

use ebs_fleet_report::{
    ChangeOptions, PageOptions, TableOptions, changes, render_page, render_table, write_csv, write_json,
};

#[path = "../tests/browser/fleet.rs"]
mod fleet;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default| arguments.get(place).map_or(Ok(default), |text| text.parse::<u64>());
    let rows = fleet::rows(number(0, 5_000)?, number(1, 1)?);
    let mut output = io::BufWriter::new(io::stdout().lock());
    match arguments.get(2).map_or("json", String::as_str) {
        "json" => write_json(&rows, &mut output)?,
        "csv" => write_csv(&rows, &mut output)?,
        "html" => {
            output.write_all(render_page(&rows, &PageOptions::new("2026-11-26T13:00:00Z".parse()?)).as_bytes())?
        }
        "table" => output
            .write_all(render_table(&rows, &TableOptions { limit: Some(40), ..TableOptions::default() }).as_bytes())?,
        form => output.write_all(changes(&rows, form.parse()?, &ChangeOptions::default()).as_bytes())?,
    }
    Ok(output.flush()?)
}
