//! Requests for advice: arguments of the settings, with the platform, the region and the instance of a volume.

use ebs_advice::Request;
use ebs_aws::catalogue::known_instance;
use ebs_aws::price::bill;

use super::answer::Priced;
use super::described::Described;
use super::settings::Settings;
use super::unknown_fact::UnknownFact;

/// A request for advice on a volume.
pub struct VolumeRequest {
    /// The request.
    pub request: Request,
    /// True where its prices are those of the volume's region.
    pub has_prices: bool,
}

/// Request for advice on a volume: arguments of the settings, with its own platform, region and instance.
pub fn request(described: &Described, settings: &Settings) -> Option<VolumeRequest> {
    let identity = &described.identity;
    let region = identity.region.as_deref().or(settings.region.as_deref());
    let prices = settings.prices(region)?;
    let instance = identity.instance_type.as_deref().and_then(known_instance);
    let request = settings.advice.request(identity.platform, prices.prices)?;
    let database = described.database.clone();
    Some(VolumeRequest { request: Request { instance, database, ..request }, has_prices: prices.is_own })
}

/// Present configuration with its price, and what is not known of it.
pub fn present(described: &Described, settings: &Settings) -> (Option<Priced>, Option<UnknownFact>) {
    let region = described.identity.region.as_deref().or(settings.region.as_deref());
    let prices = settings.prices(region);
    let is_own = prices.as_ref().is_some_and(|prices| prices.is_own);
    let used = prices.as_ref().map_or(String::new(), |prices| prices.prices.region.clone());
    let unknown = (!is_own).then(|| UnknownFact::Prices { region: region.map(str::to_owned), used });
    let priced = described.config.map(|config| {
        let own = prices.filter(|prices| prices.is_own);
        let usd_month = own.and_then(|own| bill(&config, 1, &own.prices)).map(|bill| bill.total().rounded());
        Priced { config, volumes: 1, usd_month }
    });
    (priced, unknown)
}
