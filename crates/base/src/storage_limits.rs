//! Limits of what users may have stored: a role that may begin runs and import must not be able to fill the disk.

/// Most declarations, of volumes and of instances each: they are a history, of which the latest counts.
pub const MAX_DECLARATIONS: i64 = 10_000;
/// Most rows of imported configuration: an account's objects, and their changes.
pub const MAX_CONFIGURATION: i64 = 500_000;
/// Most answers of fleets: a year of days of a thousand volumes.
pub const MAX_FLEET_ANSWERS: i64 = 1_000_000;
/// Most imported prices: all parts of all regions that AWS has are some 1,500.
pub const MAX_PRICES: i64 = 20_000;

const DROP_RUNS: &str =
    "Drop runs that are no longer needed, as in SELECT ebs_run_drop('my-run'); or ask for a higher setting.";

/// A limit that is exceeded, as the user is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitExceeded {
    /// The message.
    pub message: String,
    /// The limit, with the amount that is there.
    pub detail: String,
    /// The remedy.
    pub hint: &'static str,
}

fn check(fits: bool, message: &str, detail: String, hint: &'static str) -> Result<(), LimitExceeded> {
    if fits { Ok(()) } else { Err(LimitExceeded { message: message.to_owned(), detail, hint }) }
}

/// Refuses one run more than `max`, where there are `runs`.
pub fn check_run_count(runs: i64, max: i64) -> Result<(), LimitExceeded> {
    let detail = format!("There are {runs}, and ebs_advisor.max_runs is {max}.");
    check(runs < max, "there are too many runs", detail, DROP_RUNS)
}

/// Refuses more storage of runs, where they have `bytes` of at most `max`. The value about to be stored is not counted: it has a
/// limit of its own.
pub fn check_run_storage(bytes: i64, max: i64) -> Result<(), LimitExceeded> {
    let detail = format!(
        "They keep {} MiB of imported samples, readings, results and notes, and ebs_advisor.run_storage_limit is {} MiB.",
        bytes >> 20,
        max >> 20
    );
    check(bytes < max, "runs keep too much", detail, DROP_RUNS)
}

/// Refuses one row more than `max` of a run, where there are `rows`, called `name`.
pub fn check_run_rows(rows: i64, max: usize, name: &str) -> Result<(), LimitExceeded> {
    let fits = usize::try_from(rows).unwrap_or(usize::MAX) < max;
    check(fits, &format!("the run has too many {name}"), format!("A run has at most {max}."), "Begin another run.")
}

/// Refuses one declaration more, where there are `rows`.
pub fn check_declarations(rows: i64) -> Result<(), LimitExceeded> {
    let detail = format!("At most {MAX_DECLARATIONS} are kept, and each time is one.");
    let hint =
        "As the owner of the tables: DELETE FROM ebs.volume_declared WHERE declared_at < now() - interval '1 year';";
    check(rows < MAX_DECLARATIONS, "there are too many declarations", detail, hint)
}

/// Refuses `rows` of imported configuration that are more than are kept.
pub fn check_configuration(rows: i64) -> Result<(), LimitExceeded> {
    let detail = format!("There would be {rows}, and at most {MAX_CONFIGURATION} are kept. Nothing was imported.");
    let hint =
        "As the owner of the table: DELETE FROM ebs.configuration WHERE confirmed_at < now() - interval '1 year';";
    check(rows <= MAX_CONFIGURATION, "there is too much imported configuration", detail, hint)
}

/// Refuses answers of fleets that are more `rows` than are kept, or whose `bytes` are more than `max_bytes`.
pub fn check_fleet_answers(rows: i64, bytes: i64, max_bytes: i64) -> Result<(), LimitExceeded> {
    let detail = format!(
        "There would be {rows} of {} MiB; at most {MAX_FLEET_ANSWERS} are kept, and ebs_advisor.run_storage_limit is {} MiB. \
         Nothing was imported.",
        bytes >> 20,
        max_bytes >> 20
    );
    let hint = "Remove old ones, as in SELECT ebs_fleet_forget(now() - interval '1 year');";
    let fits = rows <= MAX_FLEET_ANSWERS && bytes <= max_bytes;
    check(fits, "there are too many answers of fleets", detail, hint)
}

/// Refuses `prices` that are more than there can be.
pub fn check_prices(prices: i64) -> Result<(), LimitExceeded> {
    let detail = format!("There would be {prices}, and at most {MAX_PRICES} are kept. No price was imported.");
    let hint = "SELECT ebs_prices_reset(); removes those that were imported.";
    check(prices <= MAX_PRICES, "there are too many imported prices", detail, hint)
}

/// Refuses a note of `bytes`, where at most `max` are kept.
pub fn check_note(bytes: i64, max: usize) -> Result<(), LimitExceeded> {
    let fits = usize::try_from(bytes).unwrap_or(usize::MAX) <= max;
    let detail = format!("It would have {bytes} bytes, and at most {max} are kept.");
    check(fits, "the note is too large", detail, "Keep what is long in a file, and its name in the note.")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Details of the refusals from `fits + 1` on; the amounts up to `fits` are accepted.
    fn detail(fits: i64, check: impl Fn(i64) -> Result<(), LimitExceeded>) -> String {
        assert_eq!((check(0), check(fits)), (Ok(()), Ok(())));
        assert!(check(i64::MAX).is_err());
        check(fits + 1).unwrap_err().detail
    }

    #[test]
    fn what_is_added_is_the_last_that_fits() {
        assert_eq!(detail(99, |runs| check_run_count(runs, 100)), "There are 100, and ebs_advisor.max_runs is 100.");
        assert_eq!(detail(9_999, check_declarations), "At most 10000 are kept, and each time is one.");
        assert_eq!(detail(999, |rows| check_run_rows(rows, 1_000, "marks")), "A run has at most 1000.");
        let storage = detail((4 << 20) - 1, |bytes| check_run_storage(bytes, 4 << 20));
        assert!(storage.starts_with("They keep 4 MiB of ") && storage.ends_with("run_storage_limit is 4 MiB."));
    }

    #[test]
    fn what_was_added_may_be_all_that_is_kept() {
        let prices = detail(20_000, check_prices);
        assert_eq!(prices, "There would be 20001, and at most 20000 are kept. No price was imported.");
        let answers = detail(1_000_000, |rows| check_fleet_answers(rows, 0, 1 << 20));
        assert!(answers.starts_with("There would be 1000001 of 0 MiB; at most 1000000 are kept, "), "{answers}");
        let bytes = detail(1 << 20, |bytes| check_fleet_answers(1, bytes, 1 << 20));
        assert!(bytes.ends_with("run_storage_limit is 1 MiB. Nothing was imported."), "{bytes}");
        assert_eq!(detail(64, |bytes| check_note(bytes, 64)), "It would have 65 bytes, and at most 64 are kept.");
    }

    #[test]
    fn a_refusal_names_the_rows_and_the_remedy() {
        let refused = check_run_rows(10, 10, "reports of fio").unwrap_err();
        assert_eq!(
            (refused.message.as_str(), refused.hint),
            ("the run has too many reports of fio", "Begin another run.")
        );
    }
}
