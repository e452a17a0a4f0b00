//! Errors of requests that the evidence or the configuration refuses.

use ebs_aws::catalogue::UnknownStorage;
use ebs_base::names::quoted;

/// Request that cannot be answered on this evidence.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnswerError {
    /// The catalogue does not have the storage of the RDS instance.
    #[error("{}", unknown_storage(.0))]
    UnknownStorage(UnknownStorage),
    /// PostgreSQL's share of the I/O is not known; of this run or look-back.
    #[error("PostgreSQL's share of the I/O is unknown in {0}")]
    UnknownShare(String),
}

impl AnswerError {
    /// Text of the DETAIL line.
    pub fn detail(&self) -> String {
        match self {
            AnswerError::UnknownStorage(storage) => storage.describe(),
            AnswerError::UnknownShare(_) => {
                "PostgreSQL's own counts must cover 95 % of the bytes; samples that were imported \
                                             from other tools have none."
                    .to_owned()
            }
        }
    }

    /// Text of the HINT line.
    pub fn hint(&self) -> &'static str {
        match self {
            AnswerError::UnknownStorage(UnknownStorage::Engine(_)) => {
                "Volumes of a server of its own can be advised: platform => 'ec2'. PostgreSQL, MySQL and MariaDB have the same storage on \
                 RDS (docs/rds.md)."
            }
            AnswerError::UnknownStorage(UnknownStorage::Outpost) => {
                "Volumes of a server of its own on the Outpost can be advised: platform => 'outposts' (docs/rds.md)."
            }
            AnswerError::UnknownShare(_) => {
                "Leave out io_source, or use io_source => 'all': all I/O of the devices is sized for."
            }
        }
    }
}

fn unknown_storage(storage: &UnknownStorage) -> String {
    match storage {
        UnknownStorage::Engine(engine) => {
            format!("the storage of RDS for engine \"{}\" is not known", quoted(engine))
        }
        UnknownStorage::Outpost => "the storage of RDS on Outposts is not known".to_owned(),
    }
}
