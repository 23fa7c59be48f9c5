//! Windows that are divided into phases.

use std::panic;
use std::panic::AssertUnwindSafe;

use counting_alloc::{Tally, Window, uncounted};

use crate::{bytes, made_and_dropped};

#[test]
fn phases_and_the_rest_sum_to_the_whole() {
    let phased = Window::thread()
        .with_peak()
        .measure_phases(|phases| {
            let input = bytes(100);
            for _ in 0..3 {
                phases.run("parse", || drop(bytes(7)));
                drop(bytes(1));
            }
            phases.run("write", || {
                drop(bytes(20));
                phases.run("flush", || drop(bytes(300)));
                drop(bytes(20));
            });
            drop(input);
            "value"
        })
        .unwrap();
    assert_eq!(phased.whole.value, "value");
    assert_eq!(phased.whole.tally, made_and_dropped(10, 464));
    assert_eq!(phased.whole.peak_bytes, Some(400));
    let named: Vec<_> = phased
        .phases
        .iter()
        .map(|phase| (phase.name, phase.runs, phase.tally))
        .collect();
    assert_eq!(
        named,
        [
            ("parse", 3, made_and_dropped(3, 21)),
            ("write", 1, made_and_dropped(2, 40)),
            ("flush", 1, made_and_dropped(1, 300)),
        ]
    );
    assert_eq!(phased.rest, made_and_dropped(4, 103));
}

#[test]
fn dividing_into_phases_allocates_nothing() {
    let names: [&str; 64] = std::array::from_fn(|i| &*format!("phase {i}").leak());
    let phased = Window::thread()
        .measure_phases(|phases| {
            for _ in 0..100 {
                for name in names {
                    phases.run(name, || ());
                }
            }
        })
        .unwrap();
    assert_eq!(phased.phases.len(), 64);
    assert_eq!(phased.whole.tally, Tally::ZERO);
}

#[test]
#[should_panic(expected = "a window can have at most 64 phases; `one more` would be one more")]
fn a_65th_phase_panics() {
    let _ = Window::thread().measure_phases(|phases| {
        for i in 0..64 {
            phases.run(format!("phase {i}").leak(), || ());
        }
        phases.run("one more", || ());
    });
}

#[test]
fn a_phase_that_panics_has_ended() {
    let phased = Window::thread()
        .measure_phases(|phases| {
            let caught = panic::catch_unwind(AssertUnwindSafe(|| {
                phases.run("broken", || panic::resume_unwind(Box::new(())));
            }));
            uncounted(|| drop(caught));
            drop(bytes(44));
        })
        .unwrap();
    assert_eq!(phased.rest.bytes, 44);
    assert_eq!(phased.phase("broken").unwrap().runs, 1);
    assert_eq!(phased.phase("parse"), None);
}

#[test]
fn phases_read_as_lines() {
    let phased = Window::thread()
        .measure_phases(|phases| phases.run("parse", || drop(bytes(7))))
        .unwrap();
    assert_eq!(
        phased.to_string(),
        "parse (1 run): 1 allocs (7 bytes), 0 reallocs, 1 deallocs (7 bytes)\n\
         rest: 0 allocs (0 bytes), 0 reallocs, 0 deallocs (0 bytes)\n\
         whole: 1 allocs (7 bytes), 0 reallocs, 1 deallocs (7 bytes)"
    );
}
