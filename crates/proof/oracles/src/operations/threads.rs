//! Threads and channels.
//!
//! A thread that blocks on a channel allocates its place in the queue, and whether it
//! blocks depends on timing. So these operations receive after everything is sent.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::mpsc::channel;
use std::thread;

use crate::operation::{Operation, on_several_threads};

pub(crate) const OPERATIONS: &[Operation] = on_several_threads![
    thread_joined,
    thread_that_panics,
    scope_with_joins,
    channel_after_the_sender,
    made_here_freed_there,
    made_there_freed_here,
    grown_on_another_thread,
    thread_local_with_a_destructor,
];

fn thread_joined() {
    let answer = thread::spawn(|| vec![black_box(1_u32); 300].len()).join();
    assert_eq!(answer.ok(), Some(300));
}

fn thread_that_panics() {
    let ended = thread::spawn(|| {
        let held = black_box(vec![0_u8; 123]);
        assert!(held.is_empty());
    })
    .join();
    assert!(ended.is_err());
}

/// Joins each thread explicitly: the implicit join at the end of the scope returns
/// before a thread has freed its own bookkeeping.
fn scope_with_joins() {
    let text = String::from("borrowed by two threads");
    thread::scope(|scope| {
        let upper = scope.spawn(|| text.to_uppercase());
        let bytes = scope.spawn(|| text.bytes().collect::<Vec<u8>>());
        black_box((upper.join().ok(), bytes.join().ok()));
    });
}

fn channel_after_the_sender() {
    let (sender, receiver) = channel();
    let sent = thread::spawn(move || {
        for n in 0..100_u64 {
            assert!(sender.send(vec![n; 3]).is_ok());
        }
    })
    .join();
    assert!(sent.is_ok());
    assert_eq!(receiver.iter().count(), 100);
}

fn made_here_freed_there() {
    let made = vec![vec![1_u8; 333]; 8];
    let freed = thread::spawn(move || drop(black_box(made))).join();
    assert!(freed.is_ok());
}

fn made_there_freed_here() {
    let made = thread::spawn(|| vec![String::from("from afar"); 12]).join();
    black_box(made.ok());
}

fn grown_on_another_thread() {
    let mut v = Vec::with_capacity(16);
    v.push(1_u64);
    let grown = thread::spawn(move || {
        v.reserve_exact(black_box(500));
        v
    })
    .join();
    if let Ok(mut v) = grown {
        v.shrink_to_fit();
        black_box(v);
    }
}

thread_local!(static KEPT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) });

fn thread_local_with_a_destructor() {
    let kept = thread::spawn(|| KEPT.with_borrow_mut(|kept| kept.extend([7; 900]))).join();
    assert!(kept.is_ok());
}
