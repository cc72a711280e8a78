#![no_main]

use libfuzzer_sys::fuzz_target;
use ragctl::read::ReadOptions;

fuzz_target!(|bytes: &[u8]| {
    let whole = ReadOptions { full_page: true, links: true, ..ReadOptions::default() };
    ragctl_fuzz::read("html", "a.html", bytes, &whole);
    ragctl_fuzz::read("html", "a.html", bytes, &ReadOptions::default());
});
