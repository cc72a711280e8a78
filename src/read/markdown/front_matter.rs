//! Front matter: the YAML or TOML block at byte 0 of a Markdown source.
//!
//! Cuts it off and turns it into metadata. Only a block that holds a mapping is front matter; a thematic break
//! followed by prose stays Markdown. A block that was meant as front matter but does not parse stays text, without
//! being read as Markdown (its `# comments` and its closing `---` would make headings), and gives a warning.

use serde_json::Value;

use crate::content::{Metadata, Warning, WarningKind};

/// What stands at the start of a source.
#[derive(Debug, Default, PartialEq)]
pub(in crate::read) struct FrontMatter {
    /// Byte where the document's text may start: after the front matter, or 0.
    pub(in crate::read) body: usize,
    /// Byte where Markdown starts: `body`, or the end of a malformed block that stays text.
    pub(in crate::read) markup: usize,
    /// Top-level keys; empty without front matter.
    pub(in crate::read) metadata: Metadata,
    /// Why the block stayed text although it looks like front matter.
    pub(in crate::read) warning: Option<Warning>,
}

/// Reads the front matter at byte 0 of `source` (which has no byte-order mark any more).
pub(in crate::read) fn front_matter(source: &str) -> FrontMatter {
    let mut lines = source.split_inclusive('\n').flat_map(split_lone_cr);
    let Some(first) = lines.next() else { return FrontMatter::default() };
    let format = match first.trim_end() {
        "---" => Format::Yaml,
        "+++" => Format::Toml,
        _ => return FrontMatter::default(),
    };
    let mut end = first.len();
    for line in lines {
        let start = end;
        end += line.len();
        if format.is_closed_by(line.trim_end()) {
            return format.read(&source[first.len()..start], end);
        }
    }
    let warning =
        format.is_meant(&source[first.len()..]).then(|| malformed(format.name(), "it is never closed"));
    FrontMatter { warning, ..FrontMatter::default() }
}

/// Splits a piece that ends with LF (or the text) at the lone CRs inside, keeping line endings.
fn split_lone_cr(piece: &str) -> impl Iterator<Item = &str> {
    let mut rest = piece;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let cut = match rest.find('\r') {
            Some(at) if &rest[at + 1..] != "\n" => at + 1,
            _ => rest.len(),
        };
        let (line, after) = rest.split_at(cut);
        rest = after;
        Some(line)
    })
}

fn malformed(format: &str, detail: &str) -> Warning {
    Warning::new(WarningKind::FrontMatter, format!("the {format} front matter was kept as text: {detail}"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Yaml,
    Toml,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Yaml => "YAML",
            Self::Toml => "TOML",
        }
    }

    fn is_closed_by(self, line: &str) -> bool {
        match self {
            Self::Yaml => matches!(line, "---" | "..."),
            Self::Toml => line == "+++",
        }
    }

    /// Whether `block` starts as front matter does and not as prose: with a key. `+++` means nothing else.
    fn is_meant(self, block: &str) -> bool {
        match self {
            Self::Yaml => {
                let first = block.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
                first.split_once(':').is_some_and(|(key, value)| {
                    let is_key = |c: char| c.is_alphanumeric() || "_-.\"'".contains(c);
                    !key.is_empty()
                        && key.chars().all(is_key)
                        && (value.is_empty() || value.starts_with([' ', '\t']))
                })
            }
            Self::Toml => true,
        }
    }

    /// Reads `block`, whose closing line ends at `end`.
    fn read(self, block: &str, end: usize) -> FrontMatter {
        let parsed = match self {
            Self::Yaml => parse_yaml(block),
            Self::Toml => parse_toml(block).map(Some),
        };
        match parsed {
            Ok(Some(metadata)) => FrontMatter { body: end, markup: end, metadata, warning: None },
            Ok(None) => FrontMatter::default(),
            Err(detail) if self.is_meant(block) => FrontMatter {
                markup: end,
                warning: Some(malformed(self.name(), &detail)),
                ..FrontMatter::default()
            },
            Err(_) => FrontMatter::default(),
        }
    }
}

/// Parses a YAML mapping; `None` for anything else. Jekyll's empty front matter counts as an empty mapping, a block
/// with comments alone does not (`# Title` between two thematic breaks is a heading).
fn parse_yaml(block: &str) -> Result<Option<Metadata>, String> {
    if block.trim().is_empty() {
        return Ok(Some(Metadata::new()));
    }
    // YAML 1.2 booleans only: `country: no` is Norway. Text that merely looks like a number stays text: postal codes
    // and version numbers. Aliases replay at most 10,000 events, a thousand times what front matter needs.
    let options = serde_saphyr::options! {
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::AsString,
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 10_000 },
        with_snippet: false,
    };
    match serde_saphyr::from_str_with_options::<Value>(block, options) {
        Ok(Value::Object(map)) => Ok(Some(map.into_iter().collect())),
        Ok(_) => Ok(None),
        Err(error) => Err(one_line(&error.to_string())),
    }
}

fn parse_toml(block: &str) -> Result<Metadata, String> {
    let table: toml::Table = toml::from_str(block).map_err(|error| one_line(error.message()))?;
    Ok(table.into_iter().map(|(key, value)| (key, json_of_toml(value))).collect())
}

/// The JSON value of a TOML value; dates and numbers that JSON lacks become strings. The parser bounds the depth.
fn json_of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => serde_json::Number::from_f64(number)
            .map_or_else(|| Value::String(number.to_string()), Value::Number),
        toml::Value::Boolean(flag) => flag.into(),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(items) => items.into_iter().map(json_of_toml).collect(),
        toml::Value::Table(table) => {
            table.into_iter().map(|(key, value)| (key, json_of_toml(value))).collect()
        }
    }
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(source: &str, expected_body: &str, expected: Value) {
        let found = front_matter(source);
        assert_eq!(&source[found.body..], expected_body, "{source:?}");
        assert_eq!(found.markup, found.body, "{source:?}");
        assert_eq!(json!(found.metadata), expected, "{source:?}");
        assert_eq!(found.warning, None, "{source:?}");
    }

    #[test]
    fn yaml_keeps_types() {
        check("---\ntitle: A\n---\nbody", "body", json!({"title": "A"}));
        check("---\r\na: 1\r\nb: [x, 2.5]\r\n...\r\nbody", "body", json!({"a": 1, "b": ["x", 2.5]}));
        check("---\ra: 1\r---\rbody\r", "body\r", json!({"a": 1}));
        check("---  \na: 1\n--- \n", "", json!({"a": 1}));
        check("---\na: 1\n---", "", json!({"a": 1}));
        check(
            "---\ndate: 2024-01-31\nat: 2024-01-31T10:00:00Z\ndraft: true\nn: null\ne:\n---\n",
            "",
            json!({"date": "2024-01-31", "at": "2024-01-31T10:00:00Z", "draft": true, "n": null, "e": null}),
        );
        check(
            "---\ncountry: no\nzip: 01234\nbig: 18446744073709551615\nneg: -3\nf: 1e3\ninf: .inf\nv: 1_0\n---\n",
            "",
            json!({"country": "no", "zip": "01234", "big": u64::MAX, "neg": -3, "f": 1000.0, "inf": ".inf", "v": "1_0"}),
        );
        check("---\na: |\n  x\n  ---\n  y\n---\n", "", json!({"a": "x\n---\ny\n"}));
        check("---\na: 1\na: 2\n---\n", "", json!({"a": 2}));
        check("---\n1: x\ntrue: y\n---\n", "", json!({"1": "x", "true": "y"}));
        check("---\n# note\na: &x {b: 1}\nc: *x\n---\n", "", json!({"a": {"b": 1}, "c": {"b": 1}}));
        check("---\n---\n# A\n", "# A\n", json!({}));
    }

    #[test]
    fn toml_keeps_types() {
        check(
            "+++\ntitle = \"A\"\ndate = 2024-01-31\nat = 1979-05-27T07:32:00Z\nn = 3\nf = 0.5\n[extra]\nx = [1, \"b\"]\n+++\nbody",
            "body",
            json!({"title": "A", "date": "2024-01-31", "at": "1979-05-27T07:32:00Z", "n": 3, "f": 0.5,
                "extra": {"x": [1, "b"]}}),
        );
        check("+++\r\nnan = nan\r\n+++\r\n", "", json!({"nan": "NaN"}));
        check("+++\n+++\n", "", json!({}));
    }

    #[test]
    fn thematic_breaks_are_not_front_matter() {
        for source in [
            "",
            "# A\n---\na: 1\n---\n",
            "\n---\na: 1\n---\n",
            " ---\na: 1\n---\n",
            "----\na: 1\n----\n",
            "---\n- a\n- b\n---\n",
            "---\nprose\n---\n",
            "---\n\n# Title\n\n---\n\ntext\n",
            "---\n\nsome: [prose\n\n---\n",
            "---\nSee this: *not* {yaml\n---\n",
            "---",
            "---\n- a\n",
            "++++\n",
        ] {
            assert_eq!(front_matter(source), FrontMatter::default(), "{source:?}");
        }
    }

    #[test]
    fn malformed_front_matter_stays_text_with_a_warning() {
        let bomb = {
            let mut yaml = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
            for level in 1..20 {
                let item = format!("*a{}, ", level - 1);
                yaml.push_str(&format!("a{level}: &a{level} [{}]\n", item.repeat(10)));
            }
            yaml
        };
        for (block, closing) in [
            ("---\ntitle: [unclosed\n", "---\n"),
            ("---\ntitle: \"x\nb: 2\n", "---\n"),
            ("---\ntitle: a: b\n", "---\n"),
            (&format!("---\n{bomb}"), "---\n"),
            (&format!("---\na: {}\n", "[".repeat(100_000)), "---\n"),
            ("+++\ntitle = unquoted\n", "+++\n"),
            (&format!("+++\na = {}\n", "[".repeat(100_000)), "+++\n"),
        ] {
            let found = front_matter(&format!("{block}{closing}# A\n"));
            assert_eq!((found.body, found.markup), (0, block.len() + closing.len()), "{:.40}", block);
            assert_eq!(found.warning.map(|it| it.kind), Some(WarningKind::FrontMatter), "{:.40}", block);
            assert!(found.metadata.is_empty());
        }
    }

    #[test]
    fn unclosed_front_matter_stays_markdown_with_a_warning() {
        for source in ["---\ntitle: A\n\n# B\n", "+++\ntitle = 'A'\n\n# B\n"] {
            let found = front_matter(source);
            assert_eq!((found.body, found.markup), (0, 0), "{source:?}");
            assert!(found.warning.is_some(), "{source:?}");
        }
    }
}
