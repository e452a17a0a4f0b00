//! Added delay: the time that requests waited for a limit, first in, first out.
//!
//! The cumulative arrivals and the cumulative departures are two lines over time, straight between the moments at which a rate
//! changes. A request's wait is the horizontal distance between them.

use super::flow::Flow;

/// Arrivals from one moment to another, and their waits, which change linearly from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    pub from: f64,
    pub to: f64,
    /// Seconds that the first and the last of them waited.
    pub waits: (f64, f64),
    /// Requests that arrive per second.
    pub requests: f64,
}

/// A busy period: arrivals and departures since its beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct BusyPeriod {
    /// Time, amount, and the rate of requests from this time on.
    arrived: Vec<(f64, f64, f64)>,
    /// Time and amount.
    passed: Vec<(f64, f64)>,
    pieces: Vec<Piece>,
}

impl BusyPeriod {
    pub fn extend(&mut self, now: f64, seconds: f64, flow: &Flow) {
        let (amount, passed) =
            (self.arrived.last().map_or(0.0, |last| last.1), self.passed.last().map_or(0.0, |last| last.1));
        match self.arrived.last_mut() {
            Some(last) => last.2 = flow.requests,
            None => self.arrived.push((now, 0.0, flow.requests)),
        }
        if self.passed.is_empty() {
            self.passed.push((now, 0.0));
        }
        self.arrived.push((now + seconds, amount + flow.arriving * seconds, 0.0));
        self.passed.push((now + seconds, passed + flow.passing * seconds));
    }

    /// Ends the period where the backlog is empty, as both lines meet.
    pub fn close(&mut self) {
        let mut at = 0;
        for pair in self.arrived.windows(2) {
            let (first, last) = (pair[0], pair[1]);
            if last.1 <= first.1 {
                continue;
            }
            let mut from = (first.0, first.1);
            while at + 2 < self.passed.len() && self.passed[at + 1].1 < last.1 {
                let amount = self.passed[at + 1].1.max(from.1);
                let share = (amount - first.1) / (last.1 - first.1);
                let to = (first.0 + share * (last.0 - first.0), amount);
                self.pieces.push(self.piece(at, from, to, first.2));
                (from, at) = (to, at + 1);
            }
            self.pieces.push(self.piece(at, from, (last.0, last.1), first.2));
        }
        self.arrived.clear();
        self.passed.clear();
    }

    /// The arrivals from one time and amount to another, which depart on the piece `at` of the departures.
    fn piece(&self, at: usize, from: (f64, f64), to: (f64, f64), requests: f64) -> Piece {
        let wait = |(time, amount): (f64, f64)| (self.departure(at, amount) - time).max(0.0);
        Piece { from: from.0, to: to.0, waits: (wait(from), wait(to)), requests }
    }

    /// Time at which this amount departs, on the piece `at` of the departures.
    fn departure(&self, at: usize, amount: f64) -> f64 {
        let (first, last) = (self.passed[at], self.passed[at + 1]);
        let share = if last.1 > first.1 { (amount - first.1) / (last.1 - first.1) } else { 1.0 };
        first.0 + share.clamp(0.0, 1.0) * (last.0 - first.0)
    }

    pub fn into_pieces(self) -> Vec<Piece> {
        self.pieces
    }
}

/// The pieces of a lane, of which those after the recording are of its beginning, as if it came again: they are in place of the first ones.
pub(super) fn recurring(mut pieces: Vec<Piece>, recorded_s: f64) -> Vec<Piece> {
    let again = pieces.split_off(pieces.partition_point(|piece| piece.from < recorded_s));
    let Some(end) = again.last().map(|last| last.to - recorded_s) else { return pieces };
    let at_beginning = |piece: Piece| Piece { from: piece.from - recorded_s, to: piece.to - recorded_s, ..piece };
    let rest = pieces.into_iter().filter(|piece| piece.from >= end);
    again.into_iter().map(at_beginning).chain(rest).collect()
}

/// The longer wait of two lanes at each moment: a request waits for both limits at once.
pub(super) fn longer_waits(a: &[Piece], b: &[Piece]) -> Vec<Piece> {
    let mut cuts: Vec<f64> = a.iter().chain(b).flat_map(|piece| [piece.from, piece.to]).collect();
    // Both lists ascend already, so that a stable sort merges them.
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut longer = Vec::with_capacity(cuts.len());
    for cut in cuts.windows(2) {
        while a.next_if(|piece| piece.to <= cut[0]).is_some() {}
        while b.next_if(|piece| piece.to <= cut[0]).is_some() {}
        let has_begun = |piece: &&Piece| piece.from <= cut[0];
        match (a.peek().copied().filter(has_begun), b.peek().copied().filter(has_begun)) {
            (Some(x), Some(y)) => push_longer(x.cut(cut[0], cut[1]), y.cut(cut[0], cut[1]), &mut longer),
            (Some(piece), None) | (None, Some(piece)) => longer.push(piece.cut(cut[0], cut[1])),
            (None, None) => {}
        }
    }
    longer
}

/// Adds the longer of two waits over the same time, in two pieces where they cross.
fn push_longer(x: Piece, y: Piece, longer: &mut Vec<Piece>) {
    let (before, after) = (x.waits.0 - y.waits.0, x.waits.1 - y.waits.1);
    if before * after >= 0.0 {
        longer.push(if before + after >= 0.0 { x } else { y });
        return;
    }
    let at = x.from + (x.to - x.from) * before / (before - after);
    let (first, last) = if before > 0.0 { (x, y) } else { (y, x) };
    longer.extend([first.cut(x.from, at), last.cut(at, x.to)]);
}

impl Piece {
    fn cut(&self, from: f64, to: f64) -> Piece {
        let wait = |at: f64| {
            let share =
                if self.to > self.from { ((at - self.from) / (self.to - self.from)).clamp(0.0, 1.0) } else { 0.0 };
            self.waits.0 + share * (self.waits.1 - self.waits.0)
        };
        Piece { from, to, waits: (wait(from), wait(to)), requests: self.requests }
    }

    fn count(&self) -> f64 {
        self.requests * (self.to - self.from)
    }

    /// Number of requests that waited longer than this.
    fn longer_than(&self, wait: f64) -> f64 {
        let (low, high) = (self.waits.0.min(self.waits.1), self.waits.0.max(self.waits.1));
        match wait {
            wait if wait < low => self.count(),
            wait if wait >= high => 0.0,
            wait => self.count() * (high - wait) / (high - low),
        }
    }
}

/// The wait in seconds that a share `p` of all requests did not exceed.
pub(super) fn quantile(pieces: &[Piece], requests: f64, p: f64) -> f64 {
    let mut open: Vec<&Piece> = pieces.iter().collect();
    let mut allowed = (1.0 - p) * requests;
    let above = |open: &[&Piece], wait: f64| open.iter().map(|piece| piece.longer_than(wait)).sum::<f64>();
    if above(&open, 0.0) <= allowed {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, max(pieces));
    // Accurate to one part in a million, or a nanosecond. Pieces that lie wholly on one side are not counted again.
    while high - low > 1e-6 * high + 1e-9 {
        let middle = (low + high) / 2.0;
        if above(&open, middle) <= allowed {
            high = middle;
            let beyond = |piece: &&&Piece| piece.waits.0.min(piece.waits.1) >= middle;
            allowed -= open.iter().filter(beyond).map(|piece| piece.count()).sum::<f64>();
            open.retain(|piece| !beyond(&piece));
        } else {
            low = middle;
            open.retain(|piece| piece.waits.0.max(piece.waits.1) > middle);
        }
    }
    high
}

/// The longest wait, seconds.
pub(super) fn max(pieces: &[Piece]) -> f64 {
    pieces.iter().map(|piece| piece.waits.0.max(piece.waits.1)).fold(0.0, f64::max)
}

/// Share of all requests that waited.
pub(super) fn waiting_share(pieces: &[Piece], requests: f64) -> f64 {
    let waiting: f64 = pieces.iter().map(|piece| piece.longer_than(0.0)).sum();
    if requests > 0.0 { (waiting / requests).min(1.0) } else { 0.0 }
}

/// The mean wait of all requests, seconds.
pub(super) fn mean(pieces: &[Piece], requests: f64) -> f64 {
    let sum: f64 = pieces.iter().map(|piece| piece.count() * (piece.waits.0 + piece.waits.1) / 2.0).sum();
    if requests > 0.0 { sum / requests } else { 0.0 }
}
