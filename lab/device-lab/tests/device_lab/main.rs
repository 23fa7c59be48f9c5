//! The cache and the rounds on a fake device, and the devices of this machine.

mod cache;
mod devices;
mod fake;
mod rounds;
