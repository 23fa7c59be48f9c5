//! Tests of the whole process. They have their own `main`, since libtest's threads allocate.

mod noise;
mod peak;
mod scoped;
// Other allocators would add their own calls to the call stacks.
#[cfg(all(feature = "sites", not(feature = "suite")))]
mod sites;
mod threads;

use std::env;
use std::process::ExitCode;

use counting_alloc::CountingAlloc;
use own_process::inner::{Around, INNER, Inner, around};

#[global_allocator]
static ALLOC: Around<CountingAlloc<Inner>> = around(CountingAlloc::new(INNER));

fn main() -> ExitCode {
    if env::var_os(scoped::BUSY).is_some() {
        return scoped::keep_busy();
    }
    let mut trials = threads::all();
    trials.extend(peak::all());
    #[cfg(all(feature = "sites", not(feature = "suite")))]
    trials.extend(sites::all());
    trials.extend(noise::all());
    trials.extend(scoped::all());
    own_process::run(trials)
}
