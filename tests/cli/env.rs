//! A folder of its own for each test, and the program run in it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A temporary folder with an environment of nothing but what a test sets.
pub(crate) struct TestEnv {
    folder: tempfile::TempDir,
}

/// What a run printed and how it ended.
#[must_use]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl TestEnv {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with a copy of `testdata/docs` as `docs`.
    pub(crate) fn with_docs() -> Self {
        let env = Self::new();
        copy_folder(&testdata("docs"), &env.path("docs"));
        env
    }

    /// A path inside the folder.
    pub(crate) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(relative)
    }

    /// Writes a file, with the folders above it.
    pub(crate) fn write(&self, relative: &str, content: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// The program with these arguments, to be run in the folder.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ragctl"));
        command.args(args).current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command
    }

    /// Runs the program.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Run {
        Run::of(self.command(args).output().unwrap())
    }

    /// Runs the program with text on standard input.
    pub(crate) fn run_with_stdin<S: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = S>,
        stdin: &[u8],
    ) -> Run {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(stdin).unwrap();
        Run::of(child.wait_with_output().unwrap())
    }

    /// Runs the program, which must end with `code`, and reads its standard output as JSON.
    pub(crate) fn json<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>, code: i32) -> Value {
        self.run(args).expect_code(code).json()
    }

    /// The hits of a search that finds something.
    pub(crate) fn hits(&self, args: &[&str]) -> Vec<Value> {
        let args = ["search", "--json"].iter().chain(args);
        self.json(args, 0)["hits"].as_array().unwrap().clone()
    }

    /// Ingests `docs`, which must succeed.
    pub(crate) fn ingest_docs(&self) {
        let _ = self.run(["ingest", "docs"]).expect_code(0);
    }

    /// The first file of an index's vectors with this extension.
    pub(crate) fn vector_file(&self, extension: &str) -> PathBuf {
        let entries = fs::read_dir(self.path(".ragctl")).unwrap().map(|it| it.unwrap().path());
        let mut files: Vec<PathBuf> = entries
            .filter(|it| it.file_name().unwrap().to_str().unwrap().starts_with("vec-"))
            .filter(|it| it.extension().is_some_and(|it| it == extension))
            .collect();
        files.sort();
        files.remove(0)
    }

    /// Every check of `verify` must hold.
    pub(crate) fn verify(&self) {
        let _ = self.run(["verify"]).expect_code(0);
    }
}

impl Run {
    fn of(output: Output) -> Self {
        let run = Self {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap_or(-1),
        };
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        run
    }

    /// Fails the test unless the program ended with `code`.
    pub(crate) fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Standard output as one JSON value.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", self.stdout))
    }

    /// Standard output as JSON lines.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// A path below `testdata`.
pub(crate) fn testdata(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(relative)
}

/// Copies a folder with everything in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
