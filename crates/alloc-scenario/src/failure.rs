//! [`NotMeasured`]: why a scenario has no counts. A panic of it becomes a message, so that
//! the other scenarios still run.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, Once, PoisonError};

use crate::scenario::operation::Failure;

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

/// Measures a scenario, or runs it once. A panic is a reason as others are.
pub(crate) fn attempt<T>(f: impl FnOnce() -> Result<T, Failure>) -> Result<T, NotMeasured> {
    match catch(f) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(failure)) => Err(NotMeasured {
            message: failure.to_string(),
            timed_out: matches!(failure, Failure::TooSlow(_)),
        }),
        Err(message) => Err(format!("panicked: {message}").into()),
    }
}

impl From<String> for NotMeasured {
    fn from(message: String) -> Self {
        Self {
            message,
            timed_out: false,
        }
    }
}

/// Runs `f`, and returns the message and the place of its panic as an error.
///
/// The state that `f` leaves behind is not used again, since a scenario that
/// panicked has no counts.
pub(crate) fn catch<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    note_places();
    match panic::catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => Ok(value),
        Err(payload) => {
            let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).take();
            let message = message(payload.as_ref());
            Err(match place {
                Some(place) => format!("{message} (at {place})"),
                None => message,
            })
        }
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| String::from("a panic without a message"))
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
