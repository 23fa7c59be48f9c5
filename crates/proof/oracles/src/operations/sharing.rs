//! Shared ownership, leaks, and caught panics.

use std::hint::black_box;
use std::panic;
use std::rc::Rc;
use std::sync::Arc;

use crate::operation::{Operation, on_one_thread};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![
    rc_made_mutable,
    arc_str,
    weak_outlives_its_value,
    box_leaked,
    panic_caught,
    panic_unwinds_through_drops,
];

/// Copies the value only while it is shared.
fn rc_made_mutable() {
    let mut mine = Rc::new(vec![1_u8; 30]);
    Rc::make_mut(&mut mine).push(2);
    let other = Rc::clone(&mine);
    Rc::make_mut(&mut mine).push(3);
    black_box((mine, other));
}

fn arc_str() {
    let name: Arc<str> = Arc::from(black_box("a name that is shared"));
    black_box(Arc::clone(&name));
}

/// The block is freed with the last `Weak`.
fn weak_outlives_its_value() {
    let strong = Arc::new(String::from("value"));
    let weak = Arc::downgrade(&strong);
    drop(strong);
    assert!(black_box(&weak).upgrade().is_none());
}

/// A leaked block is counted as live.
fn box_leaked() {
    black_box(Box::leak(Box::new([3_u8; 77])));
}

fn panic_caught() {
    let caught = panic::catch_unwind(|| panic::panic_any(black_box([5_u64; 9])));
    assert!(caught.is_err());
}

fn panic_unwinds_through_drops() {
    let caught = panic::catch_unwind(|| {
        let held = vec![String::from("dropped"); 4];
        let nothing: Option<u8> = black_box(None);
        assert!(nothing.is_some(), "{held:?}");
    });
    assert!(caught.is_err());
}
