//! Sums over volumes: of all, and of each account, region, instance, owner or value of a tag.

use std::collections::BTreeMap;
use std::str::FromStr;

use ebs_base::error::InputError;
use ebs_base::names::quoted;
use ebs_base::units::Usd;
use ebs_fleet_row::{Action, Row};

use crate::money::{price, price_after, saving};

/// Property of volumes that a total is made for each value of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// One total of all volumes.
    All,
    /// AWS account.
    Account,
    /// Region.
    Region,
    /// Instance.
    Instance,
    /// Owner.
    Owner,
    /// Value of the tag with this key.
    Tag(String),
}

/// Totals of each value of a property, the largest saving first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The property.
    pub by: By,
    /// Its values.
    pub groups: Vec<Total>,
}

/// Sums over some volumes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Value of the property; `None` for volumes of which it is not known, and for the total of all.
    pub name: Option<String>,
    /// Number of volumes.
    pub volumes: u64,
    /// Present price a month.
    pub present: Sum,
    /// Price a month once each action is done; volumes without an answer stay as they are.
    pub after: Sum,
    /// Savings a month.
    pub saved: Usd,
    /// Added cost a month.
    pub added: Usd,
    /// Number of volumes whose saving or added cost is known.
    pub saving_known: u64,
    /// Number of volumes that were at a limit.
    pub at_limit: u64,
    /// Number of volumes by action.
    pub actions: BTreeMap<Action, u64>,
    /// Number of volumes by code of finding.
    pub findings: BTreeMap<String, u64>,
    /// Number of volumes without an answer by code of the reason.
    pub unanswered: BTreeMap<String, u64>,
}

/// Sum of the prices that are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Dollars.
    pub usd: Usd,
    /// Number of volumes whose price is known.
    pub known: u64,
}

impl Sum {
    fn add(&mut self, amount: Option<Usd>) {
        if let Some(amount) = amount {
            self.usd = self.usd + amount;
            self.known += 1;
        }
    }
}

impl By {
    /// Returns its name, as in a heading: `account`, `tag team`.
    pub fn name(&self) -> String {
        match self {
            By::All => "all".to_owned(),
            By::Account => "account".to_owned(),
            By::Region => "region".to_owned(),
            By::Instance => "instance".to_owned(),
            By::Owner => "owner".to_owned(),
            By::Tag(key) => format!("tag {key}"),
        }
    }

    fn value<'a>(&self, row: &'a Row) -> Option<&'a str> {
        match self {
            By::All => None,
            By::Account => row.account.as_deref(),
            By::Region => row.region.as_deref(),
            By::Instance => row.instance.as_deref(),
            By::Owner => row.owner.as_deref(),
            By::Tag(key) => row.tags.get(key).map(String::as_str),
        }
    }
}

impl FromStr for By {
    type Err = InputError;

    fn from_str(text: &str) -> Result<By, InputError> {
        match text {
            "all" => Ok(By::All),
            "account" => Ok(By::Account),
            "region" => Ok(By::Region),
            "instance" => Ok(By::Instance),
            "owner" => Ok(By::Owner),
            _ => match text.strip_prefix("tag:") {
                Some(key) if !key.is_empty() => Ok(By::Tag(key.to_owned())),
                _ => Err(InputError::UnknownName {
                    what: "property of volumes",
                    name: quoted(text),
                    accepted: "all, account, region, instance, owner, tag:KEY".to_owned(),
                }),
            },
        }
    }
}

impl Totals {
    /// Computes the totals of rows.
    pub fn new<'a>(rows: impl IntoIterator<Item = &'a Row>, by: By) -> Totals {
        let mut groups: BTreeMap<Option<&str>, Total> = BTreeMap::new();
        for row in rows {
            groups.entry(by.value(row)).or_default().add(row);
        }
        let named = |(name, total): (Option<&str>, Total)| Total { name: name.map(str::to_owned), ..total };
        let mut groups: Vec<Total> = groups.into_iter().map(named).collect();
        groups.sort_by(|one, other| other.saved.cmp(&one.saved).then(other.present.usd.cmp(&one.present.usd)));
        Totals { by, groups }
    }
}

impl Total {
    /// Computes the total of all rows.
    pub fn from_rows<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Total {
        let mut total = Total::default();
        rows.into_iter().for_each(|row| total.add(row));
        total
    }

    /// Returns the number of volumes with this action.
    pub fn count(&self, action: Action) -> u64 {
        self.actions.get(&action).copied().unwrap_or_default()
    }

    fn add(&mut self, row: &Row) {
        self.volumes += 1;
        self.present.add(price(row.present.as_ref()));
        self.after.add(price_after(row));
        if let Some(saving) = saving(row) {
            self.saving_known += 1;
            let nothing = Usd::default();
            self.saved = self.saved + saving.max(nothing);
            self.added = self.added + (nothing - saving).max(nothing);
        }
        self.at_limit += u64::from(row.limit_pct.is_some_and(|pct| pct > 0.0));
        *self.actions.entry(row.action).or_default() += 1;
        if row.action == Action::NoAnswer {
            *self.unanswered.entry(row.reason.code.clone()).or_default() += 1;
        }
        for finding in &row.findings {
            *self.findings.entry(finding.code.clone()).or_default() += 1;
        }
    }
}

#[cfg(test)]
#[path = "totals_tests.rs"]
mod tests;
