//! The parts of a workbook as events, since a sheet of a million cells is too large for a tree.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::read::package::{resolve_reference, unescape};

/// What [`each_event`] passes on; names are local.
pub(super) enum Piece<'e> {
    Start(&'e str, &'e BytesStart<'e>),
    End(&'e str),
    Text(&'e str),
}

/// Calls `take` for every tag and text of a part; says why when it ends early.
pub(super) fn each_event(text: &str, mut take: impl FnMut(Piece<'_>)) -> Result<(), String> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    let mut depth = 0_usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                depth += 1;
                take(Piece::Start(start.local_name().as_ref(), &start));
            }
            Ok(Event::Empty(start)) => {
                take(Piece::Start(start.local_name().as_ref(), &start));
                take(Piece::End(start.local_name().as_ref()));
            }
            Ok(Event::End(end)) => {
                depth = depth.saturating_sub(1);
                take(Piece::End(end.local_name().as_ref()));
            }
            Ok(Event::Text(text)) => take(Piece::Text(&text.xml10_content())),
            Ok(Event::CData(text)) => take(Piece::Text(&text.xml10_content())),
            Ok(Event::GeneralRef(reference)) => {
                if let Some(c) = resolve_reference(&reference) {
                    take(Piece::Text(c.encode_utf8(&mut [0; 4])));
                }
            }
            Ok(Event::Eof) if depth > 0 => return Err("it ends in the middle".to_owned()),
            Ok(Event::Eof) => return Ok(()),
            Ok(_) => {}
            Err(error) => return Err(format!("broken XML at byte {}: {error}", reader.error_position())),
        }
    }
}

/// The value of an attribute by its local name.
pub(super) fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = start.attributes();
    let value =
        attributes.with_checks(false).flatten().find(|it| it.key.local_name().as_ref() == name)?.value;
    let mut text = String::new();
    unescape(&value, &mut text);
    Some(text)
}
