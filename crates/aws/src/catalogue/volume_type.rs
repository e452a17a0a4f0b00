//! EBS volume types. Their facts: `characteristics.rs`, `type_facts.rs`.

use serde::Deserialize;

ebs_base::named! {
    /// A volume type.
    #[derive(PartialOrd, Ord, Hash, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum VolumeType {
        /// General Purpose SSD; performance follows size, with burst credits.
        Gp2 = "gp2",
        /// General Purpose SSD; performance is bought apart from size.
        Gp3 = "gp3",
        /// Provisioned IOPS SSD, the older kind.
        Io1 = "io1",
        /// Provisioned IOPS SSD, Block Express.
        Io2 = "io2",
        /// Throughput Optimized HDD.
        St1 = "st1",
        /// Cold HDD.
        Sc1 = "sc1",
        /// Magnetic, the previous generation.
        Standard = "standard",
        /// Not EBS: a disk of the instance, for comparison.
        #[serde(rename = "instance store")]
        InstanceStore = "instance store",
    }
}
