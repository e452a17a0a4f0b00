//! The program. Its code is in the library, where fuzz targets reach the parsers.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ebs_emulator::cli::main()
}
