//! The catalogue: what AWS sells, its limits and its prices. Every row has a source and a date.

mod aurora;
mod ceiling;
mod characteristics;
mod class;
mod config;
mod engine;
mod instances;
mod platform;
mod price_list;
mod prices;
mod printed;
mod region;
mod storage_growth;
mod type_facts;
mod usage_type;
mod volume_type;
mod zone;

pub use aurora::{AuroraPrices, AuroraStorage, aurora_prices};
pub use ceiling::{Ceiling, LimitKind};
pub use characteristics::{Characteristics, Family, Generation};
pub use class::{Class, IopsRule, MibpsRule, Purpose, classes, classes_of};
pub use config::{ConfigError, IOPS_STEP, MIBPS_STEP, VolumeConfig};
pub use engine::{UnknownStorage, has_known_storage};
pub use instances::{Instance, Sustained, instance, instances, known_instance, unpublished_type};
pub use platform::{AURORA, Platform};
pub use price_list::describe_without_price_list;
pub use prices::{Item, PRICES_AS_OF, Part, Price, Prices, Status, prices, regions};
pub use printed::PrintedVolume;
pub use region::region_code;
pub use storage_growth::grown_storage_gib;
pub use usage_type::{UsageType, usage_types};
pub use volume_type::VolumeType;
pub use zone::{Zone, is_rds_in_zone, platform_of_zone, surely_has};

/// Least similarity of a name that is suggested for one that the catalogue does not have.
const SIMILAR: f64 = 0.7;
