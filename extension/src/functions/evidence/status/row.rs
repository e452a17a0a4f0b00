//! A row of ebs_status.

use crate::functions::sql_row::sql_row;

sql_row! {
    pub struct StatusRow {
        check: &'static str,
        ok: Option<bool>,
        detail: String,
        hint: Option<String>,
    }
}

impl StatusRow {
    /// A check that passed.
    pub fn passed(check: &'static str, detail: impl Into<String>) -> StatusRow {
        StatusRow { check, ok: Some(true), detail: detail.into(), hint: None }
    }

    /// A check that failed, and its remedy.
    pub fn failed(check: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> StatusRow {
        StatusRow { check, ok: Some(false), detail: detail.into(), hint: Some(hint.into()) }
    }

    /// A check without a result: its subject is missing, and is optional.
    pub fn unknown(check: &'static str, detail: impl Into<String>, hint: Option<String>) -> StatusRow {
        StatusRow { check, ok: None, detail: detail.into(), hint }
    }

    /// The same check with a hint.
    pub fn with_hint(self, hint: String) -> StatusRow {
        StatusRow { hint: Some(hint), ..self }
    }

    /// A check that fails if there is a problem, which the hint names.
    pub fn unless(check: &'static str, detail: impl Into<String>, problem: Option<String>) -> StatusRow {
        StatusRow { check, ok: Some(problem.is_none()), detail: detail.into(), hint: problem }
    }
}
