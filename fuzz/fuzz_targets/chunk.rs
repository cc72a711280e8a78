#![no_main]

use libfuzzer_sys::fuzz_target;
use ragctl::read::ReadOptions;

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (max, overlap, bytes) = input;
    if let Some(document) = ragctl_fuzz::read("markdown", "a.md", bytes, &ReadOptions::default()) {
        let max = usize::from(max).max(2);
        ragctl_fuzz::check_chunks(&document, max, usize::from(overlap) % max);
    }
});
