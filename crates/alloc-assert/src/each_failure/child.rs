//! The process in which the calls of a body are refused.

use std::cell::RefCell;
use std::fs::File;
use std::hint::black_box;
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::process;

use counting_alloc::refused_calls::{Fate, Requests, refuse_call};
use counting_alloc::{thread_tally, uncounted};

use crate::sites::relative_stack;

use super::Task;
use super::event::{Event, Refused};

thread_local! {
    /// The message of the latest panic.
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Refuses the calls of the task, and ends the process.
pub(super) fn run<T>(task: &Task, mut body: impl FnMut() -> T) -> ! {
    let Ok(file) = File::create(&task.path) else {
        process::exit(1)
    };
    let mut child = Child {
        file,
        run: move || drop(black_box(body())),
    };
    // What is made once is made now.
    (child.run)();
    let counted = child.run_with(0, Fate::Served);
    if !counted.value.returned {
        // A panic of the second run, which was not printed.
        process::exit(1);
    }
    let calls = counted.requests;
    child.tell(&Event::Counted {
        calls,
        net_blocks: counted.value.net_blocks,
    });
    let panic_hook = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        uncounted(|| MESSAGE.with_borrow_mut(|message| *message = info.to_string()));
    }));
    if task.probes {
        let probed = child.run_with(task.first - 1, Fate::Served);
        child.tell(&Event::Probed {
            size: probed.size.unwrap_or_default(),
            stack: relative_stack(&probed.stack),
        });
    }
    for call in task.first..=calls {
        child.refuse(call);
    }
    panic::set_hook(panic_hook);
    let again = child.run_with(0, Fate::Served);
    if again.requests != calls {
        child.tell(&Event::Varied {
            calls: again.requests,
        });
    }
    child.tell(&Event::End);
    process::exit(0)
}

struct Child<F> {
    file: File,
    run: F,
}

/// How a run of the body ended.
struct Ended {
    returned: bool,
    net_blocks: i64,
}

impl<F: FnMut()> Child<F> {
    /// Runs the body, where the call with this number has this fate.
    fn run_with(&mut self, call: u64, fate: Fate) -> Requests<Ended> {
        let before = thread_tally();
        let run = &mut self.run;
        let requests = refuse_call(call, fate, || {
            // The payload is dropped here.
            panic::catch_unwind(AssertUnwindSafe(run)).is_ok()
        });
        let net_blocks = (thread_tally() - before).net_blocks();
        match requests {
            Ok(requests) => Requests {
                value: Ended {
                    returned: requests.value,
                    net_blocks,
                },
                requests: requests.requests,
                size: requests.size,
                stack: requests.stack,
            },
            Err(error) => panic!("{error}"),
        }
    }

    /// Refuses one call, and tells what happened.
    fn refuse(&mut self, call: u64) {
        let ended = self.run_with(call, Fate::Refused);
        let Some(size) = ended.size else {
            // The body ended before it made the call.
            self.tell(&Event::Varied {
                calls: ended.requests,
            });
            self.tell(&Event::End);
            process::exit(0)
        };
        let Ended {
            returned,
            net_blocks,
        } = ended.value;
        let is_right = returned && net_blocks <= 0;
        let refused = Refused {
            size,
            net_blocks,
            stack: if is_right {
                Vec::new()
            } else {
                relative_stack(&ended.stack)
            },
        };
        self.tell(&if returned {
            Event::Returned(refused)
        } else {
            Event::Panicked(refused, MESSAGE.take())
        });
    }

    /// Writes an event, before the next run may abort.
    fn tell(&mut self, event: &Event) {
        // The test reports a missing event as a process that ended.
        let _ = self.file.write_all(format!("{event}\n").as_bytes());
    }
}
