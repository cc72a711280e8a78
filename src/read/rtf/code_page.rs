//! Encodings by the numbers that RTF gives them.

use encoding_rs::Encoding;

/// The encoding of a Windows code page.
pub(super) fn encoding_of_code_page(page: i32) -> Option<&'static Encoding> {
    let label = match page {
        932 => "shift_jis",
        936 => "gbk",
        949 => "euc-kr",
        950 => "big5",
        10_000 => "macintosh",
        65_001 => "utf-8",
        874 => "windows-874",
        page => return Encoding::for_label(format!("windows-{page}").as_bytes()),
    };
    Encoding::for_label(label.as_bytes())
}

/// The encoding of a font's character set (RTF 1.9.1, "Font Table"); `None` for symbols and the default.
pub(super) fn encoding_of_charset(charset: i32) -> Option<&'static Encoding> {
    encoding_of_code_page(match charset {
        0 => 1252,
        77 => 10_000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    })
}
