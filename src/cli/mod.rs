//! The command line: the only module, beside agents' protocols, that knows arguments and terminals.
//!
//! Arguments become requests, commands call one use case each, and [`crate::render`] makes the output. Data goes to
//! stdout, everything else to stderr. [`error`] alone decides exit codes and hints.

mod agents;
mod args;
mod calibrate;
mod config;
mod doctor;
mod error;
mod eval;
mod files;
mod filter;
mod generate;
mod help;
mod index;
mod ingest;
mod maintain;
mod model_list;
mod models;
mod navigate;
mod output;
mod progress;
mod query;
mod reembed;
mod search;
mod stages;

use std::process::ExitCode;

use clap::Parser as _;

pub use args::command;

use args::{Cli, Command};
use error::{CliError, Exit};
use output::Output;

/// Runs the program on the process's arguments.
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|it| it == crate::read::worker::SUBCOMMAND) {
        return serve_reader();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are data; clap chooses the stream. A closed pipe is no failure.
            let _ = error.print();
            return if error.use_stderr() { Exit::Failure.into() } else { Exit::Success.into() };
        }
    };
    let mut output = Output::new(cli.global.color, cli.global.quiet);
    let wants_json = cli.command.wants_json();
    match run(&cli, &mut output).and_then(|exit| output.flush().map(|()| exit)) {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = error.exit();
            error.report(&output, wants_json);
            exit.into()
        }
    }
}

fn run(cli: &Cli, output: &mut Output) -> Result<Exit, CliError> {
    let global = &cli.global;
    #[cfg(feature = "onnx")]
    if let Some(path) = global.ort_lib.clone().filter(|it| !it.as_os_str().is_empty()) {
        crate::local::use_onnx_library(path);
    }
    match &cli.command {
        Command::Ingest(args) => ingest::run(args, global, output),
        Command::Search(args) => search::run(args, global, output),
        Command::Expand(args) => navigate::expand(args, global, output),
        Command::Zoom(args) => navigate::zoom(args, global, output),
        Command::Show(args) => navigate::show(args, global, output),
        Command::Tree(args) => navigate::tree(args, global, output),
        Command::Sections(args) => navigate::sections(args, global, output),
        Command::List(args) => navigate::list(args, global, output),
        Command::Query(args) => query::run(args, global, output),
        Command::Filter(args) => filter::run(args, global, output),
        Command::Info(args) => maintain::info(args, global, output),
        Command::Remove(args) => maintain::remove(args, global, output),
        Command::Verify(args) => maintain::verify(args, global, output),
        Command::Doctor(args) => doctor::run(args, global, output),
        Command::Reindex(args) => maintain::reindex(args, global, output),
        Command::Calibrate(args) => calibrate::run(args, global, output),
        Command::Eval(args) => eval::run(args, global, output),
        Command::Reembed(args) => reembed::run(args, global, output),
        Command::Models(args) => model_list::run(args, global, output),
        Command::Mcp(args) => agents::mcp(args, global, output),
        Command::Tools(args) => agents::tools(args, global, output),
        Command::Call(args) => agents::call(args, global, output),
        Command::Trace(args) => agents::trace(args, output),
        Command::Read(args) => files::read(args, global, output),
        Command::Chunk(args) => files::chunk(args, global, output),
        Command::Schema(args) => generate::schema(args, output),
        Command::Completions(args) => generate::completions(args, output),
        Command::Man(args) => generate::man(args, output),
    }
}

/// The worker's side of [`crate::read::worker`].
fn serve_reader() -> ExitCode {
    let (stdin, stdout) = (std::io::stdin(), std::io::stdout());
    match crate::read::worker::serve(&mut stdin.lock(), &mut stdout.lock()) {
        Ok(()) => Exit::Success.into(),
        Err(_) => Exit::Failure.into(),
    }
}
