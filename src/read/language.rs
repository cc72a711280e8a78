//! The language of a document: found from its prose, else as the document declares it.
//!
//! The text is trusted over the declaration, because page templates declare their own language. Texts that are too short
//! or too mixed for a sure answer keep what is declared, and without that have no language.

use whatlang::{Detector, Lang};

use crate::content::{BlockKind, Document, Language, Metadata};

/// Named in [`crate::ingest::Pipeline::fingerprint`]; raised whenever the same document would get another language.
pub const VERSION: u32 = 1;

/// Bytes of prose that are looked at. Of 4,007 passages (manual pages in 20 languages, XQuAD in 5, English
/// documentation) of at most 3,000 characters none of the English ones was taken for another language, and all others
/// that were not English after all kept their own; more text only takes more time.
const SAMPLE_BYTES: usize = 3_000;
/// Passages that the sample is made of, spread over the document.
const SAMPLE_PASSAGES: usize = 12;
/// Fewest characters of prose that say anything.
const MIN_CHARS: usize = 60;

/// Metadata keys under which documents declare their language: HTML's attribute, Dublin Core, front matter.
const DECLARING_KEYS: [&str; 5] = ["lang", "language", "dc:language", "og:locale", "locale"];

/// Languages that are told apart too seldom for a sure answer, though the rest of the world can be ruled out. What is left
/// when the other members of its group are ruled out too is the answer.
const RELATIVES: [&[Lang]; 6] = [
    &[Lang::Dan, Lang::Nob, Lang::Swe],
    &[Lang::Spa, Lang::Por, Lang::Cat, Lang::Ita],
    &[Lang::Ces, Lang::Slk],
    &[Lang::Hrv, Lang::Slv, Lang::Srp],
    &[Lang::Rus, Lang::Ukr, Lang::Bel, Lang::Bul, Lang::Mkd],
    &[Lang::Ind, Lang::Jav],
];

/// The language of most of a document's text.
pub fn language_of(document: &Document) -> Option<Language> {
    let sample = prose(document);
    let is_enough = sample.chars().filter(|c| c.is_alphabetic()).nth(MIN_CHARS).is_some();
    is_enough.then(|| detect(&sample)).flatten().or_else(|| declared(&document.metadata))
}

/// The language that metadata declares.
fn declared(metadata: &Metadata) -> Option<Language> {
    DECLARING_KEYS.into_iter().find_map(|key| match metadata.get(key)? {
        serde_json::Value::String(tag) => Language::parse(tag),
        // The first of several is the main one (EPUB 3, 5.5.3.1.3).
        serde_json::Value::Array(tags) => Language::parse(tags.first()?.as_str()?),
        _ => None,
    })
}

/// The language of a text, if it is sure.
fn detect(text: &str) -> Option<Language> {
    let found = Detector::new().detect(text)?;
    let is_sure = found.is_reliable() || {
        let group = RELATIVES.into_iter().find(|group| group.contains(&found.lang()));
        group.is_some_and(|group| {
            let others = group.iter().copied().filter(|&lang| lang != found.lang()).collect();
            let alone = Detector::with_denylist(others).detect(text);
            alone.is_some_and(|alone| alone.lang() == found.lang() && alone.is_reliable())
        })
    };
    is_sure.then(|| Language::parse(found.lang().code())).flatten()
}

/// Passages of paragraphs and list items, from all over the document.
fn prose(document: &Document) -> String {
    let passages: Vec<&str> = document
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem))
        .map(|block| block.span.slice(&document.text))
        .filter(|passage| passage.split_whitespace().nth(4).is_some() || !passage.is_ascii())
        .collect();
    let mut sample = String::with_capacity(SAMPLE_BYTES);
    let n_taken = passages.len().min(SAMPLE_PASSAGES);
    for idx in 0..n_taken {
        let passage = passages[idx * passages.len() / n_taken];
        let room = (SAMPLE_BYTES - sample.len()) / (n_taken - idx);
        let fits =
            passage.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|&end| end <= room).last();
        sample.push_str(&passage[..fits.unwrap_or(0)]);
        sample.push('\n');
        if sample.len() >= SAMPLE_BYTES {
            break;
        }
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Blob, ReadOptions, reader_named};

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let blob = Blob { uri: "a.md".to_owned(), bytes: text.as_bytes().to_vec() };
        let reader = reader_named("markdown").unwrap();
        let parsed = reader.read(&blob, &ReadOptions::default()).unwrap();
        assert_eq!(language_of(&parsed.document).as_ref().map(Language::code), expected, "{text}");
    }

    #[test]
    fn prose_says_its_language() {
        check(
            "# Übersicht\n\nDieses Handbuch beschreibt, wie Sicherungen angelegt und nach einem Ausfall wieder eingespielt werden.",
            Some("de"),
        );
        check(
            "Ce guide explique comment restaurer une sauvegarde après une panne, étape par étape et sans perte de données.",
            Some("fr"),
        );
        check(
            "Denne vejledning beskriver, hvordan man gendanner en sikkerhedskopi efter et nedbrud, trin for trin, uden at miste data.",
            Some("da"),
        );
        check(
            "Это руководство описывает, как восстановить резервную копию после сбоя, шаг за шагом и без потери данных.",
            Some("ru"),
        );
        check(
            "本指南介绍如何在故障后逐步恢复备份而不丢失数据。请先停止服务器，然后从最近的快照中恢复数据库文件，最后检查完整性并重新启动所有服务。",
            Some("zh"),
        );
        check(
            "This guide says how to restore a backup after a failure, step by step and without loss of data.",
            Some("en"),
        );
    }

    #[test]
    fn code_and_names_say_nothing() {
        check("```sh\nsudo apt install das der die und nicht werden einen wurde haben\n```\n", None);
        check("# README\n\nTODO\n", None);
    }

    #[test]
    fn what_is_declared_counts_where_the_text_does_not_say() {
        check("---\nlang: fr-CA\n---\nOK.\n", Some("fr"));
        check("---\nlanguage: [pt, en]\n---\nOK.\n", Some("pt"));
        check(
            "---\nlang: en\n---\nDieses Handbuch beschreibt, wie Sicherungen angelegt und nach einem Ausfall wieder eingespielt werden.",
            Some("de"),
        );
    }
}
