//! Command lines of load drivers: which driver it is, its number of clients and how long it measures.

use std::path::Path;

use ebs_imports::drivers::Driver;

/// The call of a load driver in a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invocation {
    pub driver: Driver,
    /// Number of words of the command before the driver's own arguments.
    arguments_start: usize,
}

/// Finds the driver of a command: `env A=b taskset 1 pgbench -c 4` is pgbench. `None` if no word is the name of a driver, as in
/// `sh -c 'pgbench …'`.
pub fn find_driver(command: &[String]) -> Option<Invocation> {
    let mut words = command.iter().enumerate();
    words.find_map(|(at, word)| Some(Invocation { driver: driver_by_program(word)?, arguments_start: at + 1 }))
}

fn driver_by_program(word: &str) -> Option<Driver> {
    match Path::new(word).file_name()?.to_str()? {
        "pgbench" => Some(Driver::Pgbench),
        "hammerdbcli" | "hammerdb" => Some(Driver::Hammerdb),
        "sysbench" => Some(Driver::Sysbench),
        "go-tpc" => Some(Driver::Gotpc),
        _ => None,
    }
}

impl Invocation {
    /// A driver that a script calls, whose own arguments are not known.
    pub fn by_script(driver: Driver, command: &[String]) -> Invocation {
        Invocation { driver, arguments_start: command.len() }
    }

    fn arguments(self, command: &[String]) -> &[String] {
        command.get(self.arguments_start..).unwrap_or_default()
    }

    /// Seconds that the driver is to measure; `None` if the command does not say.
    pub fn measure_s(self, command: &[String]) -> Option<f64> {
        let option = match self.driver {
            Driver::Pgbench => &PGBENCH_TIME,
            Driver::Sysbench => &SYSBENCH_TIME,
            Driver::Hammerdb | Driver::Gotpc => return None,
        };
        let arguments = self.arguments(command);
        let seconds = option.find(arguments)?.value(arguments).parse().ok();
        // sysbench takes 0 for no limit.
        seconds.filter(|seconds: &f64| *seconds > 0.0)
    }

    /// True if the driver prints its progress: without -P pgbench prints nothing until its end.
    pub fn shows_progress(self, command: &[String]) -> bool {
        let option = match self.driver {
            Driver::Pgbench => &PGBENCH_PROGRESS,
            Driver::Sysbench => &SYSBENCH_INTERVAL,
            Driver::Hammerdb | Driver::Gotpc => return true,
        };
        option.find(self.arguments(command)).is_some()
    }

    /// The command with this number of clients in the driver's option, replaced or added. `None` for a driver without one;
    /// HammerDB's script reads the number from EBSCTL_CLIENTS.
    fn with_clients(self, command: &[String], clients: u64) -> Option<Vec<String>> {
        let option = match self.driver {
            Driver::Pgbench => &PGBENCH_CLIENTS,
            Driver::Sysbench => &SYSBENCH_THREADS,
            Driver::Hammerdb => return Some(command.to_vec()),
            Driver::Gotpc => return None,
        };
        let start = self.arguments_start;
        let mut command = command.to_vec();
        match option.find(&command[start..]) {
            Some(position) => position.replace_value(&mut command[start..], clients),
            None => command.insert(start, format!("{}{clients}", option.inserted)),
        }
        Some(command)
    }
}

/// The command with this number of clients in place of `{clients}`, else in the driver's option. `None` if it has neither.
pub fn with_clients(command: &[String], invocation: Option<Invocation>, clients: u64) -> Option<Vec<String>> {
    if command.iter().any(|word| word.contains(PLACEHOLDER)) {
        return Some(command.iter().map(|word| word.replace(PLACEHOLDER, &clients.to_string())).collect());
    }
    invocation?.with_clients(command, clients)
}

/// Placeholder for the number of clients in a sweep.
const PLACEHOLDER: &str = "{clients}";

/// An option of a driver, in its short and its long form.
struct DriverOption {
    short: Option<char>,
    long: &'static str,
    /// The form in which it is added.
    inserted: &'static str,
    /// The driver's short options that take a value, which is not an option itself.
    with_value: &'static str,
}

/// Short options of pgbench that take a value (its getopt string, PostgreSQL 18).
const PGBENCH: &str = "bcDfFhIjLMpPRstTU";

const PGBENCH_TIME: DriverOption =
    DriverOption { short: Some('T'), long: "--time", inserted: "-T", with_value: PGBENCH };
const PGBENCH_CLIENTS: DriverOption =
    DriverOption { short: Some('c'), long: "--client", inserted: "-c", with_value: PGBENCH };
const PGBENCH_PROGRESS: DriverOption =
    DriverOption { short: Some('P'), long: "--progress", inserted: "-P", with_value: PGBENCH };
const SYSBENCH_TIME: DriverOption = DriverOption { short: None, long: "--time", inserted: "--time=", with_value: "" };
const SYSBENCH_THREADS: DriverOption =
    DriverOption { short: None, long: "--threads", inserted: "--threads=", with_value: "" };
const SYSBENCH_INTERVAL: DriverOption =
    DriverOption { short: None, long: "--report-interval", inserted: "--report-interval=", with_value: "" };

/// Position of an option's value.
struct ValuePosition {
    argument: usize,
    first_byte: usize,
}

impl ValuePosition {
    fn value<'a>(&self, arguments: &'a [String]) -> &'a str {
        &arguments[self.argument][self.first_byte..]
    }

    fn replace_value(&self, arguments: &mut [String], clients: u64) {
        arguments[self.argument].replace_range(self.first_byte.., &clients.to_string());
    }
}

impl DriverOption {
    /// Finds the option's value. The last one counts, as with getopt.
    fn find(&self, arguments: &[String]) -> Option<ValuePosition> {
        let mut found = None;
        let mut at = 0;
        while let Some(argument) = arguments.get(at) {
            let next = arguments.get(at + 1).map(|_| ValuePosition { argument: at + 1, first_byte: 0 });
            if argument == self.long {
                (found, at) = (next.or(found), at + 1);
            } else if argument.strip_prefix(self.long).is_some_and(|rest| rest.starts_with('=')) {
                found = Some(ValuePosition { argument: at, first_byte: self.long.len() + 1 });
            } else if let Some(letters) = argument.strip_prefix('-').filter(|letters| !letters.starts_with('-')) {
                // -nc4 is -n -c 4; the letter that takes a value ends them.
                let valued = letters.char_indices().find(|(_, letter)| self.with_value.contains(*letter));
                if let Some((position, letter)) = valued {
                    let first_byte = 1 + position + letter.len_utf8();
                    let value_is_next = first_byte == argument.len();
                    if self.short == Some(letter) {
                        found = if value_is_next {
                            next.or(found)
                        } else {
                            Some(ValuePosition { argument: at, first_byte })
                        };
                    }
                    at += usize::from(value_is_next);
                }
            }
            at += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        command.split(' ').map(str::to_owned).collect()
    }

    fn step(command: &str) -> Option<String> {
        let command = words(command);
        with_clients(&command, find_driver(&command), 8).map(|command| command.join(" "))
    }

    #[test]
    fn a_driver_is_found_by_its_name_wherever_it_stands() {
        let found = |command: &str| find_driver(&words(command)).map(|found| (found.driver, found.arguments_start));
        assert_eq!(found("pgbench -c 4"), Some((Driver::Pgbench, 1)));
        assert_eq!(found("env A=b taskset -c 1 /usr/lib/bin/sysbench x run"), Some((Driver::Sysbench, 6)));
        assert_eq!(found("./hammerdbcli tcl auto a.tcl"), Some((Driver::Hammerdb, 1)));
        assert_eq!(find_driver(&["sh".to_owned(), "-c".to_owned(), "pgbench -c 4".to_owned()]), None);
    }

    #[test]
    fn the_length_is_read_as_the_driver_reads_it() {
        let measure_s = |text: &str| {
            let command = words(text);
            find_driver(&command).unwrap().measure_s(&command)
        };
        for text in ["-c 4 -T 600 bench", "-T600", "-nT 600", "--time=600", "--time 600", "-T 5 -nT600"] {
            assert_eq!(measure_s(&format!("pgbench {text}")), Some(600.0), "{text}");
        }
        // The value of another option, transactions instead of time, and no value at all.
        for text in ["-f -T600", "-t 600", "-T", "-T x", "--timely=3"] {
            assert_eq!(measure_s(&format!("pgbench {text}")), None, "{text}");
        }
        assert_eq!(measure_s("sysbench oltp_read_write --time=0 run"), None);
        assert_eq!(measure_s("sysbench oltp_read_write --time=30 run"), Some(30.0));
        // Options of a script are not the driver's.
        let script = words("./script -T 600");
        assert_eq!(Invocation::by_script(Driver::Pgbench, &script).measure_s(&script), None);
    }

    #[test]
    fn progress_is_an_option_of_the_driver() {
        let shows_progress = |text: &str| {
            let command = words(text);
            find_driver(&command).unwrap().shows_progress(&command)
        };
        assert!(shows_progress("pgbench -c 4 -P 1"));
        assert!(!shows_progress("pgbench -c 4 -M prepared -p 5432"));
    }

    #[test]
    fn a_step_of_a_sweep_replaces_the_clients() {
        for (command, expected) in [
            ("pgbench -c 4 -T 60 bench", "pgbench -c 8 -T 60 bench"),
            ("pgbench -nc4 -j 2", "pgbench -nc8 -j 2"),
            ("pgbench --client=4", "pgbench --client=8"),
            ("pgbench -T 60 bench", "pgbench -c8 -T 60 bench"),
            ("taskset -c 1 pgbench -T 60", "taskset -c 1 pgbench -c8 -T 60"),
            ("sysbench oltp --threads=4 run", "sysbench oltp --threads=8 run"),
            ("sysbench oltp run", "sysbench --threads=8 oltp run"),
            ("hammerdbcli auto a.tcl", "hammerdbcli auto a.tcl"),
            ("run.sh --users {clients} {clients}x", "run.sh --users 8 8x"),
        ] {
            assert_eq!(step(command).as_deref(), Some(expected));
        }
        assert_eq!(step("run.sh --users 4"), None);
        assert_eq!(step("go-tpc tpcc run"), None);
    }
}
