//! Walking folders, with ignore rules.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::overrides::{Override, OverrideBuilder};

use crate::content::ContainerKind;
use crate::source::{Candidate, Container, Content, SkipReason, UriBase, extension_of};

/// What to walk into and what to leave out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkOptions {
    /// Only files that match one of these globs (gitignore syntax, relative to the walked folder); empty: all.
    pub include: Vec<String>,
    /// No files or folders that match one of these globs.
    pub exclude: Vec<String>,
    /// Only files with one of these extensions (lower case, no dot); `None`: all.
    pub extensions: Option<Vec<String>>,
    /// Take hidden files and folders too.
    pub hidden: bool,
    /// Whether ignore files count.
    pub ignore_files: bool,
    /// Follow symbolic links; loops are recognised.
    pub follow_links: bool,
    /// Largest file, bytes.
    pub max_bytes: u64,
    /// How many folders deep; 1 takes the files of the folder itself.
    pub max_depth: Option<usize>,
    /// Open archives and compressed files that are found in folders; those that are named are opened in any case.
    pub archives: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self {
            include: Vec::new(),
            exclude: Vec::new(),
            extensions: None,
            hidden: false,
            ignore_files: true,
            follow_links: false,
            max_bytes: 10 << 20,
            max_depth: None,
            archives: false,
        }
    }
}

/// What a walk found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Files to ingest, in order of their URIs, each once.
    pub candidates: Vec<Candidate>,
    /// What was left out, by reason.
    pub skipped: BTreeMap<SkipReason, usize>,
    /// Files left out that a user may want to know by name: path and reason.
    pub notable: Vec<(PathBuf, SkipReason)>,
    /// Folders and files that could not be looked at: path and cause.
    pub failed: Vec<(PathBuf, String)>,
}

impl Walked {
    fn skip(&mut self, path: &Path, reason: SkipReason) {
        *self.skipped.entry(reason).or_insert(0) += 1;
        if matches!(reason, SkipReason::TooLarge | SkipReason::Symlink | SkipReason::Special) {
            self.notable.push((path.to_owned(), reason));
        }
    }
}

/// Why a walk cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// The path does not exist or cannot be looked at.
    #[error("cannot read '{}'", path.display())]
    Root {
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A glob does not parse.
    #[error("'{glob}' is not a glob")]
    Glob {
        /// The glob.
        glob: String,
        /// Why.
        source: ignore::Error,
    },
}

/// Finds the files at and under `roots`. A file that is named itself is taken whatever the ignore rules say. A root that
/// cannot be looked at is in [`Walked::failed`], unless there is no other.
///
/// `index_folder` is never walked into.
///
/// # Errors
///
/// When no root can be looked at, or a glob does not parse. What goes wrong below a root is in [`Walked::failed`].
pub fn walk(
    roots: &[PathBuf],
    options: &WalkOptions,
    base: &UriBase,
    index_folder: &Path,
) -> Result<Walked, WalkError> {
    let mut walked = Walked::default();
    for root in roots {
        let metadata = match fs::metadata(root) {
            Ok(metadata) => metadata,
            Err(source) if walked.failed.len() + 1 == roots.len() => {
                return Err(WalkError::Root { path: root.clone(), source });
            }
            Err(source) => {
                walked.failed.push((root.clone(), source.to_string()));
                continue;
            }
        };
        if metadata.is_dir() {
            walk_folder(root, options, base, index_folder, &mut walked)?;
        } else {
            take_file(root, &metadata, options, base, Place::Named, &mut walked);
        }
    }
    walked.candidates.sort_by(|a, b| a.uri.cmp(&b.uri));
    walked.candidates.dedup_by(|a, b| a.uri == b.uri);
    walked.failed.sort();
    walked.failed.dedup();
    walked.notable.sort();
    Ok(walked)
}

fn take_file(
    path: &Path,
    metadata: &fs::Metadata,
    options: &WalkOptions,
    base: &UriBase,
    place: Place<'_>,
    walked: &mut Walked,
) {
    if !metadata.is_file() {
        return walked.skip(path, SkipReason::Special);
    }
    if let Some(kind) = archive_kind(path) {
        return take_archive(path, kind, metadata.len(), base, place, walked);
    }
    if metadata.len() > options.max_bytes {
        return walked.skip(path, SkipReason::TooLarge);
    }
    if let Some(extensions) = &options.extensions {
        let extension = extension_of(&path.file_name().unwrap_or_default().to_string_lossy());
        if !extensions.contains(&extension) {
            return walked.skip(path, SkipReason::Type);
        }
    }
    let uri = base.uri_of(path);
    let kind = ContainerKind::of_name(&path.file_name().unwrap_or_default().to_string_lossy());
    walked.candidates.push(Candidate {
        path: path.to_owned(),
        n_bytes: metadata.len(),
        is_named: place == Place::Named,
        container: kind.map(|kind| Container::of_file(uri.clone(), kind, path)),
        uri,
    });
}

/// How a file was found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place<'a> {
    /// By its name on the command line.
    Named,
    /// So many folders below one that was walked.
    Walked { root: &'a Path, depth: usize },
}

/// What kind of archive a file is, by its name.
fn archive_kind(path: &Path) -> Option<ContainerKind> {
    let name = path.file_name()?.to_string_lossy();
    ContainerKind::of_name(&name).filter(|it| it.is_archive())
}

/// Takes an archive, which stands for a folder: limits on files and types are for its members.
fn take_archive(
    path: &Path,
    kind: ContainerKind,
    n_bytes: u64,
    base: &UriBase,
    place: Place<'_>,
    walked: &mut Walked,
) {
    let uri = base.uri_of(path);
    let (root, depth) = match place {
        Place::Named => (path, 0),
        Place::Walked { root, depth } => (root, depth),
    };
    walked.candidates.push(Candidate {
        uri: uri.clone(),
        path: path.to_owned(),
        n_bytes,
        is_named: place == Place::Named,
        container: Some(Container {
            uri,
            kind,
            content: Content::File,
            root: root.to_owned(),
            path: path.to_owned(),
            depth,
        }),
    });
}

fn walk_folder(
    root: &Path,
    options: &WalkOptions,
    base: &UriBase,
    index_folder: &Path,
    walked: &mut Walked,
) -> Result<(), WalkError> {
    let globs = globs(root, options)?;
    let index_folder = index_folder.canonicalize().ok();
    let is_index = move |path: &Path| index_folder.is_some() && path.canonicalize().ok() == index_folder;
    let mut builder = WalkBuilder::new(root);
    builder
        .hidden(!options.hidden)
        .follow_links(options.follow_links)
        .max_depth(options.max_depth)
        .require_git(false)
        .parents(options.ignore_files)
        .ignore(options.ignore_files)
        .git_ignore(options.ignore_files)
        .git_global(options.ignore_files)
        .git_exclude(options.ignore_files)
        .sort_by_file_name(|a, b| a.cmp(b));
    if options.ignore_files {
        builder.add_custom_ignore_filename(".ragctlignore");
    }
    let (dropped, filter_globs) = (std::sync::Arc::new(std::sync::Mutex::new(Vec::new())), globs.clone());
    let recorder = dropped.clone();
    let indexes = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let index_recorder = indexes.clone();
    builder.filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
        if entry.depth() == 0 || !is_folder {
            return true;
        }
        if is_index(entry.path()) || entry.path().join("ragctl.db").is_file() {
            if let Ok(mut indexes) = index_recorder.lock() {
                indexes.push(entry.path().to_owned());
            }
            return false;
        }
        let is_excluded = filter_globs.matched(entry.path(), true).is_ignore();
        if is_excluded && let Ok(mut dropped) = recorder.lock() {
            dropped.push(entry.path().to_owned());
        }
        !is_excluded
    });
    let (mut folders, mut seen) = (Vec::new(), HashSet::new());
    for entry in builder.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                match describe(root, &error) {
                    (path, None) => {
                        seen.insert(path.clone());
                        walked.skip(&path, SkipReason::Symlink);
                    }
                    (path, Some(cause)) => walked.failed.push((path, cause)),
                }
                continue;
            }
        };
        let path = entry.path();
        seen.insert(path.to_owned());
        let Some(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            let is_bottom = options.max_depth.is_some_and(|depth| entry.depth() >= depth);
            if is_bottom && entry.depth() > 0 {
                walked.skip(path, SkipReason::TooDeep);
            } else {
                folders.push(path.to_owned());
            }
        } else if kind.is_symlink() {
            walked.skip(path, SkipReason::Symlink);
        } else if globs.matched(path, options.archives && archive_kind(path).is_some()).is_ignore() {
            walked.skip(path, SkipReason::Excluded);
        } else if archive_kind(path).is_some() && !options.archives {
            walked.skip(path, SkipReason::Archive);
        } else if archive_kind(path).is_some_and(|it| it != ContainerKind::Gzip)
            && options.max_depth.is_some_and(|it| entry.depth() >= it)
        {
            walked.skip(path, SkipReason::TooDeep);
        } else {
            match entry.metadata() {
                Ok(metadata) => take_file(
                    path,
                    &metadata,
                    options,
                    base,
                    Place::Walked { root, depth: entry.depth() },
                    walked,
                ),
                Err(error) => walked.failed.push((path.to_owned(), error.to_string())),
            }
        }
    }
    let dropped: BTreeSet<PathBuf> =
        dropped.lock().map(|it| it.iter().cloned().collect()).unwrap_or_default();
    for path in &dropped {
        seen.insert(path.clone());
        walked.skip(path, SkipReason::Excluded);
    }
    for path in indexes.lock().map(|it| it.clone()).unwrap_or_default() {
        walked.skip(&path, SkipReason::Index);
        seen.insert(path);
    }
    count_unseen(&folders, &seen, options, walked);
    Ok(())
}

/// The walker says nothing of what its ignore rules drop, so that the folders it visited are listed once more.
fn count_unseen(folders: &[PathBuf], seen: &HashSet<PathBuf>, options: &WalkOptions, walked: &mut Walked) {
    for entry in folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten() {
        let path = entry.path();
        if seen.contains(&path) || walked.failed.iter().any(|(failed, _)| *failed == path) {
            continue;
        }
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if path.join("ragctl.db").is_file() {
            continue;
        }
        let reason = if is_hidden && !options.hidden { SkipReason::Hidden } else { SkipReason::Ignored };
        walked.skip(&path, reason);
    }
}

/// The include and exclude globs, relative to `root`.
pub(super) fn globs(root: &Path, options: &WalkOptions) -> Result<Override, WalkError> {
    let mut builder = OverrideBuilder::new(root);
    let included = options.include.iter().map(|glob| (glob, glob.clone()));
    let excluded = options.exclude.iter().map(|glob| (glob, format!("!{glob}")));
    for (glob, line) in included.chain(excluded) {
        builder.add(&line).map_err(|source| WalkError::Glob { glob: glob.clone(), source })?;
    }
    builder.build().map_err(|source| WalkError::Glob { glob: String::new(), source })
}

/// The path and the cause of an error of the walker; no cause for a link that leads back to a folder above it.
fn describe(near: &Path, error: &ignore::Error) -> (PathBuf, Option<String>) {
    match error {
        ignore::Error::WithPath { path, err } => describe(path, err),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            describe(near, err)
        }
        ignore::Error::Loop { child, .. } => (child.clone(), None),
        other => (near.to_owned(), Some(other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "text").unwrap();
        }
        root
    }

    fn check(
        root: &tempfile::TempDir,
        options: &WalkOptions,
        uris: &[&str],
        skipped: &[(SkipReason, usize)],
    ) {
        let base = UriBase::new(root.path());
        let walked = walk(&[root.path().to_owned()], options, &base, &root.path().join(".ragctl")).unwrap();
        let found: Vec<&str> = walked.candidates.iter().map(|it| it.uri.as_str()).collect();
        assert_eq!(found, uris);
        assert_eq!(walked.skipped.into_iter().collect::<Vec<_>>(), skipped);
        assert_eq!(walked.failed, []);
    }

    #[test]
    fn ignored_and_hidden_files_are_counted() {
        let root = tree(&[
            "a.md",
            "b/c.md",
            "b/skip.md",
            "target/x.md",
            "target/y/z.md",
            ".hidden/q.md",
            ".ragctl/ragctl.db",
        ]);
        fs::write(root.path().join(".gitignore"), "target/\n").unwrap();
        fs::write(root.path().join("b/.ragctlignore"), "skip.md\n").unwrap();
        let expected = [(SkipReason::Ignored, 2), (SkipReason::Hidden, 3)];
        check(&root, &WalkOptions::default(), &["a.md", "b/c.md"], &expected);
    }

    #[test]
    fn globs_types_depth_and_size_are_counted() {
        let root = tree(&["a.md", "b.txt", "c/d.md", "c/e/f.md", "g.md"]);
        fs::write(root.path().join("g.md"), "x".repeat(50)).unwrap();
        let exclude = WalkOptions { exclude: vec!["c/".into()], ..WalkOptions::default() };
        check(&root, &exclude, &["a.md", "b.txt", "g.md"], &[(SkipReason::Excluded, 1)]);
        let include = WalkOptions { include: vec!["*.md".into()], ..WalkOptions::default() };
        check(&root, &include, &["a.md", "c/d.md", "c/e/f.md", "g.md"], &[(SkipReason::Excluded, 1)]);
        let types = WalkOptions { extensions: Some(vec!["txt".into()]), ..WalkOptions::default() };
        check(&root, &types, &["b.txt"], &[(SkipReason::Type, 4)]);
        let small = WalkOptions { max_bytes: 10, max_depth: Some(1), ..WalkOptions::default() };
        check(&root, &small, &["a.md", "b.txt"], &[(SkipReason::TooLarge, 1), (SkipReason::TooDeep, 1)]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_skipped_unless_asked_for_and_loops_end() {
        let root = tree(&["a.md"]);
        std::os::unix::fs::symlink(root.path(), root.path().join("loop")).unwrap();
        std::os::unix::fs::symlink(root.path().join("a.md"), root.path().join("link.md")).unwrap();
        check(&root, &WalkOptions::default(), &["a.md"], &[(SkipReason::Symlink, 2)]);
        let follow = WalkOptions { follow_links: true, ..WalkOptions::default() };
        let base = UriBase::new(root.path());
        let walked = walk(&[root.path().to_owned()], &follow, &base, Path::new("none")).unwrap();
        assert_eq!(walked.candidates.len(), 2);
        assert_eq!(walked.skipped.into_iter().collect::<Vec<_>>(), [(SkipReason::Symlink, 1)]);
    }

    #[test]
    fn a_missing_root_is_an_error_and_a_named_file_is_taken() {
        let root = tree(&[".hidden.md"]);
        let base = UriBase::new(root.path());
        let missing = walk(&[root.path().join("no")], &WalkOptions::default(), &base, Path::new("x"));
        assert!(matches!(missing, Err(WalkError::Root { .. })));
        let named = [root.path().join(".hidden.md"), root.path().join(".hidden.md")];
        assert_eq!(walk(&named, &WalkOptions::default(), &base, Path::new("x")).unwrap().candidates.len(), 1);
    }
}
