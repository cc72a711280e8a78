#![no_main]

use libfuzzer_sys::fuzz_target;
use ragctl::read::ReadOptions;

fuzz_target!(|bytes: &[u8]| {
    // The last byte chooses the dialect.
    let file = if bytes.last().is_some_and(|last| last % 4 == 1) { "a.mdx" } else { "a.md" };
    ragctl_fuzz::read("markdown", file, bytes, &ReadOptions::default());
});
