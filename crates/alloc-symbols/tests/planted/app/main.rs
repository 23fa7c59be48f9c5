//! Allocations, each on a line that a comment `//= SITE` marks. The lines of a site are those
//! that have to be found: the innermost ones of the workspace for all of its allocations.

mod capture;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CString, c_int, c_void};
use std::fmt::{self, Display, Write};
use std::future::Future;
use std::hint::black_box;
use std::ops::Add;
use std::path::Path;
use std::pin::pin;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Waker};

use capture::{Recorder, site};
use other::Shape;

#[global_allocator]
static RECORDER: Recorder = Recorder;

macro_rules! pair {
    ($first:expr) => {
        [
            Box::new($first), //= macro_of_this_crate
            Box::new($first), //= macro_of_this_crate
        ]
    };
}

#[inline(always)]
fn helper(length: usize) -> Vec<u16> {
    Vec::with_capacity(length) //= inlined_helper
}

#[inline(always)]
fn outer_helper(length: usize) -> Vec<u32> {
    middle_helper(length + 1)
}

#[inline(always)]
fn middle_helper(length: usize) -> Vec<u32> {
    inner_helper(length + 1)
}

#[inline(always)]
fn inner_helper(length: usize) -> Vec<u32> {
    vec![7; length] //= helpers_in_helpers
}

#[inline(never)]
fn not_inlined(length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.reserve_exact(length); //= reserve_exact
    bytes
}

async fn awaited(length: usize) -> Vec<u8> {
    YieldOnce(false).await;
    vec![3; length] //= async_after_await
}

struct YieldOnce(bool);

impl Future for YieldOnce {
    type Output = ();

    fn poll(mut self: std::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        match std::mem::replace(&mut self.0, true) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

struct Circle(usize);

impl Shape for Circle {
    fn name(&self) -> String {
        format!("circle of {}", self.0) //= trait_object
    }
}

struct Plain;

impl Shape for Plain {}

#[inline(never)]
fn shape(round: bool) -> &'static dyn Shape {
    if round { &Circle(5) } else { &Plain }
}

fn nested(depth: usize) -> Vec<String> {
    if depth == 0 {
        return Vec::new();
    }
    let mut list = nested(depth - 1);
    list.push("x".repeat(depth)); //= recursion
    list
}

#[derive(Clone)] //= derived_clone
struct Named {
    name: String,
}

#[derive(Debug)] //= derived_debug
struct Shown {
    first_field: &'static str,
    second_field: &'static str,
}

#[track_caller]
#[inline(never)]
fn tracked(length: usize) -> Vec<u64> {
    vec![1; length] //= track_caller
}

#[inline(never)]
fn tail_to_dependency(value: u64) -> Box<u64> {
    dep::boxed(value.wrapping_mul(3)) //= tail_call
}

#[inline(never)]
fn first_of_two_tails(value: u64) -> Box<u64> {
    second_of_two_tails(value ^ 5) //~ two_tail_calls
}

#[inline(never)]
fn second_of_two_tails(value: u64) -> Box<u64> {
    dep::boxed(value.wrapping_mul(7)) //= two_tail_calls
}

#[inline(never)]
fn one_of_two_tails(value: u64) -> Box<u64> {
    if value % 2 == 0 {
        dep::zeroed(value as usize + 1) //= even_tail_call
    } else {
        dep::boxed(value.rotate_left(9)) //= odd_tail_call
    }
}

#[inline(always)]
fn inlined_into_tail(value: u64) -> Box<u64> {
    dep::boxed(value.wrapping_mul(11)) //= tail_call_of_an_inlined_function
}

#[inline(never)]
fn tail_by_inlined(value: u64) -> Box<u64> {
    inlined_into_tail(value + 1) //~ tail_call_of_an_inlined_function
}

struct Filled<const N: usize>;

impl<const N: usize> Filled<N> {
    fn boxed() -> Box<[u8; N]> {
        Box::new([black_box(1); N]) //= const_generic
    }
}

struct Reports(Rc<RefCell<Vec<String>>>);

impl Drop for Reports {
    fn drop(&mut self) {
        let report = "dropped ".repeat(black_box(2)); //= drop
        self.0.borrow_mut().push(report); //= drop
    }
}

struct Text(String);

impl Add<&str> for Text {
    type Output = Self;

    fn add(mut self, more: &str) -> Self {
        self.0.push_str(more); //= operator
        self
    }
}

struct Point(u32, u32);

impl Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}", self.0, self.1)) //= display
    }
}

struct Countdown(u32);

impl Iterator for Countdown {
    type Item = Box<u32>;

    fn next(&mut self) -> Option<Box<u32>> {
        self.0 = self.0.checked_sub(1)?;
        Some(Box::new(self.0)) //= iterator_next
    }
}

static LAZY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    vec![9; black_box(99)] //= lazy
});

unsafe extern "C" {
    fn qsort(
        base: *mut c_void,
        length: usize,
        size: usize,
        compare: extern "C" fn(*const c_void, *const c_void) -> c_int,
    );
}

extern "C" fn compare(a: *const c_void, b: *const c_void) -> c_int {
    let [a, b] = [a, b].map(|value| unsafe { *value.cast::<i32>() });
    let copy = black_box(Box::new(a)); //= callback_of_c
    (*copy).cmp(&b) as c_int
}

fn failing(text: &str) -> Result<u8, Box<dyn std::error::Error>> {
    let number = text.parse()?; //= question_mark
    Ok(number)
}

fn main() {
    let n = black_box(13usize);
    let words = black_box(["plum", "apple", "pear", "fig"]);
    site("vec_macro", || vec![1u8; n]); //= vec_macro
    site("with_capacity", || Vec::<u8>::with_capacity(n)); //= with_capacity
    site("string_from", || String::from(words[0])); //= string_from
    site("to_string", || n.to_string()); //= to_string
    site("format", || format!("{n} of {}", words[1])); //= format
    site("write", || {
        let mut text = String::new();
        write!(text, "{} and {}", words[0], words[1]).unwrap(); //= write
        text
    });
    site("collect_chain", || {
        words
            .iter()
            .filter(|word| word.len() > 3)
            .map(|word| word.len())
            .collect::<Vec<_>>() //= collect_chain
    });
    site("flat_map", || {
        let letters = words.iter().flat_map(|word| word.bytes());
        letters.collect::<Vec<_>>() //= flat_map
    });
    site("closure_in_chain", || {
        words
            .iter()
            .map(|word| {
                let copy = String::from(*word); //= closure_in_chain
                copy.len()
            })
            .sum::<usize>()
    });
    site("generic_of_another_crate", || other::duplicate(&words));
    site("closure_given_to_another_crate", || {
        other::apply(|| {
            vec![4u8; n] //= closure_given_to_another_crate
        })
    });
    site("provided_method", || shape(n == 0).name());
    site("macro_of_another_crate", || {
        other::bytes!(n) //= macro_of_another_crate
    });
    site("macro_of_this_crate", || pair!(n));
    site("inlined_helper", || helper(n));
    site("helpers_in_helpers", || outer_helper(n));
    site("reserve_exact", || not_inlined(n));
    site("async_body", || {
        block_on(async {
            vec![2u8; n] //= async_body
        })
    });
    site("async_after_await", || block_on(awaited(n)));
    site("boxed_closure", || {
        type Make = Box<dyn Fn(usize) -> Vec<u8>>;
        let make: Make = black_box(Box::new(move |more| { //= boxed_closure
            vec![6; n + more] //= boxed_closure
        }));
        make(2)
    });
    site("trait_object", || shape(n != 0).name());
    site("recursion", || nested(4));
    let named = black_box(Named { name: words.concat() });
    site("derived_clone", || named.clone());
    assert!(!named.name.is_empty());
    let shown = black_box(Shown { first_field: words[0], second_field: words[1] });
    assert_ne!(shown.first_field, shown.second_field);
    site("derived_debug", || format!("{shown:?}"));
    site("track_caller", || tracked(n));
    site("hash_map_growth", || {
        let mut map = HashMap::new();
        for number in 0..n {
            map.insert(number, number); //= hash_map_growth
        }
        map
    });
    site("push", || {
        let mut list = Vec::new();
        list.push(n); //= push
        list
    });
    site("sort_key", || {
        let mut words = words;
        words.sort_by_key(|word| {
            String::from(*word) //= sort_key
        });
        words
    });
    let mut sorted = words;
    site("sort_by_cached_key", || {
        sorted.sort_by_cached_key(|word| word.len()); //= sort_by_cached_key
    });
    let mut numbers: Vec<u64> = (0..3000).map(|number| number * 7919 % 3001).collect();
    site("stable_sort", || numbers.sort()); //= stable_sort
    site("thread", || {
        let thread = std::thread::spawn(move || { //= thread
            vec![5u8; n] //= thread
        });
        thread.join().unwrap()
    });
    site("scoped_thread", || {
        std::thread::scope(|scope| { //= scoped_thread
            let thread = scope.spawn(|| { //= scoped_thread
                vec![8u8; n] //= scoped_thread
            });
            thread.join().unwrap()
        })
    });
    site("tail_call", || tail_to_dependency(n as u64));
    site("two_tail_calls", || first_of_two_tails(n as u64));
    site("even_tail_call", || one_of_two_tails(black_box(4)));
    site("odd_tail_call", || one_of_two_tails(black_box(5)));
    site("tail_call_of_an_inlined_function", || tail_by_inlined(n as u64));
    site("arc_str", || Arc::<str>::from(words[2])); //= arc_str
    site("cow", || Cow::Borrowed(words[3]).into_owned()); //= cow
    site("concat", || words.concat()); //= concat
    site("extend", || {
        let mut list: Vec<&&str> = Vec::new();
        list.extend(words.iter().filter(|word| word.len() > 3)); //= extend
        list
    });
    site("repeat", || words[0].repeat(n)); //= repeat
    let long = black_box(Vec::<u8>::with_capacity(64));
    site("shrink", || {
        let mut long = long;
        long.push(1);
        long.shrink_to_fit(); //= shrink
        long
    });
    site("path_join", || Path::new(words[0]).join(words[1])); //= path_join
    site("c_string", || CString::new(words[0])); //= c_string
    site("question_mark", || failing(words[0]));
    site("const_generic", Filled::<32>::boxed);
    let reports = Rc::default();
    let on_drop = Reports(Rc::clone(&reports));
    site("drop", move || drop(on_drop));
    let text = Text(words.concat());
    site("operator", || text + words[1]);
    let point = black_box(Point(1, 2));
    let mut buffer = String::with_capacity(64);
    site("display", || write!(buffer, "{point}"));
    site("iterator_next", || Countdown(3).map(|number| *number).sum::<u32>());
    site("lazy", || LAZY.len());
    let mut values = black_box([3, 1, 2]);
    let base = values.as_mut_ptr().cast();
    site("callback_of_c", || unsafe { qsort(base, 3, 4, compare) });
    site("match_arm", || match words[n % 4].len() {
        0 => String::new(),
        1..=9 => words[2].to_uppercase(), //= match_arm
        _ => words[2].to_lowercase(),
    });
}
