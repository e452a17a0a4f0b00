//! Kinds of objects in documents of configuration.

/// Most objects of one import: an account has thousands of volumes.
pub const MAX_OBJECTS: usize = 200_000;

/// Kind of the objects of a document, by the key of their array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// EBS volumes.
    Volumes,
    /// EC2 instances, by reservation.
    Reservations,
    /// RDS instances.
    DbInstances,
    /// Modifications of EBS volumes.
    VolumesModifications,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Volumes, Kind::Reservations, Kind::DbInstances, Kind::VolumesModifications];

    /// Key of the array in the document.
    pub fn key(self) -> &'static str {
        match self {
            Kind::Volumes => "Volumes",
            Kind::Reservations => "Reservations",
            Kind::DbInstances => "DBInstances",
            Kind::VolumesModifications => "VolumesModifications",
        }
    }

    /// Command of the AWS CLI that prints it.
    pub fn command(self) -> &'static str {
        match self {
            Kind::Volumes => "aws ec2 describe-volumes",
            Kind::Reservations => "aws ec2 describe-instances",
            Kind::DbInstances => "aws rds describe-db-instances",
            Kind::VolumesModifications => "aws ec2 describe-volumes-modifications",
        }
    }
}
