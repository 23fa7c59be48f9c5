//! [`Scenario`]: the builder of a scenario, from axes and set-up to the body.

pub(crate) mod axis;
pub(crate) mod operation;
mod setup;

use std::marker::PhantomData;
use std::time::Duration;

use alloc_results::{AxisValue, OutputDrop};
use counting_alloc::Scope;

use crate::measure::Opening;
use crate::threads::OnThreads;

use axis::{Axes, Point, Points};
use operation::{Operation, Swept};

pub use setup::{WithInput, WithSetup};

/// A scenario under construction, which
/// [`Suite::scenario_with`](crate::Suite::scenario_with) passes to its closure.
///
/// Axes come first, then settings, an optional set-up, and the body:
///
/// ```no_run
/// # let mut suite = alloc_scenario::Suite::from_args();
/// suite.scenario_with("parse", |b| {
///     b.axis("rows", [10_usize, 100, 1_000])
///         .elements(|&rows| rows)
///         .iterations(1_000)
///         .setup(|&rows| "1;2;3\n".repeat(rows))
///         .run(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
///         .verify(|lines| assert!(!lines.is_empty()))
/// });
/// ```
///
/// An async body runs on a runtime that the closure uses. Driving the future is part of
/// the operation:
///
/// ```no_run
/// # struct Runtime;
/// # impl Runtime { fn block_on<F: Future>(&self, f: F) -> F::Output { loop {} } }
/// # async fn fetch(name: &str) -> Vec<u8> { Vec::new() }
/// let mut suite = alloc_scenario::Suite::from_args();
/// let runtime = Runtime; // such as `tokio::runtime::Runtime::new()`
/// suite.scenario_with("fetch", |b| {
///     b.input(|()| String::from("index"))
///         .run(|name| runtime.block_on(fetch(&name)))
/// });
/// ```
///
/// `input` makes a value before each call, as `iter_batched` of criterion and
/// `with_inputs` of divan do. The measured call consumes and drops it:
///
/// ```no_run
/// # let mut suite = alloc_scenario::Suite::from_args();
/// suite.scenario_with("sort", |b| {
///     b.input(|()| vec![3, 1, 2]).run(|mut numbers| {
///         numbers.sort();
///         numbers
///     })
/// });
/// ```
///
/// Several values are a tuple. A value that all calls share is outside of the closure,
/// or in the state of `setup`:
///
/// ```no_run
/// # use std::collections::HashMap;
/// # let mut suite = alloc_scenario::Suite::from_args();
/// let names = HashMap::from([(7, "seven")]);
/// suite.scenario_with("merge", |b| {
///     b.input(|()| (vec![7, 8], vec![9]))
///         .run(|(mut left, right)| {
///             left.extend(right);
///             left.iter().filter_map(|number| names.get(number)).count()
///         })
/// });
/// suite.scenario_with("copy", |b| {
///     b.setup(|()| (vec![1, 2, 3], Vec::new()))
///         .run(|(from, to)| {
///             to.clear();
///             to.extend_from_slice(from);
///         })
/// });
/// ```
#[must_use = "a scenario without a body is not registered"]
pub struct Scenario<'a, A: Axes = ()> {
    points: Points<A::Point>,
    settings: Settings,
    /// What its closures borrow.
    borrows: PhantomData<&'a ()>,
}

/// A finished scenario, which a suite registers: an [`Operation`], or the result of
/// [`Scenario::unavailable`].
pub struct Definition<'a> {
    /// The coordinates of each point, in order.
    pub(crate) points: Vec<Vec<AxisValue>>,
    /// Or why it can't be measured on this machine.
    pub(crate) body: Result<Box<dyn Swept + 'a>, String>,
}

impl Scenario<'_> {
    pub(crate) fn new() -> Self {
        Self {
            points: vec![Point::default()],
            settings: Settings::default(),
            borrows: PhantomData,
        }
    }
}

impl<'a, A: Axes> Scenario<'a, A>
where
    A::Point: 'a,
{
    /// Sets the number of elements (rows, frames, requests) that one iteration works
    /// on, for counts per element. A negative number fails the scenario.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("double", |b| {
    ///     b.axis("rows", [10_usize, 100])
    ///         .elements(|&rows| rows)
    ///         .setup(|&rows| vec![1_u32; rows])
    ///         .run(|rows| rows.iter().map(|row| row * 2).collect::<Vec<_>>())
    /// });
    /// ```
    pub fn elements<N: TryInto<u64>>(mut self, count: impl Fn(&A::Point) -> N) -> Self {
        for point in &mut self.points {
            point.work.elements = point.positive(&count);
        }
        self
    }

    /// Sets the number of bytes that one iteration reads or writes, for counts per
    /// byte. A negative number fails the scenario.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("copy", |b| {
    ///     b.axis("size", [1_usize << 10, 1 << 20])
    ///         .bytes(|&size| size)
    ///         .setup(|&size| vec![1_u8; size])
    ///         .run(|block| block.clone())
    /// });
    /// ```
    pub fn bytes<N: TryInto<u64>>(mut self, count: impl Fn(&A::Point) -> N) -> Self {
        for point in &mut self.points {
            point.work.bytes = point.positive(&count);
        }
        self
    }

    /// Sets the threads whose operations are counted; [`Scope::Thread`] by default.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// use alloc_scenario::Scope;
    ///
    /// suite.scenario_with("on a worker", |b| {
    ///     b.scope(Scope::Process)
    ///         .run(|()| std::thread::spawn(|| vec![0_u8; 64]).join())
    /// });
    /// ```
    pub fn scope(mut self, scope: Scope) -> Self {
        self.settings.scope = scope;
        self
    }

    /// Sets the iterations before the counted pass, instead of the suite's number.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("import", |b| {
    ///     b.warm_up(2).iterations(20).run(|()| std::fs::read("all-of-it"))
    /// });
    /// ```
    pub fn warm_up(mut self, iterations: u64) -> Self {
        self.settings.warmup = Some(iterations);
        self
    }

    /// Sets the iterations of the counted pass, instead of the suite's number.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("import", |b| {
    ///     b.warm_up(2).iterations(20).run(|()| std::fs::read("all-of-it"))
    /// });
    /// ```
    pub fn iterations(mut self, iterations: u64) -> Self {
        self.settings.iterations = Some(iterations);
        self
    }

    /// Sets how long the scenario may take, set-up included, instead of the number in
    /// `ALLOC_GATE_SCENARIO_TIMEOUT` (`scenario-timeout` of `cargo alloc-gate`).
    ///
    /// The limit is compared with the time of the first calls: if even the fastest of
    /// them is too slow for the iterations that remain, the scenario fails, and the
    /// message has numbers of iterations that fit. It is not enforced within a call.
    ///
    /// ```no_run
    /// use std::time::Duration;
    ///
    /// let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("import", |b| {
    ///     b.warm_up(2)
    ///         .iterations(20)
    ///         .timeout(Duration::from_secs(10))
    ///         .run(|_| std::fs::read("all-of-it"))
    /// });
    /// ```
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.settings.timeout = Some(limit);
        self
    }

    /// Drops the output after the iteration was counted, so that its deallocations are
    /// not part of the operation.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// // Counts the allocations of the lines, and not their deallocations.
    /// suite.scenario_with("split", |b| {
    ///     b.drop_outside()
    ///         .run(|()| "a b c".split(' ').map(str::to_owned).collect::<Vec<_>>())
    /// });
    /// ```
    pub fn drop_outside(mut self) -> Self {
        self.settings.output_drop = OutputDrop::Outside;
        self
    }

    /// Skips the timed pass, for calls that take seconds. The results have no time,
    /// and the body is only called for the warm-up and the counted pass.
    ///
    /// ```no_run
    /// let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("import", |b| {
    ///     b.warm_up(0).iterations(1).untimed().run(|_| std::fs::read("all-of-it"))
    /// });
    /// ```
    pub fn untimed(mut self) -> Self {
        self.settings.is_untimed = true;
        self
    }

    /// Adds a note for readers of the results.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("index", |b| {
    ///     b.note("the index of a small library")
    ///         .run(|()| vec![0_u8; 4096])
    /// });
    /// ```
    pub fn note(mut self, text: &str) -> Self {
        self.settings.note = Some(text.to_owned());
        self
    }

    /// Measures each point of the scenario in a process of its own, so that its first
    /// call is cold: caches of the allocator, lazy statics, pages of the heap.
    ///
    /// The bench starts its own executable again, with the arguments
    /// `--bench --exact -- NAME` and the same environment, and waits for it. `main`
    /// runs there as well, and the counter is proved there too. The output of the
    /// process is shown only if it fails. A process that panics, dies or exits too
    /// early fails the scenario. `cargo test --benches` does not start a process for
    /// the scenario.
    ///
    /// ```no_run
    /// use std::sync::LazyLock;
    ///
    /// use alloc_scenario::Suite;
    ///
    /// static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| vec!["a", "b"]);
    ///
    /// let mut suite = Suite::from_args();
    /// suite.scenario("warm", || WORDS.len());
    /// // Its first call fills the list, which `warm` has filled in another process.
    /// suite.scenario_with("cold", |b| b.fresh_process().run(|()| WORDS.len()));
    /// ```
    pub fn fresh_process(mut self) -> Self {
        self.settings.fresh = true;
        self
    }

    /// Replaces the body if the scenario can't be measured on this machine. The reason
    /// is the end of a sentence.
    ///
    /// The results and the text below the table list its points with the reason. The
    /// smoke test counts them as ignored, and `--ignored` selects only such scenarios.
    /// So a scenario that is missing on one machine is reported there.
    ///
    /// ```no_run
    /// # fn library() -> Option<fn(usize) -> usize> { None }
    /// let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("pair", |b| {
    ///     let b = b.axis("size", [64_usize, 256]);
    ///     match library() {
    ///         Some(pair) => b.run(move |&size| pair(size)).into(),
    ///         None => b.unavailable("libtbbmalloc.so.2 is not installed"),
    ///     }
    /// });
    /// ```
    pub fn unavailable(self, reason: impl Into<String>) -> Definition<'a> {
        let coordinates = self.points.into_iter().map(|point| point.axes);
        Definition {
            points: coordinates.collect(),
            body: Err(reason.into()),
        }
    }

    /// Sets up a state once, outside the measurement. The body gets it by `&mut`.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("clear and fill", |b| {
    ///     b.setup(|()| Vec::new()).run(|numbers| {
    ///         numbers.clear();
    ///         numbers.extend(0..100);
    ///     })
    /// });
    /// ```
    pub fn setup<S, F: Fn(&A::Point) -> S + 'a>(self, set_up: F) -> WithSetup<'a, A, F> {
        WithSetup {
            scenario: self,
            set_up,
        }
    }

    /// Makes an input before each iteration, outside the measurement. The body gets it
    /// by value.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("reverse", |b| {
    ///     b.input(|()| vec![1, 2, 3]).run(|mut numbers| {
    ///         numbers.reverse();
    ///         numbers
    ///     })
    /// });
    /// ```
    pub fn input<I, M: Fn(&A::Point) -> I + 'a>(self, make: M) -> WithInput<'a, A, M> {
        WithInput {
            scenario: self,
            make,
        }
    }

    /// Sets the operation to measure.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("format", |b| {
    ///     b.axis("number", [7_u64, 7_000_000]).run(|number| number.to_string())
    /// });
    /// ```
    pub fn run<O, B>(self, mut body: B) -> Operation<'a, A::Point, O>
    where
        B: FnMut(&A::Point) -> O + 'a,
    {
        self.on_this_thread(move |point, opening| opening.calls(|| body(point)))
    }

    /// Sets the operation to measure, on `threads` threads at once. An iteration is one
    /// call on each thread, and its counts are the sum over the threads.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("format", |b| {
    ///     b.axis("threads", [1_usize, 4])
    ///         .run_on_threads(|&threads| threads, |threads| threads.to_string())
    /// });
    /// ```
    pub fn run_on_threads<O, B, C>(self, threads: C, body: B) -> Operation<'a, A::Point, O>
    where
        A::Point: Sync,
        B: Fn(&A::Point) -> O + Sync + 'a,
        C: Fn(&A::Point) -> usize + 'a,
    {
        self.on_threads(threads, move |point, opening| {
            opening.calls(|| body(point));
        })
    }

    /// An operation whose calls are opened, for one thread at a time.
    fn on_this_thread<O>(
        self,
        open: impl FnMut(&A::Point, Opening<'_, O>) + 'a,
    ) -> Operation<'a, A::Point, O> {
        Operation::new(self.points, self.settings, open)
    }

    /// The same for as many threads as `count` says, at once.
    fn on_threads<O>(
        self,
        count: impl Fn(&A::Point) -> usize + 'a,
        open: impl Fn(&A::Point, Opening<'_, O>) + Sync + 'a,
    ) -> Operation<'a, A::Point, O>
    where
        A::Point: Sync,
    {
        Operation::new(self.points, self.settings, OnThreads { count, open })
    }
}

/// The settings of a scenario; see the methods of `Scenario` that set them.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) scope: Scope,
    pub(crate) output_drop: OutputDrop,
    pub(crate) warmup: Option<u64>,
    pub(crate) iterations: Option<u64>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) note: Option<String>,
    pub(crate) is_untimed: bool,
    pub(crate) fresh: bool,
}
