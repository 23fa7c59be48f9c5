//! The counters of this build: one set for each thread, or one that all threads
//! share.

#[cfg(not(feature = "std"))]
pub(crate) use crate::shared::{
    FINEST_SCOPE, OwnCounters, REGISTRY, Spans, before_resize, can_measure, counters, excluded,
    excuse, foreign, is_excluded, on_new_thread, record_owned, record_rare, unowned,
    wait_before_opening, wait_for_exits,
};
#[cfg(feature = "std")]
pub(crate) use crate::{
    thread_exit::{wait_before_opening, wait_for_exits},
    threads::{
        FINEST_SCOPE, OwnCounters, REGISTRY, Spans, before_resize, can_measure, counters, excluded,
        excuse, foreign, is_excluded, on_new_thread, record_owned, record_rare, unowned,
    },
};
