//! Head of an offer file: offer code, version and publication date.

use super::error::OfferError;
use crate::catalogue::Platform;

/// Offer code, version and publication date of an offer file, as the file has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Head {
    pub(super) code: Option<String>,
    pub(super) version: Option<String>,
    pub(super) published: Option<String>,
}

/// The platform that an offer code is of.
pub(super) fn parse_platform(code: &str) -> Result<Platform, OfferError> {
    match code {
        "AmazonEC2" => Ok(Platform::Ec2),
        "AmazonRDS" => Ok(Platform::Rds),
        other => {
            let shown: String = other.chars().take(40).collect();
            Err(OfferError::NotAnOffer(format!("its offer code is \"{shown}\", not AmazonEC2 or AmazonRDS")))
        }
    }
}

/// True if a text can be an edition: it goes into a basis, and from there into SQL and onto screens.
pub(super) fn is_version(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// The day of a time in ISO 8601: `2026-10-15` of `2026-10-15T19:13:16Z`.
pub(super) fn parse_day(time: &str) -> Option<String> {
    let (day, rest) = time.split_at_checked(10)?;
    let mut parts =
        day.split('-').map(|part| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<u32>().ok())?);
    let (year, month, date) = (parts.next()??, parts.next()??, parts.next()??);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let shaped = parts.next().is_none() && (2000..=9999).contains(&year) && (1..=12).contains(&month);
    (shaped && (1..=days).contains(&date) && (rest.is_empty() || rest.starts_with('T'))).then(|| day.to_owned())
}
