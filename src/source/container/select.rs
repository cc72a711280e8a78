//! Which members are taken: the rules of a walk, for paths inside an archive.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ignore::overrides::Override;

use super::ignores::Ignores;
use super::{Container, Entry, EntryKind};
use crate::content::{ContainerKind, escape_marks};
use crate::source::walk::globs;
use crate::source::{SkipReason, WalkOptions, extension_of};

/// Longest path inside an archive, bytes: Linux's longest path.
const MAX_NAME_BYTES: usize = 4096;

/// A member that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// Position in the listing.
    pub(super) position: usize,
    /// Its clean path inside.
    pub(super) name: String,
    pub(super) n_bytes: u64,
}

/// What became of all entries.
#[derive(Debug, Default)]
pub(super) struct Selected {
    /// In the order of the archive.
    pub(super) taken: Vec<Taken>,
    /// The clean paths of all files, taken or not.
    pub(super) present: BTreeSet<String>,
    /// What was left out, by reason.
    pub(super) skipped: BTreeMap<SkipReason, usize>,
    /// Of these, what a user may want to know by name.
    pub(super) notable: Vec<(String, SkipReason)>,
}

impl Selected {
    fn skip(&mut self, name: &str, reason: SkipReason) {
        *self.skipped.entry(reason).or_insert(0) += 1;
        if matches!(
            reason,
            SkipReason::TooLarge
                | SkipReason::Symlink
                | SkipReason::Special
                | SkipReason::Nested
                | SkipReason::Name
        ) {
            self.notable.push((name.to_owned(), reason));
        }
    }
}

/// Decides about every entry of `container`. Folders count once, as in a walk.
pub(super) fn select(entries: &[Entry], container: &Container, options: &WalkOptions) -> Selected {
    let mut selected = Selected::default();
    let rules = Rules::new(entries, container, options);
    // The last of several entries with one name is what unpacking would leave.
    let mut names: Vec<Option<String>> = entries.iter().map(|it| clean_name(&it.name)).collect();
    let last: HashMap<String, usize> =
        names.iter().enumerate().filter_map(|(at, name)| Some((name.clone()?, at))).collect();
    let mut folders: BTreeMap<String, Option<SkipReason>> = BTreeMap::new();
    for (position, entry) in entries.iter().enumerate() {
        let is_folder = entry.kind == EntryKind::Folder;
        let Some(name) = names[position].take() else {
            if !is_folder {
                selected.skip(&entry.name, SkipReason::Name);
            }
            continue;
        };
        if is_folder {
            continue;
        }
        if last.get(&name) != Some(&position) {
            selected.skip(&name, SkipReason::Duplicate);
            continue;
        }
        if entry.kind == EntryKind::File {
            selected.present.insert(name.clone());
        }
        match rules.folders_above(&name, &mut folders, &mut selected) {
            Some(_) => {}
            None => match rules.file(&name, entry) {
                Some(reason) => selected.skip(&name, reason),
                None => selected.taken.push(Taken { position, name, n_bytes: entry.n_bytes }),
            },
        }
    }
    selected
}

/// The rules of a walk.
struct Rules<'a> {
    options: &'a WalkOptions,
    container: &'a Container,
    /// `None` where a glob does not parse, which the walk has told.
    globs: Option<Override>,
    ignores: Ignores,
}

impl<'a> Rules<'a> {
    fn new(entries: &[Entry], container: &'a Container, options: &'a WalkOptions) -> Self {
        let ignores = match options.ignore_files {
            true => Ignores::new(&container.path, entries),
            false => Ignores::default(),
        };
        Self { options, container, globs: globs(&container.root, options).ok(), ignores }
    }

    /// Why one of the folders above a member is left out; each folder is decided, and counted, once.
    fn folders_above(
        &self,
        name: &str,
        known: &mut BTreeMap<String, Option<SkipReason>>,
        selected: &mut Selected,
    ) -> Option<SkipReason> {
        for (end, _) in name.match_indices('/') {
            let folder = &name[..end];
            let reason = match known.get(folder) {
                Some(reason) => *reason,
                None => {
                    let reason = self.folder(folder);
                    if let Some(reason) = reason {
                        selected.skip(folder, reason);
                    }
                    known.insert(folder.to_owned(), reason);
                    reason
                }
            };
            if reason.is_some() {
                return reason;
            }
        }
        None
    }

    fn folder(&self, name: &str) -> Option<SkipReason> {
        let depth = self.container.depth + 1 + name.matches('/').count();
        self.hidden_or_ignored(name, true)
            .or_else(|| self.is_excluded(name, true).then_some(SkipReason::Excluded))
            .or_else(|| {
                self.options.max_depth.is_some_and(|most| depth >= most).then_some(SkipReason::TooDeep)
            })
    }

    fn file(&self, name: &str, entry: &Entry) -> Option<SkipReason> {
        if let Some(reason) = self.hidden_or_ignored(name, false) {
            return Some(reason);
        }
        match entry.kind {
            EntryKind::Link => return Some(SkipReason::Symlink),
            EntryKind::Special => return Some(SkipReason::Special),
            EntryKind::File | EntryKind::Folder => {}
        }
        if self.is_excluded(name, false) {
            return Some(SkipReason::Excluded);
        }
        if ContainerKind::of_name(name).is_some_and(ContainerKind::is_archive) {
            return Some(SkipReason::Nested);
        }
        if entry.n_bytes > self.options.max_bytes {
            return Some(SkipReason::TooLarge);
        }
        let is_wanted = |extensions: &Vec<String>| extensions.contains(&extension_of(name));
        let is_of_type = self.options.extensions.as_ref().is_none_or(is_wanted);
        (!is_of_type).then_some(SkipReason::Type)
    }

    fn hidden_or_ignored(&self, name: &str, is_folder: bool) -> Option<SkipReason> {
        let is_hidden = name.rsplit('/').next().unwrap_or(name).starts_with('.');
        if is_hidden && !self.options.hidden {
            return Some(SkipReason::Hidden);
        }
        self.ignores.is_ignored(name, is_folder).then_some(SkipReason::Ignored)
    }

    fn is_excluded(&self, name: &str, is_folder: bool) -> bool {
        let Some(globs) = &self.globs else { return false };
        let path = self.container.path.join(name);
        // Of a compressed file either name may be wanted: `*.md`, `*.md.gz`.
        let is_wanted = self.container.kind == ContainerKind::Gzip
            && globs.matched(&self.container.path, false).is_whitelist();
        globs.matched(&path, is_folder).is_ignore() && !is_wanted
    }
}

/// The path inside the archive that a name stands for: without a leading `/`, empty and `.` parts, as `tar` and `unzip` take
/// it. `None` for a name that leads out of the archive, or to nothing in it.
pub(super) fn clean_name(name: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => return None,
            part => parts.push(part),
        }
    }
    let name = parts.join("/");
    (!name.is_empty() && name.len() <= MAX_NAME_BYTES).then(|| escape_marks(&name).into_owned())
}
