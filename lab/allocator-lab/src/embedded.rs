//! [`EMBEDDED`]: programs without std for a microcontroller, each with one allocator. They are
//! built and not run: the size of their code is what they are for.

use crate::compilation::Program;

/// An Arm Cortex-M4 without an operating system.
pub const TARGET: &str = "thumbv7em-none-eabi";

/// What all have: it takes, resizes and gives back blocks of sizes that the compiler does not
/// know.
macro_rules! source {
    ($heap:literal) => {
        concat!(
            r#"#![no_std]
#![no_main]
use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
static ANY: AtomicUsize = AtomicUsize::new(0);
const SIZE: usize = 64 << 10;
static mut MEMORY: [u64; SIZE / 8] = [0; SIZE / 8];
fn memory() -> *mut u8 { (&raw mut MEMORY).cast() }
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! { loop {} }
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    begin();
    loop {
        let (size, align) = (ANY.load(Relaxed), 1 << (ANY.load(Relaxed) & 7));
        unsafe {
            let layout = Layout::from_size_align_unchecked(size, align);
            let block = HEAP.alloc(layout);
            let zeroed = HEAP.alloc_zeroed(layout);
            let block = HEAP.realloc(block, layout, ANY.load(Relaxed));
            ANY.store(block as usize ^ zeroed as usize, Relaxed);
            HEAP.dealloc(zeroed, layout);
            HEAP.dealloc(block, Layout::from_size_align_unchecked(ANY.load(Relaxed), align));
        }
    }
}
"#,
            $heap
        )
    };
}

/// A program of [`EMBEDDED`].
macro_rules! embedded {
    ($subject:literal, $feature:literal, $dependencies:literal, $heap:literal) => {
        Program {
            subject: $subject,
            dependencies: $dependencies,
            source: source!($heap),
            feature: Some($feature),
            is_built_in: cfg!(feature = $feature),
            target: Some(TARGET),
        }
    };
}

/// The programs, the first without an allocator: what a variable says is a block. Those whose
/// crate has no lock for a target without an operating system have spinning_top's.
pub const EMBEDDED: [Program; 6] = [
    Program {
        subject: "floor",
        dependencies: "",
        source: source!(
            r#"
struct Floor;
unsafe impl GlobalAlloc for Floor {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 { ANY.load(Relaxed) as *mut u8 }
    unsafe fn dealloc(&self, block: *mut u8, _: Layout) { ANY.store(block as usize, Relaxed) }
}
#[global_allocator]
static HEAP: Floor = Floor;
fn begin() { ANY.store(memory() as usize, Relaxed) }
"#
        ),
        feature: None,
        is_built_in: true,
        target: Some(TARGET),
    },
    embedded!(
        "talc-claim",
        "talc",
        "talc = { version = \"5\", default-features = false }\nspinning_top = \"0.3\"",
        r#"
#[global_allocator]
static HEAP: talc::TalcLock<spinning_top::RawSpinlock, talc::source::Claim> =
    talc::TalcLock::new(unsafe { talc::source::Claim::new((&raw mut MEMORY).cast(), SIZE) });
fn begin() {}
"#
    ),
    embedded!(
        "buddy",
        "buddy",
        "buddy_system_allocator = \"0.13\"",
        r#"
#[global_allocator]
static HEAP: buddy_system_allocator::LockedHeap<32> = buddy_system_allocator::LockedHeap::empty();
fn begin() { unsafe { HEAP.lock().init(memory() as usize, SIZE) } }
"#
    ),
    embedded!(
        "linked-list",
        "linked-list",
        "linked_list_allocator = \"0.10\"",
        r#"
#[global_allocator]
static HEAP: linked_list_allocator::LockedHeap = linked_list_allocator::LockedHeap::empty();
fn begin() { unsafe { HEAP.lock().init(memory(), SIZE) } }
"#
    ),
    embedded!(
        "rlsf",
        "rlsf",
        "rlsf = \"0.2\"\nspinning_top = \"0.3\"",
        r#"
use core::ptr::NonNull;
struct Heap(spinning_top::Spinlock<rlsf::Tlsf<'static, u32, u32, 20, 32>>);
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.lock().allocate(layout).map_or(core::ptr::null_mut(), NonNull::as_ptr)
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { self.0.lock().deallocate(NonNull::new_unchecked(block), layout.align()) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let to = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let block = unsafe { self.0.lock().reallocate(NonNull::new_unchecked(block), to) };
        block.map_or(core::ptr::null_mut(), NonNull::as_ptr)
    }
}
#[global_allocator]
static HEAP: Heap = Heap(spinning_top::Spinlock::new(rlsf::Tlsf::new()));
fn begin() {
    let region = core::ptr::slice_from_raw_parts_mut(memory(), SIZE);
    unsafe { HEAP.0.lock().insert_free_block_ptr(NonNull::new_unchecked(region)) };
}
"#
    ),
    embedded!(
        "dlmalloc",
        "dlmalloc",
        "dlmalloc = { version = \"0.2\", default-features = false }\nspinning_top = \"0.3\"",
        r#"
use core::sync::atomic::AtomicBool;
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
struct Once;
unsafe impl dlmalloc::Allocator for Once {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        match size <= SIZE && !IS_TAKEN.swap(true, Relaxed) {
            true => (memory(), SIZE, 0),
            false => (core::ptr::null_mut(), 0, 0),
        }
    }
    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 { core::ptr::null_mut() }
    fn free_part(&self, _: *mut u8, _: usize, _: usize) -> bool { false }
    fn free(&self, _: *mut u8, _: usize) -> bool { false }
    fn can_release_part(&self, _: u32) -> bool { false }
    fn allocates_zeros(&self) -> bool { false }
    fn page_size(&self) -> usize { 4096 }
}
struct Heap(spinning_top::Spinlock<dlmalloc::Dlmalloc<Once>>);
unsafe impl Sync for Heap {}
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { self.0.lock().malloc(layout.size(), layout.align()) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { self.0.lock().free(block, layout.size(), layout.align()) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        unsafe { self.0.lock().realloc(block, layout.size(), layout.align(), size) }
    }
}
#[global_allocator]
static HEAP: Heap = Heap(spinning_top::Spinlock::new(dlmalloc::Dlmalloc::new_with_allocator(Once)));
fn begin() {}
"#
    ),
];
