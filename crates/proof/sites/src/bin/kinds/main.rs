//! A bench with scenarios of many kinds, whose call stacks are captured by the tests. The names
//! say what is hard in each of them.

#![forbid(unsafe_code)]

mod blocks;
mod calls;
mod containers;
mod threads;
mod windows;

use std::panic;
use std::process::ExitCode;

use alloc_scenario::{CountingAlloc, Suite};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// The message of panics that scenarios catch.
const ON_PURPOSE: &str = "on purpose";

fn main() -> ExitCode {
    let shown = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        if message.is_none_or(|message| message != ON_PURPOSE) {
            shown(panic);
        }
    }));
    let mut suite = Suite::from_args();
    suite.warm_up(3).iterations(30);
    containers::add(&mut suite);
    calls::add(&mut suite);
    blocks::add(&mut suite);
    windows::add(&mut suite);
    threads::add(&mut suite);
    suite.finish()
}
