//! The question that ebs_options, ebs_advise and ebs_advise_json answer, and the answer they show each in its way.

use ebs_advice::advice::{Request, Settings, advise, instance_seen, insufficient};
use ebs_aws::catalogue::Instance;
use ebs_base::error::Refusal;
use ebs_base::names;
use ebs_base::units::Usd;
use ebs_report::report::Report;
use ebs_samples::evidence::{Coverage, Window};
use ebs_workload::sources::sources;
use ebs_workload::waits::waits;
use pgrx::AnyNumeric;
use pgrx::datum::Interval;

use super::findings::found;
use crate::errors::Error;
use crate::functions::subject::{Subject, subject};
use crate::interrupts::check_interrupts;
use crate::storage;

/// The arguments, as written. NULL means the default, so that a caller can pass on what it was not given.
pub struct Arguments<'a> {
    pub run: Option<&'a str>,
    pub lookback: Option<Interval>,
    pub platform: Option<&'a str>,
    pub region: Option<&'a str>,
    pub instance: Option<&'a str>,
    pub percentile: Option<f64>,
    pub headroom: Option<f64>,
    pub max_throttled_pct: Option<f64>,
    pub min_throughput_ratio: Option<f64>,
    pub latency_target_ms: Option<f64>,
    pub durability_pct: Option<f64>,
    pub budget_usd: Option<AnyNumeric>,
    pub max_volumes: Option<i32>,
    pub min_size_gib: Option<i64>,
}

/// Declares an SQL function with the contract's arguments, all of them with defaults, that answers with what `$show` makes
/// of them.
macro_rules! answers {
    ($name:ident, $returns:ty, $show:path) => {
        #[allow(clippy::too_many_arguments, reason = "the contract's arguments")]
        #[pgrx::pg_extern(sql = false)]
        fn $name(
            run: Option<&str>,
            lookback: Option<pgrx::datum::Interval>,
            platform: Option<&str>,
            region: Option<&str>,
            instance: Option<&str>,
            percentile: Option<f64>,
            headroom: Option<f64>,
            max_throttled_pct: Option<f64>,
            min_throughput_ratio: Option<f64>,
            latency_target_ms: Option<f64>,
            durability_pct: Option<f64>,
            budget_usd: Option<pgrx::AnyNumeric>,
            max_volumes: Option<i32>,
            min_size_gib: Option<i64>,
        ) -> $crate::errors::SqlResult<$returns> {
            Ok($show(super::answer::Arguments {
                run,
                lookback,
                platform,
                region,
                instance,
                percentile,
                headroom,
                max_throttled_pct,
                min_throughput_ratio,
                latency_target_ms,
                durability_pct,
                budget_usd,
                max_volumes,
                min_size_gib,
            })?)
        }
    };
}
pub(super) use answers;

impl Arguments<'_> {
    /// Answers them, and shows the answer as `show` does.
    pub fn answer<T>(self, show: impl FnOnce(&Report) -> T) -> Result<T, Error> {
        self.answer_with(|report, _| Ok(show(report)))
    }

    /// The same for what is shown of more than the report.
    pub fn answer_with<T>(self, show: impl FnOnce(&Report, &Subject) -> Result<T, Error>) -> Result<T, Error> {
        let settings = self.settings()?;
        // Arguments are checked before evidence is read: a mistyped one should not cost a look-back's time.
        let request = settings.check(storage::prices_of_region(&settings.region)?)?;
        let subject = subject(self.run, self.lookback)?;
        let request = Request {
            instance: settings.instance.as_deref().map_or_else(|| seen(&subject), |_| request.instance),
            ..request
        };
        let report = report(&subject, &request, self.details(&subject))?;
        show(&report, &subject)
    }

    /// How to ask ebs_options for the same: with every argument that was given.
    fn details(&self, subject: &Subject) -> String {
        let quoted = |value: &str| pgrx::spi::quote_literal(value);
        let named = |name: &str, value: Option<String>| value.map(|value| format!("{name} => {value}"));
        let number = |value: Option<f64>| value.map(|value| value.to_string());
        // "the last day" is one.
        let one = |text: &str| {
            if text.starts_with(|c: char| c.is_ascii_digit()) { text.to_owned() } else { format!("1 {text}") }
        };
        let lookback = self.lookback.is_some().then(|| subject.name.strip_prefix("the last ").map(one)).flatten();
        let given = [
            Some(subject.argument.clone()).filter(|argument| !argument.is_empty()),
            named("lookback", lookback.filter(|lookback| lookback != "14 days").map(|lookback| quoted(&lookback))),
            named("platform", self.platform.filter(|platform| *platform != "ec2").map(quoted)),
            named("region", self.region.filter(|region| *region != "us-east-1").map(quoted)),
            named("instance", self.instance.map(quoted)),
            named("percentile", number(self.percentile.filter(|percentile| *percentile != 99.0))),
            named("headroom", number(self.headroom.filter(|headroom| *headroom != 0.2))),
            named("max_throttled_pct", number(self.max_throttled_pct.filter(|most| *most != 1.0))),
            named("min_throughput_ratio", number(self.min_throughput_ratio)),
            named("latency_target_ms", number(self.latency_target_ms)),
            named("durability_pct", number(self.durability_pct)),
            named("budget_usd", self.budget_usd.as_ref().map(AnyNumeric::to_string)),
            named("max_volumes", self.max_volumes.map(|volumes| volumes.to_string())),
            named("min_size_gib", self.min_size_gib.map(|gib| gib.to_string())),
        ];
        let given: Vec<String> = given.into_iter().flatten().collect();
        format!("SELECT * FROM ebs_options({})", given.join(", "))
    }

    fn settings(&self) -> Result<Settings, Error> {
        let default = Settings::default();
        Ok(Settings {
            platform: self.platform.map_or(default.platform, names::owned),
            region: self.region.map_or(default.region, names::owned),
            instance: self.instance.map(names::owned),
            percentile: self.percentile.unwrap_or(default.percentile),
            headroom: self.headroom.unwrap_or(default.headroom),
            max_throttled_pct: self.max_throttled_pct.unwrap_or(default.max_throttled_pct),
            min_throughput_ratio: self.min_throughput_ratio,
            latency_target_ms: self.latency_target_ms,
            durability_pct: self.durability_pct,
            budget_usd: self.budget_usd.as_ref().map(dollars).transpose()?,
            max_volumes: self.max_volumes,
            min_size_gib: self.min_size_gib,
        })
    }
}

/// The instance that was declared, or else the one the machine told of, if the catalogue has it.
pub(super) fn seen(subject: &Subject) -> Option<&'static Instance> {
    instance_seen(&subject.window, &subject.declared)
}

fn report<'a>(subject: &'a Subject, request: &'a Request, details: String) -> Result<Report<'a>, Error> {
    let window = &subject.window;
    let coverage = Coverage::of(window);
    let enough = insufficient(window, &coverage).is_none();
    Ok(Report {
        subject: subject.name.clone(),
        server: subject.server.clone(),
        when: when(window)?,
        request,
        window,
        coverage,
        steadiness: subject.steadiness,
        advice: enough.then(|| advise(window, request, &subject.declared, &check_interrupts)),
        sources: sources(window),
        waits: waits(window),
        declared: &subject.declared,
        argument: subject.argument.clone(),
        findings: if enough { found(subject, request)? } else { Vec::new() },
        details,
    })
}

/// The window in the session's time zone: `2026-11-21 10:41:00 to 10:42:00 UTC`.
fn when(window: &Window) -> Result<String, Error> {
    storage::first_text(
        "SELECT pg_catalog.concat(pg_catalog.to_char(a, 'YYYY-MM-DD HH24:MI:SS'), ' to ',
                    pg_catalog.to_char(b, CASE WHEN a::date = b::date THEN 'HH24:MI:SS TZ' ELSE 'YYYY-MM-DD HH24:MI:SS TZ' END))
         FROM (SELECT timestamptz 'epoch' + $1 * interval '1 microsecond' AS a,
                      timestamptz 'epoch' + $2 * interval '1 microsecond' AS b) bounds",
        &[window.from_us.into(), window.to_us.into()],
    )
}

fn dollars(amount: &AnyNumeric) -> Result<Usd, Error> {
    let text = amount.to_string();
    text.parse().map_err(|_| {
        let value = text.parse().unwrap_or(f64::NAN);
        let meaning = "US dollars a month for all volumes, for example 100.00.";
        Error::from(Refusal::OutOfRange { argument: "budget_usd", value, min: 0.01, max: 1e9, meaning })
    })
}
