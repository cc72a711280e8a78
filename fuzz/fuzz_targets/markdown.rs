#![no_main]

use libfuzzer_sys::fuzz_target;
use ragctl::read::ReadOptions;

fuzz_target!(|bytes: &[u8]| {
    ragctl_fuzz::read("markdown", "a.md", bytes, &ReadOptions::default());
});
