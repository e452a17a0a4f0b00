//! The program; its code is the library's, so that fuzzing reaches its parsers.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ebs_emulator::cli::main()
}
