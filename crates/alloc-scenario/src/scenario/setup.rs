//! [`WithSetup`] and [`WithInput`]: scenarios whose body gets a state or an input.

use super::Scenario;
use super::axis::Axes;
use super::operation::Operation;

/// A scenario with a state that is set up before the first call.
#[must_use = "a scenario without a body is not registered"]
pub struct WithSetup<'a, A: Axes, F> {
    pub(crate) scenario: Scenario<'a, A>,
    pub(crate) set_up: F,
}

/// A scenario with an input that is made before each call.
#[must_use = "a scenario without a body is not registered"]
pub struct WithInput<'a, A: Axes, M> {
    pub(crate) scenario: Scenario<'a, A>,
    pub(crate) make: M,
}

impl<'a, A: Axes, F> WithSetup<'a, A, F>
where
    A::Point: 'a,
{
    /// Sets the operation to measure, on the state.
    ///
    /// An output that borrows from the state can't leave the closure. Pass it to
    /// [`black_box`](std::hint::black_box) inside the closure, `|text| {
    /// black_box(parse(text)); }`, or make the state before the suite and capture it.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("join", |b| {
    ///     b.setup(|()| vec!["word"; 100]).run(|words| words.join(" "))
    /// });
    /// ```
    pub fn run<S, O, B>(self, mut body: B) -> Operation<'a, A::Point, O>
    where
        F: Fn(&A::Point) -> S + 'a,
        B: FnMut(&mut S) -> O + 'a,
    {
        let set_up = self.set_up;
        self.scenario.on_this_thread(move |point, opening| {
            let mut state = set_up(point);
            opening.calls(|| body(&mut state));
        })
    }

    /// Sets the operation to measure, on `threads` threads at once, each with its own
    /// state. An iteration is one call on each thread, and its counts are the sum over
    /// the threads.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("push", |b| {
    ///     b.axis("threads", [1_usize, 4])
    ///         .setup(|_| Vec::new())
    ///         .run_on_threads(|&threads| threads, |numbers| {
    ///             numbers.clear();
    ///             numbers.push(1);
    ///         })
    /// });
    /// ```
    pub fn run_on_threads<S, O, B, C>(self, threads: C, body: B) -> Operation<'a, A::Point, O>
    where
        A::Point: Sync,
        F: Fn(&A::Point) -> S + Sync + 'a,
        B: Fn(&mut S) -> O + Sync + 'a,
        C: Fn(&A::Point) -> usize + 'a,
    {
        let set_up = self.set_up;
        self.scenario.on_threads(threads, move |point, opening| {
            let mut state = set_up(point);
            opening.calls(|| body(&mut state));
        })
    }
}

impl<'a, A: Axes, M> WithInput<'a, A, M>
where
    A::Point: 'a,
{
    /// Sets the operation to measure, on its own input.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("into bytes", |b| {
    ///     b.input(|()| String::from("text")).run(String::into_bytes)
    /// });
    /// ```
    pub fn run<I, O, B>(self, mut body: B) -> Operation<'a, A::Point, O>
    where
        M: Fn(&A::Point) -> I + 'a,
        B: FnMut(I) -> O + 'a,
    {
        let make = self.make;
        self.scenario.on_this_thread(move |point, opening| {
            opening.on_inputs(|| make(point), &mut body);
        })
    }

    /// Sets the operation to measure, on `threads` threads at once, each with its own
    /// inputs. An iteration is one call on each thread, and its counts are the sum over
    /// the threads.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("sort", |b| {
    ///     b.axis("threads", [1_usize, 4])
    ///         .input(|_| vec![3, 1, 2])
    ///         .run_on_threads(|&threads| threads, |mut numbers| {
    ///             numbers.sort_unstable();
    ///             numbers
    ///         })
    /// });
    /// ```
    pub fn run_on_threads<I, O, B, C>(self, threads: C, body: B) -> Operation<'a, A::Point, O>
    where
        A::Point: Sync,
        M: Fn(&A::Point) -> I + Sync + 'a,
        B: Fn(I) -> O + Sync + 'a,
        C: Fn(&A::Point) -> usize + 'a,
    {
        let make = self.make;
        self.scenario.on_threads(threads, move |point, opening| {
            opening.on_inputs(|| make(point), &body);
        })
    }
}
