//! `devices`: measures the devices of this machine, prints the tables, and writes them into
//! `design/devices.md`.

mod console;
mod environment;
mod page;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use device_lab::tables::{Plan, Section, Variant, Way, measure};
use device_lab::{Cuda, DeviceError, Vulkan};

const HELP: &str = "\
usage: devices [--quick | --update]

Measures ways of obtaining device memory by Vulkan and by CUDA, and prints the tables.

  --quick   one round, and copies of at most 1 MB
  --update  writes the tables into design/devices.md; a device that is missing here
            leaves the figures of another machine alone
";

/// What the program was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Request {
    Print,
    Quick,
    Update,
}

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let request = match arguments[..] {
        [] => Request::Print,
        ["--quick"] => Request::Quick,
        ["--update"] => Request::Update,
        ["--help"] => {
            console::print(HELP);
            return ExitCode::SUCCESS;
        }
        _ => {
            console::note(HELP);
            return ExitCode::from(2);
        }
    };
    run(request).unwrap_or_else(|error| {
        console::note(&format!("error: {error}\n"));
        ExitCode::FAILURE
    })
}

/// Succeeds if nothing failed on a device. A device that is missing is no failure.
fn run(request: Request) -> Result<ExitCode, Box<dyn Error>> {
    if request == Request::Update && cfg!(debug_assertions) {
        return Err("this is a debug build; run it with `--profile bench`".into());
    }
    let plan = match request {
        Request::Quick => Plan {
            rounds: 1,
            largest_copy: 1 << 20,
        },
        Request::Print | Request::Update => Plan::FULL,
    };
    // Before the work begins, so that the load is that of others.
    let machine = environment::machine();
    let sections = [vulkan(plan), cuda(plan)];
    let mut page = match request {
        Request::Update => Some(fs::read_to_string(path())?),
        Request::Print | Request::Quick => None,
    };
    for section in &sections {
        let text = section.to_markdown(&machine);
        console::print(&format!("{text}\n"));
        if let Some(page) = &mut page
            && !page::update(page, section, &text)?
        {
            console::note(&format!(
                "{}: not measured here; the figures on the page stay\n",
                section.api
            ));
        }
    }
    if let Some(page) = page {
        fs::write(path(), page)?;
    }
    let failures: Vec<_> = sections.iter().flat_map(Section::failures).collect();
    for failure in &failures {
        console::note(&format!("FAIL {failure}\n"));
    }
    Ok(match failures.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn path() -> PathBuf {
    environment::root().join("design/devices.md")
}

fn vulkan(plan: Plan) -> Section {
    let variants = rows(
        &Vulkan::open,
        ("gpu-allocator", Way::Direct),
        &Vulkan::open_with_gpu_allocator,
    );
    measure("Vulkan", |device| device.info().clone(), &variants, plan)
}

fn cuda(plan: Plan) -> Section {
    let variants = rows(&Cuda::open, ("pool", Way::Pool), &Cuda::open_with_pool);
    measure("CUDA", |device| device.info().clone(), &variants, plan)
}

/// The rows of a device with a second way to allocate.
fn rows<'a, B>(
    open: &'a dyn Fn() -> Result<B, DeviceError>,
    (name, way): (&'a str, Way),
    second: &'a dyn Fn() -> Result<B, DeviceError>,
) -> [Variant<'a, B>; 6] {
    let variant = |name, way| Variant { name, way, open };
    let second = Variant {
        name,
        way,
        open: second,
    };
    [
        variant("floor", Way::Floor),
        variant("direct", Way::Direct),
        second,
        variant("cache", Way::Cached),
        variant("direct-again", Way::Direct),
        variant("cache-again", Way::Cached),
    ]
}
