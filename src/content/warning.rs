//! Damage that a reader noticed but survived.

/// One thing that a reader could not read as its author meant it.
///
/// # Stability: stored in format 1 and printed in JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What kind of damage.
    pub kind: WarningKind,
    /// One sentence for a person: what, where, and what became of it.
    pub message: String,
}

impl Warning {
    /// Makes a warning.
    pub fn new(kind: WarningKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

/// The closed set of damage kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WarningKind {
    /// The text encoding was guessed, or some bytes had no meaning in it.
    Encoding,
    /// Front matter that does not parse; it was kept as text.
    FrontMatter,
    /// The file has pages or parts without any extractable text (scans, images).
    NoText,
    /// Text came out as unreadable glyphs and was left out.
    Unreadable,
    /// Part of the file is broken; the rest was read.
    Damaged,
    /// Something was cut off at a limit (depth, size, count).
    Limit,
    /// Something that its format hides (a sheet, a slide) was read all the same.
    Hidden,
    /// A part of a kind that is not read, such as an embedded file, was left out.
    LeftOut,
    /// Parts that are no content (navigation, running headers, images) were left out on purpose. Nothing is wrong with the
    /// document: shown when one file is looked at, neither stored nor counted on ingestion.
    Dropped,
}

impl WarningKind {
    /// The name used in JSON and on disk.
    pub fn name(self) -> &'static str {
        match self {
            Self::Encoding => "encoding",
            Self::FrontMatter => "front-matter",
            Self::NoText => "no-text",
            Self::Unreadable => "unreadable",
            Self::Damaged => "damaged",
            Self::Limit => "limit",
            Self::Hidden => "hidden",
            Self::LeftOut => "left-out",
            Self::Dropped => "dropped",
        }
    }

    /// The kind with this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        const ALL: [WarningKind; 9] = [
            WarningKind::Encoding,
            WarningKind::FrontMatter,
            WarningKind::NoText,
            WarningKind::Unreadable,
            WarningKind::Damaged,
            WarningKind::Limit,
            WarningKind::Hidden,
            WarningKind::LeftOut,
            WarningKind::Dropped,
        ];
        ALL.into_iter().find(|it| it.name() == name)
    }
}
