//! Layers (optional content, ISO 32000-2, 8.11): what a viewer does not show when it opens the file.
//!
//! pdf_oxide leaves out the marked content of the layers that it is told by name. Layers that share a name are shown or
//! hidden together there, so that a name counts as hidden only when all layers of that name are. Whole forms, which
//! it takes for visible, are left out here.

use std::collections::{BTreeSet, HashSet};

use pdf_oxide::layout::{TextChar, TextSpan};
use pdf_oxide::object::{Object, ObjectRef};
use pdf_oxide::optional_content::decode_pdf_text_string;
use pdf_oxide::structure::McidScope;

use super::file::{Dict, File};

/// Most layers looked at; chosen, the drawing of a large building has some hundreds.
const MOST_LAYERS: usize = 20_000;

/// Most objects looked at for the forms of one page; chosen, a map has some thousands.
const MOST_OBJECTS: usize = 10_000;

/// The layers that the file hides by default.
#[derive(Debug, Default)]
pub(super) struct Layers {
    /// Names of which every layer is hidden.
    hidden: BTreeSet<String>,
}

impl Layers {
    /// Reads the default configuration.
    pub(super) fn read(file: &File) -> Self {
        Self::of_catalog(file).unwrap_or_default()
    }

    fn of_catalog(file: &File) -> Option<Self> {
        let properties = file.get(file.catalog()?.as_dict()?, "OCProperties")?;
        let properties = properties.as_dict()?;
        let defaults = file.get(properties, "D")?;
        let defaults = defaults.as_dict()?;
        let base = file.get(defaults, "BaseState");
        let is_on_by_default = base.as_ref().and_then(Object::as_name) != Some("OFF");
        let [on, off] = ["ON", "OFF"].map(|key| references(file, defaults, key));
        if is_on_by_default && off.is_empty() {
            return None;
        }
        let (mut shown, mut hidden) = (BTreeSet::new(), BTreeSet::new());
        let mut layers = references(file, properties, "OCGs");
        // A layer that is switched off without being listed is switched off all the same.
        layers.extend(&off);
        let (on, off): (HashSet<_>, HashSet<_>) = (on.into_iter().collect(), off.into_iter().collect());
        for layer in &layers {
            let Some(name) = name(file, *layer) else { continue };
            let is_on = if is_on_by_default { !off.contains(layer) } else { on.contains(layer) };
            if is_on {
                shown.insert(name)
            } else {
                hidden.insert(name)
            };
        }
        Some(Self { hidden: hidden.difference(&shown).cloned().collect() })
    }

    /// Whether everything is shown.
    pub(super) fn is_empty(&self) -> bool {
        self.hidden.is_empty()
    }

    /// The names of the hidden layers, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.hidden.iter().map(String::as_str)
    }

    /// The names in the form that the parser takes.
    pub(super) fn excluded(&self) -> HashSet<String> {
        self.hidden.iter().cloned().collect()
    }

    /// Whether a form or an annotation is hidden by its entry `OC`.
    pub(super) fn hide(&self, file: &File, dict: &Dict) -> bool {
        let Some(layer) = dict.get("OC").filter(|_| !self.is_empty()) else { return false };
        file.is_excluded(layer, &self.excluded())
    }

    /// The forms of a page that only stand in hidden forms, or are hidden themselves.
    pub(super) fn hidden_forms(&self, file: &File, page: &Dict) -> HashSet<ObjectRef> {
        let (mut shown, mut hidden) = (HashSet::new(), HashSet::new());
        if self.is_empty() {
            return hidden;
        }
        let mut open: Vec<(Option<Object>, bool)> = vec![(file.get(page, "Resources"), false)];
        let mut n_objects = 0;
        while let Some((resources, is_hidden)) = open.pop() {
            let objects = resources.as_ref().and_then(Object::as_dict).and_then(|it| file.get(it, "XObject"));
            let Some(objects) = objects.as_ref().and_then(Object::as_dict) else { continue };
            for reference in objects.values().filter_map(Object::as_reference) {
                n_objects += 1;
                if n_objects > MOST_OBJECTS {
                    break;
                }
                if !file.is_form(reference) {
                    continue;
                }
                let Some(form) = file.load(reference) else { continue };
                let Some(form) = form.as_dict() else { continue };
                let is_hidden = is_hidden || self.hide(file, form);
                if (if is_hidden { &mut hidden } else { &mut shown }).insert(reference) {
                    open.push((file.get(form, "Resources"), is_hidden));
                }
            }
        }
        hidden.difference(&shown).copied().collect()
    }
}

/// Takes the spans of `forms` out of `spans` and gives them.
pub(super) fn split_off(spans: &mut Vec<TextSpan>, forms: &HashSet<ObjectRef>) -> Vec<TextSpan> {
    let is_hidden =
        |it: &mut TextSpan| matches!(&it.mcid_scope, Some(McidScope::Form(form)) if forms.contains(form));
    spans.extract_if(.., is_hidden).collect()
}

/// Takes the characters of `hidden` spans out; of characters the parser does not say which form they are in.
pub(super) fn drop_chars(chars: &mut Vec<TextChar>, hidden: &[TextSpan]) {
    let is_in = |glyph: &TextChar, span: &TextSpan| {
        (glyph.origin_y - span.bbox.y).abs() < 1.0
            && (span.bbox.x - 0.5..span.bbox.x + span.bbox.width + 0.5).contains(&glyph.origin_x)
            && span.text.contains(glyph.char)
    };
    chars.retain(|glyph| !hidden.iter().any(|span| is_in(glyph, span)));
}

fn references(file: &File, dict: &Dict, key: &str) -> Vec<ObjectRef> {
    match file.get(dict, key) {
        Some(Object::Array(array)) => {
            array.iter().take(MOST_LAYERS).filter_map(Object::as_reference).collect()
        }
        _ => Vec::new(),
    }
}

/// The name of a layer as the parser compares it.
fn name(file: &File, layer: ObjectRef) -> Option<String> {
    let layer = file.load(layer)?;
    let name = file.get(layer.as_dict()?, "Name")?;
    name.as_name().map(str::to_owned).or_else(|| name.as_string().map(decode_pdf_text_string))
}
