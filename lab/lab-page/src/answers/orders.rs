//! The order of the first three allocators of each answer, which independent loops confirm.

use super::field::Field;
use super::questions::{
    granted, is_embedded, is_general, is_single, is_without_c, page_faults, tail_times, workloads,
};
use crate::facts::Facts;
use crate::results::Results;
use crate::summary::{Column, Summary};

/// How many allocators of an answer are compared.
const FIRST: usize = 3;

/// By how much two figures of a loop differ if they are not the same.
const TOLERANCE: f64 = 1.1;

/// The first allocators of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    pub of: &'static str,
    pub subjects: Vec<(String, f64)>,
    /// The factor that two figures differ by if they are not the same.
    pub noise: f64,
}

type IsAsked = fn(Option<&Facts>) -> bool;

/// The orders of all answers that were measured.
pub fn orders(results: &Results, summary: &Summary) -> Vec<Order> {
    let times = |is_asked: &dyn Fn(&Column) -> bool| Field::times(summary, is_asked);
    let of = |name: &'static str| times(&move |column: &Column| column.workload == name);
    let of_programs = |has_threads: bool| {
        times(&move |column: &Column| column.is_of_programs() && column.has_threads == has_threads)
    };
    let one_thread = workloads(summary, false);
    let fields: [(&str, Field, IsAsked); 13] = [
        ("words 1", of_programs(false), is_general),
        ("words 2", of_programs(true), is_general),
        ("words 1", of_programs(false), is_without_c),
        ("mixed", one_thread.clone(), is_general),
        ("server", workloads(summary, true), is_general),
        ("pipeline", of("handover"), is_general),
        ("frames", of("frame"), is_single),
        ("vectors", of("vectors"), is_general),
        ("tail", tail_times(results), is_general),
        ("faults", page_faults(results), is_general),
        ("mixed", one_thread.clone(), is_without_c),
        ("embedded", one_thread, is_embedded),
        ("fill", granted(results), is_embedded),
    ];
    let orders = fields.into_iter().map(|(of, field, is_asked)| {
        let (figures, noise) = field.order(is_asked);
        let first = figures.into_iter().take(FIRST);
        Order {
            of,
            subjects: first.map(|figure| (figure.subject, figure.value)).collect(),
            noise,
        }
    });
    orders.filter(|order| order.subjects.len() > 1).collect()
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
