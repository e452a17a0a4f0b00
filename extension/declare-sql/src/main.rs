//! declare-sql: writes a script of extension/sql/ from standard input to standard output, with the declarations that it names.

use std::io::{self, Read, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("declare-sql: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut script = String::new();
    io::stdin().read_to_string(&mut script)?;
    io::stdout().write_all(ebs_declarations::expand(&script)?.as_bytes())?;
    Ok(())
}
