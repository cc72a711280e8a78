//! PDF: text from glyph positions, sections from tags, the outline or the type.
//!
//! pdf_oxide decodes fonts and gives runs of text with baseline, width and size; everything above that is ours,
//! in this order: spans get the blanks that they show ([`gaps`]) and lose what is drawn twice ([`overprint`]), their [`runs`] become lines in reading order ([`lines`], [`columns`], [`raised`]), repeated headers and footers go ([`margins`]),
//! headings are found ([`headings`], with [`tags`] and [`outline`]), lines become paragraphs and text ([`blocks`]).
//! [`mod@file`] opens and decrypts; [`tree`] counts the pages; [`fields`] adds what was filled in; [`layers`] says what
//! is hidden; [`info`] reads the information dictionary. No tables are recognised: their rows
//! are lines.
//!
//! lopdf was tried for outline and metadata beside pdf_oxide; pdf_oxide's objects serve as well, and parsing each
//! file once saves 0.14 s of CPU on 3.4 MB of manuals. It decrypts the one kind of encryption that pdf_oxide does not.

mod accents;
mod bands;
mod blocks;
mod body_type;
mod columns;
mod fields;
mod file;
mod gaps;
mod headings;
mod info;
mod layers;
mod letters;
mod lines;
mod margins;
mod outline;
mod overprint;
mod raised;
mod running;
mod runs;
mod tags;
mod tree;
mod xref;

use crate::content::{
    Document, DocumentId, Heading, Origin, SectionKind, Warning, WarningKind, build_sections,
};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

use file::{File, PageState};

pub(in crate::read) use runs::is_mono_name;

/// Name of the format in errors and of the reader.
const NAME: &str = "pdf";

/// Reads PDF files.
#[derive(Debug)]
pub(crate) struct Pdf;

impl Reader for Pdf {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: NAME,
            version: 7,
            summary: "PDF text in reading order, sections from tags, outline or type, page numbers",
            media_type: "application/pdf",
            extensions: &["pdf"],
            is_risky: true,
        }
    }

    fn read(&self, blob: &Blob, options: &ReadOptions) -> Result<Parsed, ReadError> {
        let file = File::open(&blob.bytes, options.password.as_deref())?;
        let mut warnings = Vec::new();
        if xref::is_broken(&blob.bytes) {
            let message = "the table of objects is broken; what could be found without it was read";
            warnings.push(Warning::new(WarningKind::Damaged, message));
        }
        let tags = tags::read(&file);
        let layers = layers::Layers::read(&file);
        let mut pages = file.pages(&tags, &layers, &mut warnings);
        if pages.is_empty() {
            return Err(ReadError::Damaged { format: NAME, detail: "no page found".to_owned() });
        }
        if pages.iter().all(|page| page.state == PageState::Broken) {
            return Err(ReadError::Damaged { format: NAME, detail: "no page can be read".to_owned() });
        }
        warn_of_pages(&pages, &mut warnings);
        warn_of_layers(&layers, &pages, &mut warnings);
        let n_repeated = margins::drop_repeated(&mut pages);
        if n_repeated > 0 {
            let message =
                format!("left out: {n_repeated} lines of running headers, footers and page numbers");
            warnings.push(Warning::new(WarningKind::Dropped, message));
        }
        let n_marked: usize = pages.iter().map(|it| it.n_furniture).sum();
        if n_marked > 0 {
            let message = format!("left out: {n_marked} pieces of text that the file marks as no content");
            warnings.push(Warning::new(WarningKind::Dropped, message));
        }

        let lines: Vec<lines::Line> =
            pages.iter_mut().flat_map(|page| std::mem::take(&mut page.lines)).collect();
        let outline = outline::read(&file, &mut warnings);
        let found = headings::find(&lines, &tags, &outline, pages.len());
        let laid_out = blocks::lay_out(&lines, &found.marks);
        let headings = headings::place(&found, &laid_out, pages.len());

        let mut metadata = info::read(&file);
        metadata.insert("pages".to_owned(), (pages.len() as u64).into());
        let first_heading = headings.iter().find(|it| it.kind != SectionKind::Pages).map(|it| &it.title);
        let title = info::sensible_title(&metadata, blob.file_name())
            .or_else(|| headings::cover_title(&lines))
            .or_else(|| first_heading.filter(|it| !it.is_empty()).cloned())
            .unwrap_or_else(|| blob.file_name().to_owned());
        Ok(Parsed { document: assemble(blob, title, metadata, laid_out, &headings), warnings })
    }
}

fn assemble(
    blob: &Blob,
    title: String,
    metadata: crate::content::Metadata,
    laid_out: blocks::LaidOut,
    headings: &[Heading],
) -> Document {
    let id = DocumentId::of_uri(&blob.uri);
    let blocks::LaidOut { text, blocks, pages, .. } = laid_out;
    let sections = build_sections(id, &text, headings, |text| text.trim().is_empty());
    Document {
        id,
        uri: blob.uri.clone(),
        title,
        media_type: Pdf.meta().media_type.to_owned(),
        sections,
        blocks,
        metadata,
        language: None,
        labels: Default::default(),
        origin: Origin::Pages(pages),
        text,
    }
}

/// One warning for each kind of page that gave less than its text.
fn warn_of_pages(pages: &[file::Page], warnings: &mut Vec<Warning>) {
    let named = |is_meant: &dyn Fn(&file::Page) -> bool| {
        let numbers: Vec<u32> = pages.iter().filter(|it| is_meant(it)).map(|it| it.number).collect();
        (!numbers.is_empty()).then(|| name_pages(&numbers, pages.len()))
    };
    let of = |state: PageState| named(&|page| page.state == state);
    if let Some(named) = of(PageState::Scanned) {
        let message = format!("{named} without text: images only, such as a scan");
        warnings.push(Warning::new(WarningKind::NoText, message));
    } else if pages.iter().all(|page| page.state == PageState::Blank) {
        warnings.push(Warning::new(WarningKind::NoText, "no page has any text"));
    }
    if let Some(named) = of(PageState::Unreadable) {
        let message = format!("{named} left out: the fonts do not say which characters their glyphs are");
        warnings.push(Warning::new(WarningKind::Unreadable, message));
    }
    if let Some(named) = named(&|page| page.is_partly_mute) {
        let message = format!(
            "{named}: part of the text left out: a font does not say which characters its drawings are"
        );
        warnings.push(Warning::new(WarningKind::Unreadable, message));
    }
    if let Some(named) = named(&|page| page.is_guess) {
        let message =
            format!("{named}: glyphs stand for several right-to-left letters, whose order is a guess");
        warnings.push(Warning::new(WarningKind::Damaged, message));
    }
    if let Some(named) = of(PageState::Broken) {
        let message = format!("{named} cannot be read and left out");
        warnings.push(Warning::new(WarningKind::Damaged, message));
    }
}

/// Names the pages with text in hidden layers, and the layers.
fn warn_of_layers(layers: &layers::Layers, pages: &[file::Page], warnings: &mut Vec<Warning>) {
    /// Layers named before the rest is counted; a message is one line.
    const MOST: usize = 5;
    let numbers: Vec<u32> = pages.iter().filter(|it| it.n_hidden > 0).map(|it| it.number).collect();
    if numbers.is_empty() {
        return;
    }
    let named: Vec<String> =
        layers.names().take(MOST).map(|name| format!("'{}'", name.escape_debug())).collect();
    let n_more = layers.names().count().saturating_sub(MOST);
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    let (named, on) = (named.join(", "), name_pages(&numbers, pages.len()));
    let message = format!("left out: text of layers that the file hides ({named}{more}), on {on}");
    warnings.push(Warning::new(WarningKind::Dropped, message));
}

/// `page 3`, `pages 1-4, 9`, or `all 6 pages`; long lists end in a count.
fn name_pages(numbers: &[u32], n_pages: usize) -> String {
    /// Ranges named before the rest is counted; a message is one line.
    const MOST: usize = 8;
    if numbers.len() == n_pages && n_pages > 1 {
        return format!("all {n_pages} pages");
    }
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let name = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let named: Vec<String> = ranges.iter().take(MOST).map(name).collect();
    let rest: u32 = ranges.iter().skip(MOST).map(|(first, last)| last - first + 1).sum();
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{} {}{more}", if numbers.len() == 1 { "page" } else { "pages" }, named.join(", "))
}

#[cfg(test)]
mod tests;
