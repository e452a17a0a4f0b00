//! Table ebs.fleet_answer.

use serde_json::Value;

use super::change_lock::lock_changes;
use super::json_text::to_json;
use super::limits::check_fleet_answers;
use crate::errors::Error;
use crate::interrupts::check_interrupts;
use crate::sql::{execute, execute_counted};

/// Answers that are stored by one statement.
const BATCH: usize = 1_000;

/// Their columns are keys of the answers, which were read as rows of `ebs_fleet_row`.
const STORE: &str = "
    INSERT INTO ebs.fleet_answer AS a
        (advised_at, volume, account, region, instance, owner, action, usd_month, usd_month_saved, answer)
    SELECT timestamptz 'epoch' + $2 * interval '1 microsecond', n.volume, n.account, n.region, n.instance, n.owner, n.action,
           trim_scale(p.usd_month), trim_scale(n.usd_month_saved), answers.answer
    FROM pg_catalog.jsonb_array_elements($1::pg_catalog.jsonb) AS answers (answer),
         pg_catalog.jsonb_to_record(answers.answer) AS n (volume text, account text, region text, instance text, owner text, action text,
               usd_month_saved numeric, present pg_catalog.jsonb),
         pg_catalog.jsonb_to_record(n.present) AS p (usd_month numeric)
    ON CONFLICT (volume, account, region, advised_at) DO UPDATE SET
        instance = excluded.instance, owner = excluded.owner, action = excluded.action, usd_month = excluded.usd_month,
        usd_month_saved = excluded.usd_month_saved, answer = excluded.answer, imported_by = session_user";

/// Stores the answers of a time, microseconds since 1970; one of the same volume and time is replaced.
pub fn store_fleet_answers(answers: &[Value], advised_us: i64) -> Result<(), Error> {
    lock_changes()?;
    for batch in answers.chunks(BATCH) {
        check_interrupts();
        let document = to_json(&batch, "The answers")?;
        execute(STORE, &[document.into(), advised_us.into()])?;
    }
    check_fleet_answers()
}

/// Removes the answers from before this time, microseconds since 1970, and returns their number.
pub fn forget_fleet_answers(before_us: i64) -> Result<usize, Error> {
    let query = "DELETE FROM ebs.fleet_answer WHERE advised_at < timestamptz 'epoch' + $1 * interval '1 microsecond'";
    execute_counted(query, &[before_us.into()])
}
