//! The lab's own loops allocate nothing: the subject is the system's allocator, called
//! directly, so that every counted allocation of the process is the loops' own.

use std::alloc::System;

use alloc_scenario::counting_alloc::Tally;
use alloc_scenario::{CountingAlloc, Window};
use allocator_lab::workload::batch::Pattern;
use allocator_lab::workload::call::BehindFunctions;
use allocator_lab::workload::concurrent::Sizes;
use allocator_lab::workload::frame::Scene;
use allocator_lab::workload::phases::Load;
use allocator_lab::workload::prefetch::{Arena, Prefetch, Work};
use allocator_lab::workload::realloc::Change;
use allocator_lab::workload::replay::{Contents, Recording, Trace};
use allocator_lab::workload::stress::Live;
use allocator_lab::workload::tails::{Call, Times};
use allocator_lab::workload::{
    alignment, batch, burst, concurrent, fragmentation, frame, histogram, large, pair, phases,
    prefetch, realloc, replay, stress, tails, waste,
};
use allocator_lab::{Floor, Footprint, Global, Heap, Memory, Subject};

/// The most live blocks of these workloads.
const BLOCKS: usize = 108_000;

fn counted<T>(call: impl FnOnce() -> T) -> Tally {
    Window::process().measure(call).unwrap().tally
}

/// The workloads that run on any subject.
fn of_addresses<S: Subject>(heap: &mut Heap<S>, trace: &Trace, times: &mut Times) {
    for change in Change::ALL {
        let _ = realloc::realloc(heap, change, Memory::Untouched);
    }
    let _ = replay::replay(heap, trace, Memory::Untouched);
    let _ = tails::tails(heap, Call::Take, times);
    let _ = pair::pairs(heap, 64, Memory::Untouched);
    for pattern in Pattern::ALL {
        let _ = batch::batch(heap, pattern);
    }
    for scene in Scene::ALL {
        let _ = frame::frame(heap, scene, Memory::Untouched);
    }
    for load in Load::ALL {
        let _ = phases::phases(heap, load);
    }
    let _ = fragmentation::fragmentation(heap);
    let _ = concurrent::steps(heap, Sizes::Mixed);
}

/// The workloads that need memory.
fn of_memory<S: Subject>(heap: &mut Heap<S>, live: &mut Live, arena: &mut Arena) {
    let _ = pair::pairs(heap, 65_536, Memory::Touched);
    let _ = frame::frame(heap, Scene::Physics, Memory::Touched);
    let _ = burst::burst(heap);
    let _ = alignment::alignment(heap);
    let _ = large::large(heap, 64);
    let _ = stress::stress(heap, live);
    for change in Change::ALL {
        let _ = realloc::realloc_filled(heap, change);
    }
    let _ = waste::waste(heap, &histogram::RULES_READ, 8);
    for work in Work::ALL {
        for hint in Prefetch::ALL {
            if hint.unavailable(work).is_none() {
                let _ = prefetch::bump(arena, work, hint);
            }
        }
    }
}

pub(crate) fn workloads_allocate_nothing_but_what_they_measure() {
    let trace = Recording::Json.trace();
    let (mut times, mut contents) = (Times::default(), Contents::of(&trace));
    let mut floor = Heap::new(Floor, BLOCKS);
    let tally = counted(|| of_addresses(&mut floor, &trace, &mut times));
    assert_eq!(tally, Tally::ZERO);
    let mut heap = Heap::new(Global(System), BLOCKS);
    let tally = counted(|| of_addresses(&mut heap, &trace, &mut times));
    assert_eq!(tally, Tally::ZERO);
    let tally = counted(|| replay::replay_filled(&mut heap, &trace, &mut contents));
    assert_eq!(tally, Tally::ZERO);
    let mut behind = Heap::new(BehindFunctions::new(Global(System)), BLOCKS);
    let tally = counted(|| pair::pairs(&mut behind, 64, Memory::Untouched));
    assert_eq!(tally, Tally::ZERO);
    let (mut live, mut arena) = (Live::default(), Arena::default());
    let tally = counted(|| of_memory(&mut heap, &mut live, &mut arena));
    assert_eq!(tally, Tally::ZERO);
    assert_eq!(counted(|| drop(Footprint::now())), Tally::ZERO);
}

pub(crate) fn an_allocation_of_a_workload_would_be_counted() {
    // The same window over a subject that counts: 1,000 pairs of 64 bytes.
    let mut heap = Heap::new(Global(CountingAlloc::system()), 1);
    let tally = counted(|| pair::pairs(&mut heap, 64, Memory::Untouched));
    let expected = Tally::ZERO
        .with_allocs(1_000, 64_000)
        .with_deallocs(1_000, 64_000);
    assert_eq!(tally, expected);
}
