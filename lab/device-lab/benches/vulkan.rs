//! The same rows of the Vulkan device, which may be software. It has no pools and no pinned memory.

#[path = "devices/rows.rs"]
mod rows;

use std::process::ExitCode;

use device_lab::Vulkan;
use device_lab::rounds::Way;

fn main() -> ExitCode {
    let ways: [(_, _, rows::Open<Vulkan>); 3] = [
        ("floor", Way::Floor, Vulkan::open),
        ("direct", Way::Direct, Vulkan::open),
        ("cache", Way::Cached, Vulkan::open),
    ];
    rows::measure("vulkan", &ways, &[("pageable", false)])
}
