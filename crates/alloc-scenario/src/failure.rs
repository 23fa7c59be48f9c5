//! [`NotMeasured`]: why a scenario has no counts. A panic of it becomes a message, so that
//! the other scenarios still run.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, Once, PoisonError};

/// The place of the latest panic of any thread.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Why a scenario has no counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotMeasured {
    /// Text that follows the scenario's name.
    pub(crate) message: String,
    /// Whether its iterations don't fit a time limit.
    pub(crate) timed_out: bool,
}

impl<T: ToString> From<T> for NotMeasured {
    fn from(message: T) -> Self {
        Self {
            message: message.to_string(),
            timed_out: false,
        }
    }
}

/// Runs a scenario. Its panic is a reason too, unless the payload is one already.
///
/// The state that `f` leaves behind is not used again, since a scenario that
/// panicked has no counts.
pub(crate) fn attempt<T>(f: impl FnOnce() -> Result<T, NotMeasured>) -> Result<T, NotMeasured> {
    note_places();
    panic::catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|payload| {
        let payload = match payload.downcast::<NotMeasured>() {
            Ok(reason) => return Err(*reason),
            Err(payload) => payload,
        };
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| String::from("a panic without a message"));
        let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(NotMeasured::from(match place {
            Some(place) => format!("panicked: {text} (at {place})"),
            None => format!("panicked: {text}"),
        }))
    })
}

/// Records the places of panics, in addition to what the present hook does.
fn note_places() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            *PLACE.lock().unwrap_or_else(PoisonError::into_inner) =
                info.location().map(ToString::to_string);
            previous(info);
        }));
    });
}
