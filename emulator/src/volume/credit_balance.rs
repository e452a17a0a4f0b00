//! Balance of burst credits, updated request by request. The catalogue's bucket takes rates, so spending is booked by slices of
//! time.

use ebs_aws::bucket::Bucket;

/// Length of a slice, seconds: long enough that a smooth load below the baseline is not mistaken for bursts with pauses, which cost
/// an instance credits that it earns back more slowly; short compared with the seconds over which credits matter.
const SLICE_S: f64 = 0.1;

/// A bucket, and the credits spent in the current slice. Times are in seconds and may not go back.
#[derive(Clone, Debug)]
pub struct CreditBalance {
    bucket: Bucket,
    slice_began: f64,
    spent: f64,
}

impl CreditBalance {
    pub fn new(bucket: Bucket, now: f64) -> CreditBalance {
        CreditBalance { bucket, slice_began: now, spent: 0.0 }
    }

    /// Rate at which a request of this cost is released: the burst rate only if credits cover all of it, so that few credits never
    /// pay for a whole slice at the burst rate.
    pub fn rate(&mut self, now: f64, cost: f64) -> f64 {
        self.settle(now);
        let earned = self.bucket.sustained() * (now - self.slice_began).max(0.0);
        if self.bucket.level() + earned - self.spent >= cost { self.bucket.burst() } else { self.bucket.sustained() }
    }

    /// Rate without credits.
    pub fn baseline(&self) -> f64 {
        self.bucket.sustained()
    }

    /// Spends credits on a request.
    pub fn spend(&mut self, cost: f64) {
        self.spent += cost;
    }

    /// Credits as a share of the bucket.
    pub fn share(&mut self, now: f64) -> f64 {
        self.settle(now);
        self.bucket.share()
    }

    /// Books the completed slices: the spending in the first, then idle time.
    fn settle(&mut self, now: f64) {
        let slices = ((now - self.slice_began) / SLICE_S).floor();
        if slices < 1.0 {
            return;
        }
        self.advance(self.spent / SLICE_S, SLICE_S);
        self.advance(0.0, (slices - 1.0) * SLICE_S);
        self.slice_began += slices * SLICE_S;
        self.spent = 0.0;
    }

    fn advance(&mut self, rate: f64, seconds: f64) {
        self.bucket.pass(self.bucket.change(rate), seconds);
    }
}
