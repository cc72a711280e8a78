//! Tests of the analysis.

use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::*;

/// Tokens as `position:text`, wholes in brackets, parts after a plus sign, pairs and last characters as they are.
fn shown(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    analyse(text, &mut |token| {
        let (position, text) = (token.position, token.text);
        tokens.push(match token.kind {
            Kind::Whole => format!("{position}:[{text}]"),
            Kind::Part => format!("{position}:+{text}"),
            Kind::Word | Kind::Pair | Kind::Last => format!("{position}:{text}"),
        });
    });
    tokens
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(shown(text).join(" "), expected, "{text}");
}

#[test]
fn plain_words() {
    check("The Quick, brown – fox!", "0:the 1:quick 2:brown 3:fox");
    check("", "");
    check("?!( ^", "");
    check("Claude's don't they're", "0:claude 1:don't 2:they're");
    check("naïve Café", "0:naive 1:cafe");
}

#[test]
fn identifiers_whole_and_in_words() {
    check("foo_bar baz", "0:[foo_bar] 0:foo 1:bar 2:baz");
    check("real-time", "0:[real-time] 0:real 1:time");
    check("std::vec::Vec", "0:[std::vec::vec] 0:std 1:vec 2:vec");
    check("1.0.21", "0:[1.0.21] 0:1 1:0 2:21");
    check("2026.4.10,", "0:[2026.4.10] 0:2026 1:4 2:10");
    check("1,000 a,b", "0:[1,000] 0:1 1:000 2:a 3:b");
    check("ERR_HTTP2_X", "0:[err_http2_x] 0:err 1:http2 2:x");
    check("src/my-lib/text.rs", "0:[src/my-lib/text.rs] 0:src 1:[my-lib] 1:my 2:lib 3:[text.rs] 3:text 4:rs");
    check(r"C:\temp\a.txt", r"0:[c:\temp\a.txt] 0:c 1:temp 2:[a.txt] 2:a 3:txt");
    check("me@example.org", "0:[me@example.org] 0:me 1:example 2:org");
    check("l’avion", "0:[l'avion] 0:l 1:avion");
    check("HV091", "0:hv091");
}

#[test]
fn decorations_are_kept_on_the_whole() {
    check("git --no-verify", "0:git 1:[--no-verify] 1:[no-verify] 1:no 2:verify");
    check("--patience=x", "0:[--patience] 0:patience 1:x");
    check("a--b", "0:a 1:b");
    check("C++ C# c++11.", "0:[c++] 0:c 1:[c#] 1:c 2:[c++11] 2:c 3:11");
    check("use .NET now. Then", "0:use 1:[.net] 1:net 2:now 3:then");
    check("page#anchor Title#", "0:page 1:anchor 2:title");
}

#[test]
fn camel_case_parts_share_the_position() {
    check("fooBar baz", "0:foobar 0:+foo 0:+bar 1:baz");
    check("HTTPServer GPUs iPhone", "0:httpserver 0:+http 0:+server 1:gpus 2:iphone 2:+phone");
    check(
        "tls.createSecurePair",
        "0:[tls.createsecurepair] 0:tls 1:createsecurepair 1:+create 1:+secure 1:+pair",
    );
}

#[test]
fn scripts_without_spaces_give_pairs() {
    check("超级碗 50", "0:超级 1:级碗 2:碗 3:50");
    check("水", "0:水");
    check("LG전자", "0:lg 1:전자 2:자");
    check("ｶﾞﾊﾞ", "0:ガバ 1:バ");
    check("ไทย", "0:ไท 1:ทย 2:ย");
    check("東京-大阪", "0:東京 1:京 2:大阪 3:阪");
}

#[test]
fn other_scripts_give_words() {
    check("हिन्दी में", "0:हिन्दी 1:में");
    check("مُحَمَّد 50", "0:محمد 1:50");
    check("שלום עולם", "0:שלום 1:עולם");
    check("Ёлка", "0:елка");
}

#[test]
fn long_tokens_are_cut() {
    let tokens = shown(&"x".repeat(200_000));
    assert_eq!(tokens, [format!("0:{}", "x".repeat(MAX_TOKEN_CHARS))]);
    let tokens = shown(&"ab/".repeat(100_000));
    assert!(tokens.iter().all(|token| token.chars().count() <= MAX_TOKEN_CHARS + 10));
    assert_eq!(tokens.len(), 100_000 + 100_000_usize.div_ceil(MAX_WORDS));
}

proptest! {
    #[test]
    fn tokens_are_sound(text in "(\\PC|[a-zA-Z0-9_./:'# -]|[ก-ฮ一-十ｦ-ﾟ]){0,60}") {
        let mut last = (0, 0);
        analyse(&text, &mut |token| {
            assert!(!token.text.is_empty());
            assert!(!token.text.starts_with(STEM_MARK));
            assert!(text.get(token.span.clone()).is_some_and(|source| !source.is_empty()));
            assert!((token.position, token.group) >= last && token.n_positions >= 1);
            last = (token.position, token.group);
        });
    }

    /// A word by UAX 29 without joiners, alone or in a sentence, is one token.
    #[test]
    fn words_are_those_of_uax_29(text in "([a-zäéßœ0-9 ,;!?а-яα-ωء-غف-يա-ֆא-ת]|[अ-ह][\u{93e}-\u{94d}]?){0,60}") {
        let mut words = Vec::new();
        analyse(&text, &mut |token| if token.kind == Kind::Word { words.push(text[token.span].to_owned()) });
        let expected: Vec<String> = text
            .unicode_words()
            .flat_map(|word| word.split([',', ';']))
            .map(str::to_owned)
            .collect();
        prop_assert_eq!(words, expected);
    }
}
