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

#[cfg(test)]
mod tests {
    use super::*;

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
