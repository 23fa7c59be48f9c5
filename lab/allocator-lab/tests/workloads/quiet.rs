//! The lab's own loops allocate nothing: the subject is the system's allocator, called
//! directly, so that every counted allocation of the process is the loops' own.

use std::alloc::System;

use alloc_scenario::counting_alloc::Tally;
use alloc_scenario::{CountingAlloc, Window};
use allocator_lab::workload::batch::Pattern;
use allocator_lab::workload::call::BehindFunctions;
use allocator_lab::workload::concurrent::Sizes;
use allocator_lab::workload::frame::Scene;
use allocator_lab::workload::large::Use;
use allocator_lab::workload::phases::Load;
use allocator_lab::workload::prefetch::{Arena, Prefetch, Work};
use allocator_lab::workload::realloc::Change;
use allocator_lab::workload::replay::{Contents, Recording, Trace};
use allocator_lab::workload::stress::Live;
use allocator_lab::workload::tails::{Call, Times};
use allocator_lab::workload::waste::Order;
use allocator_lab::workload::zeroed::By;
use allocator_lab::workload::{
    alignment, batch, burst, concurrent, depth, fragmentation, frame, histogram, large, pair,
    phases, prefetch, realloc, replay, stress, tails, vectors, waste, zeroed,
};
use allocator_lab::workload::{churn, handover, larson};
use allocator_lab::{Common, Floor, Footprint, Global, Heap, Memory, PageFaults, Subject};

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
        let _ = batch::batches(heap, pattern, pattern.batches());
    }
    for scene in Scene::ALL {
        let _ = frame::frames(heap, scene, Memory::Untouched, scene.frames());
    }
    for load in Load::ALL {
        let _ = phases::phases(heap, load);
    }
    let _ = fragmentation::fragmentation(heap, fragmentation::PAIRS);
    let _ = concurrent::steps(heap, Sizes::Mixed, 1_000);
    // What is timed and needs no contents.
    let _ = pair::pairs(heap, 65_536, Memory::Touched);
    let _ = zeroed::zeroed(heap, 65_536, By::Fill);
    let _ = zeroed::zeroed(heap, 65_536, By::Allocator);
    let _ = large::large(heap, 64, Use::Untouched);
    let _ = large::large(heap, 64, Use::Touched);
    let _ = depth::make_holes(heap, 1_000);
    let _ = depth::pairs_beside(heap);
    heap.give_all();
}

/// The workloads that need memory.
fn of_memory<S: Subject>(heap: &mut Heap<S>, live: &mut Live, arena: &mut Arena) {
    let _ = frame::frames(heap, Scene::Physics, Memory::Touched, 1);
    let _ = zeroed::zeroed(heap, 65_536, By::Verified);
    let _ = burst::burst(heap);
    let _ = alignment::alignment(heap);
    let _ = large::large(heap, 64, Use::Verified);
    let _ = stress::stress(heap, live);
    let _ = waste::waste(heap, &histogram::RULES_READ, 8, Order::Sorted);
    let _ = waste::waste(heap, &waste::MIXED, 1, Order::Interleaved);
    let _ = churn::churn(heap, churn::PHASES);
    for change in Change::ALL {
        let _ = realloc::realloc_filled(heap, change);
    }
    let _ = vectors::vectors(heap);
    let _ = vectors::vectors_filled(heap);
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
    let (mut times, mut contents) = (Times::default(), Contents::for_trace(&trace));
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
    assert_eq!(counted(|| drop(PageFaults::now())), Tally::ZERO);
}

pub(crate) fn threads_of_a_workload_allocate_nothing_but_what_they_measure() {
    let common = Common::new(|| Ok(Global(System)));
    let open = || Heap::new(common.handle().unwrap(), handover::BATCH.max(larson::SLOTS));
    for remote in handover::REMOTE {
        let mut crew = handover::crew(open, remote, true);
        assert_eq!(counted(|| crew.call()), Tally::ZERO, "{remote} %");
    }
    for threads in larson::THREADS {
        let mut server = larson::Server::new(open, threads, larson::STEPS[0], true);
        assert_eq!(counted(|| server.call()), Tally::ZERO, "{threads} threads");
    }
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
