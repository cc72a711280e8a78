use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GB18030, ISO_8859_15, KOI8_R, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252,
};
use proptest::prelude::*;

use super::*;

/// Checks text and the number of warnings.
fn check(bytes: &[u8], hint: Option<&str>, text: &str, n_warnings: usize) {
    let decoded = decode(bytes, hint);
    assert_eq!(decoded.text, text, "{bytes:?} as {hint:?}");
    assert_eq!(decoded.warnings.len(), n_warnings, "{:?}", decoded.warnings);
    assert_eq!(decode_text(bytes, hint).text, text);
}

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

fn utf32(text: &str, to_bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
    text.chars().flat_map(|it| to_bytes(u32::from(it))).collect()
}

#[test]
fn utf8_is_verbatim() {
    for (bytes, byte) in
        [(&b"a\xC3\xA9"[..], 0), (b"\xEF\xBB\xBFa\xC3\xA9", 3), (b"", 0), (b"\xEF\xBB\xBF", 3)]
    {
        let decoded = decode(bytes, None);
        assert_eq!(decoded.origin, Origin::Verbatim { byte, line: 1 });
        assert_eq!(decoded.text.as_bytes(), &bytes[byte..]);
        assert_eq!(decoded.warnings, []);
    }
}

#[test]
fn a_byte_order_mark_beats_the_declared_label() {
    check(b"\xEF\xBB\xBF\xC3\xA9", Some("latin1"), "é", 0);
    check(b"\xFF\xFEa\0\xE9\0", Some("utf-8"), "aé", 0);
    check(b"\xFE\xFF\0a\0\xE9", None, "aé", 0);
    check(b"\xFF\xFE\0\0a\0\0\0", None, "a", 0);
    check(b"\0\0\xFE\xFF\0\0\0a", None, "a", 0);
}

#[test]
fn a_declared_label_is_obeyed_without_a_warning() {
    check(b"caf\xE9", Some("ISO-8859-1"), "café", 0);
    check(b"\x82\xA0", Some(" shift_jis "), "あ", 0);
    check(&GB18030.encode("中文𠀀").0, Some("gb18030"), "中文𠀀", 0);
    check(b"\xE9", Some("cp1251"), "й", 0);
}

#[test]
fn a_declaration_that_cannot_be_true_is_not_obeyed() {
    // Saved as UTF-8 by a tool that left the meta element alone.
    check("déjà".as_bytes(), Some("iso-8859-1"), "déjà", 1);
    check(b"d\xE9j\xE0 vu, tr\xE8s bien, \xE0 bient\xF4t", Some("utf-8"), "déjà vu, très bien, à bientôt", 1);
    check(b"plain", Some("no-such-thing"), "plain", 1);
}

#[test]
fn what_is_not_declared_is_detected_over_the_whole_input() {
    check(b"2019\x962024", None, "2019–2024", 1);
    let mut late = vec![b'a'; 100_000];
    late.extend(b" \x96 b");
    assert!(decode(&late, None).text.ends_with("a – b"));
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю.";
    check(&KOI8_R.encode(russian).0, None, russian, 1);
    check(&WINDOWS_1251.encode(russian).0, None, russian, 1);
    let japanese = "これは文字コードの判定を試すための文章です。";
    check(&SHIFT_JIS.encode(japanese).0, None, japanese, 1);
    check(&EUC_JP.encode(japanese).0, None, japanese, 1);
    check(&utf16(japanese, u16::to_le_bytes), Some("utf-16le"), japanese, 0);
    check(&utf16("Text, texte; текст.", u16::to_le_bytes), None, "Text, texte; текст.", 1);
    check(&utf16("Text, texte; текст.", u16::to_be_bytes), None, "Text, texte; текст.", 1);
    check(&utf32("Text é", u32::to_le_bytes), None, "Text é", 1);
    check(&utf32("Text é", u32::to_be_bytes), None, "Text é", 1);
}

#[test]
fn strays_in_utf8_are_read_as_windows_1252() {
    let decoded = decode(b"\xC3\xA9t\xC3\xA9 \x96 \xC3\xA0", None);
    assert_eq!(decoded.text, "été – à");
    let Origin::Decoded { points, line: 1 } = decoded.origin else { panic!("{:?}", decoded.origin) };
    assert_eq!(points, [(0, 0), (2, 2), (3, 3), (5, 5), (6, 6), (9, 7), (10, 8), (12, 10)]);
    assert!(decoded.warnings[0].message.contains("windows-1252"), "{:?}", decoded.warnings);
    // A character that is cut short is lost, and counted.
    check(b"\xEF\xBB\xBFab\xE2\x82", None, "ab\u{FFFD}", 1);
}

#[test]
fn escape_sequences_of_japanese_mail_are_known_without_a_declaration() {
    let encoded = b"\x1B$B$3$l$OF|K\\8l$G$9\x1B(B. Plain.\n";
    let decoded = decode(encoded, None);
    assert_eq!(decoded.text, "これは日本語です. Plain.\n");
    assert_eq!(decoded.warnings[0].message, "no encoding declared, read as ISO-2022-JP (detected)");
    // Colours of a terminal, and escapes that open nothing.
    for text in ["\x1B[1mbold\x1B[0m", "\x1B$B no kanji \x7E\x7F"] {
        assert_eq!(
            decode(text.as_bytes(), None),
            Decoded {
                text: text.to_owned(),
                origin: Origin::Verbatim { byte: 0, line: 1 },
                warnings: vec![],
            }
        );
    }
}

#[test]
fn bytes_without_meaning_are_counted() {
    let decoded = decode(b"\x82\xA0\x82!\xFF\x82\xA0\x82", Some("shift_jis"));
    assert_eq!(decoded.text, "あ\u{FFFD}!\u{FFFD}あ\u{FFFD}");
    assert!(decoded.warnings[0].message.starts_with("3 byte sequences"), "{:?}", decoded.warnings);
    let Origin::Decoded { points, .. } = decoded.origin else { panic!() };
    assert_eq!(points.iter().map(|it| it.1).collect::<Vec<_>>(), [0, 2, 3, 4, 5, 7, 8]);
    // Lone surrogates.
    check(b"\xFF\xFEa\0\x00\xD8b\0\x00\xDC", None, "a\u{FFFD}b\u{FFFD}", 1);
    check(b"\xFE\xFF\0a\0", None, "a\u{FFFD}", 1);
}

#[test]
fn binary_is_told_from_text() {
    let check = |bytes: &[u8], expected: bool| {
        assert_eq!(is_binary(bytes), expected, "{:?}", &bytes[..bytes.len().min(30)]);
    };
    check(b"", false);
    check(b"a", false);
    check(b"line\r\n\tform\x0Cfeed \x1B[1mbold\x1B[0m", false);
    check(b"caf\xE9 \x96", false);
    check("日本語".as_bytes(), false);
    check(&SHIFT_JIS.encode("日本語のテキスト").0, false);
    check(&utf16("plain text\n", u16::to_le_bytes), false);
    check(&utf16("plain text\n", u16::to_be_bytes), false);
    check(&utf32("plain text\n", u32::to_le_bytes), false);
    check(b"\xFF\xFEa\0", false);
    check(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0", true);
    check(b"PK\x03\x04\x14\0\0\0\x08\0\x9C\x55\x4F\x57", true);
    check(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0", true);
    check(b"\x1F\x8B\x08\0\x12\x34\x56\x67\0\x03", true);
    check(b"text with a NUL\0 in it", true);
    check(format!("{}\0 stray", "a long text ".repeat(20)).as_bytes(), false);
    check(format!("{}\0 stray", "a long t\u{e9}xt ".repeat(800)).as_bytes(), false);
    check(&[&b"latin \xE9\xE8 ".repeat(20)[..], b"\0"].concat(), true);
    check(b"\x01\x02\x03\x04\x05abcdefgh", true);
    check(&(1..=255_u8).cycle().take(4096).filter(|it| *it != 0).collect::<Vec<_>>(), true);
}

/// Checks that the source between two points is the text between them, for every character.
fn check_points(bytes: &[u8], hint: Option<&str>, decode_again: impl Fn(&[u8]) -> String) {
    let Decoded { text, origin, .. } = decode(bytes, hint);
    let Origin::Decoded { points, line } = origin else { panic!("verbatim: {bytes:?}") };
    assert_eq!(line, 1);
    let starts: Vec<usize> = text.char_indices().map(|it| it.0).chain([text.len()]).collect();
    assert_eq!(points.iter().map(|it| it.0).collect::<Vec<_>>(), starts);
    assert_eq!(points.last().unwrap().1, bytes.len());
    for pair in points.windows(2) {
        assert_eq!(decode_again(&bytes[pair[0].1..pair[1].1]), text[pair[0].0..pair[1].0], "{pair:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn points_are_exact_in_every_encoding(text in "([a-z\\n ]|é|ß|–|ж|я|日|本|語|あ|ﾊ|한|国|😀|𠀀){0,40}") {
        let tables =
            [BIG5, EUC_JP, EUC_KR, GB18030, ISO_8859_15, KOI8_R, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252];
        for encoding in tables {
            // Keeps what the encoding has; the NBSP makes sure that the bytes are not plain UTF-8.
            let fits = |it: &char| !encoding.encode(it.encode_utf8(&mut [0; 4])).2;
            let text: String = text.chars().filter(fits).collect();
            let bytes = encoding.encode(&text).0;
            prop_assume!(std::str::from_utf8(&bytes).is_err() || !text.is_ascii());
            if std::str::from_utf8(&bytes).is_ok() {
                continue;
            }
            prop_assert_eq!(&decode(&bytes, Some(encoding.name())).text, &text);
            check_points(&bytes, Some(encoding.name()), |piece| {
                encoding.decode_without_bom_handling(piece).0.into_owned()
            });
        }
    }

    #[test]
    fn points_are_exact_in_wide_encodings(text in "[a-zé日😀\\n]{1,40}") {
        check_points(&utf16(&text, u16::to_le_bytes), Some("utf-16le"), |piece| {
            encoding_rs::UTF_16LE.decode_without_bom_handling(piece).0.into_owned()
        });
        check_points(&utf16(&text, u16::to_be_bytes), Some("utf-16be"), |piece| {
            encoding_rs::UTF_16BE.decode_without_bom_handling(piece).0.into_owned()
        });
    }

    #[test]
    fn any_bytes_decode(bytes in proptest::collection::vec(any::<u8>(), 0..200), label in 0..6_usize) {
        let hint = [None, Some("shift_jis"), Some("gb18030"), Some("utf-16le"), Some("big5"), Some("iso-2022-jp")];
        let decoded = decode(&bytes, hint[label]);
        prop_assert_eq!(&decoded.text, &decode_text(&bytes, hint[label]).text);
        is_binary(&bytes);
        if let Origin::Decoded { points, .. } = decoded.origin {
            let starts: Vec<_> = decoded.text.char_indices().map(|it| it.0).chain([decoded.text.len()]).collect();
            prop_assert_eq!(points.iter().map(|it| it.0).collect::<Vec<_>>(), starts);
            prop_assert!(points.is_sorted_by(|a, b| a.1 <= b.1));
            prop_assert!(points.last().is_some_and(|it| it.1 == bytes.len()));
        }
    }
}
