//! What a command to run says of itself: which load driver it is, how many clients it has and how long it is to take.

use std::path::Path;

use ebs_imports::driver::Driver;

/// The driver of a command, and where in it the driver's own arguments begin: `env A=b taskset 1 pgbench -c 4` is pgbench.
/// `None` where no word of it is the name of one, as in `sh -c 'pgbench …'`.
pub fn recognise(command: &[String]) -> Option<(Driver, usize)> {
    command.iter().enumerate().find_map(|(at, word)| Some((driver(word)?, at + 1)))
}

fn driver(word: &str) -> Option<Driver> {
    match Path::new(word).file_name()?.to_str()? {
        "pgbench" => Some(Driver::Pgbench),
        "hammerdbcli" | "hammerdb" => Some(Driver::Hammerdb),
        "sysbench" => Some(Driver::Sysbench),
        "go-tpc" => Some(Driver::Gotpc),
        _ => None,
    }
}

/// How long it is to measure, seconds; `None` where it does not say.
pub fn seconds(driver: Driver, arguments: &[String]) -> Option<f64> {
    let value = match driver {
        Driver::Pgbench => find(arguments, &PGBENCH_TIME)?.value(arguments),
        Driver::Sysbench => find(arguments, &SYSBENCH_TIME)?.value(arguments),
        Driver::Hammerdb | Driver::Gotpc => return None,
    };
    // sysbench takes 0 for no limit.
    value.parse().ok().filter(|seconds: &f64| *seconds > 0.0)
}

/// Whether pgbench is to tell how it goes: without -P it is silent until its end.
pub fn shows_progress(driver: Driver, arguments: &[String]) -> bool {
    match driver {
        Driver::Pgbench => find(arguments, &PGBENCH_PROGRESS).is_some(),
        Driver::Sysbench => find(arguments, &SYSBENCH_INTERVAL).is_some(),
        Driver::Hammerdb | Driver::Gotpc => true,
    }
}

/// The command with so many clients: `{clients}` wherever it stands, else the driver's own option, replaced or added. `None`
/// where it cannot be told where they belong; HammerDB's script finds them in EBSCTL_CLIENTS.
pub fn with_clients(command: &[String], driver: Option<(Driver, usize)>, clients: u64) -> Option<Vec<String>> {
    if command.iter().any(|word| word.contains(PLACEHOLDER)) {
        return Some(command.iter().map(|word| word.replace(PLACEHOLDER, &clients.to_string())).collect());
    }
    let (driver, from) = driver?;
    let option = match driver {
        Driver::Pgbench => &PGBENCH_CLIENTS,
        Driver::Sysbench => &SYSBENCH_THREADS,
        Driver::Hammerdb => return Some(command.to_vec()),
        Driver::Gotpc => return None,
    };
    let mut with = command.to_vec();
    match find(&command[from..], option) {
        Some(found) => found.replace(&mut with[from..], clients),
        None => with.insert(from, format!("{}{clients}", option.inserted)),
    }
    Some(with)
}

/// Stands for the number of clients in a sweep.
pub const PLACEHOLDER: &str = "{clients}";

/// An option of a driver, in its short and its long form.
struct Flag {
    short: Option<char>,
    long: &'static str,
    /// As it is added where it is missing.
    inserted: &'static str,
    /// Short options that take a value: what follows them is no option.
    with_value: &'static str,
}

/// Short options of pgbench that take a value (its getopt string, PostgreSQL 18).
const PGBENCH: &str = "bcDfFhIjLMpPRstTU";

const PGBENCH_TIME: Flag = Flag { short: Some('T'), long: "--time", inserted: "-T", with_value: PGBENCH };
const PGBENCH_CLIENTS: Flag = Flag { short: Some('c'), long: "--client", inserted: "-c", with_value: PGBENCH };
const PGBENCH_PROGRESS: Flag = Flag { short: Some('P'), long: "--progress", inserted: "-P", with_value: PGBENCH };
const SYSBENCH_TIME: Flag = Flag { short: None, long: "--time", inserted: "--time=", with_value: "" };
const SYSBENCH_THREADS: Flag = Flag { short: None, long: "--threads", inserted: "--threads=", with_value: "" };
const SYSBENCH_INTERVAL: Flag =
    Flag { short: None, long: "--report-interval", inserted: "--report-interval=", with_value: "" };

/// Where an option's value stands: in which argument, from which byte.
struct Found {
    argument: usize,
    from: usize,
}

impl Found {
    fn value<'a>(&self, arguments: &'a [String]) -> &'a str {
        &arguments[self.argument][self.from..]
    }

    fn replace(&self, arguments: &mut [String], clients: u64) {
        arguments[self.argument].replace_range(self.from.., &clients.to_string());
    }
}

/// The last one counts, as getopt has it.
fn find(arguments: &[String], option: &Flag) -> Option<Found> {
    let mut found = None;
    let mut at = 0;
    while let Some(argument) = arguments.get(at) {
        let next = arguments.get(at + 1).map(|_| Found { argument: at + 1, from: 0 });
        if argument == option.long {
            (found, at) = (next.or(found), at + 1);
        } else if argument.strip_prefix(option.long).is_some_and(|rest| rest.starts_with('=')) {
            found = Some(Found { argument: at, from: option.long.len() + 1 });
        } else if let Some(letters) = argument.strip_prefix('-').filter(|letters| !letters.starts_with('-')) {
            // -nc4 is -n -c 4; the letter that takes a value ends them.
            let valued = letters.char_indices().find(|(_, letter)| option.with_value.contains(*letter));
            if let Some((position, letter)) = valued {
                let from = 1 + position + letter.len_utf8();
                let apart = from == argument.len();
                if option.short == Some(letter) {
                    found = if apart { next.or(found) } else { Some(Found { argument: at, from }) };
                }
                at += usize::from(apart);
            }
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        command.split(' ').map(str::to_owned).collect()
    }

    fn swept(command: &str) -> Option<String> {
        let command = words(command);
        with_clients(&command, recognise(&command), 8).map(|with| with.join(" "))
    }

    #[test]
    fn a_driver_is_known_by_its_name_wherever_it_stands() {
        assert_eq!(recognise(&words("pgbench -c 4")), Some((Driver::Pgbench, 1)));
        assert_eq!(recognise(&words("env A=b taskset -c 1 /usr/lib/bin/sysbench x run")), Some((Driver::Sysbench, 6)));
        assert_eq!(recognise(&words("./hammerdbcli tcl auto a.tcl")), Some((Driver::Hammerdb, 1)));
        assert_eq!(recognise(&["sh".to_owned(), "-c".to_owned(), "pgbench -c 4".to_owned()]), None);
    }

    #[test]
    fn how_long_it_takes_is_read_as_the_driver_reads_it() {
        let pgbench = |text: &str| seconds(Driver::Pgbench, &words(text));
        for text in ["-c 4 -T 600 bench", "-T600", "-nT 600", "--time=600", "--time 600", "-T 5 -nT600"] {
            assert_eq!(pgbench(text), Some(600.0), "{text}");
        }
        // The value of another option, transactions instead of time, and no value at all.
        for text in ["-f -T600", "-t 600", "-T", "-T x", "--timely=3"] {
            assert_eq!(pgbench(text), None, "{text}");
        }
        assert_eq!(seconds(Driver::Sysbench, &words("oltp_read_write --time=0 run")), None);
        assert_eq!(seconds(Driver::Sysbench, &words("oltp_read_write --time=30 run")), Some(30.0));
        assert!(shows_progress(Driver::Pgbench, &words("-c 4 -P 1")));
        assert!(!shows_progress(Driver::Pgbench, &words("-c 4 -M prepared -p 5432")));
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
            assert_eq!(swept(command).as_deref(), Some(expected));
        }
        assert_eq!(swept("run.sh --users 4"), None);
        assert_eq!(swept("go-tpc tpcc run"), None);
    }
}
