#![no_main]

use libfuzzer_sys::fuzz_target;
use ragctl::read::{ReadOptions, reader_named};

fuzz_target!(|bytes: &[u8]| {
    // The first byte chooses the language.
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let extensions = reader_named("code").map_or(&[][..], |reader| reader.meta().extensions);
    let file = format!("a.{}", extensions[usize::from(first) % extensions.len()]);
    ragctl_fuzz::read("code", &file, bytes, &ReadOptions::default());
});
