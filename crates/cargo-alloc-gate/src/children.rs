//! Child processes. SIGINT, SIGTERM and SIGHUP stop them before they end this program, and a
//! guard stops benches and builds if it ends in any other way; elsewhere than on Unix, a
//! console stops all its processes by itself.

#[cfg(unix)]
#[path = "children/unix.rs"]
mod system;
#[cfg(not(unix))]
#[path = "children/other.rs"]
mod system;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use wait_timeout::ChildExt;

use self::system::Guard;
use crate::failure::Failure;

/// What to stop together with a child.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stops {
    /// The child alone, which may read from the terminal.
    Alone,
    /// All that the child started: it is in a process group of its own.
    WithItsOwn,
}

/// A running child that signals stop.
pub(crate) struct Running {
    pub(crate) child: Child,
    entry: Entry,
    /// Stops the child when this program is killed.
    _guard: Option<Guard>,
}

/// A child in the list of those to stop, until it is dropped.
struct Entry {
    id: u32,
    stops: Stops,
}

/// The running children, and the signal that stopped them.
struct State {
    running: Vec<(u32, Stops)>,
    signal: Option<i32>,
}

static STATE: Mutex<State> = Mutex::new(State {
    running: Vec::new(),
    signal: None,
});

/// How long the program may take to clean up after a signal, and a killed child to end.
const CLEANUP: Duration = Duration::from_secs(1);

/// How often to look at a running child.
pub(crate) const TICK: Duration = Duration::from_millis(100);

impl Running {
    /// Starts a child, unless a signal came before.
    pub(crate) fn start(command: &mut Command, stops: Stops) -> io::Result<Self> {
        // First, so that the child is never without it for long.
        let mut guard = Guard::start();
        let state = state();
        if state.signal.is_some() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let (child, entry) = start(state, command, stops)?;
        if let Some(guard) = &mut guard {
            guard.watch(entry.id, stops);
        }
        Ok(Self {
            child,
            entry,
            _guard: guard,
        })
    }

    /// Stops the child, and what it started: its group, and what left the group and has the path
    /// `mark` in its environment. Returns the ids of what could not be stopped.
    pub(crate) fn stop(&mut self, mark: &Path) -> Vec<u32> {
        if self.entry.stops == Stops::WithItsOwn {
            system::stop(self.entry.id, Stops::WithItsOwn);
        }
        // Whether it has ended is asked below.
        let _ = self.child.kill();
        let begin = Instant::now();
        loop {
            let mut left = system::stop_marked(mark);
            if !matches!(wait_within(&mut self.child, Duration::ZERO), Ok(Some(_))) {
                left.push(self.entry.id);
            }
            if left.is_empty() || begin.elapsed() > CLEANUP {
                return left;
            }
            thread::sleep(CLEANUP / 100);
        }
    }
}

/// The lock is held until the child is in the list, so that no signal misses it.
fn start(
    mut state: MutexGuard<'_, State>,
    command: &mut Command,
    stops: Stops,
) -> io::Result<(Child, Entry)> {
    if stops == Stops::WithItsOwn {
        system::own_group(command);
    }
    let child = command.spawn()?;
    let id = child.id();
    state.running.push((id, stops));
    Ok((child, Entry { id, stops }))
}

impl Drop for Entry {
    fn drop(&mut self) {
        state().running.retain(|(id, _)| *id != self.id);
    }
}

/// Waits for a child, in steps, because the parent of this program may have blocked the signal
/// that a child has ended; `None` after `limit`.
pub(crate) fn wait_within(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let begin = Instant::now();
    loop {
        let left = limit.saturating_sub(begin.elapsed());
        let ended = child.wait_timeout(left.min(TICK / 10))?;
        if ended.is_some() || left.is_zero() {
            return Ok(ended);
        }
    }
}

/// The output of a command, which also runs after a signal, to clean up. It is stopped after
/// `limit`, with [`io::ErrorKind::TimedOut`].
pub(crate) fn output(command: &mut Command, limit: Duration) -> io::Result<Output> {
    // What it starts could hold a pipe open for longer than it runs.
    let [mut out, mut err] = [tempfile::tempfile()?, tempfile::tempfile()?];
    command.stdout(out.try_clone()?).stderr(err.try_clone()?);
    let (mut child, _entry) = start(state(), command, Stops::Alone)?;
    let Some(status) = wait_within(&mut child, limit)? else {
        child.kill()?;
        child.wait()?;
        return Err(io::ErrorKind::TimedOut.into());
    };
    let read = |file: &mut File| {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        io::Result::Ok(bytes)
    };
    Ok(Output {
        status,
        stdout: read(&mut out)?,
        stderr: read(&mut err)?,
    })
}

/// Begins to wait for signals.
pub(crate) fn watch() {
    system::watch(|signal| {
        {
            let mut state = state();
            state.signal = Some(signal);
            for &(id, stops) in &state.running {
                system::stop(id, stops);
            }
        }
        // The main thread cleans up and ends the program, if it isn't blocked.
        thread::sleep(CLEANUP);
        system::end_by(signal);
    });
}

/// Fails if a signal came: the children were stopped, and their results say nothing.
pub(crate) fn check() -> Result<(), Failure> {
    match signal() {
        // The code is never seen, because the program ends by the signal.
        Some(signal) => Err(Failure::output_failed(stopped_by(signal))),
        None => Ok(()),
    }
}

/// The signal that came, if one did.
pub(crate) fn signal() -> Option<i32> {
    state().signal
}

/// Says which signal came.
pub(crate) fn stopped_by(signal: i32) -> String {
    format!("stopped by {}", system::name(signal))
}

pub(crate) fn end_by(signal: i32) {
    system::end_by(signal);
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Stdio;

    use super::*;

    #[test]
    fn a_command_without_an_end_is_stopped() {
        let mut endless = Command::new("tail");
        endless.args(["-f", "/dev/null"]).stdin(Stdio::null());
        let error = output(&mut endless, Duration::from_millis(10)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let mut short = Command::new("sh");
        short.args(["-c", "echo out; echo err >&2; exit 3"]);
        let output = output(&mut short, Duration::from_secs(600)).unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(
            (&*output.stdout, &*output.stderr),
            (&b"out\n"[..], &b"err\n"[..])
        );
    }
}
