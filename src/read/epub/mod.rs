//! E-books (EPUB 2 and 3).
//!
//! The chapters are XHTML pages in the order of the spine, rendered by the HTML reader. Their headings open sections; the
//! table of contents, which is no text of its own, puts the headings on its levels and names the chapters that have none.
//! The place of a passage is its page in the archive with the nearest anchor.

mod contents;
mod levels;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use crate::content::{Metadata, Origin, Warning, WarningKind};
use crate::read::html::part::{RenderedPart, render_chapter};
use crate::read::package::{Element, Package, Tree, iso_date, resolve};
use crate::read::rendered::{self, Writer};
use crate::read::{Blob, Parsed, ReadError, ReadOptions, Reader, ReaderMeta};

/// Algorithms that only hide fonts from copying, by the end of their names; everything else locks the text.
const FONT_LOCKS: [&str; 2] = ["2008/embedding", "pdf/enc#RC"];

/// Reads e-books.
#[derive(Debug)]
pub(crate) struct Epub;

impl Reader for Epub {
    fn meta(&self) -> &'static ReaderMeta {
        &ReaderMeta {
            name: "epub",
            version: 4,
            summary: "EPUB books: chapters in reading order, headings and the table of contents",
            media_type: "application/epub+zip",
            extensions: &["epub"],
            is_risky: true,
        }
    }

    fn read(&self, blob: &Blob, _options: &ReadOptions) -> Result<Parsed, ReadError> {
        let mut package = Package::open(&blob.bytes, self.meta().name)?;
        let mut warnings = Vec::new();
        refuse_locks(&mut package, &mut warnings)?;
        let book = package_document(&mut package, &mut warnings)?;
        let tree = package.required_tree(&book, &mut warnings)?;
        let root = tree.root();
        let manifest = Manifest::of(root, &book);
        let metadata = root.and_then(|it| it.child("metadata")).map(metadata).unwrap_or_default();

        let entries = contents::read(&mut package, &manifest, &mut warnings);
        let mut places: HashMap<&str, HashSet<String>> = HashMap::new();
        for it in entries.iter().filter(|it| !it.fragment.is_empty()) {
            places.entry(&it.part).or_default().insert(it.fragment.to_lowercase());
        }

        let mut writer = Writer::default();
        let mut starts: HashMap<String, usize> = HashMap::new();
        let (mut missing, mut is_wordless) = (Vec::new(), true);
        for item in manifest.spine(root) {
            if item.is_nav || !item.is_page() {
                continue;
            }
            let bytes = match package.part(&item.part, &mut warnings) {
                Ok(Some(bytes)) => bytes,
                Ok(None) => {
                    missing.push(item.part.clone());
                    continue;
                }
                Err(error) => {
                    let message = format!("chapter '{}' left out: {error}", item.part);
                    warnings.push(Warning::new(WarningKind::Damaged, message));
                    continue;
                }
            };
            let places = places.remove(item.part.to_lowercase().as_str()).unwrap_or_default();
            let RenderedPart { writer: mut chapter, warnings: found, .. } =
                render_chapter(&bytes, None, true, places);
            warnings.extend(
                found.into_iter().map(|it| Warning::new(it.kind, format!("'{}': {}", item.part, it.message))),
            );
            is_wordless &= chapter.text.is_empty();
            for (_, anchor) in &mut chapter.anchors {
                *anchor = format!("{}#{anchor}", item.part);
            }
            chapter.anchors.insert(0, (0, item.part.clone()));
            let is_empty = chapter.text.is_empty();
            let start = rendered::append(&mut writer, chapter);
            // An entry for a page of pictures leads to what comes after it.
            starts.insert(item.part.to_lowercase(), if is_empty { start + 2 } else { start });
        }
        if !missing.is_empty() {
            let message = format!("chapters missing from the archive: {}", missing.join(", "));
            warnings.push(Warning::new(WarningKind::Damaged, message));
        }
        if is_wordless {
            warnings.push(Warning::new(WarningKind::NoText, "no chapter has any text"));
        }
        levels::apply(&mut writer, &entries, &starts);
        let title = metadata.get("title").and_then(|it| it.as_str()).map(str::to_owned);
        let anchors = writer.anchors.clone();
        let document =
            rendered::document(blob, self.meta(), title, writer, metadata, Origin::Anchors(anchors));
        Ok(Parsed { document, warnings })
    }
}

/// Ends of the names of files without text, which may be locked in any way.
const WORDLESS: [&str; 12] =
    [".otf", ".ttf", ".woff", ".woff2", ".jpg", ".jpeg", ".png", ".gif", ".svg", ".css", ".mp3", ".mp4"];

/// Refuses a book whose pages are locked by a seller.
fn refuse_locks(package: &mut Package<'_>, warnings: &mut Vec<Warning>) -> Result<(), ReadError> {
    let tree = package.tree("META-INF/encryption.xml", warnings);
    let mut elements = tree.as_ref().and_then(Tree::root).into_iter().flat_map(|it| it.descendants());
    let is_locked = elements.any(|it| {
        let target = it.at_path(&["CipherData", "CipherReference"]).and_then(|it| it.attr("URI"));
        let has_words = target.is_none_or(|it| {
            let name = it.to_lowercase();
            !WORDLESS.iter().any(|end| name.ends_with(end))
        });
        it.name() == "EncryptedData"
            && has_words
            && it
                .child("EncryptionMethod")
                .and_then(|it| it.attr("Algorithm"))
                .is_none_or(|name| !FONT_LOCKS.iter().any(|end| name.ends_with(end)))
    });
    if is_locked {
        return Err(ReadError::Locked { detail: "e-book with copy protection".to_owned() });
    }
    Ok(())
}

/// The name of the package document (OPF).
fn package_document(package: &mut Package<'_>, warnings: &mut Vec<Warning>) -> Result<String, ReadError> {
    let container = package.tree("META-INF/container.xml", warnings);
    let mut elements = container.as_ref().and_then(Tree::root).into_iter().flat_map(|it| it.descendants());
    let named = elements.find_map(|it| (it.name() == "rootfile").then(|| it.attr("full-path"))?);
    if let Some(named) = named.filter(|it| package.has(it)) {
        return Ok(named.to_owned());
    }
    let found = package.names().into_iter().find(|it| it.ends_with(".opf")).map(str::to_owned);
    found
        .ok_or_else(|| ReadError::Damaged { format: "epub", detail: "it has no package document".to_owned() })
}

/// A file of the book.
#[derive(Clone, Debug, Default)]
struct Item {
    id: String,
    /// Name in the archive.
    part: String,
    media_type: String,
    /// Whether it is the table of contents as a page.
    is_nav: bool,
}

impl Item {
    fn is_page(&self) -> bool {
        let is_named =
            [".xhtml", ".html", ".htm", ".xml"].iter().any(|it| self.part.to_lowercase().ends_with(it));
        self.media_type.contains("html") || (is_named && !self.media_type.contains("dtbncx"))
    }
}

/// All files of the book in the order of the manifest.
#[derive(Debug)]
struct Manifest(Vec<Item>);

impl Manifest {
    fn of(root: Option<Element<'_>>, book: &str) -> Self {
        let items = root.and_then(|it| it.child("manifest")).into_iter().flat_map(|it| it.named("item"));
        let item = |it: Element<'_>| {
            Some(Item {
                id: it.attr("id")?.to_owned(),
                part: resolve(book, it.attr("href")?.split('#').next()?),
                media_type: it.attr("media-type").unwrap_or_default().to_lowercase(),
                is_nav: it.attr("properties").is_some_and(|it| it.split_whitespace().any(|it| it == "nav")),
            })
        };
        Self(items.filter_map(item).collect())
    }

    /// The files in reading order; without a spine, the pages as the manifest has them.
    fn spine(&self, root: Option<Element<'_>>) -> Vec<&Item> {
        let by_id: HashMap<&str, &Item> = self.0.iter().map(|it| (it.id.as_str(), it)).collect();
        let spine = root.and_then(|it| it.child("spine")).into_iter().flat_map(|it| it.named("itemref"));
        let mut seen = std::collections::HashSet::new();
        let named: Vec<&Item> = spine
            .filter_map(|it| by_id.get(it.attr("idref")?).copied())
            .filter(|it| seen.insert(it.part.as_str()))
            .collect();
        if named.is_empty() { self.0.iter().filter(|it| it.is_page()).collect() } else { named }
    }
}

/// Dublin Core under our names; several authors or subjects become lists.
fn metadata(element: Element<'_>) -> Metadata {
    let mut metadata = Metadata::new();
    let mut lists: [(&str, Vec<String>); 2] = [("author", Vec::new()), ("keywords", Vec::new())];
    for it in element.descendants() {
        let text = it.text().split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            continue;
        }
        let name = match it.name() {
            "creator" => {
                lists[0].1.push(text);
                continue;
            }
            "subject" => {
                lists[1].1.push(text);
                continue;
            }
            "date" => {
                if let Some(date) = iso_date(&text) {
                    metadata.entry("date".to_owned()).or_insert(date.into());
                }
                continue;
            }
            "title" | "language" | "publisher" | "description" | "identifier" | "rights" => it.name(),
            _ => continue,
        };
        // The first title is the main one.
        metadata.entry(name.to_owned()).or_insert(text.into());
    }
    for (name, mut values) in lists {
        if values.len() == 1 {
            metadata.insert(name.to_owned(), values.remove(0).into());
        } else if !values.is_empty() {
            metadata.insert(name.to_owned(), values.into());
        }
    }
    metadata
}
