//! The lines of code that allocate: call stacks become [`Sites`], and the sites of two builds
//! become a [`SiteDiff`].

mod attribute;
mod changes;
mod diff;
mod site;
mod source;

pub use alloc_results::{BeforeRow, SampleSites, SiteRow};
pub use alloc_symbols::{Frame, FrameKind, measured_frames};

pub use attribute::{Code, Explained, Found, Sites, Unexplained};
pub use changes::{Changes, Side};
pub use diff::{SiteChange, SiteDelta, SiteDiff};

pub(crate) use site::location;
pub use site::{Amounts, Line, ScenarioSites, Site, SitePlace};
pub(crate) use source::normal;
pub use source::{Members, Nearby};

#[cfg(test)]
mod tests;
