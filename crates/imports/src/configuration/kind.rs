//! Kinds of objects in documents of configuration.

use ebs_base::named;

/// Most objects of one import: an account has thousands of volumes.
pub const MAX_OBJECTS: usize = 200_000;

named! {
    /// Kind of the objects of a document, by the key of their array.
    #[derive(PartialOrd, Ord)]
    pub enum Kind {
        /// EBS volumes.
        Volumes = "Volumes",
        /// EC2 instances, by reservation.
        Reservations = "Reservations",
        /// RDS instances.
        DbInstances = "DBInstances",
        /// Modifications of EBS volumes.
        VolumesModifications = "VolumesModifications",
    }
}

impl Kind {
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
