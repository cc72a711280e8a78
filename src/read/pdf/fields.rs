//! What was written into a page with a pen of its own: values of form fields, and text boxes laid over the page.
//!
//! Readers of the file see them at their places; they become runs there. Notes that open on a click are no text of the page.

use pdf_oxide::object::Object;

use super::file::{Dict, File};
use super::info::text_string;
use super::layers::Layers;
use super::runs::Run;

/// Most annotations of a page looked at; chosen, an index page has some hundreds of links.
const MOST_ANNOTATIONS: usize = 5_000;

/// Type size where the file leaves it to the program, points; smaller where the field is.
const AUTO_SIZE: f32 = 12.0;

/// Width of a letter as a share of the type size, roughly, since fonts of fields are not loaded.
const LETTER_WIDTH: f32 = 0.5;

/// ISO 32000-2, table 167: hidden, or not shown on the screen.
const HIDDEN: i64 = 1 << 1 | 1 << 5;

/// ISO 32000-2, table 231: the value of the field is a secret.
const PASSWORD: i64 = 1 << 13;

/// The runs of fields and text boxes on the page.
pub(super) fn runs(file: &File, index: usize, layers: &Layers) -> Vec<Run> {
    let page = file.page_dictionary(index);
    let annotations = page.as_ref().and_then(Object::as_dict).and_then(|it| file.get(it, "Annots"));
    let Some(Object::Array(annotations)) = annotations else { return Vec::new() };
    annotations
        .iter()
        .take(MOST_ANNOTATIONS)
        .filter_map(|it| run(file, file.follow(it)?.as_dict()?, layers))
        .collect()
}

fn run(file: &File, annotation: &Dict, layers: &Layers) -> Option<Run> {
    let flags = file.get(annotation, "F").and_then(|it| it.as_integer()).unwrap_or(0);
    if flags & HIDDEN != 0 || layers.hide(file, annotation) {
        return None;
    }
    let subtype = file.get(annotation, "Subtype")?;
    let text = match subtype.as_name()? {
        "Widget" => field_value(file, annotation)?,
        "FreeText" => file.get(annotation, "Contents")?,
        _ => return None,
    };
    let text = text_string(text.as_string()?);
    let [left, low, right, high] = rectangle(&file.get(annotation, "Rect")?)?;
    let height = high - low;
    let size = appearance_size(file, annotation).unwrap_or(AUTO_SIZE.min(0.7 * height)).max(1.0);
    let is_box = height > 2.0 * size;
    let width = (LETTER_WIDTH * size * text.chars().count() as f32).min(right - left);
    (!text.is_empty()).then(|| Run {
        text,
        x: left + 2.0,
        // On the line that a label beside it stands on; in larger boxes on the first line.
        y: if is_box { high - size } else { low + (height - size) / 2.0 + 0.2 * size },
        width,
        size,
        ..Run::default()
    })
}

/// The value of a text or choice field; a widget inherits what its parents say.
fn field_value(file: &File, widget: &Dict) -> Option<Object> {
    let inherited = |key: &str| {
        let mut field = widget.clone();
        for _ in 0..8 {
            if let Some(value) = file.get(&field, key) {
                return Some(value);
            }
            field = file.get(&field, "Parent")?.as_dict()?.clone();
        }
        None
    };
    let is_text = matches!(inherited("FT")?.as_name(), Some("Tx" | "Ch"));
    let flags = inherited("Ff").and_then(|it| it.as_integer()).unwrap_or(0);
    inherited("V").filter(|_| is_text && flags & PASSWORD == 0)
}

/// The corners, lower left first, whatever the order in the file; `None` when they are no sizes of a page.
fn rectangle(object: &Object) -> Option<[f32; 4]> {
    let Object::Array(numbers) = object else { return None };
    let number = |it: &Object| match it {
        Object::Integer(it) => Some(*it as f32),
        Object::Real(it) => Some(*it as f32),
        _ => None,
    };
    let [a, b, c, d] = numbers.iter().filter_map(number).collect::<Vec<_>>().try_into().ok()?;
    let corners = [a.min(c), b.min(d), a.max(c), b.max(d)];
    corners.iter().all(|it| it.is_finite() && it.abs() < 1e5).then_some(corners)
}

/// The type size of `/Helv 10 Tf` in the default appearance; 0 means that the program chooses.
fn appearance_size(file: &File, annotation: &Dict) -> Option<f32> {
    let Some(Object::String(appearance)) = file.get(annotation, "DA") else { return None };
    let appearance = String::from_utf8_lossy(&appearance).into_owned();
    let words: Vec<&str> = appearance.split_whitespace().collect();
    let at = words.iter().position(|it| *it == "Tf")?;
    let size: f32 = words.get(at.checked_sub(1)?)?.parse().ok()?;
    (1.0..200.0).contains(&size).then_some(size)
}
