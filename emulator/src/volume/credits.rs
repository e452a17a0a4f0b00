//! Burst credits followed request by request: the model's bucket, which knows rates, told what was done in each slice of time.

use ebs_aws::bucket::Bucket;

/// Long enough that a smooth load below the baseline is not taken for bursts with pauses, which would cost an instance
/// credits that it does not earn back as fast; short against the seconds in which credits are looked at.
const SLICE_S: f64 = 0.1;

/// A bucket, and what is not yet booked in it. Times are in seconds and may not go back.
#[derive(Clone, Debug)]
pub struct Credits {
    bucket: Bucket,
    slice_began: f64,
    spent: f64,
}

impl Credits {
    pub fn new(bucket: Bucket, now: f64) -> Credits {
        Credits { bucket, slice_began: now, spent: 0.0 }
    }

    /// What can be done a second at this moment by a request of this cost: a burst only if all of it is covered, so that
    /// a trickle of credits never pays for a slice of bursting.
    pub fn rate(&mut self, now: f64, cost: f64) -> f64 {
        self.book(now);
        let earned = self.bucket.sustained() * (now - self.slice_began).max(0.0);
        if self.bucket.level() + earned - self.spent >= cost { self.bucket.burst() } else { self.bucket.sustained() }
    }

    /// What can be done a second without credits.
    pub fn sustained(&self) -> f64 {
        self.bucket.sustained()
    }

    /// A request was let through.
    pub fn spend(&mut self, cost: f64) {
        self.spent += cost;
    }

    /// Credits at this moment, as a share of the bucket.
    pub fn share(&mut self, now: f64) -> f64 {
        self.book(now);
        self.bucket.share()
    }

    fn book(&mut self, now: f64) {
        let slices = ((now - self.slice_began) / SLICE_S).floor();
        if slices < 1.0 {
            return;
        }
        self.pass(self.spent / SLICE_S, SLICE_S);
        self.pass(0.0, (slices - 1.0) * SLICE_S);
        self.slice_began += slices * SLICE_S;
        self.spent = 0.0;
    }

    fn pass(&mut self, done: f64, seconds: f64) {
        self.bucket.pass(self.bucket.change(done), seconds);
    }
}
