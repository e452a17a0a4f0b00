//! Table ebs.fleet_answer.

use ebs_imports::fleet_answers::FleetAnswer;
use pgrx::prelude::*;
use serde::Serialize;
use serde_json::Value;

use super::change_lock::lock_changes;
use super::json_text::to_json;
use super::limits::check_fleet_answers;
use crate::errors::Error;
use crate::interrupts::check_interrupts;

/// Answers that are stored by one statement.
const BATCH: usize = 1_000;

const STORE: &str = "
    INSERT INTO ebs.fleet_answer AS a
        (advised_at, volume, account, region, instance, owner, action, usd_month, usd_month_saved, answer)
    SELECT timestamptz 'epoch' + $2 * interval '1 microsecond',
           n.volume, n.account, n.region, n.instance, n.owner, n.action, trim_scale(n.usd_month), trim_scale(n.usd_month_saved), n.answer
    FROM pg_catalog.jsonb_to_recordset($1::pg_catalog.jsonb)
         AS n (volume text, account text, region text, instance text, owner text, action text, usd_month numeric,
               usd_month_saved numeric, answer pg_catalog.jsonb)
    ON CONFLICT (volume, account, region, advised_at) DO UPDATE SET
        instance = excluded.instance, owner = excluded.owner, action = excluded.action, usd_month = excluded.usd_month,
        usd_month_saved = excluded.usd_month_saved, answer = excluded.answer, imported_by = session_user";

/// An answer to store.
#[derive(Serialize)]
struct Row<'a> {
    volume: &'a str,
    account: Option<&'a str>,
    region: Option<&'a str>,
    instance: Option<&'a str>,
    owner: Option<&'a str>,
    action: &'a str,
    usd_month: Option<f64>,
    usd_month_saved: Option<f64>,
    answer: &'a Value,
}

/// Stores the answers of a time, microseconds since 1970; one of the same volume and time is replaced.
pub fn store_fleet_answers(answers: &[FleetAnswer], advised_us: i64) -> Result<(), Error> {
    lock_changes()?;
    for batch in answers.chunks(BATCH) {
        check_interrupts();
        let rows: Vec<Row> = batch.iter().map(row).collect();
        let document = to_json(&rows, "The answers")?;
        Spi::run_with_args(STORE, &[document.into(), advised_us.into()])?;
    }
    check_fleet_answers()
}

fn row(answer: &FleetAnswer) -> Row<'_> {
    Row {
        volume: &answer.volume,
        account: answer.account.as_deref(),
        region: answer.region.as_deref(),
        instance: answer.instance.as_deref(),
        owner: answer.owner.as_deref(),
        action: &answer.action,
        usd_month: answer.usd_month,
        usd_month_saved: answer.usd_month_saved,
        answer: &answer.row,
    }
}

/// Removes the answers from before this time, microseconds since 1970, and returns their number.
pub fn forget_fleet_answers(before_us: i64) -> Result<usize, Error> {
    let query = "DELETE FROM ebs.fleet_answer WHERE advised_at < timestamptz 'epoch' + $1 * interval '1 microsecond'";
    Spi::connect_mut(|client| Ok(client.update(query, None, &[before_us.into()])?.len()))
}
