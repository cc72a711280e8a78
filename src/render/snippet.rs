//! The part of a passage that a result list shows, and what is painted in it.

use crate::content::Span;
use crate::render::human::Style;

/// What a snippet shows.
#[derive(Clone, Debug)]
pub struct SnippetOptions {
    /// Most characters; `None` shows the whole urtext.
    pub max_chars: Option<usize>,
    /// Words to highlight, in lower case.
    pub words: Vec<String>,
}

/// The part of `text` around the first match, with matches highlighted; line breaks are kept in whole texts and folded in
/// snippets.
pub(super) fn snippet(text: &str, matches: &[Span], options: &SnippetOptions, style: Style) -> String {
    let spans = if matches.is_empty() { word_spans(text, &options.words) } else { matches.to_vec() };
    let Some(max_chars) = options.max_chars else { return highlight(text.trim_end(), 0, &spans, style) };
    let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let n_chars = boundaries.len() - 1;
    let best = densest(&spans, &boundaries, max_chars);
    let first = best.saturating_sub(max_chars / 4).min(n_chars.saturating_sub(max_chars));
    let last = (first + max_chars).min(n_chars);
    let (start, end) = (word_start(text, boundaries[first]), boundaries[last]);
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

/// Where the words of a query stand in `text`: whole words that equal one, or start with its stem.
fn word_spans(text: &str, words: &[String]) -> Vec<Span> {
    use unicode_segmentation::UnicodeSegmentation as _;
    let is_near = |word: &str, wanted: &str| {
        // "caching" highlights "cache" and "cached": the same first letters but the last three.
        let stem_len = wanted.chars().count().saturating_sub(3).max(4);
        word == wanted
            || (wanted.chars().count() >= stem_len
                && word.chars().count() <= wanted.chars().count() + 3
                && word.chars().take(stem_len).eq(wanted.chars().take(stem_len))
                && word.chars().count() >= stem_len)
    };
    text.unicode_word_indices()
        .filter(|(_, word)| {
            let word = word.to_lowercase();
            words.iter().any(|wanted| is_near(&word, wanted))
        })
        .map(|(at, word)| Span::new(at, at + word.len()))
        .collect()
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

    fn check(text: &str, words: &[&str], max_chars: usize, expected: &str) {
        let words = words.iter().map(|it| (*it).to_owned()).collect();
        let options = SnippetOptions { max_chars: Some(max_chars), words };
        assert_eq!(snippet(text, &[], &options, Style::default()), expected);
    }

    #[test]
    fn snippets_show_the_matches() {
        check("short text", &["text"], 40, "short text");
        let text = "aaa bbb ccc ddd eee fff ggg hhh iii jjj kkk needle lll mmm nnn ooo";
        let words = ["needle".to_owned()];
        let options = SnippetOptions { max_chars: Some(24), words: words.to_vec() };
        let shown = snippet(text, &[], &options, Style::default());
        assert!(shown.contains("needle") && shown.starts_with('…') && shown.ends_with('…'), "{shown}");
    }

    #[test]
    fn snippets_never_cut_characters() {
        let text = "äöü 漢字かな交じり文 👩‍👩‍👧 ".repeat(20);
        for max_chars in 1..60 {
            let options = SnippetOptions { max_chars: Some(max_chars), words: vec!["漢字".into()] };
            snippet(&text, &[], &options, Style { colour: true });
        }
    }

    #[test]
    fn matches_are_painted() {
        let style = Style { colour: true };
        let painted = highlight("abc def", 0, &[Span::new(4, 7)], style);
        assert_eq!(painted, format!("abc {}", style.matched("def")));
        assert_eq!(word_spans("Cached data, the cache", &["caching".into()]).len(), 2);
    }
}
