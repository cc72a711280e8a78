//! The information dictionary: title, author, dates.

use pdf_oxide::object::Object;
use pdf_oxide::optional_content::decode_pdf_text_string;

use super::file::File;
use crate::content::Metadata;

/// The entries worth keeping, under our names.
const TEXTS: [(&str, &str); 6] = [
    ("Title", "title"),
    ("Author", "author"),
    ("Subject", "subject"),
    ("Keywords", "keywords"),
    ("Creator", "creator"),
    ("Producer", "producer"),
];

/// Reads texts as strings and dates as ISO 8601.
pub(super) fn read(file: &File) -> Metadata {
    let mut metadata = Metadata::new();
    let Some(Object::Dictionary(info)) = file.info() else { return metadata };
    let text = |key: &str| {
        let Some(Object::String(bytes)) = file.get(&info, key) else { return None };
        Some(text_string(&bytes)).filter(|text| !text.is_empty() && !is_blank_form(text))
    };
    for (key, name) in TEXTS {
        if let Some(text) = text(key) {
            metadata.insert(name.to_owned(), text.into());
        }
    }
    for (key, name) in [("CreationDate", "created"), ("ModDate", "modified")] {
        if let Some(date) = text(key).as_deref().and_then(iso_date) {
            metadata.insert(name.to_owned(), date.into());
        }
    }
    metadata
}

/// Whether a text says that there is none: `(anonymous)`, `(unspecified)`, as ReportLab fills what its caller left out.
fn is_blank_form(text: &str) -> bool {
    let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).map(str::to_lowercase);
    inner.is_some_and(|it| ["anonymous", "unspecified", "untitled", "unknown", "none"].contains(&it.as_str()))
}

/// A PDF text string as one clean line: blanks collapsed, controls and undecodable characters dropped.
pub(super) fn text_string(bytes: &[u8]) -> String {
    let text = decode_pdf_text_string(bytes);
    let visible = |c: char| match c {
        c if c.is_whitespace() => Some(' '),
        '\u{FFFD}' | '\u{FEFF}' => None,
        c if c.is_control() => None,
        c => Some(c),
    };
    let text: String = text.chars().filter_map(visible).collect();
    text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// `D:20240103120000+01'00'` (ISO 32000-1, 7.9.4) as `2024-01-03T12:00:00+01:00`; what is absent is left out.
fn iso_date(date: &str) -> Option<String> {
    let date = date.strip_prefix("D:").unwrap_or(date);
    let digits = date.bytes().take_while(u8::is_ascii_digit).count().min(14);
    let number = |at: usize, len: usize| (at + len <= digits).then(|| &date[at..at + len]);
    let in_range = |text: &str, most: u32| text.parse::<u32>().is_ok_and(|it| it <= most);
    let year = number(0, 4)?;
    let (Some(month), Some(day)) = (number(4, 2), number(6, 2)) else {
        return Some(year.to_owned());
    };
    if !in_range(month, 12) || !in_range(day, 31) || month == "00" || day == "00" {
        return None;
    }
    let (Some(hour), Some(minute)) = (number(8, 2), number(10, 2)) else {
        return Some(format!("{year}-{month}-{day}"));
    };
    let second = number(12, 2).unwrap_or("00");
    if !in_range(hour, 23) || !in_range(minute, 59) || !in_range(second, 60) {
        return Some(format!("{year}-{month}-{day}"));
    }
    let zone = zone(&date[digits..]).unwrap_or_default();
    Some(format!("{year}-{month}-{day}T{hour}:{minute}:{second}{zone}"))
}

fn zone(zone: &str) -> Option<String> {
    let sign = zone.chars().next()?;
    if sign == 'Z' {
        return Some("Z".to_owned());
    }
    let digits: String = zone[sign.len_utf8()..].chars().filter(char::is_ascii_digit).take(4).collect();
    let (hours, minutes) = (digits.get(..2)?, digits.get(2..4).unwrap_or("00"));
    matches!(sign, '+' | '-').then(|| format!("{sign}{hours}:{minutes}"))
}

/// The title of the information dictionary, unless it is one that programs put there by themselves.
pub(super) fn sensible_title(metadata: &Metadata, file_name: &str) -> Option<String> {
    let title = metadata.get("title")?.as_str()?.trim();
    let lower = title.to_lowercase();
    let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem).to_lowercase();
    let is_file_name = lower == stem
        || lower == file_name.to_lowercase()
        || (!lower.contains(' ')
            && lower.rsplit_once('.').is_some_and(|(_, extension)| {
                (2..=5).contains(&extension.len())
                    && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
                    && !extension.bytes().all(|byte| byte.is_ascii_digit())
            }));
    let is_made_up = ["microsoft word - ", "microsoft powerpoint - ", "microsoft excel - ", "untitled"]
        .iter()
        .any(|start| lower.starts_with(start))
        || [
            "title",
            "subject:",
            "document",
            "document1",
            "none",
            "null",
            "slide 1",
            "powerpoint presentation",
        ]
        .contains(&lower.as_str())
        || title.ends_with(':');
    let has_words = title.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    (has_words && !is_file_name && !is_made_up).then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_iso() {
        let check =
            |date: &str, expected: Option<&str>| assert_eq!(iso_date(date).as_deref(), expected, "{date}");
        check("D:20240103120000+01'00'", Some("2024-01-03T12:00:00+01:00"));
        check("D:20240103120000Z", Some("2024-01-03T12:00:00Z"));
        check("D:20240103120000-05", Some("2024-01-03T12:00:00-05:00"));
        check("D:202401031200", Some("2024-01-03T12:00:00"));
        check("20240103", Some("2024-01-03"));
        check("D:2024", Some("2024"));
        check("D:20241399", None);
        check("D:2024010399", Some("2024-01-03"));
        check("yesterday", None);
        check("D:20240103120000ü", Some("2024-01-03T12:00:00"));
    }

    #[test]
    fn titles_made_by_programs_are_not_titles() {
        let check = |title: &str, expected: bool| {
            let metadata = [("title".to_owned(), title.into())].into();
            assert_eq!(sensible_title(&metadata, "report-7.pdf").is_some(), expected, "{title}");
        };
        check("Filesystem Hierarchy Standard", true);
        check("R 4.2", false);
        check("PDF avec Structure", true);
        check("Version 2.0", true);
        check("Subject:", false);
        check("Microsoft Word - Document1", false);
        check("untitled", false);
        check("Untitled-3", false);
        check("report-7", false);
        check("10811.exe", false);
        check("thesis.dvi", false);
        check("  ", false);
    }

    #[test]
    fn placeholders_are_no_values() {
        let check = |text: &str, expected: bool| assert_eq!(is_blank_form(text), expected, "{text}");
        check("(anonymous)", true);
        check("(Untitled)", true);
        check("(unspecified)", true);
        check("Anonymous", false);
        check("(2nd edition)", false);
    }

    #[test]
    fn text_strings_are_one_clean_line() {
        let check = |bytes: &[u8], expected: &str| assert_eq!(text_string(bytes), expected);
        check(b"a\r\n  b\0", "a b");
        check(b"\xFE\xFF\0A\0 \x20\x14", "A —");
        check(b"caf\xE9", "café");
        check(b"", "");
    }
}
