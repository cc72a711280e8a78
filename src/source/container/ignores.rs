//! Ignore files for members: those above the archive and those inside it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Entry;
use super::select::clean_name;

/// The names of ignore files, the stronger ones first.
const NAMES: [&str; 3] = [".ragctlignore", ".ignore", ".gitignore"];

/// Larger ignore files inside archives are not read. GitHub's longest template has 8 kB.
pub(super) const MAX_IGNORE_BYTES: u64 = 64 << 10;

/// Whether the entry with this name holds rules.
pub(super) fn is_ignore_file(name: &str) -> bool {
    NAMES.contains(&name.rsplit('/').next().unwrap_or(name))
}

/// All rules that hold for the members of one archive.
#[derive(Debug, Default)]
pub(super) struct Ignores {
    /// The path of the archive, as folders above it see it.
    archive: PathBuf,
    /// From a folder inside the archive (`""`: its top) to its rules, the stronger ones first.
    inside: BTreeMap<String, Vec<Gitignore>>,
    /// Rules of the folders above the archive, the nearest first.
    above: Vec<Gitignore>,
}

impl Ignores {
    /// The rules for the archive at `archive` with these entries.
    pub(super) fn new(archive: &Path, entries: &[Entry]) -> Self {
        let archive = std::path::absolute(archive).unwrap_or_else(|_| archive.to_owned());
        let mut inside: BTreeMap<String, [Option<Gitignore>; NAMES.len()]> = BTreeMap::new();
        for entry in entries {
            let Some((text, name)) = entry.ignore_text.as_ref().zip(clean_name(&entry.name)) else {
                continue;
            };
            let (folder, file) = name.rsplit_once('/').unwrap_or(("", &name));
            let Some(rank) = NAMES.iter().position(|it| *it == file) else { continue };
            inside.entry(folder.to_owned()).or_default()[rank] = rules(&archive.join(folder), text);
        }
        let inside = inside.into_iter().map(|(folder, it)| (folder, it.into_iter().flatten().collect()));
        let mut above = Vec::new();
        for folder in archive.ancestors().skip(1) {
            for name in NAMES {
                if let Ok(text) = std::fs::read(folder.join(name)) {
                    above.extend(rules(folder, &text));
                }
            }
            // As git does: what lies above a repository has nothing to say in it.
            if folder.join(".git").exists() {
                break;
            }
        }
        Self { inside: inside.collect(), above, archive }
    }

    /// Whether rules leave out the folder or file with this clean name; folders above it are looked at by the caller.
    pub(super) fn is_ignored(&self, name: &str, is_folder: bool) -> bool {
        let path = self.archive.join(name);
        let mut folder = name;
        let mut near = Vec::new();
        while !folder.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            near.extend(self.inside.get(folder).into_iter().flatten());
        }
        for rules in near.into_iter().chain(&self.above) {
            match rules.matched(&path, is_folder) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }
}

/// The rules in `text`, as a file in `folder` has them. A line that is no glob is passed over, as git does.
fn rules(folder: &Path, text: &[u8]) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    let text = String::from_utf8_lossy(text);
    for line in text.trim_start_matches('\u{FEFF}').lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}
