#![no_main]

use libfuzzer_sys::fuzz_target;
use ragctl::read::ReadOptions;

// Panics inside the PDF library are caught by the reader and cost a page; libFuzzer's own hook would end the run at them.
fuzz_target!(init: std::panic::set_hook(Box::new(|_| {})), |bytes: &[u8]| {
    let options = ReadOptions { password: Some("password".to_owned()), ..ReadOptions::default() };
    ragctl_fuzz::read("pdf", "a.pdf", bytes, &options);
});
