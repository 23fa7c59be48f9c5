//! Readings of the calls of `malloc` that C code makes by itself. Where the
//! platform can't count them there is no reading, which is not a reading of zero.

use crate::measured::Scope;
use crate::native::platform::counters::NativeCounters;
use crate::native::tally::NativeTally;

pub(crate) mod tally;

// A statically linked C library has a `malloc` that can't be replaced. An
// interpreter and a model checker have none at all.
#[cfg_attr(
    all(
        feature = "native",
        target_os = "linux",
        target_env = "gnu",
        not(target_feature = "crt-static"),
        not(miri),
        not(all(test, loom))
    ),
    path = "native/interposed.rs"
)]
#[cfg_attr(
    not(all(
        feature = "native",
        target_os = "linux",
        target_env = "gnu",
        not(target_feature = "crt-static"),
        not(miri),
        not(all(test, loom))
    )),
    path = "native/absent.rs"
)]
pub(crate) mod platform;

/// The calls of `malloc` that C code made since the process started, on all
/// threads; `None` where they are not measured.
///
/// They are measured with the feature `native`, on Linux with glibc as a shared
/// library, if a known call from inside the C library arrives at the counter. The
/// tally is exact for the same threads as
/// [`process_tally`](crate::process_tally).
#[must_use]
pub fn process_native_tally() -> Option<NativeTally> {
    platform::is_counted().then(platform::total)
}

/// The counts so far; a window subtracts two such readings.
#[inline]
pub(crate) fn reading(scope: Scope, thread: &NativeCounters) -> Option<NativeTally> {
    platform::is_counted().then(|| match scope {
        Scope::Thread => thread.read(),
        Scope::Process => platform::total(),
    })
}

/// The counts since the reading `before`; `None` unless both were measured.
#[inline]
pub(crate) fn since(
    before: Option<NativeTally>,
    scope: Scope,
    thread: &NativeCounters,
) -> Option<NativeTally> {
    Some(reading(scope, thread)? - before?)
}

/// The sum that a measurement of several parts starts with.
pub(crate) fn nothing() -> Option<NativeTally> {
    platform::is_counted().then_some(NativeTally::ZERO)
}

/// The sum of two parts; `None` unless both were measured.
pub(crate) fn sum(one: Option<NativeTally>, other: Option<NativeTally>) -> Option<NativeTally> {
    Some(one? + other?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_measured_only_if_both_parts_are() {
        let one = NativeTally {
            allocs: 2,
            bytes: 96,
            ..NativeTally::ZERO
        };
        assert_eq!(sum(Some(one), Some(one)), Some(one + one));
        assert_eq!(sum(Some(one), None), None);
        assert_eq!(sum(None, Some(NativeTally::ZERO)), None);
    }
}
