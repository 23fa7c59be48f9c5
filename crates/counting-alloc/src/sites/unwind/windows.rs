//! The call stack by the unwinder of Windows, on x86-64.

use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::ptr;

use crate::sites::memo::Slot;

/// The registers of a frame: a `CONTEXT`, of which two are used here.
#[repr(C, align(16))]
struct Context {
    _before: [u64; 19],
    stack_pointer: u64,
    _between: [u64; 11],
    instruction_pointer: u64,
    _after: [u64; 122],
}

const _: () = assert!(size_of::<Context>() == 1232, "it is a CONTEXT of x86-64");

/// A `RUNTIME_FUNCTION`.
#[repr(C)]
struct FunctionEntry {
    _opaque: [u8; 0],
}

#[link(name = "kernel32")]
unsafe extern "system" {
    fn RtlCaptureContext(context: *mut Context);
    fn RtlLookupFunctionEntry(
        instruction_pointer: u64,
        image_base: *mut u64,
        history: *mut c_void,
    ) -> *mut FunctionEntry;
    fn RtlVirtualUnwind(
        handler_kind: u32,
        image_base: u64,
        instruction_pointer: u64,
        function: *mut FunctionEntry,
        context: *mut Context,
        handler_data: *mut *mut c_void,
        frame: *mut u64,
        saved_registers: *mut c_void,
    ) -> *mut c_void;
    fn GetCurrentThreadStackLimits(start: *mut usize, end: *mut usize);
    fn IsThreadAFiber() -> c_int;
}

/// Looks for no exception handler.
const NO_HANDLER: u32 = 0;

/// Calls `each` for every frame, innermost first, until it returns `false`. A call pushes its
/// return address just below the caller's frame.
#[inline(never)]
pub(crate) fn walk(_: Range<usize>, each: &mut dyn FnMut(Slot) -> bool) {
    let mut context = Context {
        _before: [0; 19],
        stack_pointer: 0,
        _between: [0; 11],
        instruction_pointer: 0,
        _after: [0; 122],
    };
    // SAFETY: the function writes a `CONTEXT`, for which there is space.
    unsafe { RtlCaptureContext(&raw mut context) };
    while let Some(slot) = step(&mut context) {
        if !each(slot) {
            return;
        }
    }
}

/// Goes on to the caller of a frame. `None` if there is none, or if the function has no unwind
/// table: it called another one, so it should have one.
fn step(context: &mut Context) -> Option<Slot> {
    let (before, instruction) = (context.stack_pointer, context.instruction_pointer);
    let mut base = 0;
    // SAFETY: any address can be looked up, and without a history there is space for the base.
    let function = unsafe { RtlLookupFunctionEntry(instruction, &raw mut base, ptr::null_mut()) };
    if function.is_null() {
        return None;
    }
    let (mut handler_data, mut frame) = (ptr::null_mut(), 0);
    // SAFETY: the context is that of a frame of the calling thread which did not return, in this
    // function of this image. There is space for both results, and registers may be left out.
    unsafe {
        RtlVirtualUnwind(
            NO_HANDLER,
            base,
            instruction,
            function,
            context,
            &raw mut handler_data,
            &raw mut frame,
            ptr::null_mut(),
        )
    };
    let address = usize::try_from(context.instruction_pointer).ok()?;
    let caller = usize::try_from(context.stack_pointer).ok()?;
    let is_outwards = context.stack_pointer > before;
    (address != 0 && is_outwards).then(|| Slot {
        place: caller.wrapping_sub(size_of::<usize>()),
        address,
    })
}

/// The addresses of the calling thread's stack; empty if they are unknown: those of a fiber,
/// which another thread may go on with.
#[cold]
pub(crate) fn stack_of_thread() -> Range<usize> {
    // SAFETY: the function has no arguments.
    if unsafe { IsThreadAFiber() } != 0 {
        return 0..0;
    }
    let (mut start, mut end) = (0, 0);
    // SAFETY: there is space for both results.
    unsafe { GetCurrentThreadStackLimits(&raw mut start, &raw mut end) };
    start..end
}
