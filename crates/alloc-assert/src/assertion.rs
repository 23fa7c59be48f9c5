//! Assertions in tests: [`AssertMeasured`], [`assert_allocs!`] and [`measure`].

mod measurement;
mod phases;
mod report;
mod requirements;
mod steady;

use std::fmt;
use std::hint::black_box;
use std::panic::Location;

use alloc_results::Reading;
use counting_alloc::{LazyOutput, MeasureError, Measured, Window, uncounted};

use crate::sites::{self, Captured};

use self::measurement::Measurement;
use self::report::{Report, Subject};
use self::requirements::{Requirements, Runs};

pub use self::phases::AssertPhases;
pub use self::steady::Steady;

/// Runs `f` and returns the allocations of the calling thread meanwhile, with its
/// peak and its first operations.
///
/// [`counting_alloc::measure`] has the details.
///
/// ```
/// # use alloc_assert::CountingAlloc;
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let measured = alloc_assert::measure(|| vec![1_u8; 24]);
/// assert_eq!((measured.tally.allocs, measured.tally.bytes), (1, 24));
/// # }
/// ```
///
/// # Panics
///
/// When the closure could not be measured, see [`MeasureError`]: a missing counter
/// must fail the test and not read zero. Also when `f` panics.
#[track_caller]
pub fn measure<T>(f: impl FnOnce() -> T) -> Measured<T> {
    measured(window().measure(f), Subject::default())
}

/// The text of an assertion with its arguments. It is written and freed uncounted, since a
/// window may be open around the assertion.
struct Text(String);

impl Text {
    fn new(text: impl fmt::Display) -> Self {
        Self(uncounted(|| text.to_string()))
    }

    fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        uncounted(|| self.0 = String::new());
    }
}

/// The measurement, or a panic if there is none.
#[track_caller]
fn measured<M>(result: Result<M, MeasureError>, subject: Subject<'_>) -> M {
    or_panic(result.map_err(|error| report::not_measured(report::error_message(error), subject)))
}

/// Panics with the failure, at the line of the caller.
#[track_caller]
fn or_panic<T>(result: Result<T, impl fmt::Display>) -> T {
    match result {
        Ok(value) => value,
        Err(failure) => panic!("{failure}"),
    }
}

/// The window of an assertion, unless the user chooses another.
const fn window() -> Window {
    Window::thread().with_peak().with_first_operations()
}

/// Assertions on a measurement.
///
/// The text has comparisons joined by commas, and all of them have to hold:
/// `METRIC COMPARATOR NUMBER`. The metrics are `allocs`, `bytes`, `deallocs`, `reallocs`,
/// `net-bytes`, `net-blocks`, `peak-bytes`, and `foreign-allocs` for the allocations of other threads
/// meanwhile. Comparators are `<`, `<=`, `==`, `>=` and `>`. A comparison without a metric has the metric of the
/// one before it, as in `allocs >= 1, <= 3`, and the first one has `allocs`: calls of `alloc`,
/// `alloc_zeroed` and `realloc`, so `== 0` also means that no vector grows.
///
/// ```
/// use alloc_assert::{AssertMeasured, CountingAlloc, measure};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() {
/// let joined = measure(|| ["a", "b"].join("-")).assert("allocs == 1, bytes <= 16");
/// assert_eq!(joined, "a-b");
/// # }
/// ```
///
/// The text can be anything that is shown. With [`format_args!`], a limit depends on the input:
///
/// ```
/// # use alloc_assert::{AssertMeasured, CountingAlloc, measure};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let data = b"any input";
/// measure(|| data.to_vec()).assert(format_args!("bytes <= {}", 64 + 4 * data.len()));
/// # }
/// ```
///
/// The trait is implemented for the results of [`measure`] and of the methods of
/// [`Window`], so that there are assertions on a process or a future;
/// [`AssertPhases`] asserts on the parts of a window. An assertion
/// on the process needs [`in_fresh_process`](crate::in_fresh_process) in a test of libtest,
/// whose own threads allocate.
///
/// ```
/// # use alloc_assert::{AssertMeasured, CountingAlloc, Window};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # async fn reply() -> String { String::from("hello") }
/// # async fn test() {
/// Window::thread().measure_future(reply()).await.assert("allocs == 1");
/// # }
/// # fn main() {
/// # use std::task::{Context, Waker};
/// # let mut test = std::pin::pin!(test());
/// # assert!(test.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
/// # }
/// ```
pub trait AssertMeasured {
    /// The return value of the closure or the future.
    type Value;

    /// Returns the value if every requirement holds.
    ///
    /// A requirement on a metric that the window did not measure is broken, for
    /// example on `peak-bytes` without [`Window::with_peak`].
    /// All requirements are broken if the counts can be too low, because threads were
    /// [still running](Measured::still_running).
    ///
    /// # Panics
    ///
    /// When a requirement is broken, with the counts of the measurement, at the line
    /// of the caller. Also when nothing was measured, and when the text is not a
    /// requirement or can't fail (`allocs >= 0`).
    #[track_caller]
    fn assert(self, requirements: impl fmt::Display) -> Self::Value;
}

impl<T> AssertMeasured for Measured<T> {
    type Value = T;

    #[track_caller]
    fn assert(self, requirements: impl fmt::Display) -> T {
        let text = Text::new(requirements);
        let requirements = or_panic(Requirements::read(text.as_str(), Runs::Once));
        or_panic(judge(
            (self, Captured::NONE),
            &requirements,
            Subject::default(),
        ))
    }
}

impl<M: AssertMeasured> AssertMeasured for Result<M, MeasureError> {
    type Value = M::Value;

    #[track_caller]
    fn assert(self, requirements: impl fmt::Display) -> M::Value {
        let text = Text::new(requirements);
        measured(self, Subject::default()).assert(text.as_str())
    }
}

/// The value, if the measurement meets the requirements. The error is the report of a
/// broken one.
#[track_caller]
fn judge<T>(
    (measured, sites): (Measured<T>, Captured),
    requirements: &Requirements,
    subject: Subject<'_>,
) -> Result<T, String> {
    report::not_still_running(measured.still_running, subject)?;
    let measurement = Measurement::new(&measured, sites);
    refuse_lazy::<T>(&measurement.reading, subject)?;
    judge_measurement(&measurement, requirements, subject)?;
    Ok(measured.value)
}

/// An error, the report, unless the measurement meets the requirements.
#[track_caller]
fn judge_measurement(
    measurement: &Measurement,
    requirements: &Requirements,
    subject: Subject<'_>,
) -> Result<(), String> {
    // A window may be open around this assertion.
    let failure = uncounted(|| {
        let broken = requirements.broken(measurement);
        let report = Report {
            subject,
            broken,
            measurement,
            repeats: None,
        };
        (!report.broken.is_empty()).then(|| report.message())
    });
    failure.map_or(Ok(()), Err)
}

/// An error if the measured code only made a value of `T`, and the work of the value did
/// not run.
fn refuse_lazy<T>(reading: &Reading, subject: Subject<'_>) -> Result<(), String> {
    match LazyOutput::in_type::<T>() {
        Some(output) if reading.counts.allocs == 0 => Err(report::not_measured(output, subject)),
        Some(_) | None => Ok(()),
    }
}

/// Measures an expression on the calling thread, asserts its allocations, and returns
/// its value.
///
/// ```
/// use alloc_assert::{CountingAlloc, assert_allocs};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() {
/// let text = String::from(" words ");
/// let trimmed = assert_allocs!(text.trim(), "== 0");
/// assert_eq!(trimmed, "words");
/// assert_allocs!(trimmed.to_owned(), "allocs == 1, bytes <= 8, net-bytes > 0");
/// # }
/// ```
///
/// The text is as in [`AssertMeasured`].
///
/// A limit can depend on the input: the text takes variables and arguments as [`format!`] does.
///
/// ```
/// # use alloc_assert::{CountingAlloc, assert_allocs};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let data = b"any input";
/// let most = data.len();
/// assert_allocs!(data.to_vec(), "bytes <= {most}, allocs == 1");
/// assert_allocs!(data.to_vec(), "bytes <= {}", 64 + 4 * data.len());
/// # }
/// ```
///
/// The first argument is not a literal: write a literal into the text. Arguments are evaluated
/// before the expression.
///
/// A second text, and its arguments, are shown in a failure, as with [`assert!`]:
///
/// ```
/// # use alloc_assert::{CountingAlloc, assert_allocs};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// for number in [7_u64, 70_000] {
///     assert_allocs!(number.to_string(), "== 1", "number: {number}");
/// }
/// # }
/// ```
///
/// They can also be settings of [`Steady`]. Then the expression runs many times, and
/// every run has to meet the requirements, except on the `mean` or the `total`:
///
/// ```
/// # use alloc_assert::{CountingAlloc, assert_allocs};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let mut line = String::new();
/// assert_allocs!(
///     {
///         line.clear();
///         line.push_str("the first call grows the line, and the others do not");
///     },
///     "allocs == 0",
///     warm_up = 1,
///     repeats = 100
/// );
/// # }
/// ```
///
/// # What is measured
///
/// The calling thread is measured. Work that the expression passes to a pool of threads
/// is not counted, so that `== 0` holds: use a [`Window::process`] in a test that
/// runs alone in its process. There, `foreign-allocs == 0` shows that no other thread
/// allocated.
///
/// The expression is measured in a closure. Its value passes through
/// [`black_box`](std::hint::black_box), so that the optimizer doesn't remove it. The
/// value is dropped outside the measurement; to count that as well, write
/// `drop(...)` or a block that ends with `;`. The expression may borrow variables and
/// return such a borrow.
///
/// Because of the closure, `?`, `return` and `break` don't leave the surrounding
/// function: write `assert_allocs!(read(text), "== 0")?`. `.await` does not compile;
/// see [`AssertMeasured`] for futures. A reference to a temporary of the expression,
/// such as `String::new().as_str()`, does not compile either.
///
/// # Panics
///
/// As [`AssertMeasured::assert`], with the text of the expression.
#[macro_export]
macro_rules! assert_allocs {
    // Requirements that are a literal, in which variables can be named.
    ($expression:expr, $requirements:literal $(,)?) => {
        $crate::assert_allocs!(@once $expression, ($requirements), ::core::option::Option::None)
    };
    ($expression:expr, $requirements:literal, $($setting:ident = $value:expr),+ $(,)?) => {
        $crate::assert_allocs!(@steadily $expression, ($requirements), $($setting = $value),+)
    };
    // A second literal is the context.
    ($expression:expr, $requirements:literal, $context:literal $(, $($argument:tt)*)?) => {
        $crate::assert_allocs!(@once $expression, ($requirements),
            ::core::option::Option::Some(::core::format_args!($context $(, $($argument)*)?)))
    };
    ($expression:expr, $requirements:literal, $($argument:expr),+ $(,)?) => {
        $crate::assert_allocs!(@once $expression, ($requirements, $($argument),+),
            ::core::option::Option::None)
    };
    // Requirements that are another expression.
    ($expression:expr, $requirements:expr $(,)?) => {
        $crate::assert_allocs!(@once $expression, ("{}", $requirements),
            ::core::option::Option::None)
    };
    ($expression:expr, $requirements:expr, $($setting:ident = $value:expr),+ $(,)?) => {
        $crate::assert_allocs!(@steadily $expression, ("{}", $requirements), $($setting = $value),+)
    };
    ($expression:expr, $requirements:expr, $($context:tt)+) => {
        $crate::assert_allocs!(@once $expression, ("{}", $requirements),
            ::core::option::Option::Some(::core::format_args!($($context)+)))
    };
    (@once $expression:expr, ($($requirements:tt)+), $context:expr) => {
        $crate::expansion::Assertion {
            expression: ::core::stringify!($expression),
            requirements: ::core::format_args!($($requirements)+),
            context: $context,
        }
        .once(|| $expression)
    };
    (@steadily $expression:expr, ($($requirements:tt)+), $($setting:ident = $value:expr),+) => {
        $crate::expansion::Assertion {
            expression: ::core::stringify!($expression),
            requirements: ::core::format_args!($($requirements)+),
            context: ::core::option::Option::None,
        }
        .steadily($crate::Steady::new()$(.$setting($value))+, || $expression)
    };
}

/// The expansion of [`assert_allocs!`](crate::assert_allocs); not for direct use.
#[doc(hidden)]
pub mod expansion {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    pub struct Assertion<'a> {
        pub expression: &'a str,
        pub requirements: fmt::Arguments<'a>,
        pub context: Option<fmt::Arguments<'a>>,
    }

    impl Assertion<'_> {
        #[track_caller]
        pub fn once<T>(self, f: impl FnOnce() -> T) -> T {
            let text = Text::new(self.requirements);
            let requirements = or_panic(Requirements::read(text.as_str(), Runs::Once));
            let captured = sites::measure(Location::caller(), window(), || black_box(f()));
            let captured = measured(captured, self.subject());
            or_panic(judge(captured, &requirements, self.subject()))
        }

        #[track_caller]
        pub fn steadily<T>(self, steady: Steady, f: impl FnMut() -> T) -> T {
            let text = Text::new(self.requirements);
            or_panic(steady.run(text.as_str(), self.subject(), f))
        }

        fn subject(&self) -> Subject<'_> {
            Subject {
                expression: Some(self.expression),
                part: None,
                context: self.context,
            }
        }
    }
}
