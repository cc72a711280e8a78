fn main() {
    let f = std::env::args().nth(1).unwrap();
    let d = pdf_oxide::PdfDocument::from_bytes(std::fs::read(f).unwrap()).unwrap();
    let p: usize = std::env::args().nth(2).map_or(0, |x| x.parse().unwrap());
    if std::env::args().nth(3).is_some() {
        for c in d.extract_chars(p).unwrap() {
            println!(
                "{:?} {} {} w{} adv{} {} {}",
                c.char, c.origin_x, c.origin_y, c.bbox.width, c.advance_width, c.font_name, c.font_size
            );
        }
    }
    for s in d.extract_spans_with_reading_order(p, pdf_oxide::ReadingOrder::TopToBottom).unwrap() {
        println!(
            "{:?} {:?} {} {} {:?} bold{:?} rot{}",
            s.text, s.bbox, s.font_name, s.font_size, s.mcid, s.font_weight, s.rotation_degrees
        );
    }
}
