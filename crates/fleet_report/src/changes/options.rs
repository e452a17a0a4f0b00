//! Form of the changes.

use std::str::FromStr;

use ebs_base::error::InputError;
use ebs_base::names::quoted;

/// Form of the changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeFormat {
    /// A script of the AWS CLI, of which one wave is run at a time.
    Cli,
    /// Terraform: resources with import blocks.
    Terraform,
    /// Kubernetes: VolumeAttributesClass manifests, and patches of claims.
    Vac,
}

/// Options of the changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeOptions {
    /// Most volumes of one wave.
    pub per_wave: usize,
}

impl Default for ChangeOptions {
    fn default() -> ChangeOptions {
        ChangeOptions { per_wave: 20 }
    }
}

impl FromStr for ChangeFormat {
    type Err = InputError;

    fn from_str(text: &str) -> Result<ChangeFormat, InputError> {
        match text {
            "cli" => Ok(ChangeFormat::Cli),
            "terraform" => Ok(ChangeFormat::Terraform),
            "vac" => Ok(ChangeFormat::Vac),
            _ => Err(InputError::UnknownName {
                what: "form of changes",
                name: quoted(text),
                accepted: "cli, terraform, vac".to_owned(),
            }),
        }
    }
}
