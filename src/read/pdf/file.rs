//! The file: opening, decryption, pages.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_oxide::extractors::warnings::WarningCategory;
use pdf_oxide::layout::{TextChar, TextSpan};
use pdf_oxide::object::{Object, ObjectRef};
use pdf_oxide::{Error, PdfDocument, ReadingOrder, optional_content};

use super::NAME;
use super::fields;
use super::gaps;
use super::layers::{self, Layers};
use super::lines::{self, Line};
use super::overprint;
use super::runs::{self, Run};
use super::tags::Tags;
use crate::content::{Warning, WarningKind};
use crate::read::ReadError;

/// A dictionary of the file.
pub(super) type Dict = HashMap<String, Object>;

/// Most pages read; more than any book, less than a made-up page count.
const MOST_PAGES: usize = 50_000;

/// Most pages in a row that may be missing before the rest is taken for missing too: a page count can be a lie.
const MOST_MISSING: usize = 64;

/// The revision of AES-256 before its standard (Adobe extension level 3, Acrobat 9).
const DRAFT_REVISION: i64 = 5;

/// An open file.
pub(super) struct File {
    document: PdfDocument,
    /// Fonts that the parser complained about so far.
    suspects: RefCell<HashSet<String>>,
}

/// One page.
pub(super) struct Page {
    /// 1-based number.
    pub(super) number: u32,
    /// What became of it.
    pub(super) state: PageState,
    /// Whether the order of some letters is a guess.
    pub(super) is_guess: bool,
    /// Pieces of text that the file marks as page furniture, and that were left out.
    pub(super) n_furniture: usize,
    /// Whether it has text in a font of drawings whose glyphs mean nothing.
    pub(super) is_partly_mute: bool,
    /// Characters of text in layers that are hidden, and that were left out.
    pub(super) n_hidden: usize,
    /// Its lines in reading order.
    pub(super) lines: Vec<Line>,
}

/// What became of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageState {
    /// It has text.
    Text,
    /// It has neither text nor images.
    Blank,
    /// It has images or drawings, but no text.
    Scanned,
    /// Its text is glyphs of unknown meaning.
    Unreadable,
    /// It is missing or broken.
    Broken,
}

impl File {
    /// Opens and, where needed, decrypts.
    pub(super) fn open(bytes: &[u8], password: Option<&str>) -> Result<Self, ReadError> {
        let damaged = |detail: String| ReadError::Damaged { format: NAME, detail };
        let document = guarded(|| PdfDocument::from_bytes(bytes.to_vec()))
            .ok_or_else(|| damaged("the parser gave up".to_owned()))?
            .map_err(|error| match error {
                Error::EncryptedPdf => ReadError::Encrypted,
                error => damaged(error.to_string()),
            })?;
        let file = Self { document, suspects: RefCell::default() };
        if file.document.is_encrypted() {
            if file.security_revision() == Some(DRAFT_REVISION) {
                return Self::open_draft(bytes, password);
            }
            file.decrypt(password)?;
        }
        Ok(file)
    }

    /// The revision of the security handler (ISO 32000-2, 7.6.4.2).
    fn security_revision(&self) -> Option<i64> {
        let encrypt = self.get(self.document.trailer().as_dict()?, "Encrypt")?;
        self.get(encrypt.as_dict()?, "R")?.as_integer()
    }

    /// Opens a file encrypted as Acrobat 9 did. pdf_oxide takes any password for it and gives noise; lopdf decrypts it.
    fn open_draft(bytes: &[u8], password: Option<&str>) -> Result<Self, ReadError> {
        let decrypted = |password: &str| {
            guarded(|| {
                let mut document = lopdf::Document::load_mem(bytes).ok()?;
                if document.is_encrypted() {
                    document.decrypt(password).ok()?;
                }
                let mut plain = Vec::new();
                document.save_to(&mut plain).ok()?;
                Some(plain)
            })
            .flatten()
        };
        let refused = if password.is_some() { ReadError::WrongPassword } else { ReadError::Encrypted };
        let plain = decrypted("").or_else(|| decrypted(password?)).ok_or(refused)?;
        let document = guarded(|| PdfDocument::from_bytes(plain)).and_then(Result::ok);
        let detail = "it cannot be read after decryption".to_owned();
        let document = document.ok_or(ReadError::Damaged { format: NAME, detail })?;
        Ok(Self { document, suspects: RefCell::default() })
    }

    /// The empty password was tried on opening.
    fn decrypt(&self, password: Option<&str>) -> Result<(), ReadError> {
        if guarded(|| self.document.is_authenticated()) == Some(true) {
            return Ok(());
        }
        let Some(password) = password else { return Err(ReadError::Encrypted) };
        match guarded(|| self.document.authenticate(password.as_bytes())) {
            Some(Ok(true)) => Ok(()),
            _ => Err(ReadError::WrongPassword),
        }
    }

    /// Reads every page. A page that makes the parser fail or panic costs only itself.
    pub(super) fn pages(&self, tags: &Tags, layers: &Layers, warnings: &mut Vec<Warning>) -> Vec<Page> {
        let count = self.n_pages();
        if count > MOST_PAGES {
            let message = format!("{count} pages, of which the first {MOST_PAGES} were read");
            warnings.push(Warning::new(WarningKind::Limit, message));
        }
        let mut pages: Vec<Page> = Vec::new();
        let mut n_missing = 0;
        for index in 0..count.min(MOST_PAGES) {
            let page = self.page(index, tags, layers);
            n_missing = if page.state == PageState::Broken { n_missing + 1 } else { 0 };
            pages.push(page);
            if n_missing == MOST_MISSING {
                break;
            }
        }
        let announced = self.announced_pages();
        if pages.len() == count && announced.is_some_and(|it| it != count as i64) {
            let message = format!("{} pages announced, {count} found", announced.unwrap_or_default());
            warnings.push(Warning::new(WarningKind::Damaged, message));
        }
        if pages.len() < count.min(MOST_PAGES) {
            // The run of missing pages is the end of the file, not a list of page numbers for a warning.
            pages.truncate(pages.len() - n_missing);
            let message = format!("{count} pages announced, {} found", pages.len());
            warnings.push(Warning::new(WarningKind::Damaged, message));
        }
        pages
    }

    /// The number of pages by pdf_oxide: what the tree names, else what it counts.
    pub(super) fn counted_pages(&self) -> Option<usize> {
        guarded(|| self.document.page_count())?.ok()
    }

    fn page(&self, index: usize, tags: &Tags, layers: &Layers) -> Page {
        let number = index as u32 + 1;
        let mut n_hidden = 0;
        if !layers.is_empty() {
            // Only the difference tells how much a page hides.
            n_hidden = self.spans(index, HashSet::new()).iter().flatten().map(n_visible).sum();
        }
        let Some(mut spans) = self.spans(index, layers.excluded()) else {
            let (state, lines) = (PageState::Broken, Vec::new());
            return Page {
                number,
                state,
                is_guess: false,
                n_furniture: 0,
                is_partly_mute: false,
                n_hidden: 0,
                lines,
            };
        };
        let mut in_forms = Vec::new();
        if let Some(page) = self.page_dictionary(index).filter(|_| !layers.is_empty()) {
            let forms = page.as_dict().map(|page| layers.hidden_forms(self, page)).unwrap_or_default();
            in_forms = layers::split_off(&mut spans, &forms);
        }
        n_hidden = n_hidden.saturating_sub(spans.iter().map(n_visible).sum());
        gaps::restore_blanks(&mut spans);
        overprint::drop_overprinted(&mut spans);
        let n_furniture =
            spans.iter().filter(|it| runs::is_furniture(it) && !it.text.trim().is_empty()).count();
        let chars = || {
            let mut chars = self.chars(index, layers.excluded())?;
            layers::drop_chars(&mut chars, &in_forms);
            Some(chars)
        };
        let (mute, share_mute) = self.mute_fonts(&spans, chars);
        let fonts: HashSet<String> = spans.iter().map(|it| it.font_name.clone()).collect();
        let is_heard = |font: &str| !mute.contains(font);
        // Spans of right-to-left text come in the order of reading or of drawing, as the writer had it, and the two
        // cannot be told apart; single characters can be put in order by their places.
        let chars = match runs::is_mostly_right_to_left(&spans) {
            true => chars(),
            false => None,
        };
        let (runs, is_guess): (Vec<Run>, bool) = match chars {
            Some(chars) => {
                let chars = chars.into_iter().filter(|it| is_heard(&it.font_name)).collect();
                runs::from_chars(chars, index as u32, tags)
            }
            None => {
                let spans = spans.into_iter().filter(|it| is_heard(&it.font_name));
                (spans.filter_map(|it| Run::from_span(it, index as u32, tags)).collect(), false)
            }
        };
        let (mut runs, share_noise) = runs::without_unreadable(runs);
        runs.extend(fields::runs(self, index, layers));
        let lines = lines::in_reading_order(runs, index as u32);
        let has_mute_drawings = self.has_mute_drawings(index, &fonts);
        let state = match lines.is_empty() {
            // Chosen: a page of which most is noise is not worth keeping; a few odd symbols in a page are.
            _ if share_mute.max(share_noise) > 0.5 => PageState::Unreadable,
            false => PageState::Text,
            true if has_mute_drawings => PageState::Unreadable,
            true if self.has_drawings(index) => PageState::Scanned,
            true => PageState::Blank,
        };
        let lines = if state == PageState::Unreadable { Vec::new() } else { lines };
        let is_partly_mute = has_mute_drawings && state == PageState::Text;
        Page { number, state, is_guess, n_furniture, is_partly_mute, n_hidden, lines }
    }

    /// The spans of a page without those of the `hidden` layers.
    fn spans(&self, index: usize, hidden: HashSet<String>) -> Option<Vec<TextSpan>> {
        // The cheapest call that gives positions: it sorts, but recognises no tables, columns or annotations.
        let (order, inks) = (ReadingOrder::TopToBottom, HashSet::new());
        guarded(|| self.document.extract_spans_filtered_with_reading_order(index, order, hidden, inks))?.ok()
    }

    /// The characters of a page one by one, without those of the `hidden` layers.
    fn chars(&self, index: usize, hidden: HashSet<String>) -> Option<Vec<TextChar>> {
        guarded(|| self.document.extract_chars_filtered(index, hidden, HashSet::new()))?.ok()
    }

    /// The fonts on a page that do not say which characters their glyphs are, and their share of its glyphs.
    ///
    /// pdf_oxide warns of fonts without a Unicode map. Most of them it can still read by the tables inside the font;
    /// where it cannot, it gives the number of the glyph as the character, and drops the blanks, which have numbers
    /// that no character has. Only the character-wise call keeps those as replacement characters.
    fn mute_fonts(
        &self,
        spans: &[TextSpan],
        chars: impl FnOnce() -> Option<Vec<TextChar>>,
    ) -> (HashSet<String>, f32) {
        let mut suspects = self.suspects.borrow_mut();
        for warning in self.document.take_structured_warnings() {
            if warning.category == WarningCategory::ToUnicodeMissing {
                suspects.extend(warning.message.split('\'').nth(1).map(str::to_owned));
            }
        }
        let is_clean = suspects.is_empty()
            || (!spans.is_empty() && !spans.iter().any(|it| suspects.contains(&it.font_name)));
        if is_clean {
            return (HashSet::new(), 0.0);
        }
        let Some(chars) = chars() else { return (HashSet::new(), 0.0) };
        let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
        for it in chars.iter().filter(|it| suspects.contains(&it.font_name)) {
            let (n_all, n_unknown) = counts.entry(it.font_name.as_str()).or_insert((0, 0));
            *n_all += 1;
            *n_unknown += usize::from(it.char == '\u{FFFD}');
        }
        // Chosen: a tenth. Blanks are a sixth of plain text, and a font that is read has hardly any unknown glyph.
        counts.retain(|_, (n_all, n_unknown)| *n_unknown * 10 > *n_all);
        let n_mute: usize = counts.values().map(|(n_all, _)| n_all).sum();
        let mute = counts.into_keys().map(str::to_owned).collect();
        (mute, n_mute as f32 / chars.len().max(1) as f32)
    }

    /// Whether the page shows text in a font of drawings (Type 3) of which nothing is in `fonts`, those of the spans: where
    /// the names of its drawings say nothing, the parser gives nothing.
    fn has_mute_drawings(&self, index: usize, fonts: &HashSet<String>) -> bool {
        let page = self.page_dictionary(index);
        let resources = page.as_ref().and_then(Object::as_dict).and_then(|page| self.get(page, "Resources"));
        let named = resources.as_ref().and_then(Object::as_dict).and_then(|it| self.get(it, "Font"));
        let Some(named) = named.as_ref().and_then(Object::as_dict) else { return false };
        let is_mute = |font: &Object| {
            let font = self.follow(font)?;
            let font = font.as_dict()?;
            let is_drawn = font.get("Subtype").and_then(Object::as_name) == Some("Type3");
            // As the parser calls a font that has no name, which those of drawings do not need.
            let name = font.get("BaseFont").and_then(Object::as_name).unwrap_or("Unknown");
            Some(is_drawn && !fonts.contains(name))
        };
        let mute: Vec<&String> =
            named.iter().filter(|(_, font)| is_mute(font) == Some(true)).map(|(key, _)| key).collect();
        if mute.is_empty() {
            return false;
        }
        let content = guarded(|| self.document.get_page_content_data(index)).and_then(Result::ok);
        content.is_some_and(|content| mute.iter().any(|key| shows_text_in(&content, key)))
    }

    /// Whether the page uses external objects, which are images and forms.
    fn has_drawings(&self, index: usize) -> bool {
        let page = self.page_dictionary(index);
        let resources = page.as_ref().and_then(Object::as_dict).and_then(|page| self.get(page, "Resources"));
        let objects = resources.as_ref().and_then(Object::as_dict).and_then(|it| self.get(it, "XObject"));
        objects.as_ref().and_then(Object::as_dict).is_some_and(|objects| !objects.is_empty())
    }

    /// The dictionary of a page.
    pub(super) fn page_dictionary(&self, index: usize) -> Option<Object> {
        guarded(|| self.document.get_page(index))?.ok()
    }

    /// The entry of a dictionary, references followed.
    pub(super) fn get(&self, dict: &Dict, key: &str) -> Option<Object> {
        self.follow(dict.get(key)?)
    }

    /// The object behind a reference, or the object itself.
    pub(super) fn follow(&self, object: &Object) -> Option<Object> {
        let mut object = object.clone();
        // References to references are not allowed; a few are followed, a loop is not.
        for _ in 0..8 {
            match object {
                Object::Reference(reference) => object = self.load(reference)?,
                other => return Some(other),
            }
        }
        None
    }

    /// The object of that number.
    pub(super) fn load(&self, reference: ObjectRef) -> Option<Object> {
        guarded(|| self.document.load_object(reference))?.ok()
    }

    /// Whether the object is a form, as far as can be said without loading it.
    pub(super) fn is_form(&self, reference: ObjectRef) -> bool {
        guarded(|| self.document.is_form_xobject(reference)).unwrap_or(false)
    }

    /// Whether what belongs to that layer, or to that rule over layers, is left out with the layers of these names.
    pub(super) fn is_excluded(&self, layer: &Object, names: &HashSet<String>) -> bool {
        guarded(|| optional_content::annotation_is_excluded(layer, &self.document, names)).unwrap_or(false)
    }

    /// The document catalog.
    pub(super) fn catalog(&self) -> Option<Object> {
        guarded(|| self.document.catalog())?.ok()
    }

    /// The information dictionary.
    pub(super) fn info(&self) -> Option<Object> {
        self.get(self.document.trailer().as_dict()?, "Info")
    }
}

/// Whether a content stream sets the font of that name and shows text before it sets another one.
fn shows_text_in(content: &[u8], font: &str) -> bool {
    let name = format!("/{font}");
    let mut is_set = false;
    let mut words =
        content.split(|it| it.is_ascii_whitespace() || matches!(it, b'(' | b')' | b'<' | b'>' | b'[' | b']'));
    let mut last: [&[u8]; 2] = [b"", b""];
    words.any(|word| {
        if word == b"Tf" {
            is_set = last[0] == name.as_bytes();
        }
        if !word.is_empty() {
            last = [last[1], word];
        }
        is_set && matches!(word, b"Tj" | b"TJ" | b"'" | b"\"")
    })
}

fn n_visible(span: &TextSpan) -> usize {
    span.text.chars().filter(|it| !it.is_whitespace()).count()
}

/// Runs a piece of the parser; `None` when it panics.
///
/// pdf_oxide locks poisoned mutexes all the same, so that its state stays usable after a panic.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
