//! A thread that is torn down: destructors that run before and after its counters are
//! released.

use std::sync::Mutex;

use counting_alloc::{MeasureError, Scope, Tally, measure, try_measure};

use crate::{Work, beyond_an_idle_thread, one_block, one_block_is, thread_tally};

/// The result of a window in a destructor, and the thread's tally around a block.
type InDestructor = (Result<Tally, MeasureError>, Tally);

static SAID: Mutex<Option<InDestructor>> = Mutex::new(None);

/// Allocates and frees three blocks of 300 bytes, one of them in a window if it can
/// open.
fn last_words() {
    one_block(300);
    let window = try_measure(Scope::Thread, || one_block(300)).map(|window| window.tally);
    let before = thread_tally();
    if window.is_err() {
        one_block(300);
    }
    one_block(300);
    let counted = thread_tally() - before;
    // A lock of std does not allocate on systems where it is one word.
    if let Ok(mut said) = SAID.lock() {
        *said = Some((window, counted));
    }
}

const LAST_WORDS: Tally = Tally::ZERO.with_blocks(3, 900).with_deallocs(3, 900);

struct Late;

impl Drop for Late {
    fn drop(&mut self) {
        last_words();
    }
}

thread_local!(static LATE: Late = const { Late });

fn said() -> InDestructor {
    let said = SAID.lock().expect("nobody panicked").take();
    said.expect("the destructor ran")
}

/// std decides by the order of registration whether a destructor runs before or after
/// the release. Both orders are tried, and either outcome is accepted if it is
/// consistent.
pub(crate) fn destructors_of_thread_locals_are_counted_whenever_they_run() {
    let first_a_block = || {
        one_block(50);
        LATE.with(|_| ());
    };
    let first_the_local = || {
        LATE.with(|_| ());
        one_block(50);
    };
    // The first window of a process makes two blocks, to see that they are counted. On macOS, so
    // does the first lock of a mutex.
    let _ = measure(|| ());
    drop(SAID.lock());
    for (order, work) in [first_a_block as Work, first_the_local]
        .into_iter()
        .enumerate()
    {
        let counted = beyond_an_idle_thread(work);
        assert_eq!(counted, LAST_WORDS + one_block_is(50));
        let expected = match order {
            // It is registered after the destructor of the counters, so it runs before.
            0 => vec![(Ok(one_block_is(300)), one_block_is(300))],
            _ => vec![
                (Ok(one_block_is(300)), one_block_is(300)),
                (Err(MeasureError::ThreadEnded), Tally::ZERO),
            ],
        };
        let said = said();
        assert!(expected.contains(&said), "order {order}: {said:?}");
    }
}

/// Thread-locals of POSIX are torn down after all of Rust's.
#[cfg(unix)]
pub(crate) fn the_very_last_destructors_are_counted_and_no_thread_measures_them() {
    use std::ffi::c_void;
    use std::ptr;
    use std::sync::OnceLock;

    // The type of a key, on the systems of this test.
    #[cfg(target_vendor = "apple")]
    type Key = std::ffi::c_ulong;
    #[cfg(not(target_vendor = "apple"))]
    type Key = std::ffi::c_uint;

    unsafe extern "C" {
        fn pthread_key_create(
            key: *mut Key,
            destructor: Option<unsafe extern "C" fn(*mut c_void)>,
        ) -> std::ffi::c_int;
        fn pthread_setspecific(key: Key, value: *const c_void) -> std::ffi::c_int;
    }

    static KEY: OnceLock<Key> = OnceLock::new();

    unsafe extern "C" fn destructor(_: *mut c_void) {
        last_words();
    }

    let mut key: Key = 0;
    // SAFETY: `key` is written before the call returns, and the destructor accepts any
    // value.
    let created = unsafe { pthread_key_create(&mut key, Some(destructor)) };
    assert_eq!(created, 0);
    KEY.get_or_init(|| key);
    let counted = beyond_an_idle_thread(|| {
        one_block(50);
        let key = *KEY.get().expect("it was created");
        // SAFETY: the key was created. The value is not null, so the destructor runs,
        // and nothing follows the pointer.
        let set = unsafe { pthread_setspecific(key, ptr::dangling()) };
        assert_eq!(set, 0);
    });
    assert_eq!(counted, LAST_WORDS + one_block_is(50));
    assert_eq!(said(), (Err(MeasureError::ThreadEnded), Tally::ZERO));
}
