//! [`Order`]: the first three allocators of an answer, which an independent loop confirms.

/// By how much two figures of a loop differ if they are not the same.
const TOLERANCE: f64 = 1.1;

/// The first allocators of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The loop.
    pub of: &'static str,
    pub subjects: Vec<(String, f64)>,
    /// The factor that two figures differ by if they are not the same.
    pub noise: f64,
}

impl Order {
    /// The first two allocators that a loop has in the other order, beyond the noise of both; less
    /// is better in the loop. Allocators without a figure are left out.
    pub fn contradiction(&self, figure: impl Fn(&str) -> Option<f64>) -> Option<(&str, &str)> {
        let each = self.subjects.iter().enumerate();
        let pairs = each.flat_map(|(nth, better)| {
            let others = self.subjects[nth + 1..].iter();
            others.map(move |worse| (better, worse))
        });
        let mut wrong = pairs.filter(|((better, own), (worse, other))| {
            let apart = (own / other).max(other / own) > self.noise;
            let (own, other) = (figure(better), figure(worse));
            let both = own.zip(other);
            apart && both.is_some_and(|(own, other)| own > TOLERANCE * other)
        });
        let ((better, _), (worse, _)) = wrong.next()?;
        Some((better, worse))
    }
}
