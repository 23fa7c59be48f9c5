//! A loop for each answer of the page, which shares nothing with the lab: `verify LOOP SUBJECT`
//! prints one value: less is better. `cargo xtask lab --verify` compares their order with
//! the page.

#![expect(unsafe_code, reason = "allocators are called directly")]
#![expect(
    clippy::print_stdout,
    reason = "a program of its own, which prints a value"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::env;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::{Barrier, mpsc};
use std::thread;
use std::time::Instant;

type Allocator = &'static (dyn GlobalAlloc + Sync);

/// A live block. It is not given back when it is dropped.
struct Block(*mut u8, Layout);

// SAFETY: a global allocator takes a block back on any thread.
unsafe impl Send for Block {}

fn take(allocator: Allocator, size: usize) -> Option<Block> {
    let layout = Layout::from_size_align(size.max(1), 8).ok()?;
    // SAFETY: the size is not 0.
    let block = black_box(unsafe { allocator.alloc(layout) });
    if block.is_null() {
        return None;
    }
    // SAFETY: the block has a byte.
    unsafe { block.write_volatile(1) };
    Some(Block(block, layout))
}

fn give(allocator: Allocator, Block(block, layout): Block) {
    // SAFETY: it was taken with this layout, and is given back once.
    unsafe { allocator.dealloc(block, layout) }
}

/// Another generator than the lab's: splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % end
    }

    /// Mostly small, as programs request it.
    fn size(&mut self) -> usize {
        match self.below(8) {
            0 => 257 + self.below(3_840),
            _ => 1 + self.below(256),
        }
    }
}

/// One block at a time.
fn pairs(allocator: Allocator) {
    let mut random = Random(7);
    for _ in 0..10_000_000 {
        let block = take(allocator, random.size());
        block.into_iter().for_each(|block| give(allocator, block));
    }
}

/// Blocks of a program: random ones are replaced.
fn mixed(allocator: Allocator, live: usize, steps: usize) {
    let mut random = Random(7);
    let blocks = (0..live).map(|_| take(allocator, random.size()));
    let mut blocks: Vec<_> = blocks.collect();
    for _ in 0..steps {
        let index = random.below(live);
        let old = blocks[index].take();
        old.into_iter().for_each(|block| give(allocator, block));
        blocks[index] = take(allocator, random.size());
    }
    let left = blocks.into_iter().flatten();
    left.for_each(|block| give(allocator, block));
}

/// Two threads, each with blocks of its own. Both are joined: a thread that is still ending when the
/// process ends can fail in the destructors of an allocator.
fn server(allocator: Allocator) {
    let start = &Barrier::new(2);
    thread::scope(|scope| {
        let work = move || {
            start.wait();
            mixed(allocator, 5_000, 1_000_000);
        };
        let workers = [(); 2].map(|()| scope.spawn(work));
        workers.map(|worker| worker.join().is_ok())
    });
}

/// One thread takes blocks, another gives them back.
fn pipeline(allocator: Allocator) {
    let (sender, receiver) = mpsc::sync_channel::<Vec<Block>>(4);
    thread::scope(|scope| {
        let producer = scope.spawn(move || {
            let mut random = Random(7);
            for _ in 0..4_000 {
                let batch = (0..256).filter_map(|_| take(allocator, 16 + random.below(1_009)));
                let _ = sender.send(batch.collect());
            }
        });
        for batch in receiver {
            batch.into_iter().for_each(|block| give(allocator, block));
        }
        producer.join().is_ok()
    });
}

/// All blocks of a frame, and then all back.
fn frames(allocator: Allocator) {
    let mut random = Random(7);
    for _ in 0..5_000 {
        let blocks = (0..1_000).filter_map(|_| take(allocator, 32 + random.below(225)));
        let blocks: Vec<_> = blocks.collect();
        blocks.into_iter().for_each(|block| give(allocator, block));
    }
}

/// Vectors that are pushed to in turns, beneath a block that stays.
fn vectors(allocator: Allocator) {
    let mut spacers: Vec<_> = (0..2_000).filter_map(|_| take(allocator, 4_000)).collect();
    let _above = spacers.pop();
    spacers.into_iter().for_each(|block| give(allocator, block));
    for _ in 0..500 {
        let mut vectors: Vec<_> = (0..50).filter_map(|_| take(allocator, 100)).collect();
        for doubling in 1..10 {
            for Block(block, layout) in &mut vectors {
                let (old, size) = (layout.size(), 100 << doubling);
                // SAFETY: the block is live, and has this layout.
                *block = unsafe { allocator.realloc(*block, *layout, size) };
                *layout = Layout::from_size_align(size, 8).unwrap_or(*layout);
                // SAFETY: it is not smaller than the size.
                let new = unsafe { block.add(old) };
                // SAFETY: as above.
                unsafe { new.write_bytes(1, size - old) };
            }
        }
        vectors.into_iter().for_each(|block| give(allocator, block));
    }
}

/// The 999th of 1,000 calls in nanoseconds, in the calmest of ten passes.
fn tail(allocator: Allocator) -> f64 {
    let mut random = Random(7);
    let blocks = (0..1_000).map(|_| take(allocator, random.size()));
    let mut blocks: Vec<Block> = blocks.flatten().collect();
    let mut times = Vec::with_capacity(2_000_000);
    for _ in 0..1_000_000 {
        let (index, size) = (random.below(blocks.len()), random.size());
        let Block(old, layout) = blocks.swap_remove(index);
        let begin = Instant::now();
        // SAFETY: the block is live, with this layout.
        unsafe { allocator.dealloc(old, layout) };
        times.push(begin.elapsed().as_nanos() as u64);
        let layout = Layout::from_size_align(size, 8).unwrap_or(layout);
        let begin = Instant::now();
        // SAFETY: the size is not 0.
        let block = black_box(unsafe { allocator.alloc(layout) });
        times.push(begin.elapsed().as_nanos() as u64);
        blocks.push(Block(block, layout));
    }
    let passes = times.chunks_mut(200_000);
    let slow = passes.map(|times| *times.select_nth_unstable(199_800).1);
    slow.min().unwrap_or_default() as f64
}

/// The page faults of a program that runs once.
fn faults(allocator: Allocator) -> f64 {
    let now = || {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the pointer is to memory for the answer.
        unsafe { libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) };
        // SAFETY: zeros are a value of it, too.
        unsafe { usage.assume_init() }.ru_minflt
    };
    let before = now();
    mixed(allocator, 500, 2_000);
    (now() - before) as f64
}

/// The part of a mebibyte that is not handed out, in bytes.
fn rest(allocator: Allocator) -> f64 {
    let mut random = Random(7);
    let blocks = (0..).map_while(|_| take(allocator, 17 + random.below(1_000)));
    let granted: usize = blocks.map(|Block(_, layout)| layout.size()).sum();
    (1 << 20) as f64 - granted as f64
}

/// A region that lives as long as the program.
fn region(bytes: usize) -> *mut u8 {
    Layout::from_size_align(bytes, 1 << 20).map_or(std::ptr::null_mut(), |layout| {
        // SAFETY: the size is not 0.
        unsafe { System.alloc(layout) }
    })
}

/// The subject of this name, if it is built in.
fn find(subject: &str, bytes: usize) -> Option<Allocator> {
    let leaked: Box<dyn GlobalAlloc + Sync> = match subject {
        "system" => Box::new(System),
        #[cfg(feature = "mimalloc")]
        "mimalloc" => Box::new(mimalloc::MiMalloc),
        #[cfg(feature = "snmalloc")]
        "snmalloc" => Box::new(snmalloc_rs::SnMalloc),
        #[cfg(feature = "rpmalloc")]
        "rpmalloc" => Box::new(rpmalloc::RpMalloc),
        #[cfg(feature = "jemalloc")]
        "jemalloc" => Box::new(tikv_jemallocator::Jemalloc),
        #[cfg(feature = "dlmalloc")]
        "dlmalloc" => Box::new(dlmalloc::GlobalDlmalloc),
        #[cfg(feature = "rlsf")]
        "rlsf" => Box::new(<rlsf::GlobalTlsf>::new()),
        #[cfg(feature = "talc")]
        "talc" => Box::new(talc::TalcLock::<spinning_top::RawSpinlock, _>::new(
            talc::source::GlobalAllocSource::new(System),
        )),
        #[cfg(feature = "talc")]
        // SAFETY: the region is the allocator's alone.
        "talc-claim" => Box::new(talc::TalcLock::<spinning_top::RawSpinlock, _>::new(
            unsafe { talc::source::Claim::new(region(bytes), bytes) },
        )),
        #[cfg(feature = "linked-list")]
        "linked-list" => {
            // SAFETY: as above.
            Box::new(unsafe { linked_list_allocator::LockedHeap::new(region(bytes), bytes) })
        }
        #[cfg(feature = "buddy")]
        "buddy" => {
            let heap = buddy_system_allocator::LockedHeap::<32>::new();
            let start = region(bytes).expose_provenance();
            // SAFETY: as above.
            unsafe { heap.lock().init(start, bytes) };
            Box::new(heap)
        }
        _ => return None,
    };
    Some(Box::leak(leaked))
}

fn timed(call: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    call();
    begin.elapsed().as_nanos() as f64
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [name, subject, ..] = words[..] else {
        return ExitCode::SUCCESS;
    };
    let bytes = if name == "fill" { 1 << 20 } else { 64 << 20 };
    let Some(allocator) = find(subject, bytes) else {
        return ExitCode::SUCCESS;
    };
    let value = match name {
        // A mean of each kind of workload, as the page has it.
        "workloads" => {
            let few = |allocator| mixed(allocator, 300, 4_000_000);
            let many = |allocator| mixed(allocator, 10_000, 4_000_000);
            let all: [fn(Allocator); 5] = [pairs, few, many, frames, vectors];
            let times = all.map(|workload| timed(|| workload(allocator)));
            times.iter().product::<f64>().powf(0.2)
        }
        "embedded" => timed(|| mixed(allocator, 300, 4_000_000)),
        "server" => timed(|| server(allocator)),
        "pipeline" => timed(|| pipeline(allocator)),
        "frames" => timed(|| frames(allocator)),
        "vectors" => timed(|| vectors(allocator)),
        "tail" => tail(allocator),
        "faults" => faults(allocator),
        "fill" if ["talc-claim", "linked-list", "buddy"].contains(&subject) => rest(allocator),
        _ => return ExitCode::FAILURE,
    };
    println!("{value}");
    ExitCode::SUCCESS
}
