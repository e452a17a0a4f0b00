//! EBS volumes: elements of `Volumes`.

use std::collections::BTreeMap;

use ebs_base::sparse;
use serde::{Deserialize, Serialize};

use super::element::Element;
use super::region::region_of_zone;
use super::{ConfigurationError, VolumeState};

sparse! {
    /// An EBS volume. What AWS did not print is `None`.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Volume {
        /// Type, size and figures.
        #[serde(flatten)]
        pub configured: VolumeState,
        /// Availability zone.
        pub availability_zone: Option<String>,
        /// Region, by the availability zone.
        pub region: Option<String>,
        /// `in-use`, `available`.
        pub state: Option<String>,
        /// EC2 instances that it is attached to; several with Multi-Attach.
        pub instances: Vec<String>,
        /// True where it can be attached to several instances (Multi-Attach).
        pub multi_attach: Option<bool>,
        /// Service that manages it, and alone changes its settings: `eks.amazonaws.com`.
        pub managed_by: Option<String>,
        /// ARN of the Outpost that it is on.
        pub outpost_arn: Option<String>,
        /// Tags.
        pub tags: BTreeMap<String, String>,
    }
}

/// Reads an element of `Volumes`.
pub(super) fn read(element: &Element) -> Result<(String, Volume), ConfigurationError> {
    let id = element.identifier("VolumeId")?;
    let element = &element.named(format!("volume \"{id}\""));
    let zone = element.text("AvailabilityZone")?;
    let mut instances = Vec::new();
    for (number, value) in (1..).zip(element.array("Attachments")?) {
        let attachment = Element::new(format!("attachment {number} of {}", element.at), value)?;
        instances.extend(attachment.text("InstanceId")?);
    }
    let operator = element.object("Operator")?;
    let managed_by = match operator {
        Some(operator) if operator.flag("Managed")? == Some(true) => {
            Some(operator.text("Principal")?.unwrap_or_else(|| "an AWS service".to_owned()))
        }
        _ => None,
    };
    let volume = Volume {
        managed_by,
        configured: VolumeState::read(element, "")?,
        region: zone.as_deref().and_then(region_of_zone),
        availability_zone: zone,
        state: element.text("State")?,
        instances,
        multi_attach: element.flag("MultiAttachEnabled")?.filter(|enabled| *enabled),
        outpost_arn: element.text("OutpostArn")?,
        tags: element.tags("Tags")?,
    };
    Ok((id, volume))
}
