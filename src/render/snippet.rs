//! The part of a passage that a result list shows, and what is painted in it.

use crate::content::{Language, Span};
use crate::query::Query;
use crate::render::human::Style;
use crate::store::embedded::highlight::highlights;

/// What a snippet shows.
#[derive(Clone, Debug)]
pub struct SnippetOptions {
    /// Most characters; `None` shows the whole urtext.
    pub max_chars: Option<usize>,
    /// Query whose words are highlighted.
    pub query: Option<Query>,
}

/// The part of `text`, which is in `language`, where most matches stand, or else most words of the query, with these
/// highlighted; line breaks are kept in whole texts and folded in snippets.
pub(super) fn snippet(
    text: &str,
    language: Option<Language>,
    matches: &[Span],
    options: &SnippetOptions,
    style: Style,
) -> String {
    let spans = match &options.query {
        Some(query) if matches.is_empty() => highlights(query, text, language),
        _ => matches.to_vec(),
    };
    if options.max_chars == Some(0) {
        return String::new();
    }
    let Some(max_chars) = options.max_chars else { return highlight(text.trim_end(), 0, &spans, style) };
    let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let n_chars = boundaries.len() - 1;
    let best = densest(&spans, &boundaries, max_chars);
    let first = best.saturating_sub(max_chars / 4).min(n_chars.saturating_sub(max_chars));
    let last = (first + max_chars).min(n_chars);
    let end = boundaries[last];
    let start = word_start(text, boundaries[first]).min(end);
    let piece = highlight(&text[start..end], start, &spans, style);
    let folded = piece.split_whitespace().collect::<Vec<_>>().join(" ");
    let (head, tail) = (if start > 0 { "…" } else { "" }, if end < text.trim_end().len() { "…" } else { "" });
    format!("{head}{folded}{tail}")
}

/// The character where a window of `max_chars` holds the most matches.
fn densest(spans: &[Span], boundaries: &[usize], max_chars: usize) -> usize {
    let chars: Vec<usize> =
        spans.iter().map(|span| boundaries.partition_point(|&at| at < span.start)).collect();
    let mut best = (0, 0);
    for (at, &first) in chars.iter().enumerate() {
        let n = chars[at..].partition_point(|&it| it < first + max_chars * 3 / 4);
        if n > best.0 {
            best = (n, first);
        }
    }
    best.1
}

fn word_start(text: &str, at: usize) -> usize {
    if at == 0 {
        return 0;
    }
    text[at..].find(char::is_whitespace).map_or(at, |skip| if skip < 30 { at + skip } else { at })
}

/// `text`, which starts at byte `offset` of what `spans` count in, with the spans painted.
fn highlight(text: &str, offset: usize, spans: &[Span], style: Style) -> String {
    if !style.colour {
        return text.to_owned();
    }
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for span in spans {
        let start = span.start.saturating_sub(offset).max(at);
        let end = span.end.saturating_sub(offset).min(text.len());
        let (Some(before), Some(inside)) = (text.get(at..start), text.get(start..end)) else { continue };
        if !inside.is_empty() {
            out.push_str(before);
            out.push_str(&style.matched(inside));
            at = end;
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Syntax, parse};

    fn options(max_chars: usize, query: &str) -> SnippetOptions {
        SnippetOptions { max_chars: Some(max_chars), query: Some(parse(query, Syntax::default()).unwrap()) }
    }

    #[test]
    fn snippets_show_the_matches() {
        let plain =
            |text: &str, options: &SnippetOptions| snippet(text, None, &[], options, Style::default());
        assert_eq!(plain("short text", &options(40, "text")), "short text");
        let text = "aaa bbb ccc ddd eee fff ggg hhh iii jjj kkk needle lll mmm nnn ooo";
        let shown = plain(text, &options(24, "needles"));
        assert!(shown.contains("needle") && shown.starts_with('…') && shown.ends_with('…'), "{shown}");
    }

    #[test]
    fn snippets_never_cut_characters() {
        let text = "äöü 漢字かな交じり文 👩‍👩‍👧 ".repeat(20);
        for max_chars in 1..60 {
            snippet(&text, None, &[], &options(max_chars, "漢字"), Style { colour: true });
        }
    }

    #[test]
    fn matches_are_painted() {
        let style = Style { colour: true };
        let painted = highlight("abc def", 0, &[Span::new(4, 7)], style);
        assert_eq!(painted, format!("abc {}", style.matched("def")));
        let german = snippet("Alte Häuser", Language::parse("de"), &[], &options(40, "haus -alte"), style);
        assert_eq!(german, format!("Alte {}", style.matched("Häuser")));
    }
}
