//! Durability that is requested of some volumes alone.

use std::str::FromStr;

use ebs_advice::Settings;
use ebs_base::error::InputError;

use crate::checked_arguments::CheckedArguments;
use crate::discovery::selection::matches_pattern;
use crate::identity::Identity;

/// Volumes that an argument holds for.
#[derive(Clone, Debug, PartialEq)]
pub enum Scope {
    /// Those with this tag: its key and its value.
    Tag(String, String),
    /// Those of these Kubernetes claims, `namespace/name`; `*` for any characters.
    Claim(String),
    /// The one with this EBS volume ID, or identifier of an RDS instance.
    Volume(String),
}

impl Scope {
    /// True of a volume that it holds for.
    fn has(&self, volume: &Identity) -> bool {
        match self {
            Scope::Tag(key, value) => volume.tags.get(key) == Some(value),
            Scope::Claim(pattern) => volume.claim.as_ref().is_some_and(|claim| matches_pattern(claim, pattern)),
            Scope::Volume(id) => volume.id == *id,
        }
    }
}

impl FromStr for Scope {
    type Err = ();

    /// Parses `tag:KEY=VALUE`, `claim:NAMESPACE/NAME` or `volume:ID`.
    fn from_str(text: &str) -> Result<Scope, ()> {
        let (kind, name) = text.split_once(':').filter(|(_, name)| !name.is_empty()).ok_or(())?;
        match kind {
            "tag" => {
                let (key, value) = name.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or(())?;
                Ok(Scope::Tag(key.to_owned(), value.to_owned()))
            }
            "claim" => Ok(Scope::Claim(name.to_owned())),
            "volume" => Ok(Scope::Volume(name.to_owned())),
            _ => Err(()),
        }
    }
}

/// Least durability of some volumes, which was accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct ScopedDurability {
    scope: Scope,
    pct: f64,
}

impl ScopedDurability {
    /// Checks a durability, per cent a year, as `ebs_options` does.
    pub fn new(scope: Scope, pct: f64) -> Result<ScopedDurability, InputError> {
        CheckedArguments::new(Settings { durability_pct: Some(pct), ..Settings::default() })?;
        Ok(ScopedDurability { scope, pct })
    }

    /// The volumes.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The durability that is requested of a volume by its own scopes, the greatest; `None` where it is in none.
    pub(crate) fn find(all: &[ScopedDurability], volume: &Identity) -> Option<f64> {
        all.iter().filter(|one| one.scope.has(volume)).map(|one| one.pct).reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_tags_claims_and_volumes() {
        let named = |id: &str, claim: Option<&str>| Identity {
            id: id.to_owned(),
            claim: claim.map(str::to_owned),
            tags: [("tier".to_owned(), "a=b".to_owned())].into(),
            ..Identity::default()
        };
        let volume = named("vol-1", Some("shop/data-0"));
        let meets = |text: &str| text.parse::<Scope>().unwrap().has(&volume);
        assert!(["tag:tier=a=b", "claim:shop/*", "volume:vol-1"].into_iter().all(meets));
        assert!(!["tag:tier=a", "tag:Tier=a=b", "claim:shop", "volume:vol-2"].into_iter().any(meets));
        assert!(!"claim:*".parse::<Scope>().unwrap().has(&named("vol-1", None)));
        for text in ["", "tier=gold", "tag:tier", "tag:=gold", "claim:", "volume:", "Tag:tier=gold"] {
            assert!(text.parse::<Scope>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_greatest_durability_of_a_volume_counts() {
        let of = |scope: &str, pct| ScopedDurability::new(scope.parse().unwrap(), pct);
        let all = [of("claim:*", 99.9), of("volume:vol-1", 99.999), of("volume:vol-1", 99.8)].map(Result::unwrap);
        let found = |id: &str, claim: Option<&str>| {
            let claim = claim.map(str::to_owned);
            ScopedDurability::find(&all, &Identity { id: id.to_owned(), claim, ..Identity::default() })
        };
        assert_eq!(found("vol-1", Some("a/b")), Some(99.999));
        assert_eq!([found("vol-2", Some("a/b")), found("vol-2", None)], [Some(99.9), None]);
        assert!(of("volume:vol-1", 0.99999).is_err() && of("volume:vol-1", f64::NAN).is_err());
    }
}
