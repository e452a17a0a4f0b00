//! EC2 instances: elements of `Instances` in `Reservations`.

use std::collections::BTreeMap;

use ebs_base::sparse;
use serde::{Deserialize, Serialize};

use super::ConfigurationError;
use super::element::Element;
use super::region::region_of_zone;

sparse! {
    /// An EC2 instance. What AWS did not print is `None`.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Instance {
        /// `r6i.4xlarge`.
        pub instance_type: Option<String>,
        /// True where the instance is EBS-optimized.
        pub ebs_optimized: Option<bool>,
        /// `running`, `stopped`.
        pub state: Option<String>,
        /// Availability zone.
        pub availability_zone: Option<String>,
        /// Region, by the availability zone.
        pub region: Option<String>,
        /// Account that owns it.
        pub account: Option<String>,
        /// ARN of the Outpost that it is on.
        pub outpost_arn: Option<String>,
        /// Tags.
        pub tags: BTreeMap<String, String>,
    }
}

/// Reads an element of `Reservations`, which has instances.
pub(super) fn read(reservation: &Element) -> Result<Vec<(String, Instance)>, ConfigurationError> {
    let account = reservation.text("OwnerId")?;
    let read_one = |(number, value)| {
        let element = Element::new(format!("instance {number} of {}", reservation.at), value)?;
        read_instance(&element, account.clone())
    };
    (1..).zip(reservation.array("Instances")?).map(read_one).collect()
}

fn read_instance(element: &Element, account: Option<String>) -> Result<(String, Instance), ConfigurationError> {
    let id = element.identifier("InstanceId")?;
    let element = &element.named(format!("instance \"{id}\""));
    let zone = match element.object("Placement")? {
        Some(placement) => placement.text("AvailabilityZone")?,
        None => None,
    };
    let state = match element.object("State")? {
        Some(state) => state.text("Name")?,
        None => None,
    };
    let instance = Instance {
        instance_type: element.text("InstanceType")?,
        ebs_optimized: element.flag("EbsOptimized")?,
        state,
        region: zone.as_deref().and_then(region_of_zone),
        availability_zone: zone,
        account,
        outpost_arn: element.text("OutpostArn")?,
        tags: element.tags("Tags")?,
    };
    Ok((id, instance))
}
