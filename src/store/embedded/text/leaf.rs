//! Leaves of a plan, looked up in the index.

use tantivy::{
    DocId, DocSet, SegmentReader, TERMINATED, Term,
    fieldnorm::FieldNormReader,
    postings::{Postings, SegmentPostings, TermInfo},
    schema::IndexRecordOption,
};

use super::{
    expand::{Pattern, expand},
    phrase,
    plan::{Leaf, Lookup, Place, Word},
    schema::{Fields, N_TEXT_FIELDS, TextField},
    score::{Eligible, FIELD_WEIGHTS, FieldWeight},
    statistics::{Statistics, living_rows},
};
use crate::store::embedded::analysis::{STEM_MARK, Stemming};

/// What a match of a fuzzy word counts by the number of edits: Lucene's 1 - edits / length, for words of about 6 letters.
const FUZZY_WEIGHTS: [f32; 3] = [1.0, 0.8, 0.6];

/// What scoring needs beside a leaf.
pub(super) struct Context<'a> {
    segments: &'a [SegmentReader],
    fields: &'a Fields,
    n_rows: u64,
    stemmings: &'a [Stemming],
    /// By [`TextField`] and stored length: what a frequency is multiplied with.
    length_factors: Vec<[f32; 256]>,
}

impl<'a> Context<'a> {
    pub(super) fn new(segments: &'a [SegmentReader], fields: &'a Fields, statistics: &'a Statistics) -> Self {
        let mut length_factors = vec![[1.0; 256]; N_TEXT_FIELDS];
        for weight in &FIELD_WEIGHTS {
            let mean = statistics.mean_lengths[weight.field as usize];
            for (id, factor) in (0..=u8::MAX).zip(&mut length_factors[weight.field as usize]) {
                let length = FieldNormReader::id_to_fieldnorm(id) as f32;
                *factor = 1.0 / (1.0 - weight.b + weight.b * length / mean);
            }
        }
        Self { segments, fields, n_rows: statistics.n_rows, stemmings: &statistics.stemmings, length_factors }
    }

    /// The stems of a word in the languages of the index, each once.
    fn stems(&self, word: &Word) -> Vec<String> {
        let mut stems: Vec<String> = Vec::new();
        for stemming in self.stemmings {
            let stem = stemming.stem(&word.folded, &word.written);
            if !stems.iter().any(|known| *known == stem) {
                stems.push(stem.into_owned());
            }
        }
        stems
    }

    fn idf(&self, n: u64) -> f32 {
        let n = n.min(self.n_rows);
        (1.0 + ((self.n_rows - n) as f32 + 0.5) / (n as f32 + 0.5)).ln()
    }

    /// Looks terms of one field up.
    fn form(
        &self,
        field: TextField,
        weight: f32,
        find: impl Fn(&SegmentReader) -> tantivy::Result<Vec<TermInfo>>,
    ) -> tantivy::Result<Form> {
        let mut form = Form { field, weight, infos: Vec::with_capacity(self.segments.len()), n_rows: 0 };
        for segment in self.segments {
            let infos = find(segment)?;
            for info in &infos {
                form.n_rows += living_rows(segment, self.fields.text[field as usize], info)?;
            }
            form.infos.push(infos);
        }
        Ok(form)
    }

    fn term(&self, field: TextField, weight: f32, text: &str) -> tantivy::Result<Form> {
        let term = Term::from_field_text(self.fields.text[field as usize], text);
        self.form(field, weight, |segment| {
            let info = segment.inverted_index(term.field())?.get_term_info(&term)?;
            Ok(info.into_iter().collect())
        })
    }

    /// Looks up the tokens that a pattern stands for, by their distance; says whether some were left out.
    fn pattern(
        &self,
        field: TextField,
        weight: f32,
        pattern: &Pattern,
    ) -> tantivy::Result<(Vec<Form>, bool)> {
        let (expansions, is_cut) = expand(self.segments, self.fields.text[field as usize], pattern)?;
        let mut forms: Vec<Form> = Vec::new();
        for (distance, factor) in (0..).zip(FUZZY_WEIGHTS) {
            let infos = vec![Vec::new(); self.segments.len()];
            let mut form = Form { field, weight: weight * factor, infos, n_rows: 0 };
            for expansion in expansions.iter().filter(|it| it.distance == distance) {
                form.n_rows += expansion.n_rows;
                for (segment, info) in &expansion.infos {
                    form.infos[*segment].push(info.clone());
                }
            }
            if form.n_rows > 0 {
                forms.push(form);
            }
        }
        Ok((forms, is_cut))
    }

    fn beginning(&self, field: TextField, weight: f32, first: char) -> tantivy::Result<Form> {
        let (low, high) = (first.to_string(), next_char(first).to_string());
        self.form(field, weight, |segment| {
            let index = segment.inverted_index(self.fields.text[field as usize])?;
            let mut terms = index.terms().range().ge(&low).lt(&high).into_stream()?;
            let mut infos = Vec::new();
            while terms.advance() {
                infos.push(terms.value().clone());
            }
            Ok(infos)
        })
    }
}

/// Terms of one field.
struct Form {
    field: TextField,
    weight: f32,
    /// By segment.
    infos: Vec<Vec<TermInfo>>,
    /// Living rows with the terms; rows with several are counted as often.
    n_rows: u64,
}

/// A leaf with its places in the index.
pub(super) struct PreparedLeaf {
    /// Inverse document frequency; of a phrase, the sum over its words, as in Lucene.
    pub(super) idf: f32,
    /// Whether a pattern stands for more tokens than are looked up.
    pub(super) is_cut: bool,
    found: Found,
}

enum Found {
    Terms(Vec<Form>),
    Phrase {
        /// A field with the places of each item in it.
        fields: Vec<Vec<Form>>,
        items: Vec<phrase::Item>,
        slop: u32,
    },
}

impl PreparedLeaf {
    pub(super) fn new(context: &Context<'_>, lookup: &Lookup) -> tantivy::Result<Self> {
        let mut forms = Vec::new();
        let mut is_cut = false;
        let place = lookup.place;
        match &lookup.leaf {
            Leaf::Word(word) => {
                let stems = context.stems(word);
                for weight in FIELD_WEIGHTS.iter().filter(|weight| place.holds(weight.field)) {
                    let FieldWeight { field, exact, stem: stem_weight, .. } = *weight;
                    if field != TextField::Stem {
                        forms.push(context.term(field, exact, &word.folded)?);
                    }
                    for stem in &stems {
                        match field {
                            TextField::Exact | TextField::Defined => {}
                            TextField::Stem => forms.push(context.term(field, stem_weight, stem)?),
                            TextField::Title | TextField::Section | TextField::Uri => {
                                forms.push(context.term(
                                    field,
                                    stem_weight,
                                    &format!("{STEM_MARK}{stem}"),
                                )?);
                            }
                        }
                    }
                }
            }
            Leaf::Token(token) => {
                for (field, weight) in full_weights(place) {
                    forms.push(context.term(field, weight, token)?);
                }
            }
            Leaf::Beginning(first) => {
                for (field, weight) in text_weights(place) {
                    forms.push(context.beginning(field, weight, *first)?);
                }
            }
            Leaf::Phrase { items, slop } => return Self::phrase(context, items, *slop, place),
            Leaf::Pattern(pattern) => {
                for (field, weight) in text_weights(place) {
                    let (found, cut) = context.pattern(field, weight, pattern)?;
                    forms.extend(found);
                    is_cut |= cut;
                }
            }
        }
        let idf = context.idf(forms.iter().map(|form| form.n_rows).max().unwrap_or(0));
        Ok(Self { idf, is_cut, found: Found::Terms(forms) })
    }

    fn phrase(
        context: &Context<'_>,
        items: &[(u32, String)],
        slop: u32,
        place: Place,
    ) -> tantivy::Result<Self> {
        let mut fields = Vec::new();
        let mut most = vec![0; items.len()];
        for (field, weight) in text_weights(place) {
            let mut forms = Vec::with_capacity(items.len());
            for ((_, text), most) in items.iter().zip(&mut most) {
                let form = context.term(field, weight, text)?;
                *most = form.n_rows.max(*most);
                forms.push(form);
            }
            fields.push(forms);
        }
        let idf = most.into_iter().map(|n| context.idf(n)).sum();
        Ok(Self { idf, is_cut: false, found: Found::Phrase { fields, items: phrase::items(items), slop } })
    }

    /// The eligible documents of a segment that match, each once, in any order, with their weighted frequencies (`t` of the formula).
    ///
    /// Frequencies are above 0. `scratch` holds a zero for every document and does so again afterwards.
    pub(super) fn frequencies(
        &self,
        context: &Context<'_>,
        segment: usize,
        eligible: &Eligible,
        scratch: &mut [f32],
    ) -> tantivy::Result<Vec<(DocId, f32)>> {
        let mut docs = Vec::new();
        let reader = &context.segments[segment];
        let mut add = |doc: DocId, frequency: f32| {
            let sum = &mut scratch[doc as usize];
            if *sum == 0.0 {
                docs.push(doc);
            }
            *sum += frequency;
        };
        match &self.found {
            Found::Terms(forms) => {
                for form in forms {
                    let field = context.fields.text[form.field as usize];
                    let lengths = reader.get_fieldnorms_reader(field)?;
                    let factors = &context.length_factors[form.field as usize];
                    for info in &form.infos[segment] {
                        each_frequency(reader, field, info, eligible, |doc, n| {
                            let factor = factors[usize::from(lengths.fieldnorm_id(doc))];
                            add(doc, form.weight * n as f32 * factor);
                        })?;
                    }
                }
            }
            Found::Phrase { fields, items, slop } => {
                for forms in fields {
                    let Some(first) = forms.first() else { continue };
                    let field = context.fields.text[first.field as usize];
                    let index = reader.inverted_index(field)?;
                    let infos: Option<Vec<&TermInfo>> =
                        forms.iter().map(|form| form.infos[segment].first()).collect();
                    let Some(infos) = infos else { continue };
                    let mut postings = Vec::with_capacity(infos.len());
                    for info in infos {
                        postings.push(
                            index.read_postings_from_terminfo(
                                info,
                                IndexRecordOption::WithFreqsAndPositions,
                            )?,
                        );
                    }
                    let lengths = reader.get_fieldnorms_reader(field)?;
                    let factors = &context.length_factors[first.field as usize];
                    each_phrase(&mut postings, items, *slop, eligible, |doc, n| {
                        let factor = factors[usize::from(lengths.fieldnorm_id(doc))];
                        add(doc, first.weight * n * factor);
                    });
                }
            }
        }
        Ok(docs.into_iter().map(|doc| (doc, std::mem::take(&mut scratch[doc as usize]))).collect())
    }
}

/// The fields of a place with tokens as written, and the weight of a token that has no stem: that of both forms.
fn full_weights(place: Place) -> impl Iterator<Item = (TextField, f32)> {
    let body: f32 =
        FIELD_WEIGHTS.iter().filter(|weight| weight.field == TextField::Stem).map(|weight| weight.stem).sum();
    let written = FIELD_WEIGHTS
        .iter()
        .filter(move |weight| weight.field != TextField::Stem && place.holds(weight.field));
    written.map(move |weight| {
        let stem = if weight.field == TextField::Exact { body } else { weight.stem };
        (weight.field, weight.exact + stem)
    })
}

/// Those of [`full_weights`] that hold texts rather than names: all that phrases and patterns are looked up in.
fn text_weights(place: Place) -> impl Iterator<Item = (TextField, f32)> {
    full_weights(place).filter(|(field, _)| *field != TextField::Defined)
}

/// Calls `found` with each eligible document of a term and its frequency.
fn each_frequency(
    segment: &SegmentReader,
    field: tantivy::schema::Field,
    info: &TermInfo,
    eligible: &Eligible,
    mut found: impl FnMut(DocId, u32),
) -> tantivy::Result<()> {
    let index = segment.inverted_index(field)?;
    if let Some(few) = eligible.few(info.doc_freq / 8) {
        let mut postings = index.read_postings_from_terminfo(info, IndexRecordOption::WithFreqs)?;
        for doc in few {
            if seek(&mut postings, doc) == doc {
                found(doc, postings.term_freq());
            }
        }
        return Ok(());
    }
    let mut blocks = index.read_block_postings_from_terminfo(info, IndexRecordOption::WithFreqs)?;
    while blocks.block_len() > 0 {
        for (&doc, &frequency) in blocks.docs().iter().zip(blocks.freqs()) {
            if eligible.contains(doc) {
                found(doc, frequency);
            }
        }
        blocks.advance();
    }
    Ok(())
}

/// Calls `found` with each eligible document that holds the phrase and its frequency there.
fn each_phrase(
    postings: &mut [SegmentPostings],
    items: &[phrase::Item],
    slop: u32,
    eligible: &Eligible,
    mut found: impl FnMut(DocId, f32),
) {
    let mut positions: Vec<Vec<u32>> = vec![Vec::new(); postings.len()];
    let mut doc = 0;
    'docs: loop {
        for postings in postings.iter_mut() {
            let reached = seek(postings, doc);
            if reached == TERMINATED {
                return;
            }
            if reached > doc {
                doc = reached;
                continue 'docs;
            }
        }
        if eligible.contains(doc) {
            for ((postings, item), positions) in postings.iter_mut().zip(items).zip(&mut positions) {
                postings.positions_with_offset(item.shift, positions);
            }
            let frequency = phrase::frequency(&positions, items, slop);
            if frequency > 0.0 {
                found(doc, frequency);
            }
        }
        doc += 1;
    }
}

/// Moves to the first document at or after `doc`, which may be the current one.
fn seek(postings: &mut SegmentPostings, doc: DocId) -> DocId {
    if postings.doc() < doc { postings.seek(doc) } else { postings.doc() }
}

fn next_char(c: char) -> char {
    (u32::from(c) + 1..).find_map(char::from_u32).unwrap_or(char::MAX)
}
