//! The call stack by the unwinder of Windows, on x86-64.

use std::ffi::c_void;
use std::ptr;

/// Whether stacks can be captured.
pub(crate) const AVAILABLE: bool = true;

/// The registers of a frame: a `CONTEXT`. Two of them are used here.
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
}

/// Looks for no exception handler.
const NO_HANDLER: u32 = 0;

/// Calls `each` for every frame, innermost first, until it returns `false`: with the address at
/// which the frame begins, and the return address into its function.
#[inline(never)]
pub(crate) fn walk(each: &mut dyn FnMut(usize, usize) -> bool) {
    let mut context = Context {
        _before: [0; 19],
        stack_pointer: 0,
        _between: [0; 11],
        instruction_pointer: 0,
        _after: [0; 122],
    };
    // SAFETY: the function writes a `CONTEXT`, for which there is space.
    unsafe { RtlCaptureContext(&raw mut context) };
    while let Some((start, address)) = step(&mut context) {
        if !each(start, address) {
            return;
        }
    }
}

/// Goes on to the caller of a frame. `None` if there is none, or if the function has no unwind
/// table: it called another one, so it should have one.
fn step(context: &mut Context) -> Option<(usize, usize)> {
    let (before, instruction) = (context.stack_pointer, context.instruction_pointer);
    let mut base = 0;
    // SAFETY: any address can be looked up, and without a history there is space for the base.
    let function = unsafe { RtlLookupFunctionEntry(instruction, &raw mut base, ptr::null_mut()) };
    if function.is_null() {
        return None;
    }
    let (mut handler_data, mut frame) = (ptr::null_mut(), 0);
    // SAFETY: the context belongs to a frame of the calling thread that did not return, in this
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
    let start = usize::try_from(context.stack_pointer).ok()?;
    let is_outwards = context.stack_pointer > before;
    (address != 0 && is_outwards).then_some((start, address))
}
