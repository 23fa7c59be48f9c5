//! The part of Microsoft's C runtime that is linked into a program itself, as far as a program in
//! Rust needs it. `.ci/msvc-link` compiles it; the other part is in wine's libraries.

#![no_std]
#![no_builtins]
#![allow(non_upper_case_globals, non_snake_case)]

use core::ffi::c_void;
use core::ptr;

unsafe extern "C" {
    fn main(count: i32, arguments: *const *const u8) -> i32;
}

unsafe extern "system" {
    fn ExitProcess(code: u32) -> !;
}

/// Where a program begins.
#[unsafe(no_mangle)]
extern "system" fn mainCRTStartup() -> ! {
    unsafe { ExitProcess(main(0, ptr::null()).cast_unsigned()) }
}

/// Programs with floating-point numbers refer to it.
#[unsafe(no_mangle)]
static _fltused: i32 = 0;

#[repr(transparent)]
struct Words<const N: usize>([*const c_void; N]);

unsafe impl<const N: usize> Sync for Words<N> {}

/// Exceptions of C++ refer to it, as panics do.
#[unsafe(export_name = "??_7type_info@@6B@")]
static TYPE_INFO: Words<1> = Words([ptr::null()]);

// Thread-locals: between the ends of a section are their first values, and between the ends of
// another the functions that run when a thread begins and ends. The linker sorts by the names.
#[unsafe(no_mangle)]
static mut _tls_index: u32 = 0;
#[unsafe(link_section = ".tls")]
static mut VALUES_START: Words<1> = Words([ptr::null()]);
#[unsafe(link_section = ".tls$ZZZ")]
static mut VALUES_END: Words<1> = Words([ptr::null()]);
#[unsafe(link_section = ".CRT$XLA")]
static CALLBACKS_START: Words<1> = Words([ptr::null()]);
#[used]
#[unsafe(link_section = ".CRT$XLZ")]
static CALLBACKS_END: Words<1> = Words([ptr::null()]);

/// The directory of thread-locals, which the linker enters in the header.
#[unsafe(no_mangle)]
static _tls_used: Words<5> = Words([
    (&raw const VALUES_START).cast(),
    (&raw const VALUES_END).cast(),
    (&raw const _tls_index).cast(),
    (&raw const CALLBACKS_START).wrapping_add(1).cast(),
    ptr::null(),
]);

// Touches each page of a large frame, of `rax` bytes, so that the stack grows.
core::arch::global_asm!(
    ".globl __chkstk",
    "__chkstk:",
    "push r10",
    "push r11",
    "lea r10, [rsp + 24]",
    "xor r11, r11",
    "sub r10, rax",
    "cmovb r10, r11",
    "mov r11, gs:[16]",
    "2:",
    "cmp r10, r11",
    "jae 3f",
    "lea r11, [r11 - 4096]",
    "mov byte ptr [r11], 0",
    "jmp 2b",
    "3:",
    "pop r11",
    "pop r10",
    "ret",
);
