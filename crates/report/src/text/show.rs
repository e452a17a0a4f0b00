//! The parts of the answer that are requested.

ebs_base::named! {
    /// The text that `ebs_advise` returns, by its argument `show`, in the order of the documentation.
    #[derive(Default)]
    pub enum Show {
        /// The first screen: the volume to order, its price, what to expect of it, and how sure that is.
        #[default]
        Screen = "screen",
        /// The whole report: demand, decision path, rejected types, evidence, cost of sampling.
        All = "all",
        /// The change to the recommended volumes as one block for a shell, with its rollback.
        Commands = "commands",
    }
}

impl Show {
    /// Finds a value by its name, in any case; `None` if there is no such value.
    pub fn parse(name: &str) -> Option<Show> {
        Show::ALL.into_iter().find(|show| show.name().eq_ignore_ascii_case(name.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_name() {
        for show in Show::ALL {
            assert_eq!(Show::parse(show.name()), Some(show));
        }
        assert_eq!(Show::parse(" Commands "), Some(Show::Commands));
        assert_eq!([Show::parse("everything"), Show::parse("")], [None, None]);
    }
}
