//! Where sentences start: the rules of Unicode (UAX 29), without their false alarms.
//!
//! UAX 29 knows the sentence marks of all scripts, those without spaces too. It takes "Dr. Smith", "No. 5" and "1. Install"
//! for two sentences each, breaks URLs at their question marks, and finds no sentence in text without capitals. A start
//! that is missed costs little, since there is another one near; a false one tears a sentence. So what is doubtful is no
//! start.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

/// What to do with line endings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    /// Each starts a sentence.
    Separate,
    /// They are blanks, as in a paragraph with lines of a fixed width.
    Joined,
}

/// Bytes of `text` where a sentence starts, without the text's own start.
pub(super) fn starts(text: &str, lines: Lines) -> Vec<usize> {
    let text = view(text, lines);
    let starts = text.split_sentence_bound_indices().map(|(at, _)| before_openers(&text, at));
    starts.filter(|&at| at > 0 && is_start(&text, at)).collect()
}

/// Bytes of `text` where a sentence starts in a text that does without capitals: a small letter after a full stop and
/// a blank.
pub(super) fn small_starts(text: &str, lines: Lines) -> Vec<usize> {
    let text = view(text, lines);
    let mut starts = Vec::new();
    for (mark, _) in text.match_indices('.') {
        let rest = &text[mark + 1..];
        let next = rest.trim_start_matches(is_closer).trim_start();
        let at = text.len() - next.len();
        if next.starts_with(char::is_lowercase)
            && text[..at].ends_with(char::is_whitespace)
            && is_start(&text, at)
        {
            starts.push(at);
        }
    }
    starts
}

/// `text` as the rules should see it, byte for byte: the end of emphasis ("**Stop.** Now") closes like a bracket.
fn view(text: &str, lines: Lines) -> Cow<'_, str> {
    let is_changed = |byte: u8| byte == b'*' || (lines == Lines::Joined && matches!(byte, b'\n' | b'\r'));
    if !text.bytes().any(is_changed) {
        return Cow::Borrowed(text);
    }
    let change = |ch: char| match ch {
        '*' => ')',
        '\n' | '\r' if lines == Lines::Joined => ' ',
        ch => ch,
    };
    Cow::Owned(text.chars().map(change).collect())
}

/// `at`, or where the quotes and brackets start that open right before it: UAX 29 does not tell them from closing ones.
fn before_openers(text: &str, at: usize) -> usize {
    text[..at].trim_end_matches(['「', '『', '（', '【', '《', '“', '‘']).len()
}

/// Whether a sentence really starts at `at`, where one may.
fn is_start(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end();
    let is_spaced = before.len() < at;
    let core = before.trim_end_matches(is_closer);
    let next = text[at..].chars().next();
    let Some(mark) = core.chars().next_back() else { return false };
    if !matches!(mark, '.' | '!' | '?') {
        return true;
    }
    if !is_spaced && !next.is_some_and(is_spaceless) {
        return false;
    }
    let closers = &before[core.len()..];
    if mark == '.' {
        let is_quoted = closers.contains(['"', '\'', '”', '’', '»']);
        return is_quoted || !is_abbreviation(&core[..core.len() - 1], next);
    }
    // "No!" he said.
    closers.is_empty() || !next.is_some_and(char::is_lowercase)
}

/// Whether the full stop after `text` is part of its last word; `next` is what follows it and a blank.
fn is_abbreviation(text: &str, next: Option<char>) -> bool {
    let is_part = |ch: char| ch.is_alphanumeric() || ch == '.';
    let start = text.char_indices().rev().take_while(|&(_, ch)| is_part(ch)).last();
    let Some((start, _)) = start else { return false };
    let word = &text[start..];
    if word.len() > LONGEST || word == "I" {
        return false;
    }
    // Numbers of list items, dates and ordinals: "1. Install", "3. Oktober".
    if word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    // Initials and the like: "J. R. R. Tolkien", "e.g.", "U.S.", "z. B.".
    let is_letter = |part: &str| {
        let mut chars = part.chars();
        chars.next().is_some_and(|ch| ch.is_alphabetic() && !is_spaceless(ch)) && chars.next().is_none()
    };
    let small = word.to_lowercase();
    word.split('.').all(is_letter)
        || ABBREVIATIONS.binary_search(&small.as_str()).is_ok()
        || (next.is_some_and(char::is_numeric) && BEFORE_NUMBERS.contains(&small.as_str()))
}

/// Quotes and brackets that close.
fn is_closer(ch: char) -> bool {
    matches!(
        ch,
        '"' | '\''
            | ')'
            | ']'
            | '}'
            | '”'
            | '’'
            | '»'
            | '›'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | '*'
            | '_'
    )
}

/// Letters of scripts that are written without spaces between words.
fn is_spaceless(ch: char) -> bool {
    matches!(ch,
        '\u{0E00}'..='\u{0FFF}' // Thai, Lao, Tibetan
        | '\u{1000}'..='\u{109F}' // Burmese
        | '\u{1780}'..='\u{17FF}' // Khmer
        | '\u{3000}'..='\u{30FF}' // Japanese, and punctuation of Chinese
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' // Han
        | '\u{FF00}'..='\u{FFEF}' // wide forms
        | '\u{20000}'..='\u{3FFFF}')
}

/// Bytes of the longest abbreviation, and some.
const LONGEST: usize = 16;

/// Words that are abbreviations before a number only.
const BEFORE_NUMBERS: &[&str] = &["app", "art", "no", "nos", "par", "pos", "tab"];

/// Words that end with a full stop inside a sentence, in small letters, sorted. Chosen from the sentence-break exceptions
/// of CLDR (English, German, French, Spanish, Italian, Portuguese, Russian): those that a name, a number or the rest of
/// their sentence follows.
const ABBREVIATIONS: &[&str] = &[
    "abb", "abs", "abt", "adj", "adm", "al", "allg", "anm", "approx", "apr", "assoc", "asst", "aug", "av",
    "ave", "bd", "betr", "bldg", "blvd", "brig", "bspw", "bzgl", "bzw", "ca", "cap", "capt", "cf", "ch",
    "chap", "cl", "cmdr", "co", "col", "comm", "corp", "cpl", "dec", "dept", "dipl", "dott", "dr", "dra",
    "ed", "eds", "eq", "eqn", "esq", "est", "etc", "ev", "evtl", "ext", "feb", "ff", "fig", "figs", "ft",
    "gen", "ggf", "gov", "hon", "hr", "hrsg", "inc", "incl", "ing", "inkl", "insp", "jan", "jr", "jul",
    "jun", "kap", "lt", "ltd", "maj", "messrs", "mgr", "mio", "misc", "mlle", "mme", "mr", "mrd", "mrs",
    "ms", "msgr", "mt", "nov", "nr", "núm", "oct", "op", "pag", "ph.d", "pp", "prof", "profa", "pt", "pvt",
    "pág", "ref", "refs", "resp", "rev", "sec", "sect", "sen", "sens", "sep", "sept", "sgt", "sig", "sog",
    "sr", "sra", "srta", "st", "ste", "str", "supt", "tel", "u.a", "univ", "urspr", "usf", "usw", "uvm",
    "vgl", "viz", "vol", "vols", "vs", "zzgl", "англ", "гг", "др", "им", "млн", "млрд", "напр", "проф",
    "рис", "рр", "руб", "см", "ср", "стр", "тыс", "ул",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` marks the expected starts.
    #[track_caller]
    fn check(find: fn(&str, Lines) -> Vec<usize>, marked: &str) {
        let text = marked.replace('|', "");
        let expected: Vec<usize> = marked.match_indices('|').enumerate().map(|(n, (at, _))| at - n).collect();
        assert_eq!(find(&text, Lines::Joined), expected, "{marked:?}");
    }

    #[test]
    fn sentences_end_at_marks_before_capitals() {
        check(starts, "One. |Two! |Three? |Four.");
        check(starts, "She said \"No.\" |He left. |(And so on.) |Then.");
        check(starts, "**Bold end.** |Next one.");
        check(starts, "a line\nthat goes on. |Next");
        check(starts, "In 2016. |Then 2017.");
        check(starts, "So did I. |You too.");
        check(starts, "The answer is no. |Next one.");
    }

    #[test]
    fn abbreviations_numbers_and_names_end_none() {
        check(
            starts,
            "See e.g. Smith, i.e. Dr. J. R. Smith vs. Prof. Jones et al. 2004, Fig. 3, No. 5 and p. 12.",
        );
        check(starts, "It costs 3.50 or 1.000,50 in the U.S. Senate. |Version 2.5.1 of Node.js runs.");
        check(starts, "Acme Inc. Chairman Mr. T. Brown met St. John on Jan. 5 at 5 p.m. Eastern.");
        check(starts, "1. Install it. |2. Run it.");
        check(starts, "Am 3. Oktober kam z. B. Frau Dr. Müller, vgl. Abb. 3 bzw. Nr. 715. |Danach ging sie.");
        check(starts, "М. А. Булгаков родился в г. Киеве, см. рис. 115. |Потом уехал.");
    }

    #[test]
    fn addresses_and_identifiers_are_whole() {
        check(starts, "Open https://example.org/a?B=1&C=2!D and File.Open or v2.Next now. |Done");
        check(starts, "\"No!\" he said. |\"Why?\" asked Ann. |Well.");
    }

    #[test]
    fn scripts_without_spaces_have_their_own_marks() {
        check(starts, "今天天气很好。|我们去公园吧！|你去吗？|好的。");
        check(starts, "他说：“好。”|然后走了。");
        check(starts, "今日は晴れです。|「行こう。」|彼は言った！|はい。");
        check(starts, "版本2.5已发布.|请升级.");
        check(starts, "यह एक वाक्य है। |यह दूसरा है।");
        check(starts, "هل تسمع؟ |نعم أسمع. |حسنا");
        check(starts, "ဒါက စာကြောင်း။ |နောက်တစ်ခု။");
        check(starts, "នេះជាប្រយោគ។ |នេះជាប្រយោគទីពីរ។");
        check(starts, "ይህ ዓረፍተ ነገር ነው። |ሌላ ነው።");
        // Thai has no mark; a blank stands between sentences, and is a place between words.
        check(starts, "วันนี้อากาศดี เราไปสวนกัน");
    }

    #[test]
    fn text_without_capitals_has_sentences_too() {
        let text = "the company had $20 million. |it expires in 2027. |see e.g. note 14. below";
        check(small_starts, text);
        check(starts, &text.replace('|', ""));
    }

    #[test]
    fn the_list_can_be_searched() {
        assert!(ABBREVIATIONS.is_sorted());
        assert!(ABBREVIATIONS.iter().all(|it| it.len() <= LONGEST && *it == it.to_lowercase()));
    }
}
