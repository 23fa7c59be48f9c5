//! The lines of code that allocate: call stacks become [`Sites`], and the sites of two builds
//! become a [`SiteDiff`].

mod added;
mod amounts;
mod attribute;
mod changes;
mod diff;
mod explained;
mod macros;
mod members;
mod nearby;
mod rows;
mod similar;
mod site;

pub use alloc_results::{BeforeRow, SampleSites, SiteRow};
pub use alloc_symbols::{Frame, FrameKind, measured_frames};
pub use amounts::Amounts;
pub use attribute::{Code, Sites};
pub use changes::{Changes, Side};
pub use diff::{SiteChange, SiteDelta, SiteDiff};
pub use explained::{Explained, Found, Unexplained};
pub(crate) use members::normal;
pub use members::{Members, Owner, Owners};
pub use nearby::Nearby;
pub use rows::ScenarioSites;
pub(crate) use site::location;
pub use site::{Line, Site, SitePlace};

#[cfg(test)]
mod tests;
