//! The rows of the CUDA device, for the tables of `lab/design/devices.md`.

mod rows;

use std::process::ExitCode;

use device_lab::Cuda;
use device_lab::rounds::Way;

fn main() -> ExitCode {
    let ways: [(_, _, rows::Open<Cuda>); 4] = [
        ("floor", Way::Floor, Cuda::open),
        ("direct", Way::Direct, Cuda::open),
        ("pool", Way::Pool, Cuda::open_with_pool),
        ("cache", Way::Cached, Cuda::open),
    ];
    rows::measure("cuda", &ways, &[("pageable", false), ("pinned", true)])
}
