//! What a worker process may use.

use std::io;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Limits of one worker process, and so of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of address space (`RLIMIT_AS`), the program itself included.
    pub memory_bytes: u64,
    /// Most CPU time, rounded up to whole seconds (`RLIMIT_CPU`).
    pub cpu: Duration,
    /// Most time from start to answer, as the parent's clock runs.
    pub wall: Duration,
    /// Most bytes of answer.
    pub output_bytes: u64,
}

impl Default for Limits {
    /// 1 GiB, 60 s of CPU, 180 s of wall time, 256 MiB of answer.
    ///
    /// Chosen with room: the largest of our test files (a manual of 6.5 MB on 3,800 pages) needs a small part of
    /// each. Wall time is three times CPU time, because a busy machine runs more workers than it has cores.
    fn default() -> Self {
        Self {
            memory_bytes: 1 << 30,
            cpu: Duration::from_secs(60),
            wall: Duration::from_secs(180),
            output_bytes: 256 << 20,
        }
    }
}

impl Limits {
    /// Sets memory and CPU limits of this process, and forbids core dumps; never raises a limit that is lower.
    pub(super) fn apply(&self) -> io::Result<()> {
        let cpu_seconds = self.cpu.as_secs() + u64::from(self.cpu.subsec_nanos() > 0);
        lower(Resource::Core, 0, 0)?;
        lower(Resource::As, self.memory_bytes, self.memory_bytes)?;
        // The soft limit sends SIGXCPU, which names itself; the hard one, a second later, kills.
        lower(Resource::Cpu, cpu_seconds, cpu_seconds + 1)
    }
}

fn lower(resource: Resource, soft: u64, hard: u64) -> io::Result<()> {
    let now = getrlimit(resource);
    let least = |wanted: u64, current: Option<u64>| current.map_or(wanted, |current| current.min(wanted));
    let hard = least(hard, now.maximum);
    let soft = least(soft, now.current).min(hard);
    setrlimit(resource, Rlimit { current: Some(soft), maximum: Some(hard) }).map_err(io::Error::from)
}
