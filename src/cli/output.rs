//! Standard output for data, standard error for everything else.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};

use serde::Serialize;

use crate::cli::args::ColorChoice;
use crate::cli::error::CliError;
use crate::render::human::Style;

/// The two streams of a command.
pub(super) struct Output {
    stdout: BufWriter<io::Stdout>,
    style: Style,
    error_style: Style,
    is_quiet: bool,
}

impl Output {
    pub(super) fn new(color: ColorChoice, is_quiet: bool) -> Self {
        let wants = |is_terminal: bool| match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                let forced = is_set("CLICOLOR_FORCE");
                !is_set("NO_COLOR")
                    && (forced || (is_terminal && std::env::var_os("TERM").is_none_or(|it| it != "dumb")))
            }
        };
        Self {
            stdout: BufWriter::new(io::stdout()),
            style: Style { colour: wants(io::stdout().is_terminal()) },
            error_style: Style { colour: wants(io::stderr().is_terminal()) },
            is_quiet,
        }
    }

    /// How to paint what goes to stdout.
    pub(super) fn style(&self) -> Style {
        self.style
    }

    /// How to paint what goes to stderr.
    pub(super) fn error_style(&self) -> Style {
        self.error_style
    }

    /// Whether to draw progress.
    pub(super) fn shows_progress(&self) -> bool {
        !self.is_quiet && io::stderr().is_terminal()
    }

    /// Writes text as it is.
    pub(super) fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.bytes(text.as_bytes())
    }

    /// Writes bytes as they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.stdout.write_all(bytes).map_err(|source| CliError::io("write to", "standard output", source))
    }

    /// Writes one value as indented JSON.
    pub(super) fn json<T: Serialize>(&mut self, value: &T) -> Result<(), CliError> {
        serde_json::to_writer_pretty(&mut self.stdout, value)
            .map_err(|error| CliError::io("write to", "standard output", error.into()))?;
        self.text("\n")
    }

    /// Writes one value as one line of JSON.
    pub(super) fn json_line<T: Serialize>(&mut self, value: &T) -> Result<(), CliError> {
        serde_json::to_writer(&mut self.stdout, value)
            .map_err(|error| CliError::io("write to", "standard output", error.into()))?;
        self.text("\n")
    }

    pub(super) fn flush(&mut self) -> Result<(), CliError> {
        self.stdout.flush().map_err(|source| CliError::io("write to", "standard output", source))
    }

    /// Tells the user something, unless told to be quiet.
    pub(super) fn note(&self, text: &str) {
        if !self.is_quiet {
            self.error(text);
        }
    }

    /// Tells the user what failed. A closed stderr is nobody's loss.
    pub(super) fn error(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{}", text.trim_end());
    }

    /// Tells a script what failed.
    pub(super) fn error_json<T: Serialize>(&self, value: &T) {
        self.error(&serde_json::to_string(value).unwrap_or_default());
    }
}
