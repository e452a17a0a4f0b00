//! statistics: conclusions of the benchmarks, and random orders, from standard input.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use ebs_tools::statistics::{order_pairs, report_advice, report_answer, report_overhead, report_sampler, shuffle};

/// Conclusions of the benchmarks: readings on standard input, a table on standard output as they come, the figure into a file
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Milliseconds of plain SQL and of ebs_advise() in turns, a line each
    Answer { figure: PathBuf },
    /// The same of ebs_options(), without a table
    Advice { figure: PathBuf },
    /// Runs with the sampler on and off, in pairs: state, transactions per second, per cent of all CPUs that the sampler took
    Overhead { figure: PathBuf },
    /// Windows of two samplers: microseconds, of each CPU ns and wake-ups, microseconds and sweeps of the peer, CPU ns of a sleeper
    Sampler { period_ms: f64, figure: PathBuf },
    /// Prints on and off for so many pairs, by lot
    Order { pairs: usize, seed: u64 },
    /// Prints the lines of standard input by lot
    Shuffle { seed: u64 },
}

fn main() -> ExitCode {
    let Err(error) = run(Arguments::parse().command) else { return ExitCode::SUCCESS };
    eprintln!("error: {error}");
    ExitCode::FAILURE
}

fn run(command: Command) -> Result<(), Box<dyn Error>> {
    let (input, mut output) = (io::stdin().lock(), io::stdout().lock());
    match command {
        Command::Answer { figure } => write_figure(figure, report_answer(input, &mut output)?)?,
        Command::Advice { figure } => write_figure(figure, report_advice(input)?)?,
        Command::Overhead { figure } => write_figure(figure, report_overhead(input, &mut output)?)?,
        Command::Sampler { period_ms, figure } => write_figure(figure, report_sampler(period_ms, input, &mut output)?)?,
        Command::Order { pairs, seed } => {
            for is_on_first in order_pairs(pairs, seed) {
                writeln!(output, "{}", if is_on_first { "on\noff" } else { "off\non" })?;
            }
        }
        Command::Shuffle { seed } => {
            let mut lines = io::read_to_string(input)?.lines().map(str::to_owned).collect::<Vec<_>>();
            shuffle(&mut lines, seed);
            lines.iter().try_for_each(|line| writeln!(output, "{line}"))?;
        }
    }
    Ok(())
}

fn write_figure(file: PathBuf, figure: String) -> io::Result<()> {
    fs::write(file, figure + "\n")
}
