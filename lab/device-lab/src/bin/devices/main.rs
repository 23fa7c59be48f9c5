//! `devices`: measures the devices of this machine, prints the tables, and writes them into
//! `design/devices.md`.

mod console;
mod environment;
mod page;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, io};

use device_lab::tables::{
    Missing, Plan, RoundResults, Section, Variant, Way, measure_rounds, round,
};
use device_lab::{Cuda, DeviceBackend, DeviceError, DeviceInfo, Vulkan};

const HELP: &str = "\
usage: devices [--quick | --update]

Measures ways of obtaining device memory by Vulkan and by CUDA, and prints the tables.

  --quick   one round, and copies of at most 1 MB
  --update  writes the tables into design/devices.md; without a device, or with a software
            device instead of a GPU, the figures of another machine stay
";

/// Runs one round in this process and prints its results, for a process that runs all rounds.
/// The name of the interface follows, and what else that process was asked for.
const ROUND: &str = "--round";

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
    let result = match arguments[..] {
        [] => run(Request::Print),
        ["--quick"] => run(Request::Quick),
        ["--update"] => run(Request::Update),
        [ROUND, api] => one_round(api, Request::Print),
        [ROUND, api, "--quick"] => one_round(api, Request::Quick),
        ["--help"] => {
            console::print(HELP);
            return ExitCode::SUCCESS;
        }
        _ => {
            console::note(HELP);
            return ExitCode::from(2);
        }
    };
    result.unwrap_or_else(|error| {
        console::note(&format!("error: {error}\n"));
        ExitCode::FAILURE
    })
}

impl Request {
    fn plan(self) -> Plan {
        match self {
            Self::Quick => Plan {
                rounds: 1,
                largest_copy: 1 << 20,
            },
            Self::Print | Self::Update => Plan::FULL,
        }
    }
}

/// Succeeds if nothing failed on a device. A device that is missing is no failure.
fn run(request: Request) -> Result<ExitCode, Box<dyn Error>> {
    if request == Request::Update && cfg!(debug_assertions) {
        return Err("this is a debug build; run it with `--profile bench`".into());
    }
    // A page that can't be updated is an error before minutes of measuring.
    let mut page = match request {
        Request::Update => Some(fs::read_to_string(path())?),
        Request::Print | Request::Quick => None,
    };
    if let Some(page) = &page {
        page::check(page, &[VULKAN, CUDA])?;
    }
    // Before the work begins, so that the load is not that of the tables.
    let machine = environment::machine();
    let sections = [
        (
            section(VULKAN, Vulkan::info, &vulkan(), request),
            "gpu-allocator",
        ),
        (section(CUDA, Cuda::info, &cuda(), request), "cudarc"),
    ];
    let mut failures = Vec::new();
    for (section, library) in &sections {
        let mut machine = machine.clone();
        machine.push((library, environment::locked_version(library)));
        let text = section.to_markdown(&machine);
        console::print(&format!("{text}\n"));
        for failure in section.failures() {
            failures.push(format!("FAIL {}, {failure}\n", section.api));
        }
        if let Some(page) = &mut page
            && !page::update(page, &section.api, &text)?
        {
            console::note(&format!(
                "{}: the page has figures of a device that is not here; they stay\n",
                section.api
            ));
        }
    }
    for failure in &failures {
        console::note(failure);
    }
    if !failures.is_empty() {
        if request == Request::Update {
            console::note("design/devices.md was not changed, because of the failures above\n");
        }
        return Ok(ExitCode::FAILURE);
    }
    if let Some(page) = page {
        replace(&path(), &page)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn path() -> PathBuf {
    environment::root().join("design/devices.md")
}

/// Replaces a file: another process sees the old text or the new one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("md.new");
    fs::write(&new, text)?;
    fs::rename(&new, path)
}

const VULKAN: &str = "Vulkan";
const CUDA: &str = "CUDA";

fn vulkan() -> [Variant<'static, Vulkan>; 7] {
    rows(
        &Vulkan::open,
        ["gpu-allocator", "gpu-allocator-again"],
        Way::Direct,
        &Vulkan::open_with_gpu_allocator,
    )
}

fn cuda() -> [Variant<'static, Cuda>; 7] {
    let names = ["pool", "pool-again"];
    rows(&Cuda::open, names, Way::Pool, &Cuda::open_with_pool)
}

/// The tables of an interface. Each round runs in a process of its own.
fn section<B: DeviceBackend>(
    api: &str,
    info: fn(&B) -> &DeviceInfo,
    variants: &[Variant<'_, B>],
    request: Request,
) -> Section {
    let info = |device: &B| info(device).clone();
    measure_rounds(api, info, variants, request.plan(), || {
        child_round(api, request)
    })
}

/// Runs one round of an interface in a child process.
fn child_round(api: &str, request: Request) -> Result<RoundResults, Missing> {
    let failed = |reason: String| Missing::Failed(format!("the process of a round: {reason}"));
    let program = env::current_exe().map_err(|error| failed(error.to_string()))?;
    let mut command = Command::new(program);
    command.args([ROUND, api]).stderr(Stdio::inherit());
    if request == Request::Quick {
        command.arg("--quick");
    }
    let output = command.output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    match output.status.success() {
        true => String::from_utf8_lossy(&output.stdout).parse(),
        false => Err(failed(output.status.to_string())),
    }
}

/// The child process: prints the results of a round.
fn one_round(api: &str, request: Request) -> Result<ExitCode, Box<dyn Error>> {
    let plan = request.plan();
    let results = match api {
        VULKAN => round(&vulkan(), plan),
        CUDA => round(&cuda(), plan),
        _ => return Err(format!("there is no interface `{api}`").into()),
    };
    console::print(&results.to_string());
    Ok(ExitCode::SUCCESS)
}

/// The rows of a device with a second way to allocate.
fn rows<'a, B>(
    open: &'a dyn Fn() -> Result<B, DeviceError>,
    [name, again]: [&'a str; 2],
    way: Way,
    open_second: &'a dyn Fn() -> Result<B, DeviceError>,
) -> [Variant<'a, B>; 7] {
    let variant = |name, way| Variant { name, way, open };
    let second = |name| Variant {
        name,
        way,
        open: open_second,
    };
    [
        variant("floor", Way::Floor),
        variant("direct", Way::Direct),
        second(name),
        variant("cache", Way::Cached),
        variant("direct-again", Way::Direct),
        second(again),
        variant("cache-again", Way::Cached),
    ]
}
