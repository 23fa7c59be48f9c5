//! Boxes, shared ownership, and caught panics.

use std::cell::RefCell;
use std::error::Error;
use std::hint::black_box;
use std::panic;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use crate::operation::{Operation, on_one_thread};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![
    rc_cloned,
    rc_made_mutable,
    rc_slice,
    arc_str,
    weak_outlives_its_value,
    parent_and_children,
    box_dyn,
    box_leaked,
    error_boxed,
    panic_caught,
    panic_with_a_formatted_message,
    panic_unwinds_through_drops,
];

fn rc_cloned() {
    let first = Rc::new([1_u64; 5]);
    let clones: Vec<_> = (0..10).map(|_| Rc::clone(&first)).collect();
    black_box((first, clones));
}

/// Copies the value only while it is shared.
fn rc_made_mutable() {
    let mut mine = Rc::new(vec![1_u8; 30]);
    Rc::make_mut(&mut mine).push(2);
    let other = Rc::clone(&mine);
    Rc::make_mut(&mut mine).push(3);
    black_box((mine, other));
}

fn rc_slice() {
    let slice: Rc<[u32]> = vec![7; 25].into();
    let collected: Rc<[u32]> = slice.iter().map(|n| n + 1).collect();
    black_box((slice, collected));
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

struct Node {
    parent: Weak<Node>,
    children: RefCell<Vec<Rc<Node>>>,
}

fn parent_and_children() {
    let root = Rc::new_cyclic(|root| Node {
        parent: Weak::new(),
        children: RefCell::new(vec![Rc::new(Node {
            parent: Weak::clone(root),
            children: RefCell::default(),
        })]),
    });
    assert!(root.parent.upgrade().is_none());
    assert!(root.children.borrow()[0].parent.upgrade().is_some());
    black_box(root);
}

fn box_dyn() {
    let text = String::from("captured");
    let calls: Vec<Box<dyn Fn(usize) -> usize>> =
        vec![Box::new(|n| n), Box::new(move |n| n + text.len())];
    black_box(calls.iter().map(|call| call(1)).sum::<usize>());
}

/// A leaked block is counted as live.
fn box_leaked() {
    black_box(Box::leak(Box::new([3_u8; 77])));
}

fn error_boxed() {
    let error: Box<dyn Error + Send + Sync> = black_box("a reason").into();
    black_box(error.to_string());
}

fn panic_caught() {
    let caught = panic::catch_unwind(|| panic::panic_any(black_box([5_u64; 9])));
    assert!(caught.is_err());
}

fn panic_with_a_formatted_message() {
    let caught = panic::catch_unwind(|| panic!("{} is not {}", black_box(1), black_box(2)));
    let payload = caught.err();
    let message = payload
        .as_ref()
        .and_then(|any| any.downcast_ref::<String>());
    assert_eq!(message.map(String::as_str), Some("1 is not 2"));
}

fn panic_unwinds_through_drops() {
    let caught = panic::catch_unwind(|| {
        let held = vec![String::from("dropped"); 4];
        let nothing: Option<u8> = black_box(None);
        assert!(nothing.is_some(), "{held:?}");
    });
    assert!(caught.is_err());
}
