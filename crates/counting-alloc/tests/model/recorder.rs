//! Records the calling thread's calls of the allocator below the counter, and refuses a request on
//! demand.

use std::cell::Cell;

use crate::watched::{Call, Watch};

pub(crate) struct Recorder;

/// The calls that the thread's inner allocator saw since [`watch`]: their number, and the last one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    number: usize,
    last: Option<Call>,
}

const NOTHING: Seen = Seen {
    number: 0,
    last: None,
};

thread_local! {
    // Neither has a destructor, so both live as long as the thread.
    static SEEN: Cell<Seen> = const { Cell::new(NOTHING) };
    static REFUSING: Cell<bool> = const { Cell::new(false) };
}

/// Forgets the calling thread's calls.
pub(crate) fn watch() {
    SEEN.set(NOTHING);
}

/// Makes the calling thread's next request fail.
pub(crate) fn refuse_next() {
    REFUSING.set(true);
}

/// The calling thread's calls since [`watch`].
pub(crate) fn seen() -> Seen {
    SEEN.get()
}

impl Seen {
    /// Whether exactly `call` was made.
    pub(crate) fn is_only(&self, call: Call) -> bool {
        self.number == 1 && self.last == Some(call)
    }
}

impl Watch for Recorder {
    fn refuses(_: Call) -> bool {
        REFUSING.replace(false)
    }

    fn saw(call: Call) {
        SEEN.set(Seen {
            number: SEEN.get().number + 1,
            last: Some(call),
        });
    }
}
