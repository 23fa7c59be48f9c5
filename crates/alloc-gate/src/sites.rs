//! The lines of code that allocate: call stacks become [`Sites`], and the sites of two builds
//! become a [`SiteDiff`].

mod amounts;
mod attribute;
mod blame;
mod changes;
mod diff;
mod explained;
mod frame;
mod rows;
mod similar;

pub use alloc_results::{BeforeRow, BlockSum, SiteRow};
pub use alloc_symbols::measured_frames;
pub(crate) use alloc_symbols::names::{crate_of, plain_path};
pub use amounts::Amounts;
pub use attribute::{Caller, Line, Site, SitePlace, SiteStack, Sites};
pub use blame::Members;
pub use changes::Changes;
pub use diff::{SiteChange, SiteDelta, SiteDiff};
pub use explained::{Explained, Found, Unexplained};
pub use frame::{Frame, FrameKind};
pub use rows::{SampleSites, ScenarioSites};

#[cfg(test)]
mod tests;
