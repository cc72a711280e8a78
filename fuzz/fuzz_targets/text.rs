#![no_main]

use libfuzzer_sys::fuzz_target;
use ragctl::read::ReadOptions;

fuzz_target!(|bytes: &[u8]| {
    // The first byte chooses the markup.
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let file = ["a.txt", "a.rst", "a.adoc", "a.org", "a.1"][usize::from(first) % 5];
    ragctl_fuzz::read("text", file, bytes, &ReadOptions::default());
});
