//! The fields of the index.

use tantivy::{
    Index, IndexSettings, SegmentReader,
    columnar::Column,
    schema::{Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions},
    store::Compressor,
};

use crate::store::embedded::analysis::{ExactTokenizer, StemTokenizer, TitleTokenizer};

/// Number of text fields.
pub(super) const N_TEXT_FIELDS: usize = 6;

/// Field handles.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    /// The chunk's row, as a column.
    pub(super) row: Field,
    /// The document's number, to delete by.
    pub(super) doc: Field,
    /// The document's language, where it decides the stems.
    pub(super) language: Field,
    /// By [`TextField`].
    pub(super) text: [Field; N_TEXT_FIELDS],
}

/// The text fields. Titles, sections and addresses are short, so they hold exact and stemmed forms together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TextField {
    /// The text as written, with positions.
    Exact = 0,
    /// The stems of the text, without positions.
    Stem = 1,
    /// The document's title.
    Title = 2,
    /// The titles of the sections on the way to the chunk.
    Section = 3,
    /// The document's address.
    Uri = 4,
    /// The terms that the text defines, as written.
    Defined = 5,
}

const TEXT_FIELD_NAMES: [&str; N_TEXT_FIELDS] =
    ["body_exact", "body_stem", "title", "section", "uri", "defined"];
const EXACT: &str = "ragctl_exact";
const STEM: &str = "ragctl_stem";
const TITLE: &str = "ragctl_title";

/// Makes the schema.
///
/// # Stability: stored in format 2; an index with another schema is rebuilt
pub(super) fn schema() -> Schema {
    let mut schema = Schema::builder();
    schema.add_u64_field("row", NumericOptions::default().set_fast());
    schema.add_u64_field("doc", NumericOptions::default().set_indexed());
    let code = TextFieldIndexing::default().set_tokenizer("raw").set_index_option(IndexRecordOption::Basic);
    schema
        .add_text_field("language", TextOptions::default().set_indexing_options(code.set_fieldnorms(false)));
    let positions = IndexRecordOption::WithFreqsAndPositions;
    let options = [
        (EXACT, positions),
        (STEM, IndexRecordOption::WithFreqs),
        (TITLE, positions),
        (TITLE, positions),
        (TITLE, positions),
        (EXACT, IndexRecordOption::WithFreqs),
    ];
    for (name, (tokenizer, record)) in TEXT_FIELD_NAMES.into_iter().zip(options) {
        let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer).set_index_option(record);
        schema.add_text_field(name, TextOptions::default().set_indexing_options(indexing));
    }
    schema.build()
}

/// Nothing is stored beside the postings, so nothing has to be compressed.
pub(super) fn settings() -> IndexSettings {
    IndexSettings { docstore_compression: Compressor::None, ..IndexSettings::default() }
}

/// Makes the analysis known to the index.
pub(super) fn register_tokenizers(index: &Index) {
    index.tokenizers().register(EXACT, ExactTokenizer);
    index.tokenizers().register(STEM, StemTokenizer::default());
    index.tokenizers().register(TITLE, TitleTokenizer::default());
}

/// The rows of a segment's documents.
pub(super) fn rows_of(segment: &SegmentReader) -> tantivy::Result<Column<u64>> {
    segment.fast_fields().u64("row")
}

impl Fields {
    /// Looks the fields of [`schema`] up.
    pub(super) fn of(schema: &Schema) -> Self {
        let field = |name| schema.get_field(name).expect("every caller passes what `schema` made");
        Self {
            row: field("row"),
            doc: field("doc"),
            language: field("language"),
            text: TEXT_FIELD_NAMES.map(field),
        }
    }
}
