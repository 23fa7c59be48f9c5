//! [`Fake`]: a device in memory of the host, whose calls are recorded, and which fails as a test
//! wants.

use std::cell::RefCell;
use std::ops::DerefMut;
use std::rc::Rc;

use device_lab::{Device, DeviceError, Usage};

#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) capacity: u64,
    pub(crate) used: u64,
    /// The names of all calls so far.
    pub(crate) calls: Rc<RefCell<Vec<&'static str>>>,
    /// Fails every call, as a device does that was lost.
    pub(crate) is_lost: bool,
    /// Changes a byte of every upload of more than 1,000.
    pub(crate) is_damaging: bool,
    /// Asks the driver twice for each allocation.
    pub(crate) is_asking_twice: bool,
}

impl Fake {
    pub(crate) fn new(capacity: u64) -> Self {
        Self {
            capacity,
            ..Self::default()
        }
    }

    /// How often a call was made.
    pub(crate) fn count(&self, call: &str) -> u64 {
        let calls = self.calls.borrow();
        calls.iter().filter(|name| **name == call).count() as u64
    }

    fn call(&self, call: &'static str) -> Result<(), DeviceError> {
        self.calls.borrow_mut().push(call);
        match self.is_lost {
            true => Err(failed(call, "the device was lost")),
            false => Ok(()),
        }
    }
}

impl Device for Fake {
    type Memory = RefCell<Vec<u8>>;

    const CALLS: [u64; 2] = [1, 1];

    fn name(&self) -> &str {
        "fake"
    }

    fn allocate(&mut self, bytes: u64) -> Result<Self::Memory, DeviceError> {
        self.call("allocate")?;
        if self.is_asking_twice {
            self.call("allocate")?;
        }
        if bytes > self.capacity - self.used {
            return Err(DeviceError::OutOfMemory);
        }
        self.used += bytes;
        Ok(RefCell::new(vec![0; bytes as usize]))
    }

    fn free(&mut self, memory: Self::Memory) -> Result<(), DeviceError> {
        self.call("free")?;
        self.used -= memory.borrow().len() as u64;
        Ok(())
    }

    fn pin(&mut self, bytes: usize) -> Result<Box<dyn DerefMut<Target = [u8]>>, DeviceError> {
        self.call("pin")?;
        Ok(Box::new(vec![0; bytes]))
    }

    fn upload(&mut self, from: &[u8], to: &Self::Memory) -> Result<(), DeviceError> {
        self.call("upload")?;
        let mut memory = to.borrow_mut();
        let start = memory.get_mut(..from.len()).ok_or_else(too_small)?;
        start.copy_from_slice(from);
        if self.is_damaging && from.len() > 1_000 {
            start[1_000] ^= 1;
        }
        Ok(())
    }

    fn download(&mut self, from: &Self::Memory, to: &mut [u8]) -> Result<(), DeviceError> {
        self.call("download")?;
        let memory = from.borrow();
        to.copy_from_slice(memory.get(..to.len()).ok_or_else(too_small)?);
        Ok(())
    }

    fn synchronise(&mut self) -> Result<(), DeviceError> {
        self.call("synchronise")
    }

    fn usage(&mut self) -> Result<Usage, DeviceError> {
        self.call("usage")?;
        let allocations = self.count("allocate");
        Ok(Usage {
            allocations,
            calls: allocations + self.count("free"),
            reserved: self.used,
        })
    }
}

pub(crate) fn failed(call: &'static str, reason: &str) -> DeviceError {
    let reason = reason.to_owned();
    DeviceError::Failed { call, reason }
}

fn too_small() -> DeviceError {
    failed("copy", "the memory is too small")
}
