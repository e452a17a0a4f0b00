//! Kind of the load, and the kind that a load driver's command makes.

use ebs_base::named;

named! {
    /// Kind of the load.
    pub enum LoadKind {
        /// Sessions wait for the volume before they send the next request.
        Closed = "closed",
        /// Clients keep their own pace.
        Open = "open",
        /// Either: the evidence does not tell them apart.
        Unsure = "unsure",
    }
}

impl LoadKind {
    /// The kind that a driver's command makes: pgbench, sysbench and HammerDB send the next transaction at once unless they are
    /// given a rate (`-R`, `--rate`; <https://www.postgresql.org/docs/18/pgbench.html>). `None` of other programs, of HammerDB,
    /// whose scripts may have a think time, and without the command's arguments.
    pub fn from_command(command: &[&str]) -> Option<LoadKind> {
        let (program, arguments) = command.split_first()?;
        let (short, long) = match program.rsplit('/').next()? {
            "pgbench" => ("-R", "--rate"),
            "sysbench" => ("--rate", "--rate"),
            _ => return None,
        };
        let has_rate = |argument: &&str| {
            let short_rate = !short.starts_with("--") && argument.starts_with(short);
            short_rate || **argument == *long || argument.strip_prefix(long).is_some_and(|rest| rest.starts_with('='))
        };
        let is_zero = |argument: &&str| ["--rate=0", "-R0"].contains(argument);
        let is_paced = arguments.iter().any(|argument| has_rate(argument) && !is_zero(argument));
        Some(if is_paced { LoadKind::Open } else { LoadKind::Closed })
    }
}

/// Client sessions of a driver's command: `-c` of pgbench and `--threads` of sysbench, one where it is left out. `None` of other programs, and
/// without the command's arguments.
pub fn clients_from_command(command: &[&str]) -> Option<f64> {
    let (program, arguments) = command.split_first()?;
    let names = match program.rsplit('/').next()? {
        "pgbench" => ["-c", "--client"],
        "sysbench" => ["--threads", "--num-threads"],
        _ => return None,
    };
    let mut clients = Some(1);
    for (position, argument) in arguments.iter().enumerate() {
        let rest = names.into_iter().find_map(|name| Some((name, argument.strip_prefix(name)?)));
        let value = match rest {
            Some((_, "")) => arguments.get(position + 1).copied(),
            Some((name, rest)) if name.starts_with("--") => rest.strip_prefix('='),
            Some((_, rest)) => Some(rest),
            None => continue,
        };
        clients = value.and_then(|value| value.parse::<u32>().ok()).filter(|clients| *clients > 0);
    }
    clients.map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_those_of_the_command() {
        let cases = [
            ("pgbench -S -c 32 -T 60", Some(32.0)),
            ("/usr/bin/pgbench -c32 -n", Some(32.0)),
            ("pgbench --client=8", Some(8.0)),
            ("pgbench --client 8", Some(8.0)),
            ("pgbench -n -C", Some(1.0)),
            ("pgbench -c", None),
            ("pgbench -c none", None),
            ("pgbench -c 0", None),
            ("sysbench oltp_read_only --threads=64 run", Some(64.0)),
            ("sysbench oltp_read_only run", Some(1.0)),
            ("hammerdbcli auto run.tcl", None),
        ];
        for (command, expected) in cases {
            assert_eq!(clients_from_command(&command.split(' ').collect::<Vec<_>>()), expected, "{command}");
        }
        assert_eq!(clients_from_command(&[]), None);
    }

    #[test]
    fn a_rate_makes_an_open_loop() {
        let kind = |command: &str| LoadKind::from_command(&command.split(' ').collect::<Vec<_>>());
        let cases = [
            ("pgbench -c 4 -T 60", Some(LoadKind::Closed)),
            ("/usr/lib/postgresql/18/bin/pgbench -c 4 -R 250", Some(LoadKind::Open)),
            ("pgbench -R250", Some(LoadKind::Open)),
            ("pgbench --rate=250", Some(LoadKind::Open)),
            ("pgbench --rate 250", Some(LoadKind::Open)),
            ("pgbench -r -c 8", Some(LoadKind::Closed)),
            ("sysbench oltp_read_write --rate=0 run", Some(LoadKind::Closed)),
            ("sysbench oltp_read_write --rate=50 run", Some(LoadKind::Open)),
            ("hammerdbcli auto run.tcl", None),
            ("make", None),
        ];
        for (command, expected) in cases {
            assert_eq!(kind(command), expected, "{command}");
        }
        assert_eq!(LoadKind::from_command(&[]), None);
    }
}
