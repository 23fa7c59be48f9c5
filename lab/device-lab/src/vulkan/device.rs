//! The Vulkan device and its one queue: how it is chosen, opened, described and closed.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, FromBytesUntilNulError};
use std::sync::OnceLock;

use ash::vk;

use crate::backend::{DeviceError, DeviceInfo};

/// The version that is asked for: the driver's name comes with it.
const API: u32 = vk::API_VERSION_1_2;

/// A Vulkan device, with a queue that computes and copies.
pub(super) struct Device {
    pub(super) logical: ash::Device,
    pub(super) physical: vk::PhysicalDevice,
    pub(super) queue: vk::Queue,
    pub(super) queue_family: u32,
    pub(super) types: vk::PhysicalDeviceMemoryProperties,
    /// The largest size of one allocation.
    pub(super) largest: u64,
    /// Buffers that are not destroyed. Vulkan forbids to destroy the device before them.
    pub(super) live: Cell<usize>,
    pub(super) pinned: RefCell<Vec<PinnedRange>>,
    pub(super) info: DeviceInfo,
    pub(super) instance: ash::Instance,
}

/// Addresses of the host that are memory of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct PinnedRange {
    pub(super) start: usize,
    pub(super) bytes: usize,
    pub(super) buffer: vk::Buffer,
}

/// The connection with Vulkan's loader, one for the process, to whose end it stays: NVIDIA's driver
/// is loaded with an instance and unloaded with the last one, and it can't be loaded for the
/// fifteenth time.
static INSTANCE: OnceLock<Result<(ash::Entry, ash::Instance), DeviceError>> = OnceLock::new();

impl Device {
    /// Opens the first hardware device, or the first software device if there is no hardware.
    pub(super) fn open() -> Result<Self, DeviceError> {
        let instance = INSTANCE.get_or_init(create_instance).clone();
        let (_, instance) = instance?;
        // SAFETY: the instance is live.
        let devices = unsafe { instance.enumerate_physical_devices() };
        let devices = checked("vkEnumeratePhysicalDevices", devices)?;
        let usable = devices.into_iter().filter_map(|physical| {
            // SAFETY: the instance is live, and the device is its own.
            let properties = unsafe { instance.get_physical_device_properties(physical) };
            let family = copying_queue(&instance, physical)?;
            (properties.api_version >= API).then_some((physical, family, properties))
        });
        let chosen = usable.min_by_key(|(_, _, properties)| is_software(properties));
        let (physical, queue_family, properties) = chosen.ok_or_else(|| {
            let reason = "there is no device with Vulkan 1.2; \
                          install mesa-vulkan-drivers for one in software";
            DeviceError::unavailable(reason)
        })?;
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut limits = vk::PhysicalDeviceMaintenance3Properties::default();
        let mut more = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut driver)
            .push_next(&mut limits);
        // SAFETY: as above, and the device has the version of both structures.
        unsafe { instance.get_physical_device_properties2(physical, &mut more) };
        // SAFETY: as above.
        let types = unsafe { instance.get_physical_device_memory_properties(physical) };
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(queue_family)
            .queue_priorities(&[1.0])];
        let request = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
        // SAFETY: as above, and the family is the device's.
        let logical = unsafe { instance.create_device(physical, &request, None) };
        let logical = checked("vkCreateDevice", logical)?;
        // SAFETY: the device was created with one queue of this family.
        let queue = unsafe { logical.get_device_queue(queue_family, 0) };
        Ok(Self {
            logical,
            physical,
            queue,
            queue_family,
            types,
            largest: limits.max_memory_allocation_size,
            live: Cell::new(0),
            pinned: RefCell::default(),
            info: info(&properties, &driver),
            instance,
        })
    }

    /// The first of these types with all of the properties.
    pub(super) fn memory_type(
        &self,
        types: u32,
        properties: vk::MemoryPropertyFlags,
    ) -> Option<u32> {
        let mut all = (0..).zip(self.types.memory_types_as_slice());
        let found = all.find(|(index, memory)| {
            types & (1 << index) != 0 && memory.property_flags.contains(properties)
        });
        found.map(|(index, _)| index)
    }

    /// The size of the heap that memory of this type is in.
    pub(super) fn heap(&self, memory_type: u32) -> u64 {
        let heap = self.types.memory_types[memory_type as usize].heap_index;
        self.types.memory_heaps[heap as usize].size
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // A buffer that its user forgot stays, and with it the device.
        if self.live.get() == 0 {
            // SAFETY: nothing of the device is left, and `Vulkan` waited for its work.
            unsafe { self.logical.destroy_device(None) };
        }
    }
}

fn create_instance() -> Result<(ash::Entry, ash::Instance), DeviceError> {
    // SAFETY: loads the loader's library, whose initializers have no requirements.
    let entry = unsafe { ash::Entry::load() };
    let entry = entry.map_err(|error| {
        DeviceError::unavailable(format!(
            "Vulkan's loader is missing; install libvulkan1 ({error})"
        ))
    })?;
    let application = vk::ApplicationInfo::default().api_version(API);
    let request = vk::InstanceCreateInfo::default().application_info(&application);
    // SAFETY: the loader's library is loaded, and `INSTANCE` keeps it.
    let instance = unsafe { entry.create_instance(&request, None) };
    match instance {
        Err(vk::Result::ERROR_INCOMPATIBLE_DRIVER) => {
            let reason = "there is no Vulkan driver; \
                          install mesa-vulkan-drivers for a device in software";
            Err(DeviceError::unavailable(reason))
        }
        other => Ok((entry, checked("vkCreateInstance", other)?)),
    }
}

/// A family of queues that computes. Vulkan says that these copy, too.
fn copying_queue(instance: &ash::Instance, device: vk::PhysicalDevice) -> Option<u32> {
    // SAFETY: the instance is live, and the device is its own.
    let families = unsafe { instance.get_physical_device_queue_family_properties(device) };
    let computes =
        |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::COMPUTE);
    u32::try_from(families.iter().position(computes)?).ok()
}

fn is_software(properties: &vk::PhysicalDeviceProperties) -> bool {
    properties.device_type == vk::PhysicalDeviceType::CPU
}

fn info(
    properties: &vk::PhysicalDeviceProperties,
    driver: &vk::PhysicalDeviceDriverProperties<'_>,
) -> DeviceInfo {
    let text = |name: Result<&CStr, FromBytesUntilNulError>| {
        name.unwrap_or(c"unknown").to_string_lossy().into_owned()
    };
    let name = text(properties.device_name_as_c_str());
    let version = properties.api_version;
    DeviceInfo {
        device: match is_software(properties) {
            true => format!("software device ({name})"),
            false => name,
        },
        driver: format!(
            "{} {}",
            text(driver.driver_name_as_c_str()),
            text(driver.driver_info_as_c_str())
        ),
        granularity: None,
        api: format!(
            "Vulkan {}.{}.{}",
            vk::api_version_major(version),
            vk::api_version_minor(version),
            vk::api_version_patch(version)
        ),
    }
}

pub(super) fn checked<T>(
    call: &'static str,
    result: Result<T, vk::Result>,
) -> Result<T, DeviceError> {
    result.map_err(|error| DeviceError::failed(call, error.to_string()))
}
