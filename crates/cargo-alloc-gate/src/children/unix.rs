//! Signals and process groups of Unix.

use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::sync::mpsc::{self, Sender};
use std::thread;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::{emulate_default_handler, signal_name};

use super::{CLEANUP, Stops, wait_within};

/// Lets the child lead a new process group.
pub(super) fn own_group(command: &mut Command) {
    command.process_group(0);
}

/// Stops a child. It may have ended already.
pub(super) fn stop(id: u32, stops: Stops) {
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = match stops {
            Stops::Alone => kill_process(pid, Signal::TERM),
            Stops::WithItsOwn => kill_process_group(pid, Signal::KILL),
        };
    }
}

/// Kills all processes that have this path in their environment, and returns their ids. Only
/// Linux shows environments.
pub(super) fn stop_marked(mark: &Path) -> Vec<u32> {
    let mark = mark.as_os_str().as_bytes();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let marked = processes.filter_map(|process| {
        let id = process.file_name().to_str()?.parse().ok()?;
        let environment = fs::read(process.path().join("environ")).ok()?;
        let mut parts = environment.windows(mark.len());
        let pid = Pid::from_raw(id).filter(|_| parts.any(|part| part == mark))?;
        // It may have ended already.
        let _ = kill_process(pid, Signal::KILL);
        u32::try_from(id).ok()
    });
    marked.collect()
}

/// A shell that stops a child when this program ends without a word, as after SIGKILL: then a
/// pipe between them ends. It has a process group of its own, and so survives a signal to the
/// program's. (The kernel of Linux could do it, for the child alone, and only if the child asks
/// for it between fork and exec, which takes `unsafe` code.)
pub(super) struct Guard(Child);

/// Reads what to stop, and then a line that comes when the child has ended.
const GUARD: &str = r#"read -r target && { read -r ended || kill -s KILL -- "$target"; }"#;

impl Guard {
    /// Starts a shell, if the system has one.
    pub(super) fn start() -> Option<Self> {
        let mut shell = Command::new("sh");
        shell.args(["-c", GUARD]).process_group(0);
        shell.stdin(Stdio::piped());
        shell.stdout(Stdio::null()).stderr(Stdio::null());
        shell.spawn().ok().map(Self)
    }

    /// Stops the child when this program ends.
    pub(super) fn watch(&mut self, id: u32, stops: Stops) {
        self.say(&match stops {
            Stops::Alone => format!("{id}"),
            Stops::WithItsOwn => format!("-{id}"),
        });
    }

    /// A shell that is gone stops nothing.
    fn say(&mut self, line: &str) {
        if let Some(pipe) = &mut self.0.stdin {
            let _ = writeln!(pipe, "{line}");
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.say("ended");
        // Whatever the system calls `sh`, it ends.
        if !matches!(wait_within(&mut self.0, CLEANUP), Ok(Some(_))) {
            stop(self.0.id(), Stops::WithItsOwn);
            let _ = self.0.wait();
        }
    }
}

/// Calls `stopped` in a thread of its own when a signal comes. SIGHUP stays ignored under
/// `nohup`.
pub(super) fn watch(stopped: fn(i32)) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let mut watched = vec![SIGINT, SIGTERM];
        if !is_ignored(SIGHUP) {
            watched.push(SIGHUP);
        }
        let (ready, is_ready) = mpsc::channel();
        // Without a thread or a handler, signals end the program as they always did.
        let watching = thread::Builder::new().spawn(move || {
            let signals = Signals::new(watched);
            drop::<Sender<()>>(ready);
            signals.map(|mut signals| signals.forever().for_each(stopped))
        });
        if watching.is_ok() {
            let _ = is_ready.recv();
        }
    });
}

/// Whether the program was started with this signal ignored, which only Linux says.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

pub(super) fn name(signal: i32) -> &'static str {
    signal_name(signal).unwrap_or("a signal")
}

/// Ends the program as the signal does by default.
pub(super) fn end_by(signal: i32) {
    let _ = emulate_default_handler(signal);
}
