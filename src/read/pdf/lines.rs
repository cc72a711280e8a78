//! From runs of glyphs to lines in reading order.
//!
//! A run is what the parser gives: text with a baseline, a width and a type size. Runs of one text direction form a
//! layer that is turned upright; a layer is cut into columns where a gutter separates prose from prose, and the runs
//! of each column are joined into lines by their baselines. Side-by-side cells of a table are not prose and stay on
//! one line.

use pdf_oxide::extractors::text::ArtifactType;
use pdf_oxide::fonts::MappingProvenance;
use pdf_oxide::layout::TextSpan;
use unicode_normalization::UnicodeNormalization;

/// A run of glyphs on one baseline, in the upright frame of its direction; points, y upward.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) size: f32,
    pub(super) is_bold: bool,
    pub(super) is_mono: bool,
    /// Text direction in degrees, counter-clockwise.
    pub(super) turn: i32,
    /// Whether the font told nothing about its characters, so that the text is made up.
    pub(super) is_made_up: bool,
}

/// A line of one column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// Text with single blanks between words; two where a cell of a table ends. Never empty or blank at the ends,
    /// but for the indentation of monospaced lines, which is in `x0`.
    pub(super) text: String,
    /// 0-based page.
    pub(super) page: u32,
    /// 0-based column on the page; counts up in reading order whenever the flow starts anew.
    pub(super) column: u32,
    /// Left end.
    pub(super) x0: f32,
    /// Right end.
    pub(super) x1: f32,
    /// Baseline.
    pub(super) y: f32,
    /// Type size of most characters.
    pub(super) size: f32,
    /// Whether most characters are bold.
    pub(super) is_bold: bool,
    /// Whether all characters are monospaced.
    pub(super) is_mono: bool,
    /// Whether the line stands upright on the page.
    pub(super) is_upright: bool,
}

impl Run {
    /// Takes over one span; `None` for what the file marks as page furniture and for empty ones.
    pub(super) fn from_span(span: TextSpan) -> Option<Self> {
        if matches!(span.artifact_type, Some(ArtifactType::Pagination(_))) || span.text.is_empty() {
            return None;
        }
        let turn = (span.rotation_degrees.round() as i32).rem_euclid(360);
        let (x, y) = (span.bbox.x, span.bbox.y);
        let (x, y) = match turn {
            45..=134 => (y, -x),
            135..=224 => (-x, -y),
            225..=314 => (-y, x),
            _ => (x, y),
        };
        let size = span.font_size.abs();
        let is_sound = [x, y, span.bbox.width, size].iter().all(|it| it.is_finite() && it.abs() < 1e6);
        is_sound.then(|| Self {
            is_bold: span.font_weight.is_bold() || is_bold_name(&span.font_name),
            is_mono: span.is_monospace,
            is_made_up: span.provenance == Some(MappingProvenance::Fallback),
            text: plain_letters(span.text),
            x,
            y,
            width: span.bbox.width.max(0.0),
            size: size.max(0.1),
            turn,
        })
    }

    fn end(&self) -> f32 {
        self.x + self.width
    }

    fn n_chars(&self) -> usize {
        self.text.chars().count()
    }
}

/// Bold by the name of the font, which TeX fonts and many subsets say nowhere else.
fn is_bold_name(name: &str) -> bool {
    let name = name.split_once('+').map_or(name, |(_, name)| name);
    ["Bold", "bold", "BOLD", "Black", "Heavy", "Demi", "CMBX", "CMSSBX", "SFBX", "-Bd", "LMRoman10-B"]
        .iter()
        .any(|mark| name.contains(mark))
}

/// Ligatures and presentation forms as plain letters; no-break spaces as blanks; soft hyphens at the end as hyphens
/// and elsewhere away; controls away.
fn plain_letters(text: String) -> String {
    let is_special = |c: char| {
        matches!(c, '\u{A0}' | '\u{AD}' | '\u{2000}'..='\u{200B}' | '\u{202F}' | '\u{FB00}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFF}')
            || c.is_control()
    };
    if !text.contains(is_special) {
        return text;
    }
    let last = text.trim_end().chars().count().saturating_sub(1);
    let mut plain = String::with_capacity(text.len());
    for (at, c) in text.chars().enumerate() {
        match c {
            '\u{AD}' if at == last => plain.push('-'),
            '\u{AD}' | '\u{200B}' | '\u{FEFF}' => {}
            '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\t' | '\n' | '\r' => plain.push(' '),
            '\u{FB00}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' => plain.extend(std::iter::once(c).nfkc()),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}

/// Takes out runs whose glyphs mean nothing; also gives the share of characters that went with them.
pub(super) fn without_unreadable(runs: Vec<Run>) -> (Vec<Run>, f32) {
    let (mut n_all, mut n_lost) = (0, 0);
    let readable = runs
        .into_iter()
        .filter(|run| {
            let n_chars = run.text.chars().filter(|c| !c.is_whitespace()).count();
            let is_noise = |c: &char| matches!(c, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..);
            let n_noise = run.text.chars().filter(is_noise).count();
            let is_lost = run.is_made_up || n_noise * 2 > n_chars;
            n_all += n_chars;
            n_lost += if is_lost { n_chars } else { 0 };
            !is_lost
        })
        .collect();
    (readable, if n_all == 0 { 0.0 } else { n_lost as f32 / n_all as f32 })
}

/// Orders the runs of a page: one direction after the other, the most used first, each in columns and lines.
pub(super) fn in_reading_order(runs: Vec<Run>, page: u32) -> Vec<Line> {
    let mut layers: Vec<(i32, Vec<Run>)> = Vec::new();
    for run in runs {
        match layers.iter_mut().find(|(turn, _)| *turn == run.turn) {
            Some((_, layer)) => layer.push(run),
            None => layers.push((run.turn, vec![run])),
        }
    }
    layers.sort_by_key(|(_, layer)| std::cmp::Reverse(layer.iter().map(Run::n_chars).sum::<usize>()));
    let mut lines = Lines { page, column: 0, lines: Vec::new() };
    for (_, mut layer) in layers {
        layer.sort_by(|a, b| b.y.total_cmp(&a.y).then(a.x.total_cmp(&b.x)));
        lines.region(layer, 0);
    }
    lines.lines
}

struct Lines {
    page: u32,
    column: u32,
    lines: Vec<Line>,
}

impl Lines {
    /// Adds the runs of one region, which stand sorted from the top.
    fn region(&mut self, runs: Vec<Run>, depth: usize) {
        /// Columns within columns; a newspaper has fewer.
        const MOST_DEPTH: usize = 4;
        let gutter = if depth < MOST_DEPTH { gutter(&runs) } else { None };
        let Some(gutter) = gutter else { return self.column(runs) };
        // Runs across the gutter cut the region into bands; each band is read column by column.
        let mut band: Vec<Run> = Vec::new();
        let mut across: Vec<Run> = Vec::new();
        for run in runs {
            if run.x < gutter && gutter < run.end() {
                self.band(std::mem::take(&mut band), gutter, depth);
                across.push(run);
            } else if across.last().is_some_and(|it| is_same_line(it, &run)) {
                across.push(run);
            } else {
                self.column(std::mem::take(&mut across));
                band.push(run);
            }
        }
        self.band(band, gutter, depth);
        self.column(across);
    }

    fn band(&mut self, band: Vec<Run>, gutter: f32, depth: usize) {
        let (left, right): (Vec<Run>, Vec<Run>) = band.iter().cloned().partition(|run| run.x < gutter);
        if is_prose(&left) && is_prose(&right) {
            self.region(left, depth + 1);
            self.region(right, depth + 1);
        } else {
            self.column(band);
        }
    }

    /// Adds the lines of one column.
    fn column(&mut self, runs: Vec<Run>) {
        if runs.is_empty() {
            return;
        }
        for row in rows(runs) {
            self.lines.extend(join(row, self.page, self.column));
        }
        self.column += 1;
    }
}

fn is_same_line(a: &Run, b: &Run) -> bool {
    // A third of the size takes in what sits off the baseline, and is far less than any line spacing.
    (a.y - b.y).abs() <= 0.33 * a.size.max(b.size)
}

/// Groups runs, sorted from the top, by baseline; each row is sorted from the left.
fn rows(runs: Vec<Run>) -> Vec<Vec<Run>> {
    let mut rows: Vec<Vec<Run>> = Vec::new();
    for run in runs {
        match rows.last_mut() {
            // Compared with the widest run of the row, so that a raised mark does not set the baseline.
            Some(row)
                if row
                    .iter()
                    .max_by(|a, b| a.width.total_cmp(&b.width))
                    .is_some_and(|it| is_same_line(it, &run)) =>
            {
                row.push(run);
            }
            _ => rows.push(vec![run]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    rows
}

/// The x of a gutter between two columns, if the region has one.
///
/// Looks for the stretch that the fewest lines cross, in the middle part of the region. Chosen by trial on two-column
/// papers, three-column reference cards and pages of tables.
fn gutter(runs: &[Run]) -> Option<f32> {
    /// Fewest runs and lines of a region worth cutting.
    const FEWEST: usize = 12;
    /// Most of the lines that may cross (titles, wide figures).
    const MOST_CROSSING: f32 = 0.4;
    if runs.len() < FEWEST {
        return None;
    }
    let left = runs.iter().map(|run| run.x).min_by(f32::total_cmp)?;
    let right = runs.iter().map(Run::end).max_by(f32::total_cmp)?;
    let n_bins = (right - left).ceil() as usize;
    // A region narrower than this has no room for two columns of prose; one wider is no page.
    if !(150..20_000).contains(&n_bins) {
        return None;
    }
    // Runs of one row that nearly touch count as one, so that word gaps do not look like gutters.
    let mut n_covering = vec![0i32; n_bins + 2];
    let mut n_segments = 0;
    for row in rows(runs.to_vec()) {
        let mut segments: Vec<(f32, f32)> = Vec::new();
        for run in row.iter().filter(|run| !run.text.trim().is_empty()) {
            match segments.last_mut() {
                Some((_, end)) if run.x - *end < 0.6 * run.size => *end = end.max(run.end()),
                _ => segments.push((run.x, run.end())),
            }
        }
        n_segments += 1;
        for (start, end) in segments {
            n_covering[(start - left).max(0.0) as usize] += 1;
            n_covering[((end - left).ceil().max(0.0) as usize + 1).min(n_bins + 1)] -= 1;
        }
    }
    if n_segments < FEWEST / 2 {
        return None;
    }
    let mut covering = 0;
    let covered: Vec<i32> = n_covering
        .iter()
        .map(|change| {
            covering += change;
            covering
        })
        .collect();
    let middle = n_bins / 5..n_bins - n_bins / 5;
    let least = *covered.get(middle.clone())?.iter().min()?;
    if least as f32 > MOST_CROSSING * n_segments as f32 {
        return None;
    }
    // The widest stretch that is crossed (nearly) least.
    let mut best: Option<(usize, usize)> = None;
    let mut start = None;
    for at in middle.start..=middle.end {
        let is_open = at < middle.end && covered[at] <= least;
        match (is_open, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if best.is_none_or(|(a, b)| b - a < at - from) {
                    best = Some((from, at));
                }
                start = None;
            }
            _ => {}
        }
    }
    let (from, to) = best?;
    // 5 points: columns of dense print stand 8 to 12 apart.
    (to - from >= 5).then(|| left + (from + to) as f32 / 2.0)
}

/// Whether the runs look like a column of text: several lines, most of them long.
fn is_prose(runs: &[Run]) -> bool {
    let rows = rows(runs.to_vec());
    if rows.len() < 5 {
        return false;
    }
    let mut widths: Vec<f32> = rows
        .iter()
        .filter_map(|row| {
            let size = row.iter().map(|run| run.size).max_by(f32::total_cmp)?;
            let covered: f32 = row.iter().map(|run| run.width).sum();
            Some(covered / size)
        })
        .collect();
    widths.sort_by(f32::total_cmp);
    // 10 em is some 20 characters; cells of most tables are shorter.
    widths[widths.len() / 2] >= 10.0
}

/// Joins the runs of a row into a line; `None` when it is blank.
fn join(mut row: Vec<Run>, page: u32, column: u32) -> Option<Line> {
    row.retain(|run| !run.text.is_empty());
    let strong = |rtl: bool| {
        let count =
            |run: &Run| run.text.chars().filter(|&c| c.is_alphabetic() && is_right_to_left(c) == rtl).count();
        row.iter().map(count).sum::<usize>()
    };
    let is_rtl = strong(true) > strong(false);
    if is_rtl {
        row.sort_by(|a, b| b.x.total_cmp(&a.x));
    }
    let is_mono = row.iter().all(|run| run.is_mono || run.text.trim().is_empty());
    let mut text = String::new();
    let mut last: Option<&Run> = None;
    for run in &row {
        if let Some(last) = last {
            let gap = if is_rtl { last.x - run.end() } else { run.x - last.end() };
            text.push_str(&blanks(gap, last, run, is_mono, &text));
        }
        match run.text.trim().is_empty() {
            true if text.is_empty() || text.ends_with(' ') => {}
            true => text.push(' '),
            // A drawn blank after an inserted one is the same blank.
            false if text.is_empty() || text.ends_with(' ') => text.push_str(run.text.trim_start()),
            false => text.push_str(&run.text),
        }
        last = Some(run);
    }
    let inked = || row.iter().filter(|run| !run.text.trim().is_empty());
    let text = text.trim().to_owned();
    if text.is_empty() {
        return None;
    }
    let n_chars: usize = inked().map(Run::n_chars).sum();
    let n_bold: usize = inked().filter(|run| run.is_bold).map(Run::n_chars).sum();
    let size = inked().max_by_key(|run| run.n_chars())?.size;
    Some(Line {
        text,
        page,
        column,
        x0: inked().map(|run| run.x).min_by(f32::total_cmp)?,
        x1: inked().map(Run::end).max_by(f32::total_cmp)?,
        y: inked().max_by(|a, b| a.width.total_cmp(&b.width))?.y,
        size,
        is_bold: n_bold * 10 > n_chars * 8,
        is_mono,
        is_upright: row.first()?.turn == 0,
    })
}

/// What stands for the gap between two runs: nothing, a blank, or the two blanks after a cell.
fn blanks(gap: f32, last: &Run, run: &Run, is_mono: bool, text: &str) -> String {
    let size = last.size.min(run.size);
    let ends_blank = text.ends_with(' ');
    let starts_blank = run.text.starts_with(' ');
    if is_mono && gap > 0.0 {
        let advance = run.width / run.n_chars().max(1) as f32;
        let columns = if advance > 0.0 { (gap / advance).round() } else { 0.0 };
        return " ".repeat((columns as usize).min(80).saturating_sub(usize::from(ends_blank)));
    }
    let is_between_ideographs = last.text.ends_with(is_ideographic) && run.text.starts_with(is_ideographic);
    // Word gaps are a quarter em and shrink to half of that; gaps within words stay under 0.1.
    let least = if is_between_ideographs { 0.5 } else { 0.13 };
    match gap / size {
        gap if gap < least => String::new(),
        gap if gap > 2.0 => if ends_blank || starts_blank { " " } else { "  " }.to_owned(),
        _ if ends_blank || starts_blank => String::new(),
        _ => " ".to_owned(),
    }
}

/// Hebrew, Arabic and their neighbours.
pub(super) fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}')
}

/// Scripts written without blanks between words.
pub(super) fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}
