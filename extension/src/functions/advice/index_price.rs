//! What the volume would cost with an index in place: the demand without the reads that it spares goes through the same
//! search and replay as any other.

use ebs_advice::advice::{Advice, Candidate, Request, advise, insufficient};
use ebs_base::units::Usd;
use ebs_samples::evidence::{Coverage, Window};
use ebs_tuning::indexes::{Finding, Kind, less, read_pages_s};

use crate::errors::notice;
use crate::functions::subject::Subject;

/// The recommendation as it is, and what is needed for others.
pub struct Prices<'a> {
    subject: &'a Subject,
    request: &'a Request,
    now_usd: Option<Usd>,
    read_pages_s: f64,
}

impl<'a> Prices<'a> {
    /// `None` where there is no advice, or it is not known what PostgreSQL reads.
    pub fn of(subject: &'a Subject, request: &'a Request) -> Option<Prices<'a>> {
        let window = &subject.window;
        let missing = insufficient(window, &Coverage::of(window)).map(|reason| format!("insufficient data: {reason}"));
        let pages = read_pages_s(window);
        let missing = missing.or_else(|| pages.is_none().then(|| "PostgreSQL's reads were not sampled".to_owned()));
        if let Some(missing) = missing {
            notice(format!("no volume with an index in place: {missing}"));
            return None;
        }
        let now_usd = best(window, subject, request).apart_usd();
        Some(Prices { subject, request, now_usd, read_pages_s: pages? })
    }

    /// The volume with an advised index in place, and what it saves a month.
    pub fn of_finding(&self, finding: &Finding) -> Option<(Candidate, Option<Usd>)> {
        let saved_s = finding.saved_s.filter(|_| finding.kind == Kind::Index && finding.advised)?;
        let cost = finding.cost.unwrap_or_default();
        self.without(saved_s - cost.reads_s, cost.writes_s)
    }

    /// What would be recommended without these reads and with these writes more, and what it saves.
    fn without(&self, reads_s: f64, writes_s: f64) -> Option<(Candidate, Option<Usd>)> {
        let window = less(&self.subject.window, reads_s / self.read_pages_s, writes_s);
        let advice = best(&window, self.subject, self.request);
        let saved = self.now_usd.zip(advice.apart_usd()).map(|(now, then)| now - then);
        Some((advice.roles.iter().find_map(|role| role.best().cloned())?, saved))
    }
}

fn best(window: &Window, subject: &Subject, request: &Request) -> Advice {
    // The work over a long history takes seconds: it can be cancelled.
    advise(window, request, &subject.declared, &|| {
        crate::interrupts::check_interrupts();
    })
}
