//! What a manifest says of a file.

use serde::Deserialize;
use serde_json::{Map, Value};

/// One file and what is expected of it; whatever is absent is not checked.
///
/// Unknown keys are refused, so that a misspelt expectation cannot pass.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Case {
    /// Name in the manifest's folder `files`.
    pub(crate) file: String,
    /// Reader option.
    pub(crate) full_page: bool,
    /// Reader option.
    pub(crate) links: bool,
    /// Reader option.
    pub(crate) password: Option<String>,
    /// Whether the file can be read at all; `true` unless said otherwise. `false` wants an error.
    pub(crate) opens: Option<bool>,

    /// The document's title.
    pub(crate) title: Option<String>,
    /// The document's title, as front matter gives it.
    pub(crate) front_matter_title: Option<String>,
    /// Metadata that the document must have, among other.
    pub(crate) metadata: Map<String, Value>,
    /// Headings in the source, in order.
    pub(crate) headings: Option<Vec<Heading>>,
    /// All sections, as `[level, title, titles of the sections above]`.
    pub(crate) sections: Option<Vec<(u8, String, Vec<String>)>>,
    /// What opened the sections, preambles aside; all of them alike.
    pub(crate) sections_by: Option<String>,
    /// The whole text.
    pub(crate) text: Option<String>,
    /// The file of the manifest's folder that holds the whole text.
    pub(crate) text_file: Option<String>,
    /// Pieces that the text has, in this order.
    pub(crate) contains: Vec<String>,
    /// Pieces that the text has not.
    pub(crate) lacks: Vec<String>,
    /// Words of the first paragraph; white space and punctuation aside.
    pub(crate) first_text: Option<String>,
    /// Link texts of navigation, which may not lead a section.
    pub(crate) boilerplate_sample: Vec<String>,
    /// Kinds of the warnings, in order.
    pub(crate) warnings: Option<Vec<String>>,
    /// Name of the text encoding as Python knows it: the text must be that of the same page in UTF-8.
    pub(crate) encoding: Option<String>,

    /// File with text to compare words with.
    pub(crate) reference_text: Option<String>,
    /// Least F1 of words against `reference_text`, 0.90 unless said otherwise. Less is allowed with a warning.
    pub(crate) least_f1: Option<f64>,
    /// Entries of a PDF's outline.
    pub(crate) outline: Vec<OutlineEntry>,
    /// Headings of a PDF's structure tree.
    pub(crate) tag_headings: Vec<TagHeading>,
    /// Number of pages.
    pub(crate) pages: Option<u32>,
    /// Number of words; 0 wants a warning that there is no text.
    pub(crate) words: Option<usize>,

    /// For readers of the manifest.
    pub(crate) origin: Option<String>,
    pub(crate) licence: Option<String>,
    pub(crate) exercises: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) bytes: Option<usize>,
    pub(crate) crlf: Option<bool>,
    pub(crate) bom: Option<bool>,
    pub(crate) longest_line: Option<usize>,
    pub(crate) info_title: Option<String>,
    pub(crate) first_line: Option<String>,
    pub(crate) groundtruth: Option<String>,
    pub(crate) groundtruth_headings: Vec<Heading>,
}

/// A heading in the source.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Heading {
    pub(crate) level: u8,
    pub(crate) text: String,
    /// 1-based line (of its cell, in notebooks).
    pub(crate) line: Option<usize>,
    /// 0-based cell of a notebook.
    pub(crate) cell: Option<u32>,
    /// Where it stands in a page: `main`, `body`, `header`, or a part that is dropped.
    #[serde(rename = "in")]
    pub(crate) place: Option<String>,
    /// Inside a list or quotation: no section.
    pub(crate) nested_in_block: bool,
    /// For readers of the manifest.
    pub(crate) source: Option<String>,
    pub(crate) raw: Option<String>,
}

/// An entry of a PDF's outline.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutlineEntry {
    #[expect(dead_code, reason = "levels of outlines are checked by `sections`")]
    pub(crate) level: u8,
    pub(crate) title: String,
}

/// A heading of a PDF's structure tree.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TagHeading {
    pub(crate) tag: String,
    pub(crate) text: String,
}
