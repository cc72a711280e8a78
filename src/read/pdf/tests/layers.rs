//! Layers that are switched off in the file.

use super::*;

/// A file of one page with the given content, whose layers are `On` and `Off`, named in the resources as `/A` and `/B`, beside rules
/// over them as `/R0`, `/R1` and so on.
fn layered(content: &str, rules: &[fn(ObjectId, ObjectId) -> Dictionary]) -> lopdf::Document {
    let mut file = build(&[vec![]]);
    let [on, off] = ["On", "Off"]
        .map(|name| file.add_object(dictionary! { "Type" => "OCG", "Name" => Object::string_literal(name) }));
    let mut named = dictionary! { "A" => on, "B" => off };
    for (at, rule) in rules.iter().enumerate() {
        let mut rule = rule(on, off);
        rule.set("Type", "OCMD");
        named.set(format!("R{at}"), file.add_object(rule));
    }
    let content = file.add_object(Stream::new(Dictionary::new(), content.as_bytes().to_vec()));
    let resources = resources(&mut file);
    resources.set("Properties", named);
    let page = file.get_pages()[&1];
    file.get_object_mut(page).unwrap().as_dict_mut().unwrap().set("Contents", content);
    let defaults = dictionary! { "OFF" => vec![off.into()] };
    let properties = dictionary! { "OCGs" => vec![on.into(), off.into()], "D" => defaults };
    file.catalog_mut().unwrap().set("OCProperties", properties);
    file
}

fn resources(file: &mut lopdf::Document) -> &mut Dictionary {
    let page = file.get_pages()[&1];
    let id = file.get_dictionary(page).unwrap().get(b"Resources").unwrap().as_reference().unwrap();
    file.get_object_mut(id).unwrap().as_dict_mut().unwrap()
}

fn shown(y: i32, text: &str) -> String {
    format!("BT /F1 12 Tf 72 {y} Td ({text}) Tj ET\n")
}

fn within(layer: &str, inner: &str) -> String {
    format!("/OC /{layer} BDC\n{inner}EMC\n")
}

fn defaults(file: &mut lopdf::Document) -> &mut Dictionary {
    let properties = file.catalog_mut().unwrap().get_mut(b"OCProperties").unwrap().as_dict_mut().unwrap();
    properties.get_mut(b"D").unwrap().as_dict_mut().unwrap()
}

#[test]
fn hidden_layers_are_left_out_and_named() {
    let content = [
        shown(700, "plain"),
        within("A", &shown(600, "layer on")),
        within("B", &(shown(500, "layer off") + &within("A", &shown(450, "inside")))),
        shown(400, "end"),
    ];
    let parsed = read(layered(&content.concat(), &[]));
    assert_eq!(parsed.document.text, "plain\n\nlayer on\n\nend");
    let message = "left out: text of layers that the file hides ('Off'), on page 1";
    assert_eq!(parsed.warnings, [Warning::new(WarningKind::Dropped, message)]);

    // Everything is off but what is switched on.
    let mut file = layered(&content.concat(), &[]);
    let on = file.catalog().unwrap().get(b"OCProperties").unwrap().as_dict().unwrap();
    let on = on.get(b"OCGs").unwrap().as_array().unwrap()[1].clone();
    *defaults(&mut file) = dictionary! { "BaseState" => "OFF", "ON" => vec![on] };
    assert_eq!(read(file).document.text, "plain\n\nlayer off\n\nend");

    // No layer is off, and no warning is due.
    let mut file = layered(&content.concat(), &[]);
    defaults(&mut file).remove(b"OFF");
    let parsed = read(file);
    assert_eq!(parsed.document.text, "plain\n\nlayer on\n\nlayer off\n\ninside\n\nend");
    assert_eq!(parsed.warnings, []);
}

#[test]
fn rules_over_layers_hold() {
    let check = |rule: fn(ObjectId, ObjectId) -> Dictionary, is_shown: bool| {
        let content = shown(700, "first") + &within("R0", &shown(600, "ruled"));
        let expected = if is_shown { "first\n\nruled" } else { "first" };
        assert_eq!(read(layered(&content, &[rule])).document.text, expected);
    };
    check(|on, off| dictionary! { "OCGs" => vec![on.into(), off.into()] }, true);
    check(|on, off| dictionary! { "OCGs" => vec![on.into(), off.into()], "P" => "AllOn" }, false);
    check(|on, off| dictionary! { "OCGs" => vec![on.into(), off.into()], "P" => "AnyOff" }, true);
    check(|on, off| dictionary! { "OCGs" => vec![on.into(), off.into()], "P" => "AllOff" }, false);
    check(|_, off| dictionary! { "OCGs" => off, "P" => "AllOff" }, true);
    check(|_, off| dictionary! { "OCGs" => off }, false);
    check(|_, off| dictionary! { "VE" => vec!["Not".into(), off.into()] }, true);
    check(|on, _| dictionary! { "VE" => vec!["Not".into(), on.into()] }, false);
    check(|on, off| dictionary! { "VE" => vec!["And".into(), on.into(), off.into()] }, false);
    check(|on, off| dictionary! { "VE" => vec!["Or".into(), on.into(), off.into()] }, true);
}

#[test]
fn hidden_forms_and_fields_are_left_out() {
    let mut file = layered(&(shown(700, "page") + "/Outer Do /Seen Do\n"), &[]);
    let off = file.catalog().unwrap().get(b"OCProperties").unwrap().as_dict().unwrap();
    let off = off.get(b"OCGs").unwrap().as_array().unwrap()[1].clone();
    let fonts = resources(&mut file).get(b"Font").unwrap().clone();
    let mut form = |y: i32, text: &str, content: &str, more: Dictionary, inner: Dictionary| {
        let mut dict = dictionary! {
            "Type" => "XObject", "Subtype" => "Form", "BBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
            "Resources" => dictionary! { "Font" => fonts.clone(), "XObject" => inner },
        };
        more.into_iter().for_each(|(key, value)| dict.set(key, value));
        file.add_object(Stream::new(dict, (shown(y, text) + content).into_bytes()))
    };
    let inner = form(600, "inner", "", Dictionary::new(), Dictionary::new());
    let outer = form(
        500,
        "outer",
        "/Inner Do",
        dictionary! { "OC" => off.clone() },
        dictionary! { "Inner" => inner },
    );
    let seen = form(400, "seen", "", Dictionary::new(), Dictionary::new());
    resources(&mut file).set("XObject", dictionary! { "Outer" => outer, "Seen" => seen });
    let note = |y: i32| {
        dictionary! {
            "Type" => "Annot", "Subtype" => "FreeText", "Contents" => Object::string_literal(format!("note {y}")),
            "Rect" => vec![72.into(), y.into(), 200.into(), (y + 14).into()],
        }
    };
    let mut hidden = note(300);
    hidden.set("OC", off);
    let page = file.get_pages()[&1];
    let notes = vec![hidden.into(), note(200).into()];
    file.get_object_mut(page).unwrap().as_dict_mut().unwrap().set("Annots", notes);
    let parsed = read(file);
    assert_eq!(parsed.document.text, "page\n\nseen\n\nnote 200");
    assert_eq!(kinds(&parsed), [WarningKind::Dropped]);
}

#[test]
fn layers_of_one_name_are_shown_when_one_is() {
    let mut file = layered(&(within("A", &shown(700, "one")) + &within("B", &shown(600, "two"))), &[]);
    let groups = file.catalog().unwrap().get(b"OCProperties").unwrap().as_dict().unwrap();
    let on = groups.get(b"OCGs").unwrap().as_array().unwrap()[0].as_reference().unwrap();
    file.get_object_mut(on).unwrap().as_dict_mut().unwrap().set("Name", Object::string_literal("Off"));
    let parsed = read(file);
    assert_eq!((parsed.document.text.as_str(), parsed.warnings.len()), ("one\n\ntwo", 0));
}
