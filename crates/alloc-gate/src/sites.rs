//! The lines of code that allocate: call stacks become [`Sites`], and the sites of two builds
//! become a [`SiteDiff`].

mod attribute;
mod changes;
mod diff;
mod explained;
mod members;
mod similar;
mod site;
mod source;

pub use alloc_results::{BeforeRow, SampleSites, SiteRow};
pub use alloc_symbols::{Frame, FrameKind, measured_frames};
pub use attribute::{Code, Sites};
pub use changes::{Changes, Side};
pub use diff::{SiteChange, SiteDelta, SiteDiff};
pub use explained::{Explained, Found, Unexplained};
pub use members::Members;
pub(crate) use members::normal;
pub(crate) use site::location;
pub use site::{Amounts, Line, ScenarioSites, Site, SitePlace};
pub use source::Nearby;

#[cfg(test)]
mod tests;
