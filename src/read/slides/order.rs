//! The order in which the shapes of a slide are read: by rows from top to bottom, each from left to right.
//!
//! Files hold shapes in the order in which they were drawn. Placeholders take their places from the layout, which is not read
//! here: those without a place of their own stay where the file has them.

use crate::read::package::Element;

/// Shapes whose tops lie so near are in one row whatever their heights, in English Metric Units: a tenth of an inch. Chosen.
const LEAST_STEP: i64 = 91_440;

/// Shapes whose tops lie further apart are in two rows: half an inch. Chosen.
const MOST_STEP: i64 = 457_200;

/// Where a shape stands in its parent, in the parent's units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    left: i64,
    top: i64,
    height: i64,
}

/// Brings `shapes` into reading order.
pub(super) fn sort(shapes: &mut [Element<'_>]) {
    let places: Vec<usize> = (0..shapes.len()).filter(|at| frame(shapes[*at]).is_some()).collect();
    let mut placed: Vec<_> =
        places.iter().filter_map(|at| Some((frame(shapes[*at])?, shapes[*at]))).collect();
    placed.sort_by_key(|(frame, _)| frame.top);
    let mut from = 0;
    while from < placed.len() {
        let first = placed[from].0;
        let is_beside = |it: Frame| {
            let step = (first.height.min(it.height) / 2).clamp(LEAST_STEP, MOST_STEP);
            it.top.saturating_sub(first.top) <= step
        };
        let n_beside = placed[from..].iter().take_while(|it| is_beside(it.0)).count();
        placed[from..from + n_beside].sort_by_key(|(frame, _)| frame.left);
        from += n_beside.max(1);
    }
    for (at, (_, shape)) in places.into_iter().zip(placed) {
        shapes[at] = shape;
    }
}

/// Where a shape, picture, table or group says that it stands (ECMA-376, 20.1.7.6 and 19.3.1.53).
fn frame(shape: Element<'_>) -> Option<Frame> {
    let properties = shape.child("spPr").or_else(|| shape.child("grpSpPr")).unwrap_or(shape);
    let transform = properties.child("xfrm")?;
    let (offset, extent) = (transform.child("off")?, transform.child("ext"));
    let number = |element: Element<'_>, name: &str| element.attr(name).and_then(|it| it.parse().ok());
    let height = extent.and_then(|it| number(it, "cy")).unwrap_or(0);
    Some(Frame { left: number(offset, "x")?, top: number(offset, "y")?, height })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::package::Tree;

    /// Shapes as `name left top height` in tenths of an inch, or as a name alone.
    fn check(shapes: &[&str], expected: &str) {
        let shapes = shapes.iter().map(|it| match it.split(' ').collect::<Vec<_>>()[..] {
            [name, left, top, height] => format!(
                "<p:sp n='{name}'><p:spPr><a:xfrm><a:off x='{left}44000' y='{top}44000'/><a:ext cy='{height}44000'/></a:xfrm></p:spPr></p:sp>"
            ),
            _ => format!("<p:sp n='{it}'><p:spPr/></p:sp>"),
        });
        let tree = Tree::parse(format!("<t>{}</t>", shapes.collect::<String>()).as_bytes());
        let mut shapes: Vec<Element<'_>> = tree.root().unwrap().elements().collect();
        sort(&mut shapes);
        let names: Vec<&str> = shapes.iter().filter_map(|it| it.attr("n")).collect();
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn shapes_are_read_by_rows() {
        check(
            &["right 50 20 10", "left 10 20 10", "bottom 10 50 10", "top 10 5 10"],
            "top left right bottom",
        );
        // Tops that differ by less than half of the height, and by more.
        check(&["right 50 20 10", "left 10 24 10"], "left right");
        check(&["right 50 20 10", "left 10 27 10"], "right left");
        check(&["right 50 20 90", "left 10 40 90"], "right left");
        check(&["b 10 20 0", "a 10 20 0"], "b a");
    }

    #[test]
    fn shapes_without_a_place_stay_where_they_are() {
        check(&["title", "low 10 60 10", "body", "high 10 20 10"], "title high body low");
        check(&["a", "b"], "a b");
    }
}
