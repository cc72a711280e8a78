//! Options of every command.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

/// Options of every command.
#[derive(Debug, Args)]
pub(in crate::cli) struct Global {
    /// Use the index in this folder
    ///
    /// Without it the index is the one in the environment variable RAGCTL_INDEX, or the folder `.ragctl` in the current
    /// folder or in the nearest folder above it.
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) index: Option<PathBuf>,
    /// Colour the output
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub(in crate::cli) color: ColorChoice,
    /// Show nothing but what this filter lets pass, in every command (repeatable, all must hold)
    ///
    /// RAGCTL_BASE_FILTER and `base_filter` in the index's config.toml hold as well: nothing that is given here can widen
    /// them. Ingesting, verifying and reindexing see everything.
    #[arg(long, global = true, value_name = "EXPR")]
    pub(in crate::cli) base_filter: Vec<String>,
    /// Use no network, whatever else is said
    #[arg(long, global = true, env = "RAGCTL_OFFLINE", value_parser = clap::builder::FalseyValueParser::new())]
    pub(in crate::cli) offline: bool,
    /// Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)
    ///
    /// Without it, it is looked for beside the program, in the Python package `onnxruntime` and where the system keeps libraries;
    /// ragctl doctor says what was found.
    #[cfg(feature = "onnx")]
    #[arg(long, global = true, value_name = "FILE", env = "ORT_DYLIB_PATH", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) ort_lib: Option<PathBuf>,
    /// Print no notes, summaries and progress
    #[arg(short, long, global = true)]
    pub(in crate::cli) quiet: bool,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
