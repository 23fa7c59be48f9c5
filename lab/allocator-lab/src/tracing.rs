//! [`system_calls`]: the system calls of a function, counted by running it in a copy of this
//! process that the kernel stops at each.

pub(crate) use platform::{missing, system_calls};

#[cfg(target_os = "linux")]
mod platform {
    use std::fs;
    use std::io;
    use std::panic::{self, AssertUnwindSafe};
    use std::ptr;

    use libc::{c_int, c_long, pid_t};

    use crate::subject::Unavailable;

    /// The type of ptrace's requests.
    #[cfg(target_env = "musl")]
    type Request = c_int;
    /// The type of ptrace's requests.
    #[cfg(not(target_env = "musl"))]
    type Request = libc::c_uint;

    /// The bit that `PTRACE_O_TRACESYSGOOD` sets in the signal number of a stop at a system
    /// call.
    const AT_SYSTEM_CALL: c_int = 0x80;

    /// Why system calls can't be counted here, as far as that is known before it is tried.
    pub(crate) fn missing() -> Option<String> {
        let path = "/proc/sys/kernel/yama/ptrace_scope";
        let scope = fs::read_to_string(path).ok()?;
        let scope = scope.trim();
        matches!(scope, "2" | "3")
            .then(|| format!("a process may not watch its child here: {path} is {scope}"))
    }

    /// How many system calls `work` makes. It runs in a copy of this process, whose memory
    /// is lost; this one must have no other threads.
    pub(crate) fn system_calls(work: &mut dyn FnMut()) -> Result<u64, Unavailable> {
        let with = stops(work).map_err(failed)?;
        let without = stops(&mut || ()).map_err(failed)?;
        // One stop as a call begins, and one as it ends.
        Ok((with - without) / 2)
    }

    fn failed(error: io::Error) -> Unavailable {
        Unavailable(format!(
            "can't count system calls in a child process: {error}"
        ))
    }

    /// At how many beginnings and ends of system calls the copy stops, with those of its own
    /// beginning and end.
    fn stops(work: &mut dyn FnMut()) -> io::Result<u64> {
        // SAFETY: no other thread has a lock that the copy could wait for.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => run_and_exit(work),
            child => watch(child),
        }
    }

    /// In the copy, which must not return into its caller.
    fn run_and_exit(work: &mut dyn FnMut()) -> ! {
        let worked = request(libc::PTRACE_TRACEME, 0, 0).is_ok() && {
            // SAFETY: it stops this process, until the other one has seen it.
            unsafe { libc::raise(libc::SIGSTOP) };
            panic::catch_unwind(AssertUnwindSafe(work)).is_ok()
        };
        // SAFETY: it ends the process, without the functions that are called at an exit.
        unsafe { libc::_exit(c_int::from(!worked)) }
    }

    fn watch(child: pid_t) -> io::Result<u64> {
        let mut stops = 0;
        let mut status = wait(child)?;
        if libc::WIFSTOPPED(status) {
            let options = libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_EXITKILL;
            request(libc::PTRACE_SETOPTIONS, child, c_long::from(options))?;
        }
        let mut signal = 0;
        while libc::WIFSTOPPED(status) {
            request(libc::PTRACE_SYSCALL, child, c_long::from(signal))?;
            status = wait(child)?;
            signal = 0;
            if libc::WIFSTOPPED(status) {
                match libc::WSTOPSIG(status) {
                    at if at == libc::SIGTRAP | AT_SYSTEM_CALL => stops += 1,
                    other => signal = other,
                }
            }
        }
        if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0 {
            Ok(stops)
        } else {
            Err(io::Error::other(format!(
                "the child could not be traced, or it failed: wait status {status:#x}"
            )))
        }
    }

    fn wait(child: pid_t) -> io::Result<c_int> {
        let mut status = 0;
        // SAFETY: the pointer is to `status`.
        match unsafe { libc::waitpid(child, &raw mut status, 0) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(status),
        }
    }

    /// A request of ptrace without an address.
    fn request(request: Request, child: pid_t, data: c_long) -> io::Result<()> {
        // SAFETY: none of the requests here reads or writes this process's memory.
        let outcome = unsafe { libc::ptrace(request, child, ptr::null_mut::<u8>(), data) };
        match outcome {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use crate::subject::Unavailable;

    pub(crate) fn missing() -> Option<String> {
        Some("system calls can be counted only on Linux".to_owned())
    }

    pub(crate) fn system_calls(_work: &mut dyn FnMut()) -> Result<u64, Unavailable> {
        Err(Unavailable(missing().unwrap_or_default()))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use alloc_assert::in_fresh_process;

    use super::*;

    /// In a process of its own, since a copy has only the thread that made it.
    #[test]
    fn each_system_call_is_counted_once_and_nothing_else() {
        in_fresh_process(|| {
            if missing().is_some() {
                return;
            }
            let getppid = |times: u64| {
                system_calls(&mut || {
                    for _ in 0..times {
                        // SAFETY: it only asks for a number.
                        unsafe { libc::getppid() };
                    }
                })
            };
            assert_eq!(getppid(0), Ok(0));
            assert_eq!(getppid(1), Ok(1));
            assert_eq!(getppid(1_000), Ok(1_000));
        });
    }

    #[test]
    fn work_that_panics_is_an_error() {
        in_fresh_process(|| {
            if missing().is_none() {
                assert!(system_calls(&mut || panic!("as expected")).is_err());
            }
        });
    }
}
