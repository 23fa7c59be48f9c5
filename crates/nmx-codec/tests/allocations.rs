//! The allocations of each operation, in every one of 10,000 iterations in a quiet process,
//! and of 1,000 beside eight threads that allocate all the time. The numbers are those of the
//! README, which explains each allocation.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use alloc_scenario::CountingAlloc;
use alloc_scenario::counting_alloc::measure;
use nmx_codec::write_message::{self, WriteValue};
use nmx_codec::{
    DataUpdate, MxReferenceHandle, NmxSubscriptionMessage, Quality, Scalar, Timestamp,
};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

#[test]
fn every_iteration_allocates_what_the_readme_says() {
    check_all(10_000);
}

#[test]
fn eight_busy_threads_beside_it_change_nothing() {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    drop(black_box(vec![0_u8; 1_000]));
                }
            });
        }
        check_all(1_000);
        stop.store(true, Ordering::Relaxed);
    });
}

fn check_all(iterations: u32) {
    let handle = MxReferenceHandle::from_names("Reactor.Cooling", "Setting");
    for (value, allocs, bytes) in [
        (WriteValue::Int32(42), 2, 44),
        (WriteValue::Float32(1.5), 2, 44),
        (WriteValue::Float64(2.5), 2, 52),
        (WriteValue::Boolean(true), 1, 37),
        (WriteValue::String("hello".to_owned()), 4, 92),
    ] {
        check(iterations, allocs, bytes, || {
            write_message::encode(&handle, black_box(&value), 7, 9)
        });
    }
    check(iterations, 2, 22, || {
        MxReferenceHandle::from_names(black_box("Reactor.Cooling"), black_box("Setting"))
    });
    let message = one_update();
    check(iterations, 1, 72, || {
        NmxSubscriptionMessage::parse_inner(black_box(&message))
    });
}

fn check<T>(iterations: u32, allocs: u64, bytes: u64, operation: impl Fn() -> T) {
    for _ in 0..iterations {
        let tally = measure(|| drop(black_box(operation()))).tally;
        assert_eq!(
            (tally.allocs, tally.bytes, tally.deallocs),
            (allocs, bytes, allocs)
        );
        assert_eq!((tally.reallocs, tally.net_bytes()), (0, 0));
    }
}

fn one_update() -> Vec<u8> {
    let record = DataUpdate::from_scalar(
        Timestamp::from_filetime(133_500_000_000_000_000),
        Quality::GOOD,
        Scalar::Int32(42),
    );
    let message = NmxSubscriptionMessage {
        operation_id: [7; 16],
        records: vec![record],
    };
    message.encode().expect("one record fits a message")
}
