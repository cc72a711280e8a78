//! The type of the body: the size and weight in which most of the text is set.

use std::collections::HashMap;

use super::blocks::half_points;
use super::lines::Line;

/// The type in which most characters are set, code apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BodyType {
    /// Size in half points.
    pub(super) size: i32,
    pub(super) is_bold: bool,
}

impl BodyType {
    /// The type of the body of `lines`; `None` when all of them are code.
    pub(super) fn of<'a>(lines: impl Iterator<Item = &'a Line>) -> Option<Self> {
        let mut sizes: HashMap<i32, usize> = HashMap::new();
        let mut n_bold = 0;
        let mut n_all = 0;
        for line in lines.filter(|line| !line.is_mono) {
            *sizes.entry(half_points(line.size)).or_insert(0) += line.text.len();
            n_all += line.text.len();
            n_bold += if line.is_bold { line.text.len() } else { 0 };
        }
        // Ties go to the larger size, so that the answer does not depend on the map's order.
        let (size, _) = sizes.into_iter().max_by_key(|&(size, n)| (n, size))?;
        Some(Self { size, is_bold: n_bold * 2 > n_all })
    }

    /// Whether a line is `ratio` times as large as the body, or more.
    pub(super) fn is_outsized(self, line_size: f32, ratio: f32) -> bool {
        half_points(line_size) as f32 >= ratio * self.size as f32
    }

    /// Whether a line is bold, and no smaller than the body, which is not bold.
    pub(super) fn is_outweighed(self, line_size: f32, is_bold: bool) -> bool {
        is_bold && !self.is_bold && self.is_outsized(line_size, 0.95)
    }
}
