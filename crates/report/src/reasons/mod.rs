//! Every sentence of an answer. The other crates give reasons as values with their figures; each file describes one kind of
//! value, by functions that begin with `describe`: `candidate::describe_reason`.

pub mod activity;
pub mod balance;
pub mod bottleneck;
mod bursts;
pub mod candidate;
pub mod card;
pub mod comparison;
pub mod confidence;
pub mod decision;
pub mod declarations;
mod declared_limits;
pub mod evidence;
pub mod findings;
pub mod heading;
pub mod indexes;
pub mod io_sources;
pub mod limitations;
pub mod load;
pub mod migration;
pub mod percentile;
pub mod prediction;
pub mod prices;
pub mod queries;
pub mod required_size;
pub mod sampling_cost;
pub mod saturation;
pub mod sessions;
mod shares;
pub mod statements;
pub mod steady_state;
pub mod variation;
pub mod whatif;
