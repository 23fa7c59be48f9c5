//! Assertions in tests: [`AssertMeasured`], [`assert_allocs!`] and [`measure`].
//! What a text requires and what a failure says is in the modules below; what a
//! gate requires is not known here.

mod figures;
mod metric_name;
mod mistake;
mod report;
mod requirements;
mod steady;

use std::fmt;
use std::hint::black_box;

use counting_alloc::{MeasureError, Measured, Window};

use figures::Figures;
use report::{Report, Subject};
use requirements::{Requirements, Unnamed};

pub use steady::Steady;

/// Runs `f` and returns what the calling thread allocated meanwhile, with its
/// peak and its first operations.
///
/// As [`counting_alloc::measure`], which has the details.
///
/// # Panics
///
/// When the closure could not be measured, see [`MeasureError`]: a missing
/// counter must fail the test and not read zero. And when `f` panics.
#[track_caller]
pub fn measure<T>(f: impl FnOnce() -> T) -> Measured<T> {
    match window().measure(f) {
        Ok(measured) => measured,
        Err(error) => panic!("{}", report::words(error)),
    }
}

/// The window of an assertion, unless its user opens another.
const fn window() -> Window {
    Window::thread().with_peak().with_first_operations()
}

/// Asserting what was measured.
///
/// The text is comparisons joined by commas, all of which have to hold:
/// `METRIC COMPARATOR NUMBER`. The metrics are `allocs`, `bytes`, `deallocs`,
/// `freed-bytes`, `reallocs`, `grows`, `shrinks`, `alloc-calls`, `net-bytes`,
/// `net-blocks`, `peak-bytes`, `failed`. Comparators are `<`, `<=`, `==`, `>=`
/// and `>`. A comparison without a metric is of the metric before it:
/// `allocs >= 1, <= 3`.
///
/// ```
/// use alloc_scenario::{AssertMeasured, CountingAlloc, measure};
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
/// Implemented for what [`measure`] returns and for what the methods of
/// [`Window`] return, so that the scope of the process, a future or a pool can be
/// asserted on:
///
/// ```
/// # use alloc_scenario::{AssertMeasured, CountingAlloc, Window, measure_joined};
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
/// measure_joined(|token| {
///     std::thread::scope(|threads| {
///         let work = || token.count(|| drop(vec![0_u8; 4096]));
///         threads.spawn(work).join()
///     })
/// })
/// .assert("bytes >= 4096")
/// .expect("the thread did not panic");
/// # }
/// ```
pub trait AssertMeasured {
    /// What was returned by the closure, or the future, that was measured.
    type Value;

    /// Returns the value if every requirement holds.
    ///
    /// A metric that the window did not measure, such as `peak-bytes` without
    /// [`Window::with_peak`], breaks its requirement.
    ///
    /// # Panics
    ///
    /// When a requirement is broken, with all that was measured, at the line of
    /// the caller. When nothing was measured. And when the text is no
    /// requirement, or one that can't fail (`allocs >= 0`) or can't hold.
    #[track_caller]
    fn assert(self, requirements: &str) -> Self::Value;
}

impl<T> AssertMeasured for Measured<T> {
    type Value = T;

    #[track_caller]
    fn assert(self, requirements: &str) -> T {
        let requirements = match Requirements::read(requirements, Unnamed::IsAMistake) {
            Ok(requirements) => requirements,
            Err(mistake) => panic!("{mistake}"),
        };
        match judge(&self, &requirements, Subject::NONE) {
            Ok(()) => self.value,
            Err(failure) => panic!("{failure}"),
        }
    }
}

impl<T> AssertMeasured for Result<Measured<T>, MeasureError> {
    type Value = T;

    #[track_caller]
    fn assert(self, requirements: &str) -> T {
        match self {
            Ok(measured) => measured.assert(requirements),
            Err(error) => panic!(
                "{}",
                report::not_measured(error, requirements, Subject::NONE)
            ),
        }
    }
}

/// What to tell of a measurement that breaks a requirement.
fn judge<T>(
    measured: &Measured<T>,
    requirements: &Requirements<'_>,
    subject: Subject<'_>,
) -> Result<(), String> {
    let reading = crate::measure::reading(measured);
    if requirements.hold(&reading) {
        return Ok(());
    }
    let report = Report {
        subject,
        requirements,
        figures: &Figures::of(measured),
        repeats: None,
    };
    Err(report.to_string())
}

/// Measures an expression on the calling thread and asserts what it allocated;
/// returns its value.
///
/// ```
/// use alloc_scenario::{CountingAlloc, assert_allocs};
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
/// The text is as in [`AssertMeasured`], and where the first comparison names no
/// metric it is of `allocs`.
///
/// What follows the text is shown in a failure, written as in [`assert!`]:
///
/// ```
/// # use alloc_scenario::{CountingAlloc, assert_allocs};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// for number in [7_u64, 70_000] {
///     assert_allocs!(number.to_string(), "== 1", "number: {number}");
/// }
/// # }
/// ```
///
/// or it is settings of [`Steady`], and the expression runs many times, each of
/// which has to hold:
///
/// ```
/// # use alloc_scenario::{CountingAlloc, assert_allocs};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let mut line = String::new();
/// assert_allocs!(
///     {
///         line.clear();
///         line.push_str("the first call grows the line, and the others do not");
///     },
///     "alloc-calls == 0",
///     warm_up = 1,
///     repeats = 100
/// );
/// # }
/// ```
///
/// # What is measured
///
/// The expression, in a closure. Its value passes through
/// [`black_box`](std::hint::black_box), so that the optimizer doesn't remove it,
/// and it is dropped outside of the measurement: `drop(...)` or a block that ends
/// with `;` has that counted as well. It may borrow from around, and return such
/// a borrow.
///
/// Because it is a closure, `?`, `return` and `break` don't leave the function
/// around: write `assert_allocs!(read(text), "== 0")?`. And `.await` does not
/// compile; see [`AssertMeasured`] for futures. A reference to a temporary of the
/// expression itself, `String::new().as_str()`, does not compile either.
///
/// # Panics
///
/// As [`AssertMeasured::assert`], with the text of the expression.
#[macro_export]
macro_rules! assert_allocs {
    ($expression:expr, $requirements:expr $(,)?) => {
        $crate::expansion::Assertion {
            expression: ::core::stringify!($expression),
            requirements: $requirements,
            context: ::core::option::Option::None,
        }
        .once(|| $expression)
    };
    ($expression:expr, $requirements:expr, $($setting:ident = $value:expr),+ $(,)?) => {
        $crate::expansion::Assertion {
            expression: ::core::stringify!($expression),
            requirements: $requirements,
            context: ::core::option::Option::None,
        }
        .steadily($crate::Steady::new()$(.$setting($value))+, || $expression)
    };
    ($expression:expr, $requirements:expr, $($context:tt)+) => {
        $crate::expansion::Assertion {
            expression: ::core::stringify!($expression),
            requirements: $requirements,
            context: ::core::option::Option::Some(::core::format_args!($($context)+)),
        }
        .once(|| $expression)
    };
}

/// What [`assert_allocs!`] expands to; not for use by hand.
#[doc(hidden)]
pub mod expansion {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    pub struct Assertion<'a> {
        pub expression: &'a str,
        pub requirements: &'a str,
        pub context: Option<fmt::Arguments<'a>>,
    }

    impl Assertion<'_> {
        #[track_caller]
        pub fn once<T>(self, f: impl FnOnce() -> T) -> T {
            let requirements = match Requirements::read(self.requirements, Unnamed::IsAllocs) {
                Ok(requirements) => requirements,
                Err(mistake) => panic!("{mistake}"),
            };
            match window().measure(|| black_box(f())) {
                Ok(measured) => match judge(&measured, &requirements, self.subject()) {
                    Ok(()) => measured.value,
                    Err(failure) => panic!("{failure}"),
                },
                Err(error) => panic!(
                    "{}",
                    report::not_measured(error, self.requirements, self.subject())
                ),
            }
        }

        #[track_caller]
        pub fn steadily<T>(self, steady: Steady, f: impl FnMut() -> T) -> T {
            match steady.run(self.requirements, Unnamed::IsAllocs, self.subject(), f) {
                Ok(value) => value,
                Err(failure) => panic!("{failure}"),
            }
        }

        fn subject(&self) -> Subject<'_> {
            Subject {
                expression: Some(self.expression),
                context: self.context,
            }
        }
    }
}
