//! The programs with talc.

use std::alloc::System;

use spinning_top::RawSpinlock;
use talc::TalcLock;
use talc::source::GlobalAllocSource;

whole_programs::with!(TalcLock<RawSpinlock, GlobalAllocSource<System>>, TalcLock::new(GlobalAllocSource::new(System)));
